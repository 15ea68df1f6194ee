"""The exercise scaled-scores: scaled_scores(Q, K) -> (Tq, Tk)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import normal
from attention_core.scores import scaled_scores
from attention_core.worked_example import worked_example


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Q and K of sizes Tq, Tk and d; their entries have standard deviation `scale`."""
    return {
        "Q": normal(rng, sizes["Tq"], sizes["d"], scale=scale),
        "K": normal(rng, sizes["Tk"], sizes["d"], scale=scale),
    }


def worked() -> Arguments:
    example = worked_example()
    return {"Q": example.Q.copy(), "K": example.K.copy()}


def one_token(rng: np.random.Generator) -> list[Arguments]:
    """One query for several keys, several for one, and one for one."""
    return [draw(rng, {"Tq": queries, "Tk": keys, "d": 3}) for queries, keys in ((1, 7), (5, 1), (1, 1))]


def wide(rng: np.random.Generator) -> list[Arguments]:
    """A width at which the division matters: without it, scores have a standard deviation near 16."""
    return [draw(rng, {"Tq": 5, "Tk": 7, "d": 251})]


def large_values(rng: np.random.Generator) -> list[Arguments]:
    """Far outside the range of single precision, well inside that of double."""
    case = draw(rng, {"Tq": 5, "Tk": 7, "d": 3})
    return [{**case, "Q": case["Q"] * 1e100}]


def diagnosis() -> list[Arguments]:
    """Two cases of distinct sizes, so that each divisor differs; and a square one, for what raises unless Tq = Tk."""
    rng = np.random.default_rng(20_170_612)
    return [
        draw(rng, {"Tq": 5, "Tk": 7, "d": 3}),
        draw(rng, {"Tq": 7, "Tk": 3, "d": 13}),
        draw(rng, {"Tq": 5, "Tk": 5, "d": 2}),
    ]


SCALED_SCORES = Operation(
    name="scaled-scores",
    entry="scaled_scores",
    signature="scaled_scores(Q, K)",
    returns=("scores",),
    reference=scaled_scores,
    draw=draw,
    default_sizes={"Tq": 5, "Tk": 7, "d": 3},
    worked=worked,
    extremes={"one-token": one_token, "wide": wide, "large-values": large_values},
    diagnosis=diagnosis,
    variants=assembly.scaled_scores(),
    fit=assembly.fit_scores,
    behaviours=behaviour.SCORES,
)
