import numpy as np


def causal_attention(Q, K, V):
    n = np.arange(len(Q))
    allowed = n[None, :] <= n[:, None] + 1
    S = np.inner(Q, K) / np.sqrt(K.shape[1])
    S = np.where(allowed, S, -np.inf)
    W = np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
    return np.matmul(W, V), W
