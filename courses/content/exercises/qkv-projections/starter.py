import numpy as np


def project(x, Wq, Wk, Wv):
    """Turn each token into its query, its key and its value.

    x       (T, D)   one row per token
    Wq, Wk  (D, d)
    Wv      (D, dv)

    Returns (Q, K, V) of shapes (T, d), (T, d) and (T, dv).
    """
    Q = ...
    K = ...
    V = ...
    return Q, K, V
