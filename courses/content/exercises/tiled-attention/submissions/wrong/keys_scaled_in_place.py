import numpy as np


class Running:
    def __init__(self, rows, width):
        self.top = np.full(rows, -np.inf)
        self.mass = np.zeros(rows)
        self.value = np.zeros((rows, width))

    def add(self, scores, values):
        top = np.maximum(self.top, scores.max(axis=-1))
        shrink = np.exp(self.top - top)
        e = np.exp(scores - top[:, None])
        self.mass = self.mass * shrink + e.sum(axis=-1)
        self.value = self.value * shrink[:, None] + np.einsum("qk,kv->qv", e, values)
        self.top = top


def tiled_attention(Q, K, V, block_size, causal=False):
    K *= Q.shape[1] ** -0.5
    run = Running(len(Q), V.shape[1])
    for lo in range(0, len(K), block_size):
        hi = min(lo + block_size, len(K))
        scores = np.einsum("qd,kd->qk", Q, K[lo:hi])
        if causal:
            ahead = np.arange(lo, hi)[None, :] > np.arange(len(Q))[:, None]
            scores[ahead] = -1e20
        run.add(scores, V[lo:hi])
    return run.value / run.mass[:, None]
