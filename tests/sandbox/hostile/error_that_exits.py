import os


class LeavingError(Exception):
    def __str__(self):
        os._exit(0)


def attack(x):
    raise LeavingError
