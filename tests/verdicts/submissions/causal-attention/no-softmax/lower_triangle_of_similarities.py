import numpy as np


def causal_attention(Q, K, V):
    out = np.zeros(V.shape)
    W = np.zeros((len(Q), len(Q)))
    for t in range(len(Q)):
        for s in range(t + 1):
            W[t, s] = Q[t].dot(K[s]) / np.sqrt(Q.shape[1])
            out[t] += W[t, s] * V[s]
    return out, W
