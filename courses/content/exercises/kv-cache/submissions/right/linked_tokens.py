import math

import numpy as np


def start():
    return ()


def step(cache, q_t, k_t, v_t):
    cache = (k_t.copy(), v_t.copy(), cache)
    top, total, blend, link = -np.inf, 0.0, 0.0, cache
    while link:
        key, value, link = link
        score = key @ q_t / math.sqrt(q_t.size)
        new = max(top, score)
        shrink, power = np.exp(top - new), np.exp(score - new)
        total, blend, top = total * shrink + power, blend * shrink + power * value, new
    return blend / total, cache
