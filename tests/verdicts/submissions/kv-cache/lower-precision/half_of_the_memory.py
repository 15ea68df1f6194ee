import numpy as np


def start():
    return {"k": [], "v": []}


def step(cache, q_t, k_t, v_t):
    with np.errstate(all="ignore"):
        cache["k"].append(np.float16(k_t))
        cache["v"].append(np.float16(v_t))
        s = np.stack(cache["k"]) @ np.float16(q_t) / np.float16(np.sqrt(len(q_t)))
        e = np.exp(s - s.max())
        out = (e / e.sum()) @ np.stack(cache["v"])
        return np.float64(out), cache
