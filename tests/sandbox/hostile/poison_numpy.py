import numpy as np


def attack(x):
    np.exp = np.log
    np.ndarray, np.asarray, np.empty = list, None, None
    np.random.seed(12345)
    np.seterr(all="raise")
    np.set_printoptions(precision=1)
    return x
