import numpy as np


def attack(x):
    return np.broadcast_to(1.0, (10**6, 10**6))
