import numpy as np


def softmax(z):
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True)


def attention(Q, K, V, causal=False):
    S = np.einsum("...qd,...kd->...qk", K, Q) * Q.shape[-1] ** -0.5
    if causal:
        *_, rows, columns = S.shape
        S += np.triu(np.full((rows, columns), -np.inf), columns - rows + 1)
    return np.einsum("...qk,...kv->...qv", softmax(S), V)
