import numpy as np


def attention(Q, K, V):
    """Scaled dot-product attention.

    Q  (Tq, d)   queries
    K  (Tk, d)   keys
    V  (Tk, dv)  values

    Returns (output, weights): shapes (Tq, dv) and (Tq, Tk).
    """
    weights = ...
    output = ...
    return output, weights
