# mistakes: no-softmax, scores-blended
import numpy as np


class Head:
    def __init__(self, q, k, v):
        self.q, self.k, self.v = q, k, v

    def weights(self, causal):
        w = self.q @ self.k.swapaxes(1, 2) / np.sqrt(self.q.shape[2])
        if causal:
            w[:, ~np.tri(w.shape[1], dtype=bool)] = -np.inf
        return w

    def output(self, causal):
        return self.weights(causal) @ self.v


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    parts = [np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]
    return np.concatenate([Head(*p).output(causal) for p in zip(*parts)], axis=2) @ Wo
