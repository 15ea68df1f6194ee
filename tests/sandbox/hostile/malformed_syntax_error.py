def attack(x):
    raise SyntaxError("bad", ("submission.py", "three", [], object()))
