import numpy as np


def softmax(z):
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True)


def multi_head_attention(x, Wk, Wq, Wv, Wo, num_heads, causal=False):
    batch, n, width = x.shape
    q, k, v = [np.einsum("bnm,mhd->bhnd", x, W.reshape(width, num_heads, -1)) for W in (Wq, Wk, Wv)]
    z = np.einsum("bhid,bhjd->bhij", q, k) * (width / num_heads) ** -0.5
    if causal:
        z[:, :, ~np.tri(n, dtype=bool)] = -np.inf
    y = np.einsum("bhij,bhjd->bihd", softmax(z), v)
    return y.reshape(batch, n, width) @ Wo
