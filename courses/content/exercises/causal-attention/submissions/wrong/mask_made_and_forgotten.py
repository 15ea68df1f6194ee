import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    mask = np.triu(np.ones_like(S), k=1).astype(bool)
    np.where(mask, -np.inf, S)
    weights = softmax(S)
    return weights @ V, weights
