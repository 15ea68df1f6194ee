def attack(x):
    return attack(x)
