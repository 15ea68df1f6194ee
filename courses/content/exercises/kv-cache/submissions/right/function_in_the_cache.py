import numpy as np


def start():
    def attend(q, keys, values):
        s = keys @ q
        s = s - np.logaddexp.reduce(s)
        return np.exp(s) @ values

    return attend, np.empty((0, 0)), np.empty((0, 0))


def step(cache, q_t, k_t, v_t):
    attend, keys, values = cache
    keys = np.append(keys.reshape(-1, len(k_t)), k_t[None], axis=0)
    values = np.append(values.reshape(-1, len(v_t)), v_t[None], axis=0)
    return attend(q_t / len(q_t) ** 0.5, keys, values), (attend, keys, values)
