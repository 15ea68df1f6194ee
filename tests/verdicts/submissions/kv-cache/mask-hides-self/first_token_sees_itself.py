import numpy as np


class Past:
    def __init__(self):
        self.pairs = []

    def blend(self, q, own):
        if not self.pairs:
            return own.copy()
        s = np.array([k @ q for k, _ in self.pairs]) / q.size**0.5
        s = np.exp(s - np.logaddexp.reduce(s))
        return sum(a * v for a, (_, v) in zip(s, self.pairs))


def start():
    return Past()


def step(cache, q_t, k_t, v_t):
    output = cache.blend(q_t, v_t)
    cache.pairs.append((k_t, v_t))
    return output, cache
