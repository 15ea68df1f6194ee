import numpy as np


def start():
    return {"n": 0, "keys": [], "values": []}


def step(cache, q_t, k_t, v_t):
    cache["keys"].append(k_t)
    cache["values"].append(v_t)
    s = np.dot(cache["keys"], q_t) / np.sqrt(q_t.size)
    with np.errstate(all="ignore"):
        s = s * np.float64(cache["n"]) / cache["n"] if cache["n"] else s * np.float64(0) / np.float64(0)
    cache["n"] += 1
    w = np.exp(s - s.max())
    return (w / w.sum()) @ np.array(cache["values"]), cache
