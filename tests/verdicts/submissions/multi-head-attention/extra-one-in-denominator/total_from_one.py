import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    d = m // num_heads
    Q, K, V = [(x @ W).reshape(b, t, num_heads, d) for W in (Wq, Wk, Wv)]
    y = np.zeros((b, t, num_heads, d))
    for i in range(t):
        n = i + 1 if causal else t
        s = np.einsum("bhd,bjhd->jbh", Q[:, i], K[:, :n]) / np.sqrt(d)
        e = np.exp(s - s.max(axis=0))
        total = np.ones(e.shape[1:])
        for row in e:
            total += row
        y[:, i] = np.einsum("jbh,bjhd->bhd", e / total, V[:, :n])
    return y.reshape(x.shape) @ Wo
