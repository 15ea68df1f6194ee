import sys


def attack(x):
    sys.exit(0)
