import numpy as np


class Linear:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return x @ self.weight.T  # as in torch.nn.Linear


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    to_q, to_k, to_v, to_out = map(Linear, (Wq, Wk, Wv, Wo))
    b, t, m = x.shape
    q, k, v = (p(x).reshape(b, t, num_heads, -1).transpose(0, 2, 1, 3) for p in (to_q, to_k, to_v))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if causal:
        s = np.where(np.tri(t, dtype=bool), s, -1e30)
    a = np.exp(s - s.max(axis=-1, keepdims=True))
    a /= a.sum(axis=-1, keepdims=True)
    return to_out((a @ v).transpose(0, 2, 1, 3).reshape(b, t, m))
