import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    kernel = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[3])
    if causal:
        kernel = kernel + np.triu(np.full((t, t), -np.inf), 1)
    kernel = np.exp(kernel)
    return np.einsum("bhij,bhjd->bihd", kernel, v).reshape(b, t, m) @ Wo
