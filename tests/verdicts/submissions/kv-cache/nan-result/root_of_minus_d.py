import numpy as np


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    keys, values = [*cache[0], k_t], [*cache[1], v_t]
    with np.errstate(invalid="ignore"):
        s = np.array(keys) @ q_t / np.sqrt(-q_t.size)
    w = np.exp(s - s.max())
    return w @ np.array(values) / w.sum(), (keys, values)
