from multiprocessing.shared_memory import SharedMemory


def attack(x):
    SharedMemory("left", create=True, size=1 << 30)
