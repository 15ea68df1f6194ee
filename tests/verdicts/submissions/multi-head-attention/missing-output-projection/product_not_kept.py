import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    d = m // num_heads
    out = np.zeros((b, t, num_heads, d))
    Q, K, V = [(x @ W).reshape(b, t, num_heads, d) for W in (Wq, Wk, Wv)]
    for i in range(t):
        n = i + 1 if causal else t
        s = np.einsum("bhd,bjhd->bhj", Q[:, i], K[:, :n]) / np.sqrt(d)
        w = np.exp(s - s.max(axis=2, keepdims=True))
        w /= w.sum(axis=2, keepdims=True)
        out[:, i] = np.einsum("bhj,bjhd->bhd", w, V[:, :n])
    out = out.reshape(b, t, m)
    np.matmul(out, Wo)
    return out
