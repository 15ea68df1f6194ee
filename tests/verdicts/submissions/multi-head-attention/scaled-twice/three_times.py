import numpy as np


class ScaledHead:
    def __init__(self, *qkv):
        self.q, self.k, self.v = qkv
        self.root = self.q.shape[-1] ** 0.5

    def scores(self):
        return (self.q / self.root) @ (self.k / self.root).swapaxes(1, 2) / self.root

    def forward(self, causal):
        s = self.scores()
        if causal:
            s = np.where(np.tri(s.shape[1]) > 0, s, -np.inf)
        e = np.exp(s - s.max(2, keepdims=True))
        return e / e.sum(2, keepdims=True) @ self.v


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    thirds = (np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv))
    return np.concatenate([ScaledHead(*qkv).forward(causal) for qkv in zip(*thirds)], axis=2) @ Wo
