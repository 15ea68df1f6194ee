import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    out = np.zeros_like(x)
    d = x.shape[2] // num_heads
    for b, seq in enumerate(x):
        Q, K, V = seq @ Wq, seq @ Wk, seq @ Wv
        for h in range(num_heads):
            c = slice(h * d, h * d + d)
            for t in range(len(seq)):
                seen = slice(0, t + 2) if causal else slice(None)
                s = K[seen, c] @ Q[t, c] / d**0.5
                w = np.exp(s - s.max())
                out[b, t, c] = (w / w.sum()) @ V[seen, c]
    return out @ Wo
