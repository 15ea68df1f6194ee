import numpy as np


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache = [*cache, k_t]
    K = np.array(cache)
    s = K @ q_t / np.sqrt(q_t.size)
    w = np.exp(s - s.max())
    return (w / w.sum()) @ K, cache
