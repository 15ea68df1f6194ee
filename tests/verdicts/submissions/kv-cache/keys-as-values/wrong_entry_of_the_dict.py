import numpy as np


def start():
    return {"K": [], "V": []}


def step(cache, q_t, k_t, v_t):
    cache["K"].append(k_t)
    cache["V"].append(v_t)
    s = [np.dot(k, q_t) / np.sqrt(len(k)) for k in cache["K"]]
    e = np.exp(np.array(s) - max(s))
    output = sum(x * v for x, v in zip(e, cache["K"]))
    return output / e.sum(), cache
