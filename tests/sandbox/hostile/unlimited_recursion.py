import sys

sys.setrecursionlimit(2**31 - 1)


def attack(x):
    return attack(x)
