kept = []


def attack(x):
    while True:
        kept.append(bytearray(1 << 20))
