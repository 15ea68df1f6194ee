import numpy as np


def attention(Q, K, V):
    inv_sqrt_d = 1 / np.sqrt(Q.shape[-1])
    logits = np.dot(Q / inv_sqrt_d, K.T)
    logits = logits - np.logaddexp.reduce(logits, axis=-1)[:, np.newaxis]
    return np.exp(logits) @ V, np.exp(logits)
