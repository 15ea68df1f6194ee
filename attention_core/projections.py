"""Queries, keys and values: three views of the same tokens."""

from __future__ import annotations

from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_matrix, require_length


def project(x: ArrayLike, Wq: ArrayLike, Wk: ArrayLike, Wv: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What each token looks for, what it offers, and what it hands over.

    Q = x Wq,  K = x Wk,  V = x Wv

    T tokens, D model width, d query and key width, dv value width.

    Args:
        x: (T, D), one token a row.
        Wq: (D, d).
        Wk: (D, d).
        Wv: (D, dv).

    Returns:
        Q (T, d), K (T, d) and V (T, dv), float64.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, no matrix, or its shape does not fit the others'.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2 (for one head).
    """
    tokens = as_matrix("x", x, "(T, D)")
    query_matrix = as_matrix("Wq", Wq, "(D, d)")
    key_matrix = as_matrix("Wk", Wk, "(D, d)")
    value_matrix = as_matrix("Wv", Wv, "(D, dv)")
    for name, matrix in (("Wq", query_matrix), ("Wk", key_matrix), ("Wv", value_matrix)):
        require_length(name, matrix, 0, tokens.shape[1], f"the width of x {tokens.shape}")
    require_length("Wk", key_matrix, 1, query_matrix.shape[1], f"Wq {query_matrix.shape}")
    return tokens @ query_matrix, tokens @ key_matrix, tokens @ value_matrix
