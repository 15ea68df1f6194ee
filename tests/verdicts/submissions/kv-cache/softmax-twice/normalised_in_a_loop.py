import numpy as np


def start():
    return {"keys": [], "values": []}


def step(cache, q_t, k_t, v_t):
    cache["keys"].append(k_t)
    cache["values"].append(v_t)
    w = np.inner(cache["keys"], q_t) / np.sqrt(k_t.size)
    for _ in range(2):
        w = np.exp(w - np.logaddexp.reduce(w))
    return np.dot(w, cache["values"]), cache
