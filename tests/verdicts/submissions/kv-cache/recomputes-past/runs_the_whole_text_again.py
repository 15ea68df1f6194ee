import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Text:
    """All tokens so far, and causal attention over them."""

    def __init__(self):
        self.rows = None

    def grow(self, *row):
        new = [r.reshape(1, -1) for r in row]
        self.rows = new if self.rows is None else [np.concatenate(pair) for pair in zip(self.rows, new)]

    def attention(self):
        Q, K, V = self.rows
        s = np.einsum("id,jd->ij", Q / np.sqrt(Q.shape[1]), K)
        return softmax(np.where(np.tri(len(Q), dtype=bool), s, -np.inf)) @ V


def start():
    return Text()


def step(cache, q_t, k_t, v_t):
    cache.grow(q_t, k_t, v_t)
    everything = cache.attention()
    return everything[-1], cache
