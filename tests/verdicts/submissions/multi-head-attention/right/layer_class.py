import numpy as np


class MultiHeadAttention:
    def __init__(self, Wq, Wk, Wv, Wo, num_heads):
        self.qkv = np.concatenate([Wq, Wk, Wv], axis=1)
        self.out = Wo
        self.num_heads = num_heads

    def split(self, y):
        return np.stack(np.split(y, self.num_heads, axis=-1), axis=1)

    @staticmethod
    def softmax(s):
        s = np.exp(s - np.amax(s, axis=-1, keepdims=True))
        return s / np.sum(s, axis=-1, keepdims=True)

    def __call__(self, x, causal):
        q, k, v = map(self.split, np.split(x @ self.qkv, 3, axis=-1))
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
        if causal:
            n = np.arange(x.shape[1])
            s = np.where(n <= n[:, None], s, -np.inf)
        heads = self.softmax(s) @ v
        return np.concatenate([heads[:, h] for h in range(self.num_heads)], axis=-1) @ self.out


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    return MultiHeadAttention(Wq, Wk, Wv, Wo, num_heads)(x, causal)
