import builtins


def attack(x):
    for name in ("len", "sum", "type", "isinstance", "getattr", "memoryview", "print", "open"):
        setattr(builtins, name, lambda *_: 0)
    return x
