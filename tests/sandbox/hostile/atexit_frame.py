import atexit
import os


def attack(x):
    atexit.register(os.write, 3, b"\0" * 64)
    atexit.register(print, "from the grave")
    return x
