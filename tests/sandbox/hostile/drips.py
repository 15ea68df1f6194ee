import os
import time


def attack(x):
    os.write(3, b"\0\0\0\x40\0\0\0\0")
    while True:
        os.write(3, b" ")
        time.sleep(0.05)
