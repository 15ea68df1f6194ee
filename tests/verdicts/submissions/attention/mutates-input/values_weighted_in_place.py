import numpy as np


def attention(Q, K, V):
    S = np.einsum("qd,kd->qk", Q, K) / np.sqrt(Q.shape[1])
    S = np.exp(S - S.max(axis=1, keepdims=True))
    P = S / S.sum(axis=1, keepdims=True)
    output = P @ V
    V *= P[-1][:, None]
    print(V.sum(axis=0), output[-1])
    return output, P
