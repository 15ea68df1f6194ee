import numpy as np


class Heads:
    def __init__(self, count, causal):
        self.count = count
        self.causal = causal

    def split(self, a):
        batch, tokens, width = a.shape
        return a.reshape(batch, tokens, self.count, width // self.count).swapaxes(1, 2)

    def merge(self, a):
        batch, count, tokens, width = a.shape
        return a.swapaxes(1, 2).reshape(batch, tokens, count * width)

    def weights(self, queries, keys):
        scores = queries @ keys.swapaxes(2, 3) / np.sqrt(queries.shape[3])
        if self.causal:
            scores += np.triu(np.full(scores.shape[2:], -np.inf), k=1)
        scores -= scores.max(axis=3, keepdims=True)
        shares = np.exp(scores)
        return shares / shares.sum(axis=3, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    heads = Heads(num_heads, causal)
    queries, keys, values = (heads.split(x @ W.T) for W in (Wq, Wk, Wv))
    return heads.merge(heads.weights(queries, keys) @ values) @ Wo
