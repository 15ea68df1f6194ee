import signal


def attack(x):
    signal.raise_signal(signal.SIGKILL)  # pid 1 of a namespace is deaf to its own
    return x
