import numpy as np


def attention(Q, K, V, causal=False):
    q, k, v = (a.reshape((-1,) + a.shape[-2:]) for a in (Q, K, V))
    q, k = q / np.sqrt(q.shape[2]), k / np.sqrt(k.shape[2])
    s = q @ k.transpose(0, 2, 1)
    if causal:
        seen = np.tri(q.shape[1], k.shape[1], k.shape[1] - q.shape[1], dtype=bool)
        s = np.where(seen, s, -1e30)
    e = np.exp(s - s.max(axis=2, keepdims=True))
    w = e / e.sum(axis=2, keepdims=True)
    return (w @ v).reshape(Q.shape[:-1] + V.shape[-1:])
