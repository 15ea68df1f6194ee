def attack(x):
    while True:
        pass
