import numpy as np


class Scaled:
    def __init__(self):
        self.keys, self.values = [], []

    def __call__(self, q, k, v):
        r = k.size**-0.5
        self.keys.append(r * k)
        self.values.append(v)
        s = r * (np.vstack(self.keys) @ (r * q))
        w = np.exp(s - np.logaddexp.reduce(s))
        return w @ np.vstack(self.values)


def start():
    return Scaled()


def step(cache, q_t, k_t, v_t):
    return cache(q_t, k_t, v_t), cache
