import numpy as np


SIZE = 16


def start():
    return {"full": [], "keys": [], "values": []}


def step(cache, q_t, k_t, v_t):
    cache["keys"].append(k_t)
    cache["values"].append(v_t)
    parts = cache["full"] + [(np.stack(cache["keys"]), np.stack(cache["values"]))]
    if len(cache["keys"]) == SIZE:
        cache["full"].append(parts[-1])
        cache["keys"], cache["values"] = [], []
    m, l, o = -np.inf, 0.0, np.zeros_like(v_t)
    for keys, values in parts:
        s = keys @ q_t / np.sqrt(q_t.size)
        new = max(m, s.max())
        e = np.exp(s - new)
        l = l * np.exp(m - new) + e.sum()
        o = o * np.exp(m - new) + e @ values
        m = new
    return o / l, cache
