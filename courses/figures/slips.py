"""What each slip on the way would give in the boxes of the paper work: the row of *the*, with one step done wrong.

The wrong steps are attention_core's own mistakes wherever it has them. The texts that name a slip are the package's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from attention_core.arguments import FloatArray
from attention_core.mistakes.projection import keys_by_queries, unscaled_scores_blended
from attention_core.mistakes.recipe import Recipe, SoftmaxRecipe, from_keys, nothing, unchanged
from attention_core.mistakes.scale import by_width, no_scale
from attention_core.mistakes.softmax import one, scores_as_they_are
from attention_core.worked_example import worked_example
from courses.figures.numbers import ON_PAPER, THE

Slip = tuple[str, FloatArray]  # its id, and what a whole matrix becomes by it

NO_ROOT = Recipe(scores=from_keys(no_scale))
BY_WIDTH = Recipe(scores=from_keys(by_width))
SWAPPED = Recipe(scores=from_keys(keys_by_queries))
NO_EXPONENTIAL = Recipe(softmax=SoftmaxRecipe(subtract=nothing, power=unchanged))
NOT_NORMALISED = Recipe(softmax=SoftmaxRecipe(subtract=nothing, total=one))
NO_SOFTMAX = Recipe(softmax=scores_as_they_are)
PRODUCTS_BLENDED = Recipe(combine=unscaled_scores_blended)


def _products() -> Iterator[Slip]:
    example = worked_example()
    yield "swapped", example.K @ example.Q.T


def _scores() -> Iterator[Slip]:
    example = worked_example()
    yield "no-root", no_scale(example.Q, example.K)
    yield "by-width", by_width(example.Q, example.K)
    yield "swapped", keys_by_queries(example.Q, example.K)


def _weights() -> Iterator[Slip]:
    yield "no-root", _results(NO_ROOT)[1]
    yield "by-width", _results(BY_WIDTH)[1]
    yield "swapped", _results(SWAPPED)[1]
    yield "no-exponential", _results(NO_EXPONENTIAL)[1]
    yield "not-normalised", _results(NOT_NORMALISED)[1]
    yield "no-softmax", worked_example().scores
    yield "no-softmax", worked_example().products


def _output() -> Iterator[Slip]:
    yield "no-root", _results(NO_ROOT)[0]
    yield "by-width", _results(BY_WIDTH)[0]
    yield "swapped", _results(SWAPPED)[0]
    yield "no-exponential", _results(NO_EXPONENTIAL)[0]
    yield "exponentials-blended", _results(NOT_NORMALISED)[0]
    yield "scores-blended", _results(NO_SOFTMAX)[0]
    yield "scores-blended", _results(PRODUCTS_BLENDED)[0]


def _results(recipe: Recipe) -> tuple[FloatArray, FloatArray]:
    """Output (T, dv) and weights (T, T) of the worked example by a wrong recipe."""
    example = worked_example()
    output, weights = recipe(example.Q, example.K, example.V)
    return output, weights


WRONG_STEPS: dict[str, Callable[[], Iterator[Slip]]] = {
    "products": _products,
    "scores": _scores,
    "weights": _weights,
    "output": _output,
}


@cache
def slips_of(matrix: str, column: int) -> dict[str, tuple[float, ...]]:
    """By the id of a slip, the numbers that it can put into this column of the row of *the*."""
    right = worked_example().matrix(matrix)
    found: dict[str, list[float]] = {}
    for slip, wrong in WRONG_STEPS[matrix]():
        found.setdefault(slip, []).append(float(wrong[THE, column]))
    found["other-row"] = [float(row[column]) for index, row in enumerate(right) if index != THE]
    found["other-place"] = [float(value) for index, value in enumerate(right[THE]) if index != column]
    return {slip: tuple(dict.fromkeys(values)) for slip, values in found.items()}


SLIPS: dict[str, Callable[[], dict[str, tuple[float, ...]]]] = {
    name: partial(slips_of, matrix, column) for name, (matrix, column) in ON_PAPER.items()
}
