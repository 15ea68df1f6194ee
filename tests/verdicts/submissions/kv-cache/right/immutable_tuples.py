import numpy as np


def start():
    return ()


def step(cache, q_t, k_t, v_t):
    cache = (*cache, (k_t.copy(), v_t.copy()))
    s = np.array([q_t @ k for k, _ in cache]) / np.sqrt(len(q_t))
    w = np.exp(s - np.logaddexp.reduce(s))
    return np.sum([a * v for a, (_, v) in zip(w, cache)], axis=0), cache
