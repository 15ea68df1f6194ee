import numpy as np


def causal_attention(Q, K, V):
    w = np.where(np.tri(len(Q)) == 1, Q @ K.T / np.sqrt(Q.shape[1]), -1e5)
    return w @ V, w
