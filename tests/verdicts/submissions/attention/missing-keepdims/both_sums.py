import numpy as np


def attention(Q, K, V):
    logits = np.matmul(Q, K.T) / np.sqrt(Q.shape[-1])
    logits = logits - logits.max(axis=-1)
    expd = np.exp(logits)
    weights = expd / expd.sum(axis=-1)
    return np.matmul(weights, V), weights
