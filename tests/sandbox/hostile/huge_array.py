import numpy as np


def attack(x):
    return np.ones(20 * 10**9 // 8)
