"""The exercise attention-cost: attention_cost(n, bytes_per_score=2, heads=1, layers=1) -> (pairs, megabytes)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attention_core.cost import LESSON_CONTEXT_LENGTHS, attention_cost
from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Python ints: n from 2 to sizes["n"] · scale, heads and layers from 2 to theirs, 1, 2, 4 or 8 bytes a score."""
    return {
        "n": int(rng.integers(2, max(3, int(sizes["n"] * scale) + 1))),
        "bytes_per_score": int(rng.choice([1, 2, 4, 8])),
        "heads": int(rng.integers(2, sizes["heads"] + 1)),
        "layers": int(rng.integers(2, sizes["layers"] + 1)),
    }


def worked() -> Arguments:
    """The first row of the lesson's table."""
    return {"n": LESSON_CONTEXT_LENGTHS[0]}


def one_token(rng: np.random.Generator) -> list[Arguments]:
    return [{"n": 1}, {**draw(rng, SIZES), "n": 1}]


def long_context(rng: np.random.Generator) -> list[Arguments]:
    """Pairs that no longer fit 32 bits, then 53: only Python's ints count them exactly."""
    return [{"n": LESSON_CONTEXT_LENGTHS[-1]}, {"n": int(rng.integers(10**8, 10**9)) * 2 + 1}]


def many_heads_and_layers(rng: np.random.Generator) -> list[Arguments]:
    heads, layers = int(rng.integers(65, 129)), int(rng.integers(33, 65))
    return [{"n": 2_048, "bytes_per_score": 2, "heads": heads, "layers": layers}]


def wide_scores(rng: np.random.Generator) -> list[Arguments]:
    """Four and eight bytes a score."""
    return [{"n": int(rng.integers(100, 5_000)), "bytes_per_score": size, "heads": 1, "layers": 1} for size in (4, 8)]


def diagnosis() -> list[Arguments]:
    """No two arguments equal, none 1."""
    return [
        {"n": 1_009, "bytes_per_score": 4, "heads": 13, "layers": 31},
        {"n": 47, "bytes_per_score": 2, "heads": 7, "layers": 3},
        {"n": 6, "bytes_per_score": 8, "heads": 2, "layers": 5},
    ]


SIZES = {"n": 8_191, "heads": 97, "layers": 61}

ATTENTION_COST = Operation(
    name="attention-cost",
    entry="attention_cost",
    signature="attention_cost(n, bytes_per_score=2, heads=1, layers=1)",
    returns=("pairs", "megabytes"),
    reference=attention_cost,
    draw=draw,
    default_sizes=SIZES,
    worked=worked,
    extremes={
        "one-token": one_token,
        "long-context": long_context,
        "many-heads-and-layers": many_heads_and_layers,
        "wide-scores": wide_scores,
    },
    diagnosis=diagnosis,
    variants=assembly.costs(),
    behaviours=behaviour.COST,
)
