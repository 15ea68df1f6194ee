import numpy as np


def attention(Q, K, V):
    q, k, v = Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32)
    S = q @ k.T / np.float32(np.sqrt(q.shape[-1]))
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return (P @ v).astype(np.float64), P.astype(np.float64)
