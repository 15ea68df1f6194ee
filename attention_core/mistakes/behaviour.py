"""Mistakes of behaviour: the right idea, given back in the wrong precision, form or place.

They have no place in a diagnosis, which compares values: the checks that measure them name them. These samples
are for showing that an exercise's checks do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from attention_core.mistakes import cache, tiles
from attention_core.mistakes.causal import FILLS, hide, later, later_from_the_end
from attention_core.mistakes.folds import right
from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import Array, Recipe, SoftmaxRecipe, flagged, scaled_product, transposed, variant
from attention_core.operation import Variant

Function = Callable[..., Any]


def _on_each(results: Any, change: Callable[[Array], Any]) -> Any:
    return tuple(map(change, results)) if isinstance(results, tuple) else change(results)


def in_precision(function: Function, dtype: type[np.floating[Any]]) -> Function:
    """Computed in `dtype`, and given back as float64, which hides it from a look at the dtype."""

    def lowered(*args: Any) -> Any:
        low = (arg.astype(dtype) if isinstance(arg, np.ndarray) else arg for arg in args)
        return _on_each(function(*low), lambda result: result.astype(np.float64))

    return lowered


def rounded(function: Function, decimals: int) -> Function:
    def shortened(*args: Array) -> Any:
        return _on_each(function(*args), lambda result: np.round(result, decimals))

    return shortened


def reshaped(function: Function, change: Callable[[Array], Any]) -> Function:
    def changed(*args: Array) -> Any:
        return _on_each(function(*args), change)

    return changed


def cleaning_up(function: Function) -> Function:
    """Overwrites its first argument when done with it."""

    def cleaned(*args: Array) -> Any:
        results = function(*args)
        args[0][...] = 0.0
        return results

    return cleaned


def scaling_in_place(function: Function) -> Function:
    """`Q /= √d`: right results, and a changed Q. For a function that expects its queries scaled."""

    def scaled(Q: Array, *others: Array) -> Any:
        Q /= math.sqrt(Q.shape[-1])
        return function(Q, *others)

    return scaled


def plain_projections(x: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, Array, Array]:
    return x @ Wq, x @ Wk, x @ Wv


def softmax_in_place(scores: Array) -> Array:
    scores -= np.max(scores, axis=-1, keepdims=True)
    powers = np.exp(scores)
    return np.nan_to_num(powers / np.sum(powers, axis=-1, keepdims=True))


def softmax_of_any_row(scores: Array) -> Array:
    """Right for empty rows too, in the precision of its scores."""
    return np.nan_to_num(SoftmaxRecipe()(scores))


def _of_arrays(right: Function) -> tuple[Variant, ...]:
    """The behaviours that any function of arrays can show; `right` computes in the precision it is given."""
    return (
        variant("lower-precision", "float32", in_precision(right, np.float32)),
        variant("lower-precision", "float16", in_precision(right, np.float16)),
        variant("rounded", "two decimals", rounded(right, 2)),
        variant("rounded", "four decimals", rounded(right, 4)),
        variant("mutates-input", "cleaned up", cleaning_up(right)),
        variant("wrong-shape", "an axis too many", reshaped(right, lambda result: result[None])),
        variant("wrong-shape", "flat", reshaped(right, np.ravel)),
        variant("wrong-dtype", "float32", reshaped(right, lambda result: result.astype(np.float32))),
        variant("not-an-array", "lists", reshaped(right, lambda result: result.tolist())),
        variant("nan-result", "NaN throughout", reshaped(right, lambda result: np.full_like(result, np.nan))),
    )


def _scaling_first(function: Function) -> Variant:
    return variant("mutates-input", "Q scaled in place", scaling_in_place(function))


def _unscaled(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - every score step is given all three
    return Q @ transposed(K)


_causal = Recipe(mask=hide(later, FILLS["-inf"]))
_bottom_right = Recipe(mask=hide(later_from_the_end, FILLS["-inf"]))

PROJECTIONS = _of_arrays(plain_projections)
SCORES = (*_of_arrays(scaled_product), _scaling_first(lambda Q, K: Q @ transposed(K)))
SOFTMAX = (
    *_of_arrays(softmax_of_any_row),
    variant("mutates-input", "maximum subtracted in place", softmax_in_place),
    variant("nan-result", "empty rows unguarded", SoftmaxRecipe()),
)
ATTENTION = (*_of_arrays(Recipe()), _scaling_first(Recipe(scores=_unscaled)))
CAUSAL = (*_of_arrays(_causal), _scaling_first(Recipe(scores=_unscaled, mask=_causal.mask)))
BATCHED = (
    *_of_arrays(flagged(_bottom_right)),
    _scaling_first(flagged(Recipe(scores=_unscaled, mask=_bottom_right.mask))),
)
TILED = (*_of_arrays(tiles.Walk(right)), _scaling_first(tiles.Walk(right, _unscaled)))
CACHED = (
    *_of_arrays(cache.Stepped(cache.last(Recipe()))),
    _scaling_first(cache.Stepped(cache.last(Recipe(scores=_unscaled)))),
)


def float_pairs(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[float, float]:
    return n**2.0, n**2.0 * bytes_per_score * heads * layers / 1e6


def numpy_pairs(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[Any, float]:
    return np.int64(n) ** 2, float(np.int64(n) ** 2 * bytes_per_score * heads * layers / 1e6)


def whole_megabytes(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[int, float]:
    return n * n, float(round(n * n * bytes_per_score * heads * layers / 1e6))


def two_decimals(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[int, float]:
    return n * n, round(n * n * bytes_per_score * heads * layers / 1e6, 2)


COST = (
    variant("wrong-dtype", "float pairs", float_pairs),
    variant("wrong-dtype", "NumPy pairs", numpy_pairs),
    variant("rounded", "whole megabytes", whole_megabytes),
    variant("rounded", "two decimals", two_decimals),
)

DESCRIPTIONS = (
    Mistake(
        "lower-precision",
        "behaviour",
        "Computed in a lower precision",
        "You computed in float32 or less somewhere; keep float64 from the arguments to the result.",
        "Small whole numbers, and loose tolerances.",
    ),
    Mistake(
        "rounded",
        "behaviour",
        "Rounded results",
        "You rounded the result; return every digit, and leave rounding to whoever prints it.",
        "Results with few digits.",
    ),
    Mistake(
        "mutates-input",
        "behaviour",
        "Arguments changed",
        "You changed an argument in place; work on a new array, since the caller still needs theirs.",
        "A caller that never looks at its arguments again.",
    ),
    Mistake(
        "wrong-shape",
        "behaviour",
        "A result of the wrong shape",
        "Your result has another shape than the one asked for.",
        "Tests that broadcast.",
    ),
    Mistake(
        "wrong-dtype",
        "behaviour",
        "A result of the wrong type of number",
        "Your result holds another type of number than the one asked for.",
        "Tests that compare values only.",
    ),
    Mistake(
        "not-an-array",
        "behaviour",
        "Not an array",
        "You returned something other than a NumPy array, such as a list.",
        "Tests that convert first.",
    ),
    Mistake(
        "nan-result",
        "behaviour",
        "NaN in the result",
        "Your result contains NaN, which comes from 0/0, ∞ - ∞ or 0·∞ on the way.",
        "Tests whose comparisons are false for NaN.",
    ),
)
