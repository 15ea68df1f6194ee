import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    d = m // num_heads
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    out = np.zeros_like(x)
    for i in range(b):
        for h in range(num_heads):
            c = slice(h * d, h * d + d)
            for j in range(t):
                seen = K[i, : j + 1, c] if causal else K[i, :, c]
                out[i, j, c] = V[i, np.argmax(seen @ Q[i, j, c] / np.sqrt(d)), c]
    return out @ Wo
