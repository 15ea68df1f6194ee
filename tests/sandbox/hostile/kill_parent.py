import os


def attack(x):
    os.kill(os.getppid(), 9)
