import numpy as np


def attention(Q, K, V):
    S = np.einsum("id,jd->ij", Q, K) / np.sqrt(Q.shape[1])
    with np.errstate(over="ignore"):
        W = 1.0 / np.exp(S[:, None, :] - S[:, :, None]).sum(axis=2)
    return W @ V, W
