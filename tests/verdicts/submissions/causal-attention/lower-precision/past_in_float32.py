import numpy as np


def causal_attention(Q, K, V):
    q, k, v = Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32)
    T, d = q.shape
    W = np.zeros((T, T), np.float32)
    O = np.zeros(v.shape, np.float32)
    for t in range(T):
        s = k[: t + 1] @ q[t] / np.float32(np.sqrt(d))
        W[t, : t + 1] = np.exp(s - s.max())
        W[t] /= W[t].sum()
        O[t] = W[t] @ v
    return O.astype(np.float64), W.astype(np.float64)
