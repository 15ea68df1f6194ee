"""Attention taken apart into steps, any of which can be replaced by a wrong one.

    scores = scores(Q, K, V)  ->  masked = mask(scores)  ->  weights = softmax(masked)  ->  combine(everything)

A wrong implementation is the right recipe with one step replaced. The steps do what learners' code does, not what
the references do: nothing is checked, dtypes are kept, and an empty row gives NaN unless a step says otherwise.
Every step works along the last two axes, whatever stands before them, except where an axis is what it gets wrong.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attention_core.operation import Variant

Array = Any  # wrong code may hold anything where an array is meant, so these are not checked
MatrixStep = Callable[[Array], Array]
ScoreStep = Callable[[Array, Array, Array], Array]


def transposed(matrix: Array) -> Array:
    return np.swapaxes(matrix, -1, -2)


def scaled_product(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / math.sqrt(Q.shape[-1])


def right_scores(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - every score step is given all three
    return scaled_product(Q, K)


def from_keys(scores: Callable[[Array, Array], Array]) -> ScoreStep:
    """A score step that has no use for the values."""

    def scores_of(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - every score step is given all three
        return scores(Q, K)

    return scores_of


def unchanged(matrix: Array) -> Array:
    return matrix


def row_maximum(scores: Array) -> Array:
    return np.max(scores, axis=-1, keepdims=True)


def row_total(powers: Array) -> Array:
    return np.sum(powers, axis=-1, keepdims=True)


def nothing(scores: Array) -> float:  # noqa: ARG001 - a step is given the scores, needed or not
    return 0.0


def whole_maximum(scores: Array) -> Array:
    return np.max(scores)


@dataclass(frozen=True)
class SoftmaxRecipe:
    """divide(power(scores - subtract(scores)), total(…)): softmax in four steps."""

    subtract: MatrixStep = row_maximum
    power: MatrixStep = np.exp
    total: MatrixStep = row_total
    divide: Callable[[Array, Array], Array] = np.divide

    def __call__(self, scores: Array) -> Array:
        powers = self.power(scores - self.subtract(scores))
        return self.divide(powers, self.total(powers))


@dataclass(frozen=True)
class Parts:
    """All that a computation of attention has in hand when it comes to its results."""

    Q: Array
    K: Array
    V: Array
    scores: Array
    masked: Array
    weights: Array


def blended(parts: Parts) -> tuple[Array, Array]:
    return parts.weights @ parts.V, parts.weights


@dataclass(frozen=True)
class Recipe:
    """One implementation of attention(Q, K, V)."""

    scores: ScoreStep = right_scores
    mask: MatrixStep = unchanged
    softmax: MatrixStep = SoftmaxRecipe()
    combine: Callable[[Parts], Any] = blended

    def __call__(self, Q: Array, K: Array, V: Array) -> Any:
        scores = self.scores(Q, K, V)
        masked = self.mask(scores)
        return self.combine(Parts(Q, K, V, scores, masked, self.softmax(masked)))


@dataclass(frozen=True)
class Flagged:
    """One implementation of attention(Q, K, V, causal=False) -> output: a recipe for either value of the flag."""

    masked: Recipe
    plain: Recipe

    def __call__(self, Q: Array, K: Array, V: Array, causal: bool = False) -> Any:
        results = (self.masked if causal else self.plain)(Q, K, V)
        return results[0] if isinstance(results, tuple) else results


def flagged(recipe: Recipe) -> Flagged:
    """The same recipe with its mask only where one is asked for."""
    return Flagged(recipe, replace(recipe, mask=unchanged))


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function without NumPy's warnings: overflow and 0/0 are what wrong code is kept here for.

    Arguments may be given by name too, in the order of the operation's signature.
    """

    @functools.wraps(function, updated=())
    def quietly(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args, *kwargs.values())

    return quietly


def variant(mistake: str, name: str, function: Callable[..., Any]) -> Variant:
    """A variant whose function warns of nothing."""
    return Variant(mistake, name, quiet(function))
