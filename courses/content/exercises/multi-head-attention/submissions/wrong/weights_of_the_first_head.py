import numpy as np


def softmax(z):
    z = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return z / np.sum(z, axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    n, t, m = x.shape
    c = m // num_heads
    Q = np.einsum("ntm,mk->ntk", x, Wq).reshape(n, t, num_heads, c)
    K = np.einsum("ntm,mk->ntk", x, Wk).reshape(n, t, num_heads, c)
    V = np.einsum("ntm,mk->ntk", x, Wv).reshape(n, t, num_heads, c)
    S = np.einsum("nihc,njhc->nhij", Q, K) / np.sqrt(c)
    if causal:
        i, j = np.indices((t, t))
        S = np.where(j > i, -1e20, S)
    A = softmax(S)
    A = np.repeat(A[:, :1], num_heads, axis=1)
    O = np.einsum("nhij,njhc->nihc", A, V).reshape(n, t, m)
    return O @ Wo
