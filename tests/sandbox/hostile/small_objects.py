kept = []


def attack(x):
    while True:
        kept.append(object())
