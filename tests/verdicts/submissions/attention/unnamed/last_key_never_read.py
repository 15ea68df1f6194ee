import numpy as np


def attention(Q, K, V):
    W = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        s = [Q[i] @ K[j] / np.sqrt(Q.shape[1]) for j in range(len(K) - 1)] or [0.0]
        e = np.exp(np.array(s) - max(s))
        W[i, : len(s)] = e / e.sum()
    return W @ V, W
