"""Several heads: attention in parallel on slices of the model's width, then mixed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_matrix, as_stack, require_count, require_length
from attention_core.scaled_dot_product import scaled_dot_product_attention


def multi_head_attention(
    x: ArrayLike,
    Wq: ArrayLike,
    Wk: ArrayLike,
    Wv: ArrayLike,
    Wo: ArrayLike,
    num_heads: int,
    causal: bool = False,
) -> FloatArray:
    """Self-attention with H heads.

    Q = x Wq,  K = x Wk,  V = x Wv;  head h uses columns h·d to (h+1)·d of each, d = D / H;
    O_h = softmax(Q_h K_hᵀ / √d) V_h;  the O_h side by side, times Wo

    B sequences, T tokens, D model width, H heads, d width of a head.

    Args:
        x: (B, T, D); any number of leading axes in place of B, or none.
        Wq, Wk, Wv, Wo: (D, D).
        num_heads: H, a divisor of D.
        causal: whether no token sees a later one.

    Returns:
        (B, T, D), float64.

    Raises:
        TypeError: an array holds something other than real numbers, or num_heads is no int.
        ValueError: an argument is empty, a shape does not fit, or num_heads does not divide D.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2.
    """
    tokens = as_stack("x", x, "(..., T, D)")
    width = tokens.shape[-1]
    matrices = {
        name: as_matrix(name, value, "(D, D)") for name, value in (("Wq", Wq), ("Wk", Wk), ("Wv", Wv), ("Wo", Wo))
    }
    for name, matrix in matrices.items():
        require_length(name, matrix, 0, width, f"the width of x {tokens.shape}")
        require_length(name, matrix, 1, width, f"the width of x {tokens.shape}")
    Q, K, V = (split_heads(tokens @ matrices[name], num_heads) for name in ("Wq", "Wk", "Wv"))
    output, _ = scaled_dot_product_attention(Q, K, V, causal="top-left" if causal else None)
    return merge_heads(output) @ matrices["Wo"]


def split_heads(x: ArrayLike, num_heads: int) -> FloatArray:
    """Consecutive blocks of columns become heads: result[..., h, t, c] = x[..., t, h·d + c].

    Args:
        x: (..., T, H·d).
        num_heads: H.

    Returns:
        (..., H, T, d), float64; a view of x where x is float64.

    Raises:
        TypeError: x holds something other than real numbers, or num_heads is no int.
        ValueError: x is empty or has fewer than two axes, or num_heads does not divide its width.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2, with the matrices of the heads side by
        side in one.
    """
    tokens = as_stack("x", x, "(..., T, H·d)")
    heads = require_count("num_heads", num_heads)
    *leading, length, width = tokens.shape
    if width % heads:
        raise ValueError(f"num_heads must divide the width {width} of {tokens.shape}, got {heads}")
    return np.swapaxes(tokens.reshape(*leading, length, heads, width // heads), -2, -3)


def merge_heads(heads: ArrayLike) -> FloatArray:
    """The inverse of split_heads: heads side by side again.

    Args:
        heads: (..., H, T, d).

    Returns:
        (..., T, H·d), float64.

    Raises:
        TypeError: the array holds something other than real numbers.
        ValueError: it is empty or has fewer than three axes.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2 (Concat).
    """
    stack = as_stack("heads", heads, "(..., H, T, d)")
    if stack.ndim < 3:
        raise ValueError(f"heads must have shape (..., H, T, d), got shape {stack.shape}")
    *leading, count, length, width = stack.shape
    return np.swapaxes(stack, -2, -3).reshape(*leading, length, count * width)
