import os


def attack(x):
    os.closerange(0, 64)
    return x
