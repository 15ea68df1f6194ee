import numpy as np


def causal_attention(Q, K, V):
    """Attention in which token i sees the tokens 0 to i.

    Q  (T, d)   queries
    K  (T, d)   keys
    V  (T, dv)  values

    Returns (output, weights): shapes (T, dv) and (T, T).
    """
    weights = ...
    output = ...
    return output, weights
