# mistakes: no-softmax, scores-blended
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads
    Q = (x @ Wq).reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)
    K = (x @ Wk).reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)
    V = (x @ Wv).reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)
    s = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d)
    if causal:
        s = np.where(np.tri(T, dtype=bool), s, -1e5)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = s
    o = w @ V
    return o.transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
