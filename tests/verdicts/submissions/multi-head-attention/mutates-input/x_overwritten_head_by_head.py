import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    d = x.shape[2] // num_heads
    for h in range(num_heads):
        c = slice(h * d, h * d + d)
        s = Q[:, :, c] @ K[:, :, c].transpose(0, 2, 1) / np.sqrt(d)
        if causal:
            s = s + np.triu(np.full(s.shape[1:], -np.inf), 1)
        w = np.exp(s - np.logaddexp.reduce(s, axis=2, keepdims=True))
        x[:, :, c] = w @ V[:, :, c]  # x is not needed any more
    return x @ Wo
