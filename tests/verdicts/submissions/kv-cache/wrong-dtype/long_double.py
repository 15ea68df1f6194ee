import numpy as np


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    keys, values = cache
    keys.append(k_t.astype(np.longdouble))
    values.append(v_t)
    s = np.stack(keys) @ q_t / np.sqrt(q_t.size)
    e = np.exp(s - s.max())
    return (e / e.sum()) @ np.stack(values), (keys, values)
