import os
import time


def attack(x):
    os.close(3)
    time.sleep(3600)
