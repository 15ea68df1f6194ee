"""The exercise qkv-projections: project(x, Wq, Wk, Wv) -> (Q, K, V)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import normal
from attention_core.projections import project
from attention_core.worked_example import worked_example


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """x and the three matrices, of sizes T, D, d and dv; their entries have standard deviation `scale`."""
    return {
        "x": normal(rng, sizes["T"], sizes["D"], scale=scale),
        "Wq": normal(rng, sizes["D"], sizes["d"], scale=scale),
        "Wk": normal(rng, sizes["D"], sizes["d"], scale=scale),
        "Wv": normal(rng, sizes["D"], sizes["dv"], scale=scale),
    }


def worked() -> Arguments:
    example = worked_example()
    return {name: example.matrix(name).copy() for name in ("x", "Wq", "Wk", "Wv")}


def one_token(rng: np.random.Generator) -> list[Arguments]:
    return [draw(rng, {"T": 1, "D": 5, "d": 3, "dv": 2})]


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    """Tokens of width 1, and queries, keys and values of width 1: a lost axis shows as a wrong shape."""
    return [draw(rng, {"T": 7, "D": 1, "d": 3, "dv": 2}), draw(rng, {"T": 7, "D": 5, "d": 1, "dv": 1})]


def large_values(rng: np.random.Generator) -> list[Arguments]:
    """Far outside the range of single precision, well inside that of double."""
    case = draw(rng, {"T": 7, "D": 5, "d": 3, "dv": 2})
    return [{**case, "x": case["x"] * 1e100}]


def diagnosis() -> list[Arguments]:
    """Two cases of distinct sizes; and one with D = d = dv, for what raises unless a weight matrix is square."""
    rng = np.random.default_rng(20_170_612)
    return [
        draw(rng, {"T": 7, "D": 5, "d": 3, "dv": 2}),
        draw(rng, {"T": 3, "D": 7, "d": 11, "dv": 5}),
        draw(rng, {"T": 5, "D": 3, "d": 3, "dv": 3}),
    ]


QKV_PROJECTIONS = Operation(
    name="qkv-projections",
    entry="project",
    signature="project(x, Wq, Wk, Wv)",
    returns=("Q", "K", "V"),
    reference=project,
    draw=draw,
    default_sizes={"T": 7, "D": 5, "d": 3, "dv": 2},
    worked=worked,
    extremes={"one-token": one_token, "one-feature": one_feature, "large-values": large_values},
    diagnosis=diagnosis,
    variants=assembly.projections(),
    behaviours=behaviour.PROJECTIONS,
)
