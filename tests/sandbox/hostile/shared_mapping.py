import mmap


def attack(x):
    mmap.mmap(-1, 20 << 30)
