# mistakes: mask-fills-zero, mask-fills-small
import numpy as np


def softmax(row):
    e = np.exp(row - max(row))
    return e / sum(e)


def causal_attention(Q, K, V):
    table = np.zeros((len(Q), len(K)))
    for t in range(len(Q)):
        for s in range(t + 1):
            table[t, s] = Q[t] @ K[s] / np.sqrt(Q.shape[1])
    W = np.apply_along_axis(softmax, 1, table)
    return W @ V, W
