import numpy as np


def start():
    return {"k": [], "v": []}


def step(cache, q_t, k_t, v_t):
    cache["k"].append(k_t)
    cache["v"].append(v_t.copy())
    s = np.dot(cache["k"], q_t) / np.sqrt(k_t.size)
    w = np.exp(s - np.logaddexp.reduce(s))
    v_t *= w[-1]
    for a, v in zip(w[:-1], cache["v"]):
        v_t += a * v
    return v_t.copy(), cache
