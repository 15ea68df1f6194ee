"""How well each query matches each key."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_matrix, require_length


def scaled_scores(Q: ArrayLike, K: ArrayLike) -> FloatArray:
    """Dot products of every query with every key, brought back to a sensible range.

    S = Q Kᵀ / √d,  so S[i, j] = Σ_c Q[i, c] K[j, c] / √d

    Tq queries, Tk keys, d query and key width. The components of Q and K being independent with
    mean 0 and variance 1, Q·K has variance d; the division makes it 1 at any width.

    Args:
        Q: (Tq, d), one query a row.
        K: (Tk, d), one key a row.

    Returns:
        S (Tq, Tk), float64.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, no matrix, or the two widths differ.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1 and its footnote 4.
    """
    queries = as_matrix("Q", Q, "(Tq, d)")
    keys = as_matrix("K", K, "(Tk, d)")
    width = queries.shape[1]
    require_length("K", keys, 1, width, f"the width of Q {queries.shape}")
    product: FloatArray = queries @ keys.T
    return product / math.sqrt(width)
