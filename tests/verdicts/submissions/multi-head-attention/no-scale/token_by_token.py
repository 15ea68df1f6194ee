import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[2] // num_heads
    out = np.zeros_like(x)
    for b in range(len(x)):
        q, k, v = (np.hsplit(x[b] @ W, num_heads) for W in (Wq, Wk, Wv))
        for h in range(num_heads):
            for t in range(x.shape[1]):
                n = t + 1 if causal else x.shape[1]
                score = [q[h][t] @ k[h][j] for j in range(n)]
                w = np.exp(np.array(score) - max(score))
                out[b, t, h * d : h * d + d] = w @ v[h][:n] / sum(w)
    return out @ Wo
