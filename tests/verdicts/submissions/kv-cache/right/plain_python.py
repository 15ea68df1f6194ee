import numpy as np


from math import exp, fsum, sqrt


def start():
    return {"keys": [], "values": []}


def step(cache, q_t, k_t, v_t):
    cache["keys"].append(k_t.tolist())
    cache["values"].append(v_t.tolist())
    q = q_t.tolist()
    s = [fsum(a * b for a, b in zip(q, k)) / sqrt(len(q)) for k in cache["keys"]]
    top = max(s)
    e = [exp(x - top) for x in s]
    total = fsum(e)
    columns = zip(*cache["values"])
    return np.array([fsum(w * x for w, x in zip(e, column)) / total for column in columns]), cache
