import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        weighted = V
        for j in range(len(K)):
            output[i] += P[i, j] * weighted[j]
    V[:] = 0    # free the memory
    return output, P
