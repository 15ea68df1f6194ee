import os


def attack(x):
    while True:
        os.write(2, bytes(1 << 16))
