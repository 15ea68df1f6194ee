import numpy as np


def attention(Q, K, V):
    s = Q @ K.T * (1 / np.sqrt(Q.shape[1]))
    is_top = np.isclose(s, np.amax(s, axis=-1, keepdims=True), rtol=0, atol=0)
    w = np.where(is_top, 1.0, 0.0)
    return w @ V, w
