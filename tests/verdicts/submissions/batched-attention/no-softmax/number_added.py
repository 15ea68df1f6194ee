# mistakes: no-softmax, scores-blended
import numpy as np


def attention(Q, K, V, causal=False):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    Tq, Tk = s.shape[-2:]
    if causal:
        s = s + -1e4 * (1 - np.tri(Tq, Tk, Tk - Tq))
    return s @ V
