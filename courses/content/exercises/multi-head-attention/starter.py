import numpy as np


def multi_head_attention(
    x, Wq, Wk, Wv, Wo, num_heads, causal=False
):
    """Attention in num_heads heads, side by side, times Wo.

    x               (B, T, D)  sequences of tokens
    Wq, Wk, Wv, Wo  (D, D)     projections

    Returns an array of shape (B, T, D).
    """
    output = ...
    return output
