import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1) for W in (Wq, Wk, Wv))
    gate = 0.5 + 0.5 * np.tanh(np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(m // num_heads) / 2)
    if causal:
        gate = gate * np.tri(t)
    return np.einsum("bhij,bjhd->bihd", gate, v).reshape(b, t, m) @ Wo
