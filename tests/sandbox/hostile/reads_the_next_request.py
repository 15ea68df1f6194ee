"""Threads wait at every descriptor, and print whatever comes."""

import os
import threading


def wait(descriptor):
    while True:
        print(os.read(descriptor, 1 << 16))


def attack(x):
    for descriptor in (3, os.dup(3)):
        threading.Thread(target=wait, args=(descriptor,), daemon=True).start()
    return x
