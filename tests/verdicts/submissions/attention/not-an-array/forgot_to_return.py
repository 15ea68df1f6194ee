import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    weights = E / E.sum(axis=-1, keepdims=True)
    output = weights @ V
    print(output, weights)
