import numpy as np


from math import exp, sqrt


def start():
    return ()


def step(cache, q_t, k_t, v_t):
    cache = (*cache, (k_t, v_t))
    s = [sum(q_t * k) / sqrt(len(v)) for k, v in cache]
    top = max(s)
    total = sum(exp(x - top) for x in s)
    output = np.zeros(len(v_t))
    for x, (_, v) in zip(s, cache):
        output += exp(x - top) / total * v
    return output, cache
