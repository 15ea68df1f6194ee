"""The exercise softmax: softmax(scores), over the last axis, of any number of axes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attention_core.arguments import FloatArray
from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import normal
from attention_core.softmax import softmax
from attention_core.worked_example import worked_example


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Scores of sizes Tq and Tk, and of B before them where it is given, of standard deviation `scale`."""
    leading = (sizes["B"],) if "B" in sizes else ()
    return {"scores": normal(rng, *leading, sizes["Tq"], sizes["Tk"], scale=scale)}


def worked() -> Arguments:
    return {"scores": worked_example().scores.copy()}


def huge_scores(rng: np.random.Generator) -> list[Arguments]:
    """Scores near 1e4 and near -1e4 whose rows are still spread over several columns; then saturated ones."""
    near = normal(rng, 5, 7)
    far_apart = np.clip(normal(rng, 5, 7, scale=3e3), -1e4, 1e4)
    return [{"scores": near + 9990.0}, {"scores": near - 9990.0}, {"scores": far_apart}]


def one_column(rng: np.random.Generator) -> list[Arguments]:
    return [{"scores": normal(rng, 5, 1, scale=3.0)}]


def all_equal(rng: np.random.Generator) -> list[Arguments]:
    return [{"scores": np.full((5, 7), rng.uniform(-3.0, 3.0))}]


def minus_infinity(rng: np.random.Generator) -> list[Arguments]:
    """Some scores -inf, but no row of them only."""
    return [{"scores": _with_minus_infinity(normal(rng, 5, 7))}]


def empty_row(rng: np.random.Generator) -> list[Arguments]:
    """One row all -inf, beside rows with some or no -inf."""
    scores = _with_minus_infinity(normal(rng, 5, 7))
    scores[int(rng.integers(1, 5))] = -np.inf
    return [{"scores": scores}]


def batched(rng: np.random.Generator) -> list[Arguments]:
    return [{"scores": normal(rng, 3, 5, 7)}, {"scores": normal(rng, 2, 3, 5, 7)}]


def one_dimensional(rng: np.random.Generator) -> list[Arguments]:
    return [{"scores": normal(rng, 7)}]


def one_far_row(rng: np.random.Generator) -> list[Arguments]:
    """One row thousands below the others: subtracting the maximum of the whole matrix leaves it 0/0."""
    scores = normal(rng, 5, 7)
    scores[int(rng.integers(0, 5))] -= 5e3
    return [{"scores": scores}]


def _with_minus_infinity(scores: FloatArray) -> FloatArray:
    """-inf along a band, which takes two columns of each row."""
    rows = np.arange(scores.shape[0])
    for shift in (1, 3):
        scores[rows, (rows + shift) % scores.shape[1]] = -np.inf
    return scores


def diagnosis() -> list[Arguments]:
    """Two, three and one axes, all sizes distinct; a square one for a forgotten keepdims; and every extreme."""
    rng = np.random.default_rng(20_170_621)
    moderate = [normal(rng, 5, 7, scale=1.5) + 1.0, normal(rng, 3, 5, 7), normal(rng, 7), normal(rng, 5, 5) + 1.0]
    extreme = [case["scores"] for build in (huge_scores, one_far_row, minus_infinity, empty_row) for case in build(rng)]
    return [{"scores": scores} for scores in moderate + extreme]


SOFTMAX = Operation(
    name="softmax",
    entry="softmax",
    signature="softmax(scores)",
    returns=("weights",),
    reference=softmax,
    draw=draw,
    default_sizes={"Tq": 5, "Tk": 7},
    worked=worked,
    extremes={
        "huge-scores": huge_scores,
        "one-column": one_column,
        "all-equal": all_equal,
        "minus-infinity": minus_infinity,
        "empty-row": empty_row,
        "batched": batched,
        "one-dimensional": one_dimensional,
        "one-far-row": one_far_row,
    },
    diagnosis=diagnosis,
    variants=assembly.softmax(),
    behaviours=behaviour.SOFTMAX,
)
