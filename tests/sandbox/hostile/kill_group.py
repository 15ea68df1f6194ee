import os


def attack(x):
    os.kill(0, 9)
