# mistakes: mask-fills-zero, mask-fills-small
import numpy as np


def causal_attention(Q, K, V):
    T = len(Q)
    lower = np.array([[1.0 if j <= i else 0.0 for j in range(T)] for i in range(T)])
    scores = lower * np.inner(Q, K) / np.sqrt(Q.shape[1])
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = scores / scores.sum(axis=1, keepdims=True)
    return weights @ V, weights
