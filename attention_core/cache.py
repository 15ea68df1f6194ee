"""One token at a time: keys and values of earlier tokens are kept, so that nothing is computed twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_array
from attention_core.attention import attention


@dataclass(frozen=True, slots=True, eq=False)
class Cache:
    """Keys (t, d) and values (t, dv) of the t tokens seen so far; None before the first.

    It is never changed: a step makes a new one, so that a sequence can be continued in several ways.
    """

    keys: FloatArray | None = None
    values: FloatArray | None = None


def start() -> Cache:
    """The cache of a sequence that has no token yet."""
    return Cache()


def step(cache: Cache, q_t: ArrayLike, k_t: ArrayLike, v_t: ArrayLike) -> tuple[FloatArray, Cache]:
    """Attention of the newest token over itself and all before it: the last row of causal attention.

    o_t = softmax(q_t [k_1 … k_t]ᵀ / √d) [v_1 … v_t]

    d query and key width, dv value width. Work and memory of step t grow like t, not t².

    Args:
        cache: what start or the step before returned; it is left as it is.
        q_t: (d,).
        k_t: (d,).
        v_t: (dv,).

    Returns:
        o_t (dv,), float64, and the cache with this token.

    Raises:
        TypeError: the cache is no Cache, or an array holds something other than real numbers.
        ValueError: an array is empty, no vector, or not as wide as q_t or as those in the cache.

    Source: Shazeer, "Fast Transformer Decoding: One Write-Head is All You Need", 2019, section 2.4 (incremental
        decoding).
    """
    if not isinstance(cache, Cache):
        raise TypeError(f"cache must be a Cache, as start returns, got {type(cache).__name__}")
    query = _vector("q_t", q_t, None)
    keys = _appended(cache.keys, _vector("k_t", k_t, query.size))
    width = None if cache.values is None else cache.values.shape[1]
    values = _appended(cache.values, _vector("v_t", v_t, width))
    output, _ = attention(query[None], keys, values)
    return output[0], Cache(keys, values)


def _vector(name: str, value: ArrayLike, width: int | None) -> FloatArray:
    vector = as_array(name, value)
    if vector.ndim != 1 or width not in (None, vector.size):
        expected = "(width,)" if width is None else f"({width},)"
        raise ValueError(f"{name} must have shape {expected}, got {vector.shape}")
    return vector


def _appended(rows: FloatArray | None, row: FloatArray) -> FloatArray:
    if rows is None:
        return row[None].copy()
    if rows.shape[1] != row.size:
        raise ValueError(
            f"k_t must have shape ({rows.shape[1]},), to agree with the keys in the cache, got {row.shape}"
        )
    return np.concatenate((rows, row[None]))
