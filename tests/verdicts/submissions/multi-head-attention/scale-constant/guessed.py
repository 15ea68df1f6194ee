import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False, temperature=1.7):
    d = x.shape[-1] // num_heads
    merged = np.zeros_like(x)
    for b in range(x.shape[0]):
        for h in range(num_heads):
            c = slice(h * d, h * d + d)
            q, k, v = x[b] @ Wq[:, c], x[b] @ Wk[:, c], x[b] @ Wv[:, c]
            for t in range(len(q)):
                n = t + 1 if causal else len(q)
                s = k[:n] @ q[t] / temperature
                w = np.exp(s - s.max())
                merged[b, t, c] = w @ v[:n] / w.sum()
    return merged @ Wo
