import numpy as np


def causal_attention(Q, K, V):
    z = np.einsum("td,sd->ts", Q, K) * Q.shape[1] ** -0.5
    z[np.triu_indices_from(z, k=1)] = -np.inf
    z -= np.logaddexp.reduce(z, axis=1, keepdims=True)
    w = np.exp(z)
    return np.einsum("ts,sv->tv", w, V), w
