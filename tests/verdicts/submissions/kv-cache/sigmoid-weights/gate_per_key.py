import numpy as np


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    keys, values = cache
    keys.append(k_t)
    values.append(v_t)
    gates = 0.5 * (1 + np.tanh(np.array(keys) @ q_t / np.sqrt(q_t.size) / 2))
    return gates @ np.array(values), (keys, values)
