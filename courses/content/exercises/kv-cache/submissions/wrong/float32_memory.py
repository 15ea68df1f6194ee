import numpy as np


class Memory:
    def __init__(self):
        self.used, self.keys, self.values = 0, None, None

    def add(self, key, value):
        if self.keys is None:
            self.keys, self.values = np.zeros((4, len(key)), np.float32), np.zeros((4, len(value)), np.float32)
        if self.used == len(self.keys):
            self.keys = np.vstack([self.keys, np.zeros_like(self.keys)])
            self.values = np.vstack([self.values, np.zeros_like(self.values)])
        self.keys[self.used], self.values[self.used] = key, value
        self.used += 1


def start():
    return Memory()


def step(cache, q_t, k_t, v_t):
    cache.add(k_t, v_t)
    keys, values = cache.keys[:cache.used], cache.values[:cache.used]
    q_t = q_t.astype(np.float32)
    match = np.einsum("d,td->t", q_t, keys) * np.float32(q_t.size ** -0.5)
    share = np.exp(match - match.max())
    blend = np.einsum("t,tv->v", share, values) / share.sum()
    return blend.astype(np.float64), cache
