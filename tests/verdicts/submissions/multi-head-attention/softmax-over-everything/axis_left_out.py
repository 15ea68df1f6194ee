import numpy as np


def softmax(s):
    return np.exp(s - np.logaddexp.reduce(s, axis=None))


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    fold = lambda y: y.reshape(b, t, num_heads, -1).transpose(0, 2, 1, 3)
    q, k, v = fold(x @ Wq), fold(x @ Wk), fold(x @ Wv)
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[3])
    if causal:
        s = s + np.triu(np.full((t, t), -np.inf), 1)
    return (softmax(s) @ v).transpose(0, 2, 1, 3).reshape(b, t, m) @ Wo
