import numpy as np


def softmax(s):
    e = np.exp(s - np.max(s, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def causal_attention(Q, K, V):
    W = softmax(np.inner(Q, K) / np.sqrt(Q.shape[1]))
    W[np.triu_indices(len(W), k=1)] = 0.0
    W = W / np.einsum("ij->i", W)[:, None]
    return np.einsum("ij,jv->iv", W, V), W
