import signal


def attack(x):
    signal.raise_signal(signal.SIGKILL)  # refused, and pid 1 of a namespace is deaf to its own
    return x
