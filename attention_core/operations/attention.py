"""The exercise attention: attention(Q, K, V) -> (output, weights)."""

from __future__ import annotations

import numpy as np

from attention_core.attention import attention
from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import draw_attention, normal, steer
from attention_core.worked_example import worked_example

SIZES = {"Tq": 5, "Tk": 7, "d": 3, "dv": 2}


def worked() -> Arguments:
    example = worked_example()
    return {name: example.matrix(name).copy() for name in ("Q", "K", "V")}


def huge_scores(rng: np.random.Generator) -> list[Arguments]:
    """Scores near 1e4 and near -1e4 whose rows are still spread over several keys; then saturated ones."""
    high, low = draw_attention(rng, SIZES), draw_attention(rng, SIZES)
    saturated = draw_attention(rng, SIZES)
    return [
        steer(high, rng.uniform(9.9e3, 1e4, 5), np.ones(7)),
        steer(low, rng.uniform(-1e4, -9.9e3, 5), np.ones(7)),
        {**saturated, "Q": saturated["Q"] * 1e3},
    ]


def one_far_row(rng: np.random.Generator) -> list[Arguments]:
    """One query whose scores all lie thousands below the others': the whole matrix's maximum leaves it 0/0."""
    offsets = np.zeros(5)
    offsets[int(rng.integers(0, 5))] = -5e3
    return [steer(draw_attention(rng, SIZES), offsets, np.ones(7))]


def one_token(rng: np.random.Generator) -> list[Arguments]:
    """One query for several keys, several for one, and one for one."""
    return [
        draw_attention(rng, {"Tq": queries, "Tk": keys, "d": 3, "dv": 2}) for queries, keys in ((1, 7), (5, 1), (1, 1))
    ]


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    """Width 1 of queries and keys, then of values too: a lost axis shows as a wrong shape."""
    return [draw_attention(rng, {"Tq": 5, "Tk": 7, "d": 1, "dv": dv}) for dv in (2, 1)]


def all_equal_scores(rng: np.random.Generator) -> list[Arguments]:
    """Zero queries, then one key repeated: the output is the mean of the values."""
    case = draw_attention(rng, SIZES)
    return [{**case, "Q": np.zeros((5, 3))}, {**case, "K": np.tile(case["K"][:1], (7, 1))}]


def wide(rng: np.random.Generator) -> list[Arguments]:
    """A width at which the division matters: without it, nearly all weight falls on one key."""
    return [draw_attention(rng, {"Tq": 5, "Tk": 7, "d": 251, "dv": 3})]


def diagnosis() -> list[Arguments]:
    """Distinct sizes twice, so that each divisor differs; a square case, for what raises unless Tq = Tk; extremes.

    The moderate cases have scores of a common sign, so that a row divided by its own sum stays well conditioned.
    """
    rng = np.random.default_rng(20_170_612)
    sizes = (SIZES, {"Tq": 7, "Tk": 5, "d": 13, "dv": 3}, {"Tq": 5, "Tk": 5, "d": 2, "dv": 3})
    moderate = [steer(draw_attention(rng, s, 1.3), np.full(s["Tq"], 3.0), np.ones(s["Tk"])) for s in sizes]
    high = steer(draw_attention(rng, SIZES), [2e3, 2.02e3, 1.97e3, 2.05e3, 1.95e3], np.ones(7))
    low = steer(draw_attention(rng, SIZES), np.full(5, -3e3), np.ones(7))
    far = steer(draw_attention(rng, SIZES), [1.0, 2.0, -5e3, 3.0, 4.0], np.ones(7) + 0.1 * normal(rng, 7))
    return [*moderate, high, low, far]


ATTENTION = Operation(
    name="attention",
    entry="attention",
    signature="attention(Q, K, V)",
    returns=("output", "weights"),
    reference=attention,
    draw=draw_attention,
    default_sizes=SIZES,
    worked=worked,
    extremes={
        "huge-scores": huge_scores,
        "one-far-row": one_far_row,
        "one-token": one_token,
        "one-feature": one_feature,
        "all-equal-scores": all_equal_scores,
        "wide": wide,
    },
    diagnosis=diagnosis,
    variants=assembly.attention(),
    fit=assembly.fit_attention,
    behaviours=behaviour.ATTENTION,
)
