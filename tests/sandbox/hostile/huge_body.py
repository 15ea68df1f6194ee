import os


def attack(x):
    os.write(3, b"\0\0\0\x02\xff\xff\xff\xff{}")
    return x
