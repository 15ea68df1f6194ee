import numpy as np


def causal_attention(Q, K, V):
    P = np.tril(np.ones((len(Q), len(Q))))
    P /= P.sum(axis=1, keepdims=True)
    return P @ V, P
