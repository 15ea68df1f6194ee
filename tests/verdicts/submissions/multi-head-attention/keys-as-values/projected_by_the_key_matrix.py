import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads
    result = np.zeros((B, T, D))
    for b in range(B):
        Q, K, V = x[b] @ Wq, x[b] @ Wk, x[b] @ Wk
        for h in range(num_heads):
            c = slice(h * d, (h + 1) * d)
            for t in range(T):
                last = t + 1 if causal else T
                s = K[:last, c] @ Q[t, c] / np.sqrt(d)
                w = np.exp(s - s.max())
                result[b, t, c] = w @ V[:last, c] / w.sum()
    return result @ Wo
