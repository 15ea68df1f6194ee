import numpy as np


class KV:
    """Grows by one row a step."""

    def __init__(self):
        self.rows = []

    @property
    def K(self):
        return np.stack([k for k, _ in self.rows])

    @property
    def V(self):
        return np.stack([v for _, v in self.rows])


def start():
    return KV()


def step(cache, q_t, k_t, v_t):
    cache.rows.append((k_t, v_t))
    a = cache.K.dot(q_t)
    a = np.exp(a - np.logaddexp.reduce(a))
    return a.dot(cache.V) * len(k_t) ** -0.5, cache
