import numpy as np


def attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    A = phi(Q) @ phi(K).T
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A
