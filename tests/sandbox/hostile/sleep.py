import time


def attack(x):
    time.sleep(3600)
