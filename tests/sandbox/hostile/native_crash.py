import ctypes


def attack(x):
    ctypes.string_at(0)
