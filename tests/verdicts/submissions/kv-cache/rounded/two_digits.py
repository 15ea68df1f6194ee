import numpy as np


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append((k_t, v_t))
    s = [float(k @ q_t) / len(k) ** 0.5 for k, _ in cache]
    e = np.exp(np.array(s) - max(s))
    out = sum(x * v for x, (_, v) in zip(e / e.sum(), cache))
    return np.array([float(f"{number:.2f}") for number in out]), cache
