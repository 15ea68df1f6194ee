import numpy as np


def attention(Q, K, V, causal=False):
    n, m = Q.shape[-2], K.shape[-2]
    logits = Q @ np.moveaxis(K, -1, -2) * (1 / np.sqrt(V.shape[-1]))
    if causal:
        logits += np.where(np.tri(n, m, m - n) == 1, 0.0, -np.inf)
    logits -= np.max(logits, axis=-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= np.sum(logits, axis=-1, keepdims=True)
    return logits @ V
