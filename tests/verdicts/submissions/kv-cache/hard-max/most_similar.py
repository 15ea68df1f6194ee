import numpy as np


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append((k_t, v_t))
    _, value = max(cache, key=lambda pair: float(pair[0] @ q_t) / np.sqrt(q_t.size))
    return value.copy(), cache
