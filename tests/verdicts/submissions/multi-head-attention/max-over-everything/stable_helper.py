import numpy as np


class Stable:
    @staticmethod
    def softmax(z):
        z = z - z.max()
        return np.exp(z) / np.exp(z).sum(-1)[..., np.newaxis]


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    shape = (*x.shape[:2], num_heads, x.shape[2] // num_heads)
    q, k, v = ((x @ W).reshape(shape) for W in (Wq, Wk, Wv))
    z = np.einsum("bihd,bjhd->bhij", q, k) / shape[3] ** 0.5
    if causal:
        z[..., ~np.tri(shape[1], dtype=bool)] = -np.inf
    return np.einsum("bhij,bjhd->bihd", Stable.softmax(z), v).reshape(x.shape) @ Wo
