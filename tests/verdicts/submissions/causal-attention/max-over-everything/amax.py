import numpy as np


def causal_attention(Q, K, V):
    S = np.matmul(Q, np.transpose(K)) / np.sqrt(K.shape[-1])
    S[np.triu_indices(Q.shape[0], 1)] = -np.inf
    W = np.exp(np.subtract(S, np.amax(S)))
    W = W / np.add.reduce(W, axis=1)[:, None]
    return np.matmul(W, V), W
