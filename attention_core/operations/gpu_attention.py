"""The exercise gpu-attention: attention(q, k, v, is_causal=False) -> output, of tensors (B, H, T, d)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from attention_core.mistakes import assembly, torch_behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations.batches import Extreme, Stack
from attention_core.operations.cases import unit_values
from attention_core.operations.torch_attention import renamed, renaming, top_left_attention
from attention_core.worked_example import worked_example

SIZES = {"B": 2, "H": 3, "T": 7, "d": 5}


def heads(B: int, H: int, T: int, d: int) -> Stack:
    return Stack((B, H), Tq=T, Tk=T, d=d, dv=d)


HEADS = heads(**SIZES)


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Not causal, of sizes B, H, T and d."""
    return renamed(heads(**sizes).draw(rng, scale=scale))


def worked() -> Arguments:
    """One head of one sequence, and no flag."""
    example = worked_example()
    return renamed({name: example.matrix(name)[None, None].copy() for name in ("Q", "K", "V")})


def causal_only(rng: np.random.Generator) -> list[Arguments]:
    """Few tokens, then more."""
    return [sized.draw(rng, causal=True) for sized in (HEADS, heads(2, 1, 67, 5))]


def one_token(rng: np.random.Generator) -> list[Arguments]:
    return replace(HEADS, Tq=1, Tk=1).both(rng)


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    return replace(HEADS, d=1, dv=1).both(rng)


def one_head(rng: np.random.Generator) -> list[Arguments]:
    """One head of several sequences, several heads of one, and one of one."""
    return [case for leading in ((2, 1), (1, 3), (1, 1)) for case in replace(HEADS, leading=leading).both(rng)]


def wide(rng: np.random.Generator) -> list[Arguments]:
    """A width at which the division matters: without it, nearly all weight falls on one key."""
    return replace(HEADS, d=251, dv=251).both(rng)


def diagnosis() -> list[Arguments]:
    """Sizes distinct twice; all equal twice, for what raises unless some are; and the extremes.

    The first is not causal: whatever hides the future, a number typed in shows in it.
    """
    rng = np.random.default_rng(20_170_612)
    cases = [
        HEADS.moderate(rng),
        heads(3, 2, 5, 11).moderate(rng, causal=True),
        *HEADS.telling_extremes(rng),
        heads(3, 3, 3, 3).moderate(rng),
        heads(3, 3, 3, 3).moderate(rng, causal=True),
        HEADS.far(rng),
    ]
    return [renamed(case) for case in cases]


def weighing() -> Arguments:
    return renamed(unit_values(heads(2, 3, 7, 7).draw(np.random.default_rng(20_171_206))))


EXTREMES: Mapping[str, Extreme] = {
    name: renaming(extreme)
    for name, extreme in {
        "causal": causal_only,
        "huge-scores": HEADS.huge_scores,
        "one-far-row": HEADS.one_far_row,
        "future-giant": HEADS.future_giant,
        "scores-below-fill": HEADS.scores_below_fill,
        "one-token": one_token,
        "one-feature": one_feature,
        "one-head": one_head,
        "all-equal-scores": HEADS.all_equal_scores,
        "wide": wide,
    }.items()
}

GPU_ATTENTION = Operation(
    name="gpu-attention",
    entry="attention",
    signature="attention(q, k, v, is_causal=False)",
    returns=("output",),
    reference=top_left_attention,
    draw=draw,
    default_sizes=SIZES,
    worked=worked,
    extremes=EXTREMES,
    diagnosis=diagnosis,
    variants=assembly.gpu_attention(),
    fit=assembly.fit_top_left,
    framework="torch",
    weighing=weighing,
    behaviours=torch_behaviour.SAMPLES,
)
