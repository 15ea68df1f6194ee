import contextlib


def attack(x):
    while True:
        with contextlib.suppress(BaseException):
            while True:
                pass
