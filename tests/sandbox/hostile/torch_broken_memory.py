"""A tensor that points to where nothing is."""

import ctypes

import torch


def attack(x):
    memory = (ctypes.c_char * 64).from_address(4096)
    return torch.frombuffer(memory, dtype=torch.uint8)
