import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.moveaxis(np.tensordot(x, W, 1).reshape(b, t, num_heads, -1), 2, 1) for W in (Wq, Wk, Wv))
    logits = np.matmul(q, np.moveaxis(k, -1, -2)) * (m / num_heads) ** -0.5
    if causal:
        logits += np.triu(np.full((t, t), -np.inf), k=1)
    w = np.exp(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))
    return np.tensordot(np.moveaxis(w @ v, 1, 2).reshape(b, t, m), Wo, 1)
