import numpy as np


def mask(n):
    return np.tril(np.full((n, n), -np.inf), k=-1)


def causal_attention(Q, K, V):
    z = np.einsum("id,jd->ij", Q, K) / np.sqrt(K.shape[1]) + mask(len(Q))
    w = np.exp(z - np.logaddexp.reduce(z, axis=-1, keepdims=True))
    return np.einsum("ij,jv->iv", w, V), w
