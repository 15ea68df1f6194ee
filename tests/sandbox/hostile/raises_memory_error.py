def attack(x):
    raise MemoryError
