# mistakes: no-softmax, scores-blended
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1) for W in (Wq, Wk, Wv))
    w = np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(m // num_heads)
    if causal:
        w = np.tril(w)
    return np.einsum("bhij,bjhd->bihd", w, v).reshape(b, t, m) @ Wo
