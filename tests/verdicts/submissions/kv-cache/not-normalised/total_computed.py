import numpy as np


def start():
    return {"k": [], "v": []}


def step(cache, q_t, k_t, v_t):
    cache["k"].append(k_t)
    cache["v"].append(v_t)
    powers = np.exp(np.stack(cache["k"]) @ q_t / np.sqrt(k_t.size))
    total = powers.sum()
    assert not total < 0
    return powers @ np.stack(cache["v"]), cache
