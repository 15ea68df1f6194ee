"""Attention: each query gets a blend of the values, in proportions set by how well it matches the keys."""

from __future__ import annotations

from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_matrix, require_length
from attention_core.scaled_dot_product import scaled_dot_product_attention


def attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Scaled dot-product attention of one head.

    P = softmax(Q Kᵀ / √d) along each row,  O = P V

    Tq queries, Tk keys and values, d query and key width, dv value width.

    Args:
        Q: (Tq, d).
        K: (Tk, d).
        V: (Tk, dv).

    Returns:
        The output O (Tq, dv) and the weights P (Tq, Tk), float64. Every row of P sums to 1.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, no matrix, or its shape does not fit the others'.

    Source: Vaswani et al., "Attention Is All You Need", 2017, equation 1.
    """
    keys, values = _keys_and_values(K, V)
    return scaled_dot_product_attention(as_matrix("Q", Q, "(Tq, d)"), keys, values)


def causal_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Attention in which no token sees a later one.

    S = Q Kᵀ / √d, and S[i, j] = -inf for j > i;  P = softmax(S) along each row,  O = P V

    T tokens, d query and key width, dv value width.

    Args:
        Q: (T, d).
        K: (T, d).
        V: (T, dv).

    Returns:
        The output O (T, dv) and the weights P (T, T), float64; P is 0 above the diagonal.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, no matrix, or its shape does not fit the others'.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.3 (the decoder's mask).
    """
    queries = as_matrix("Q", Q, "(T, d)")
    keys = as_matrix("K", K, "(T, d)")
    require_length("K", keys, 0, queries.shape[0], f"the tokens of Q {queries.shape}")
    keys, values = _keys_and_values(keys, V)
    return scaled_dot_product_attention(queries, keys, values, causal="top-left")


def _keys_and_values(K: ArrayLike, V: ArrayLike) -> tuple[FloatArray, FloatArray]:
    keys = as_matrix("K", K, "(Tk, d)")
    values = as_matrix("V", V, "(Tk, dv)")
    require_length("V", values, 0, keys.shape[0], f"the number of keys of K {keys.shape}")
    return keys, values
