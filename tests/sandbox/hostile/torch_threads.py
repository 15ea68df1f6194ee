"""Threads that go on after the answer; they end with the session."""

import threading

import torch


def work():
    while True:
        torch.ones(100, 100) @ torch.ones(100, 100)


def attack(x):
    torch.set_num_threads(4)
    threading.Thread(target=work, daemon=True).start()
    return x
