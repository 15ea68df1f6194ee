import numpy as np


def attention(Q, K, V, causal=False):
    """Attention along the last two axes.

    Q  (..., Tq, d)   queries
    K  (..., Tk, d)   keys
    V  (..., Tk, dv)  values

    Returns an array of shape (..., Tq, dv).
    """
    output = ...
    return output
