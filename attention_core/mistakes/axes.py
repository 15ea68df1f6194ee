"""Steps that are right for a matrix, and go wrong once there are axes before its two."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from attention_core.mistakes.causal import FILLS, Hidden, Later, Named, hide, with_each_softmax
from attention_core.mistakes.recipe import Array, MatrixStep, Parts, transposed
from attention_core.operation import Variant


def all_axes_reversed(Q: Array, K: Array) -> Array:
    """K.T: does not fit beyond two axes."""
    return Q @ K.T / math.sqrt(Q.shape[-1])


def first_two_axes_swapped(Q: Array, K: Array) -> Array:
    return Q @ np.swapaxes(K, 0, 1) / math.sqrt(Q.shape[-1])


def by_root_of_second_axis(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / math.sqrt(Q.shape[1])


def by_root_of_first_axis(Q: Array, K: Array) -> Array:
    """÷√len(Q): of the tokens where Q is a matrix."""
    return Q @ transposed(K) / math.sqrt(Q.shape[0])


def blended_by_dot(parts: Parts) -> tuple[Array, Array]:
    """np.dot multiplies every matrix of one stack by every matrix of the other."""
    return np.dot(parts.weights, parts.V), parts.weights


def sized_by_first_axes(later: Later) -> Hidden:
    """A mask of len(Q) rows: does not fit where those are no queries."""

    def hidden(scores: Array) -> Any:
        return later(np.empty(scores.shape[:2]))

    return hidden


def filled_along_first_axes(positions: Hidden, fill: float) -> MatrixStep:
    """`scores[np.triu_indices(…)] = fill`: whole rows or matrices are hidden where there are more axes than two."""

    def masked(scores: Array) -> Any:
        filled = scores.copy()
        filled[np.nonzero(positions(scores))] = fill
        return filled

    return masked


def mistakes_of_masks(later: Later) -> Iterable[Named]:
    """Masks made for a matrix of scores."""
    mistake, by_first = "axis-fixed-for-2d", sized_by_first_axes(later)
    for filled, fill in FILLS.items():
        yield from with_each_softmax(mistake, f"mask sized by len(Q), {filled}", mask=hide(by_first, fill))
    for name, positions in (("of len(Q)", by_first), ("of the tokens", later)):
        for number in (-np.inf, -1e9):
            mask = filled_along_first_axes(positions, number)
            yield from with_each_softmax(mistake, f"indices {name}, {number:g}", mask=mask)


SCORES = (  # (Q, K) -> scores
    Variant("axis-fixed-for-2d", "K.T", all_axes_reversed),
    Variant("axis-fixed-for-2d", "first two axes of K swapped", first_two_axes_swapped),
    Variant("axis-fixed-for-2d", "÷√Q.shape[1]", by_root_of_second_axis),
)

SCORES_BY_LENGTH = (Variant("scale-by-tokens", "÷√len(Q)", by_root_of_first_axis),)  # (Q, K) -> scores

COMBINATIONS = (Variant("axis-fixed-for-2d", "np.dot(P, V)", blended_by_dot),)  # Parts -> results
