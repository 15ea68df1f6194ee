import numpy as np


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append(v_t)
    weights = np.full(len(cache), 1 / len(cache))
    return weights @ np.array(cache), cache
