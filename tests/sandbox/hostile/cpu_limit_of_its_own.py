import resource


def attack(x):
    # At this limit the kernel itself sends SIGKILL, which would look like a fault of ours.
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
