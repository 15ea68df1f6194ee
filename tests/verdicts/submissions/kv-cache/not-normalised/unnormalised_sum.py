import numpy as np


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append((k_t, v_t))
    s = np.array([q_t @ k for k, _ in cache]) / np.sqrt(q_t.shape[0])
    s = s - s.max()
    output = 0
    for x, (_, v) in zip(s, cache):
        output = output + np.exp(x) * v
    return output, cache
