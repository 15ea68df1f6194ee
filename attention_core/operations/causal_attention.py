"""The exercise causal-attention: causal_attention(Q, K, V) -> (output, weights)."""

from __future__ import annotations

import numpy as np

from attention_core.arguments import FloatArray
from attention_core.attention import causal_attention
from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import LOWEST_SCORE, below, draw_causal, giant, steer
from attention_core.worked_example import worked_example

SIZES = {"T": 7, "d": 3, "dv": 2}


def worked() -> Arguments:
    example = worked_example()
    return {name: example.matrix(name).copy() for name in ("Q", "K", "V")}


def huge_scores(rng: np.random.Generator) -> list[Arguments]:
    """Scores near 1e4 and near -1e4 whose rows are still spread over several keys; then saturated ones."""
    high, low = draw_causal(rng, SIZES), draw_causal(rng, SIZES)
    saturated = draw_causal(rng, SIZES)
    return [
        steer(high, rng.uniform(9.9e3, 1e4, 7), np.ones(7)),
        steer(low, rng.uniform(-1e4, -9.9e3, 7), np.ones(7)),
        {**saturated, "Q": saturated["Q"] * 1e3},
    ]


def future_giant(rng: np.random.Generator) -> list[Arguments]:
    """The last key matches every query hugely: a softmax that has seen it leaves nothing for the past."""
    return [giant(rng, draw_causal(rng, SIZES), size) for size in (2e3, 1e6)]


def scores_below_fill(rng: np.random.Generator) -> list[Arguments]:
    """Visible scores near -1e6, then near -1e12, and one score of about 0 in the future: a finite fill leaks."""
    return [below(rng, draw_causal(rng, SIZES), depth) for depth in (1e6, -LOWEST_SCORE)]


def one_token(rng: np.random.Generator) -> list[Arguments]:
    return [draw_causal(rng, {"T": 1, "d": 3, "dv": 2})]


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    """Width 1 of queries and keys, then of values too: a lost axis shows as a wrong shape."""
    return [draw_causal(rng, {"T": 7, "d": 1, "dv": dv}) for dv in (2, 1)]


def all_equal_scores(rng: np.random.Generator) -> list[Arguments]:
    """Zero queries, then one key repeated: each output is the mean of the values so far."""
    case = draw_causal(rng, SIZES)
    return [{**case, "Q": np.zeros((7, 3))}, {**case, "K": np.tile(case["K"][:1], (7, 1))}]


def wide(rng: np.random.Generator) -> list[Arguments]:
    """A width at which the division matters: without it, nearly all weight falls on one key."""
    return [draw_causal(rng, {"T": 7, "d": 251, "dv": 3})]


def _rising(start: float, stop: float, count: int) -> FloatArray:
    return np.linspace(start, stop, count)


def diagnosis() -> list[Arguments]:
    """Distinct sizes twice, so that each divisor differs, and the extremes under which fills and softmaxes differ.

    The moderate cases have scores of a common sign, so that a row divided by its own sum stays well conditioned.
    """
    rng = np.random.default_rng(20_170_612)
    sizes = ({"T": 5, "d": 3, "dv": 2}, {"T": 7, "d": 13, "dv": 5})
    moderate = [steer(draw_causal(rng, s, 1.3), np.full(s["T"], 3.0), np.ones(s["T"])) for s in sizes]
    high = steer(draw_causal(rng, SIZES), _rising(2e3, 9e3, 7), np.ones(7))
    low = steer(draw_causal(rng, SIZES), _rising(-3e3, -9e3, 7), np.ones(7))
    far_above = giant(rng, draw_causal(rng, SIZES), 1e6)
    return [*moderate, high, low, far_above, below(rng, draw_causal(rng, SIZES), -LOWEST_SCORE)]


CAUSAL_ATTENTION = Operation(
    name="causal-attention",
    entry="causal_attention",
    signature="causal_attention(Q, K, V)",
    returns=("output", "weights"),
    reference=causal_attention,
    draw=draw_causal,
    default_sizes=SIZES,
    worked=worked,
    extremes={
        "huge-scores": huge_scores,
        "future-giant": future_giant,
        "scores-below-fill": scores_below_fill,
        "one-token": one_token,
        "one-feature": one_feature,
        "all-equal-scores": all_equal_scores,
        "wide": wide,
    },
    diagnosis=diagnosis,
    variants=assembly.causal_attention(),
    fit=assembly.fit_causal_attention,
    behaviours=behaviour.CAUSAL,
)
