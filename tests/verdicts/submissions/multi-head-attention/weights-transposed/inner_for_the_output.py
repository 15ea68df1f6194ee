import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[2] // num_heads
    q, k, v = (np.einsum("btm,mn->btn", x, W) for W in (Wq, Wk, Wv))
    parts = []
    for a in range(0, x.shape[2], d):
        s = q[:, :, a : a + d] @ k[:, :, a : a + d].transpose(0, 2, 1) / np.sqrt(d)
        if causal:
            s = np.where(np.tril(np.ones(s.shape[1:])) == 1, s, -np.inf)
        e = np.exp(s - s.max(axis=2, keepdims=True))
        parts.append(e / e.sum(axis=2, keepdims=True) @ v[:, :, a : a + d])
    return np.inner(np.concatenate(parts, axis=2), Wo)
