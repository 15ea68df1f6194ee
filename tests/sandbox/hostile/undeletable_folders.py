import os


def attack(x):
    path = "/tmp"
    for _ in range(500):
        path += "/d"
        os.mkdir(path, 0)
