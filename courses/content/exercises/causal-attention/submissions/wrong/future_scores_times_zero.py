import numpy as np


def causal_attention(Q, K, V):
    mask = np.tril(np.ones((len(Q), len(Q))))
    S = (Q @ K.T / np.sqrt(Q.shape[-1])) * mask
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
