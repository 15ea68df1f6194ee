import numpy as np


def attention(Q, K, V):
    x = Q
    scale = np.sqrt(K.shape[-1])
    K = x / scale
    A = np.exp(np.einsum("id,jd->ij", x, K))
    A = A / np.einsum("ij->i", A)[:, np.newaxis]
    return np.einsum("ij,jv->iv", A, V), A
