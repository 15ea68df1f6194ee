def attack(x):
    for _ in range(50):
        print("x" * 10**6)
