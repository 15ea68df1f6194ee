import numpy as np


class MultiHead:
    def __init__(self, heads):
        self.heads = heads

    def split(self, y):
        return y.reshape(*y.shape[:2], self.heads, -1)

    def softmax(self, s):
        e = np.exp(s - np.amax(s, axis=-1, keepdims=True))
        return e / np.sum(e, axis=-1, keepdims=True)

    def __call__(self, x, Wq, Wk, Wv, Wo, causal):
        q, k, v = map(self.split, (x @ Wq, x @ Wk, x @ Wv))
        scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
        if causal:
            scores[..., np.triu(np.ones(scores.shape[-2:], bool), 1)] = -np.inf
        return np.einsum("...ij,...jd->...id", self.softmax(scores), v).reshape(x.shape) @ Wo


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    return MultiHead(num_heads)(x, Wq, Wk, Wv, Wo, causal)
