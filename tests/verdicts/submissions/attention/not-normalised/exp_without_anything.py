import numpy as np


def attention(Q, K, V):
    kernel = np.exp(np.einsum("if,jf->ij", Q, K) / np.sqrt(Q.shape[-1]))
    return np.einsum("ij,jv->iv", kernel, V), kernel
