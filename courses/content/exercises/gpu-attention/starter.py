import torch


def attention(q, k, v, is_causal=False):
    """Attention in H heads of B sequences.

    q, k, v  (B, H, T, d)

    Returns a tensor (B, H, T, d) of q's
    dtype, on q's device.
    """
    output = ...
    return output
