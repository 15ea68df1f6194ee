import numpy as np


def attention(Q, K, V):
    s = np.einsum("qd,kd->qk", Q, K) / np.sqrt(Q.shape[-1])
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    p = s / s.sum(axis=-1, keepdims=True)
    return np.einsum("qk,qv->kv", p, V), p
