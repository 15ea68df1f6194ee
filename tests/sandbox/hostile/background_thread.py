import threading


def spin():
    while True:
        pass


def attack(x):
    threading.Thread(target=spin).start()
    return x
