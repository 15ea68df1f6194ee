import numpy as np


class KVCache:
    def __init__(self):
        self.keys, self.values = [], []

    def update(self, key, value):
        self.keys.append(key)
        self.values.append(value)

    def attend(self, query):
        s = np.inner(self.keys, query) / np.sqrt(query.size)
        s = np.exp(s - np.logaddexp.reduce(s))
        return np.matmul(s, self.values)


def start():
    return KVCache()


def step(cache, q_t, k_t, v_t):
    cache.update(k_t, v_t)
    return cache.attend(k_t), cache
