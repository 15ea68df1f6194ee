"""Attention as models use it: batches, heads, grouped queries, masks of every kind, padding, softcap, a cache's past.

The one-head functions of attention_core.attention say what attention is; this one is what other code is measured by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core.arguments import (
    FloatArray,
    as_array,
    as_lengths,
    as_number,
    as_stack,
    require_broadcastable,
    require_length,
)
from attention_core.masks import Alignment
from attention_core.softmax import shares_of

CACHED: Final = 2**19  # scores worked on at a time, 4 MB: they stay in the processor's cache from step to step
FEWEST: Final = 64  # queries at a time, however many leading axes there are: fewer make slow products


def scaled_dot_product_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: Alignment | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    key_lengths: ArrayLike | None = None,
    past_key: ArrayLike | None = None,
    past_value: ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Attention over any number of leading axes, the last of which are the heads.

    S = scale · Q Kᵀ,  softcap · tanh(S / softcap) if capped,  + mask or -inf where nothing may be seen;
    P = softmax(S) along each row,  O = P V

    Tq queries, Tk new keys, P past keys, d query and key width, dv value width, H query heads, Hkv key and value
    heads. K and V have the same leading axes, which broadcast with Q's. Where Q has a multiple of their heads
    (H = g · Hkv), each key and value head serves g neighbouring query heads: query head h uses head h // g.

    Args:
        Q: (..., H, Tq, d); the leading axes may also be missing.
        K: (..., Hkv, Tk, d).
        V: (..., Hkv, Tk, dv).
        mask: broadcastable to (..., H, Tq, P + Tk). Boolean: True where a key takes part (as in PyTorch's
            scaled_dot_product_attention; its MultiheadAttention means the opposite). Floating point: added to the
            scores after the cap, finite or -inf.
        causal: None: every query sees every key. "top-left": query i sees the past and new keys up to i, so
            j <= i + P. "bottom-right": the last query sees the last key, so j <= i + (L - Tq), where L is P + Tk,
            or the sequence's own length if key_lengths are given.
        scale: what the products are multiplied by; 1/√d when not given.
        softcap: keeps the scores between -softcap and softcap, before any mask; no cap when not given.
        key_lengths: whole numbers from 0 to P + Tk: how many keys, past included, are real; those after them are
            padding that nobody sees. Of the shape of the first leading axes: (B,) for Q (B, H, Tq, d); one number
            stands for all.
        past_key: (..., Hkv, P, d), keys of earlier tokens that stand before K; None where there are none.
        past_value: (..., Hkv, P, dv), their values; given if and only if past_key is.

    Returns:
        The output O (..., H, Tq, dv) and the weights P (..., H, Tq, P + Tk), float64. A query that sees no key
        has weights and output 0; every other row of the weights sums to 1.

    Raises:
        TypeError: an array holds something other than real numbers, a mask is neither boolean nor floating point,
            or key_lengths are no whole numbers.
        ValueError: a shape does not fit, an argument is empty, or a number is out of its range.

    Sources: Vaswani et al., "Attention Is All You Need", 2017, equation 1; Ainslie et al., "GQA", 2023 (grouped
        queries); Gemma Team, "Gemma 2", 2024, section 2 (softcap); ONNX operator Attention, opset 24 (the order of
        these steps, and zeros where nothing is seen).
    """
    scores, values = _checked(
        Q,
        K,
        V,
        past_value,
        past_key=past_key,
        mask=mask,
        causal=causal,
        scale=scale,
        softcap=softcap,
        key_lengths=key_lengths,
    )
    weights = np.empty(scores.shape)
    return _output(scores, values, weights), weights


def attention_output(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: Alignment | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    key_lengths: ArrayLike | None = None,
    past_key: ArrayLike | None = None,
    past_value: ArrayLike | None = None,
) -> FloatArray:
    """The output of scaled_dot_product_attention alone; arguments and errors as there.

    The weights are never held all at once: beyond the arguments and the output it needs a few MB, or 64 rows of scores
    of each head where that is more.

    Returns:
        O (..., H, Tq, dv), float64.
    """
    scores, values = _checked(
        Q,
        K,
        V,
        past_value,
        past_key=past_key,
        mask=mask,
        causal=causal,
        scale=scale,
        softcap=softcap,
        key_lengths=key_lengths,
    )
    return _output(scores, values, None)


