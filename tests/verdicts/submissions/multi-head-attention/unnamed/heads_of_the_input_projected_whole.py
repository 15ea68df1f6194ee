import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    d = m // num_heads
    outs = []
    for h in range(num_heads):
        c = slice(h * d, h * d + d)
        q, k, v = x[:, :, c] @ Wq[c, c], x[:, :, c] @ Wk[c, c], x[:, :, c] @ Wv[c, c]
        s = q @ k.swapaxes(1, 2) / np.sqrt(d)
        if causal:
            s = np.where(np.tri(t) > 0, s, -np.inf)
        w = np.exp(s - s.max(-1, keepdims=True))
        outs.append(w @ v / w.sum(-1, keepdims=True))
    return np.concatenate(outs, axis=2) @ Wo
