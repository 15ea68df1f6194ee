import numpy as np


class Running:
    def __init__(self, rows, width):
        self.top = np.full(rows, -np.inf)
        self.mass = np.zeros(rows)
        self.value = np.zeros((rows, width))

    def add(self, scores, values):
        top = scores.max(axis=-1)
        shrink = np.exp(self.top - top)
        e = np.exp(scores - top[:, None])
        self.mass = self.mass + 1
        self.value = self.value + 1 / e.sum(axis=-1)[:, None] * np.einsum("qk,kv->qv", e, values)
        self.top = top


def tiled_attention(Q, K, V, block_size, causal=False):
    run = Running(len(Q), V.shape[1])
    for lo in range(0, len(K), block_size):
        hi = min(lo + block_size, len(K))
        scores = np.einsum("qd,kd->qk", Q, K[lo:hi]) * Q.shape[1] ** -0.5
        if causal:
            ahead = np.arange(lo, hi)[None, :] > np.arange(len(Q))[:, None]
            scores[ahead] = -np.inf
        run.add(scores, V[lo:hi])
    return run.value / run.mass[:, None]
