"""Attention a tile of scores at a time: the same result, without the matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_matrix, require_count, require_length
from attention_core.scores import scaled_scores


def tiled_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, block_size: int, causal: bool = False) -> FloatArray:
    """Attention that holds block_size × block_size scores at most, by a softmax that is corrected as it goes.

    For one query, with m the largest score so far, l the sum of the exponentials and o the sum of exponentials times
    values, a new tile of scores s with values v gives
    m' = max(m, max s),  l' = l·exp(m - m') + Σ exp(s - m'),  o' = o·exp(m - m') + Σ exp(s - m') v;  at the end o / l.

    T tokens, d query and key width, dv value width. Memory beyond the arguments: O(T·dv + block_size²).

    Args:
        Q: (T, d).
        K: (T, d).
        V: (T, dv).
        block_size: queries and keys of a tile; T need not be a multiple, and it may be larger than T.
        causal: whether no token sees a later one; tiles that lie in the future are never computed.

    Returns:
        (T, dv), float64.

    Raises:
        TypeError: an array holds something other than real numbers, or block_size is no int.
        ValueError: an argument is empty, no matrix, or its shape does not fit; block_size is below 1.

    Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention",
        2022, algorithm 1.
    """
    queries = as_matrix("Q", Q, "(T, d)")
    keys = as_matrix("K", K, "(T, d)")
    values = as_matrix("V", V, "(T, dv)")
    tokens = queries.shape[0]
    require_length("K", keys, 1, queries.shape[1], f"the width of Q {queries.shape}")
    require_length("K", keys, 0, tokens, f"the tokens of Q {queries.shape}")
    require_length("V", values, 0, tokens, f"the tokens of Q {queries.shape}")
    size = require_count("block_size", block_size)
    output = np.empty((tokens, values.shape[1]))
    for start in range(0, tokens, size):
        output[start : start + size] = _rows(queries[start : start + size], keys, values, size, start, causal)
    return output


def _rows(queries: FloatArray, keys: FloatArray, values: FloatArray, size: int, first: int, causal: bool) -> FloatArray:
    """The output of a block of queries, the first of which is token `first`."""
    count = queries.shape[0]
    largest = np.full((count, 1), -np.inf)
    total = np.zeros((count, 1))
    blend = np.zeros((count, values.shape[1]))
    for start in range(0, first + count if causal else keys.shape[0], size):
        scores = scaled_scores(queries, keys[start : start + size])
        if causal:
            positions = np.arange(start, start + scores.shape[1])
            scores[positions > np.arange(first, first + count)[:, None]] = -np.inf
        # Key 0 is in the first tile and visible to all, so the new maximum is finite from there on.
        new_largest = np.maximum(largest, scores.max(axis=1, keepdims=True))
        correction = np.exp(largest - new_largest)
        powers = np.exp(scores - new_largest)
        total = total * correction + powers.sum(axis=1, keepdims=True)
        blend = blend * correction + powers @ values[start : start + size]
        largest = new_largest
    return blend / total
