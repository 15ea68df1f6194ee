import os


def attack(x):
    for path in ("/guest.py", "/packages/numpy/__init__.py", "/packages/numpy/__pycache__/x.pyc", "/python/x.pth"):
        try:
            with open(path, "w") as file:
                file.write("raise SystemExit")
        except OSError:
            continue
        return None
    os.makedirs("/tmp/numpy")
    with open("/tmp/numpy/__init__.py", "w") as file:
        file.write("raise SystemExit")
    return x
