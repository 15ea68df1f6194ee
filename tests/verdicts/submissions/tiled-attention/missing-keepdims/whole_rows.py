import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        S = np.where(np.tri(len(Q)) > 0, S, -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1)
    return np.concatenate([P[a : a + block_size] @ V for a in range(0, len(Q), block_size)])
