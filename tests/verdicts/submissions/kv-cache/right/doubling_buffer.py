import numpy as np


class Buffer:
    def __init__(self):
        self.length = 0
        self.K = self.V = None

    def append(self, k, v):
        if self.K is None:
            self.K, self.V = np.empty((4, k.size)), np.empty((4, v.size))
        elif self.length == len(self.K):
            self.K = np.concatenate([self.K, np.empty_like(self.K)])
            self.V = np.concatenate([self.V, np.empty_like(self.V)])
        self.K[self.length], self.V[self.length] = k, v
        self.length += 1


def start():
    return Buffer()


def step(cache, q_t, k_t, v_t):
    cache.append(k_t, v_t)
    K, V = cache.K[: cache.length], cache.V[: cache.length]
    s = K @ q_t / np.sqrt(q_t.size)
    w = np.exp(s - s.max())
    return w @ V / w.sum(), cache
