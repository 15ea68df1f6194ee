import numpy as np


def softmax(scores):
    out = np.zeros(scores.shape, "f4")
    m = scores.max(axis=-1, keepdims=True)
    m = np.where(np.isneginf(m), 0, m)
    np.exp(scores - m, out=out, casting="unsafe")
    s = out.sum(axis=-1, keepdims=True)
    s[s == 0] = 1
    out /= s
    return out
