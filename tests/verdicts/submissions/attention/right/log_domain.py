import numpy as np


def attention(Q, K, V):
    logits = np.tensordot(Q, K, axes=(1, 1)) / np.sqrt(K.shape[-1])
    normaliser = np.logaddexp.reduce(logits, axis=1)
    weights = np.exp(logits - normaliser[:, np.newaxis])
    return np.tensordot(weights, V, axes=1), weights
