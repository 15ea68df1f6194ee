import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    s = K @ Q[-1] / np.sqrt(d)
    last = np.exp(s - s.max())
    last = last / last.sum()
    if T == 1:
        return last[None] @ V, last[None]
    output, weights = causal_attention(Q[:-1], K[:-1], V[:-1])
    weights = np.vstack([np.pad(weights, ((0, 0), (0, 1))), last])
    return np.vstack([output, last @ V]), weights
