import threading
import time


def attack(x):
    while True:
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
