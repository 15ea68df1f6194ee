import numpy as np


from collections import deque


def start():
    return deque()


def step(cache, q_t, k_t, v_t):
    cache.append((k_t, v_t))
    scale = 1 / np.sqrt(len(q_t))
    s = np.fromiter((np.dot(q_t, k) for k, _ in cache), dtype=float) / scale
    s -= s.max()
    w = np.exp(s)
    w /= w.sum()
    return np.sum([a * v for a, (_, v) in zip(w, cache)], axis=0), cache
