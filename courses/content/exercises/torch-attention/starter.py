import torch


def attention(q, k, v, is_causal=False):
    """Attention of q to k and v, along the last two axes.

    q  (..., Tq, d)   queries
    k  (..., Tk, d)   keys
    v  (..., Tk, dv)  values

    Returns a tensor (..., Tq, dv) of q's
    dtype, on q's device.
    """
    output = ...
    return output
