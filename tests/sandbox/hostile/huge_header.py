import os


def attack(x):
    os.write(3, b"\xff" * 8)
    return x
