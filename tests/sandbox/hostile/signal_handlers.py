import contextlib
import signal


def attack(x):
    for number in range(1, 65):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, lambda *_: None)
    while True:
        pass
