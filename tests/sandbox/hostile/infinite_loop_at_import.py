def attack(x):
    return x


while True:
    pass
