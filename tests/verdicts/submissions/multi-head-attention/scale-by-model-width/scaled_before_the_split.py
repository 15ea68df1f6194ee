import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    Q = Q / Q.shape[2] ** 0.5
    d = Q.shape[2] // num_heads
    merged = np.zeros(Q.shape)
    for i in range(0, Q.shape[2], d):
        block = np.s_[:, :, i : i + d]
        s = Q[block] @ K[block].transpose(0, 2, 1)
        if causal:
            s = s + np.where(np.tri(s.shape[1]) == 0, -1e30, 0)
        w = np.exp(s - np.logaddexp.reduce(s, axis=2, keepdims=True))
        merged[block] = w @ V[block]
    return merged @ Wo
