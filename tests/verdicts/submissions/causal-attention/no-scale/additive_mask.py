import numpy as np


def causal_attention(Q, K, V):
    T = Q.shape[0]
    bias = np.zeros((T, T))
    bias[np.triu_indices(T, 1)] = -np.inf
    z = np.tensordot(Q, K, axes=(1, 1)) + bias
    z = np.exp(z - np.logaddexp.reduce(z, axis=1)[:, None])
    return z @ V, z