def attention_scores(
    Q: ArrayLike,
    K: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: Alignment | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    key_lengths: ArrayLike | None = None,
    past_key: ArrayLike | None = None,
) -> FloatArray:
    """What the softmax of scaled_dot_product_attention is given; arguments and errors as there.

    Returns:
        S (..., H, Tq, P + Tk), float64: scaled, capped, with the mask added, and -inf where nothing may be seen.
    """
    scores = _scores(
        Q, K, mask=mask, causal=causal, scale=scale, softcap=softcap, key_lengths=key_lengths, past_key=past_key
    )
    everything = np.empty(scores.shape)
    scores.write_rows(0, everything)
    return everything


def _checked(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    past_value: ArrayLike | None,
    *,
    past_key: ArrayLike | None,
    **options: Any,
) -> tuple[_Scores, FloatArray]:
    """The scores to be, and the values with a head for each of Q's."""
    if (past_key is None) != (past_value is None):
        lone, missing = ("past_value", "past_key") if past_key is None else ("past_key", "past_value")
        raise ValueError(f"past_key and past_value must be given together, got {lone} without {missing}")
    keys = _with_past("K", as_stack("K", K, "(..., Tk, d)"), "past_key", past_key)
    values = _with_past("V", as_stack("V", V, "(..., Tk, dv)"), "past_value", past_value)
    if values.shape[:-1] != keys.shape[:-1]:
        expected, past = (*keys.shape[:-1], values.shape[-1]), " (past included)" if past_key is not None else ""
        raise ValueError(f"V must have shape {expected}, to agree with K {keys.shape}, got {values.shape}{past}")
    return _scores(Q, K, past_key=past_key, **options), _for_query_heads(values, np.shape(Q))


