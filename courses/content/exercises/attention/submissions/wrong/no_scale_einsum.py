import numpy as np


def attention(Q, K, V):
    d = Q.shape[-1]     # todo: scale
    S = np.einsum("id,jd->ij", Q, K)
    P = np.exp(S - S.max(1, keepdims=True))
    P /= P.sum(1, keepdims=True)
    return np.einsum("ij,jv->iv", P, V), P
