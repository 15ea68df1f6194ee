import numpy as np


class Cache:
    def __init__(self):
        self.keys, self.values = [], []

    def step(self, q, k, v):
        self.keys.append(k)
        self.values.append(v)
        s = np.stack(self.keys) @ q / np.sqrt(q.size)
        w = np.exp(s - s.max())
        w /= w.sum()
        return w @ np.stack(self.values), w


def causal_attention(Q, K, V):
    cache = Cache()
    steps = [cache.step(q, k, v) for q, k, v in zip(Q, K, V)]
    weights = np.zeros((len(Q), len(Q)))
    for t, (_, w) in enumerate(steps):
        weights[t, : t + 1] = w
    return np.array([o for o, _ in steps]), weights
