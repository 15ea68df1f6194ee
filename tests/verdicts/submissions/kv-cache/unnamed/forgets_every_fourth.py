import numpy as np


def start():
    return []


def step(cache, q_t, k_t, v_t):
    if len(cache) == 4:
        cache = []
    cache.append((k_t, v_t))
    s = np.array([k @ q_t for k, _ in cache]) / np.sqrt(q_t.size)
    w = np.exp(s - s.max())
    return sum(a * v for a, (_, v) in zip(w / w.sum(), cache)), cache
