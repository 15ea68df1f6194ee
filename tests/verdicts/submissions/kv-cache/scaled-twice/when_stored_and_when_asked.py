# mistakes: scaled-twice, scale-by-width
import numpy as np


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    root = np.sqrt(k_t.shape[0])
    keys = cache[0] + [k_t / root]
    values = cache[1] + [v_t]
    s = np.array([(q_t / root) @ k for k in keys])
    w = np.exp(s - s.max())
    return (w / w.sum()) @ np.array(values), (keys, values)
