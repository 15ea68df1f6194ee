print(20 + 22)
