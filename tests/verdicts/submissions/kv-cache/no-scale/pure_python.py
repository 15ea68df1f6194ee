import numpy as np


from math import exp


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append((k_t.tolist(), v_t.tolist()))
    scores = [sum(a * b for a, b in zip(q_t, k)) for k, _ in cache]
    top = max(scores)
    e = [exp(s - top) for s in scores]
    out = [0.0] * len(v_t)
    for weight, (_, v) in zip(e, cache):
        for c, number in enumerate(v):
            out[c] += weight / sum(e) * number
    return np.array(out), cache
