import numpy as np


def attention(Q, K, V):
    S = np.inner(Q, K) / Q.shape[1] ** 0.5
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    context = (P @ V).sum(axis=0)
    return context, P
