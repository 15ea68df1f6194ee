import numpy as np


def attention(Q, K, V):
    raw = np.tensordot(Q, K, axes=((1,), (1,)))
    log_w = raw - np.logaddexp.reduce(raw, axis=1, keepdims=True)
    w = np.exp(log_w)
    return np.tensordot(w, V, axes=1), w
