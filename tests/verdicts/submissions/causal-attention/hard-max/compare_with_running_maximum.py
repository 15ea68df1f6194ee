import numpy as np


def causal_attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[1])
    S = np.where(np.tri(len(S)) == 1, S, -np.inf)
    W = (S >= S.max(axis=-1, keepdims=True)) * 1.0
    return W @ V, W