def _output(scores: _Scores, values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """O; and P into `weights`, if given. Some rows at a time: a pass over all scores for each step waits for memory."""
    *leading, queries, keys = scores.shape
    output = np.empty((*leading, queries, values.shape[-1]))
    rows = max(FEWEST, CACHED // (math.prod(leading) * keys))
    space = np.empty((*leading, min(rows, queries), keys)) if weights is None else weights
    for first in range(0, queries, rows):
        count = min(rows, queries - first)
        start = 0 if weights is None else first
        block = space[..., start : start + count, :]
        scores.write_rows(first, block)
        shares_of(block, out=block)
        np.matmul(block, values, out=output[..., first : first + count, :])
    return output


@dataclass(frozen=True)
class _Scores:
    """All that the scores follow from, checked.

    `queries` are scaled already, `keys` (..., P + Tk, d) have a head for each of theirs, `mask` has as many axes as the
    scores; `first_hidden` (..., Tq, 1) is the position from which on causality or padding hides the keys.
    """

    shape: tuple[int, ...]  # (..., H, Tq, P + Tk)
    queries: FloatArray
    keys: FloatArray
    softcap: float | None
    mask: NDArray[Any] | None
    first_hidden: NDArray[np.int64] | None

    def write_rows(self, first: int, out: FloatArray) -> None:
        """The scores of the queries from `first` on, as many as `out` has rows."""
        rows = slice(first, first + out.shape[-2])
        np.matmul(self.queries[..., rows, :], np.swapaxes(self.keys, -1, -2), out=out)
        if self.softcap is not None:
            out /= self.softcap
            np.tanh(out, out=out)
            out *= self.softcap
        if self.mask is not None:
            mask = self.mask if self.mask.shape[-2] == 1 else self.mask[..., rows, :]
            if mask.dtype == np.bool_:
                np.copyto(out, -np.inf, where=~mask)
            else:
                out += mask
        if self.first_hidden is not None:
            limits = self.first_hidden if self.first_hidden.shape[-2] == 1 else self.first_hidden[..., rows, :]
            np.copyto(out, -np.inf, where=np.arange(out.shape[-1]) >= limits)


def _scores(
    Q: ArrayLike,
    K: ArrayLike,
    *,
    mask: ArrayLike | None,
    causal: Alignment | None,
    scale: float | None,
    softcap: float | None,
    key_lengths: ArrayLike | None,
    past_key: ArrayLike | None,
) -> _Scores:
    queries = as_stack("Q", Q, "(..., Tq, d)")
    new_keys = as_stack("K", K, "(..., Tk, d)")
    width = queries.shape[-1]
    require_length("K", new_keys, new_keys.ndim - 1, width, f"the width of Q {queries.shape}")
    keys = _with_past("K", new_keys, "past_key", past_key)
    past = keys.shape[-2] - new_keys.shape[-2]
    shared = _for_query_heads(keys, queries.shape)
    shape = (*_leading_axes(queries, shared, keys), queries.shape[-2], keys.shape[-2])
    lengths = None if key_lengths is None else as_lengths(key_lengths, shape)
    return _Scores(
        shape=shape,
        queries=queries * (1 / math.sqrt(width) if scale is None else as_number("scale", scale)),
        keys=shared,
        softcap=None if softcap is None else as_number("softcap", softcap, above=0),
        mask=None if mask is None else _mask(mask, shape),
        first_hidden=_first_hidden(shape, causal, past, lengths),
    )


def _with_past(name: str, new: FloatArray, past_name: str, past: ArrayLike | None) -> FloatArray:
    if past is None:
        return new
    before = as_stack(past_name, past, "(..., P, width)")
    if before.ndim != new.ndim or (*before.shape[:-2], before.shape[-1]) != (*new.shape[:-2], new.shape[-1]):
        wanted = ", ".join([*map(str, new.shape[:-2]), "P", str(new.shape[-1])])
        raise ValueError(
            f"{past_name} must have shape ({wanted}), to agree with {name} {new.shape}, got {before.shape}"
        )
    return np.concatenate((before, new), axis=-2)


def _for_query_heads(stack: FloatArray, query_shape: tuple[int, ...]) -> FloatArray:
    """Keys or values, each head repeated in place until there are as many as Q has; one head simply broadcasts."""
    if len(query_shape) < 3 or stack.ndim < 3:
        return stack
    heads, shared = query_shape[-3], stack.shape[-3]
    if shared == 1 or heads == shared or heads % shared:
        return stack
    return np.repeat(stack, heads // shared, axis=-3)


def _leading_axes(queries: FloatArray, shared: FloatArray, keys: FloatArray) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(queries.shape[:-2], shared.shape[:-2])
    except ValueError:
        raise ValueError(
            f"K must have leading axes that fit those of Q {queries.shape}: equal, 1, or for heads a divisor; "
            f"got shape {keys.shape}"
        ) from None


def _first_hidden(
    shape: tuple[int, ...], causal: Alignment | None, past: int, lengths: NDArray[np.int64] | None
) -> NDArray[np.int64] | None:
    queries, keys = shape[-2:]
    if causal is None:
        return lengths
    if causal not in ("top-left", "bottom-right"):
        raise ValueError(f'causal must be None, "top-left" or "bottom-right", got {causal!r}')
    ends = np.array(keys) if lengths is None else lengths
    of_first_query = past + 1 if causal == "top-left" else ends - queries + 1
    limits: NDArray[np.int64] = np.minimum(np.arange(queries)[:, None] + of_first_query, ends)
    return limits


def _mask(mask: ArrayLike, shape: tuple[int, ...]) -> NDArray[Any]:
    array = np.asarray(mask)
    if array.dtype.kind not in "bf":
        raise TypeError(f"mask must be boolean or floating point, got dtype {array.dtype}")
    require_broadcastable("mask", array.shape, shape)
    array = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
    if array.dtype.kind == "b":
        return array
    bias = as_array("mask", array)
    if np.isnan(bias).any() or np.isposinf(bias).any():
        raise ValueError("mask must be finite or -inf, got NaN or +inf")
    return bias
