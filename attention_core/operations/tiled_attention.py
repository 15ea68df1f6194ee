"""The exercise tiled-attention: tiled_attention(Q, K, V, block_size, causal=False) -> output."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from attention_core.mistakes import assembly, behaviour, tiles
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import LOWEST_SCORE, below, draw_causal, giant, steer, unit_values
from attention_core.tiles import tiled_attention
from attention_core.worked_example import worked_example

SIZES = {"T": 11, "d": 3, "dv": 2, "block_size": 5}


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0, *, causal: bool = False) -> Arguments:
    """Q, K and V of sizes T, d and dv, whose entries have standard deviation `scale`, and a block size."""
    return {**draw_causal(rng, sizes, scale), "block_size": sizes["block_size"], "causal": causal}


def sized(block_size: int, **others: int) -> dict[str, int]:
    return {**SIZES, **others, "block_size": block_size}


def worked() -> Arguments:
    """The lesson's four words, in blocks of three: the last block is shorter."""
    example = worked_example()
    return {**{name: example.matrix(name).copy() for name in ("Q", "K", "V")}, "block_size": 3, "causal": False}


def causal(rng: np.random.Generator) -> list[Arguments]:
    """The future hidden, in blocks that fit, that do not, of one token, and of more than there are."""
    return [draw(rng, sized(size, T=12), causal=True) for size in (5, 4, 1, 17)]


def block_sizes(rng: np.random.Generator) -> list[Arguments]:
    """One token a block; blocks that fit; a last block of one token; one block that fits; one that is too large."""
    return [draw(rng, sized(size)) for size in (1, 2, 3, 5, 11, 13)] + [draw(rng, sized(4, T=12))]


def rising_scores(rng: np.random.Generator) -> list[Arguments]:
    """Each block brings a higher maximum to every row, some by more than exp can take; then each a lower one."""
    slopes = (1.0, 300.0, -1.0, -300.0)
    return [_sloping(rng, slope, causal=causal) for slope in slopes for causal in (False, True)]


def huge_scores(rng: np.random.Generator) -> list[Arguments]:
    """Rows near 1e4 and near -1e4, and rows far apart; each row spread over several keys. Then saturated ones."""
    sizes, ones = SIZES, np.ones(SIZES["T"])
    parts = (rng.uniform(9.9e3, 1e4, 11), rng.uniform(-1e4, -9.9e3, 11), rng.permutation(np.linspace(-9e3, 9e3, 11)))
    spread = [steer(draw(rng, sizes, causal=causal), part, ones) for part in parts for causal in (False, True)]
    saturated = draw(rng, sizes)
    return [*spread, {**saturated, "Q": saturated["Q"] * 1e3}]


def future_giant(rng: np.random.Generator) -> list[Arguments]:
    """The last key matches every query hugely: a softmax that has seen it leaves nothing for the past."""
    return [giant(rng, draw(rng, sized(4), causal=True), size) for size in (2e3, 1e6)]


def scores_below_fill(rng: np.random.Generator) -> list[Arguments]:
    """Visible scores near -1e6, then near -1e12, and one score of about 0 in the future: a finite fill leaks."""
    return [below(rng, draw(rng, sized(4, T=7), causal=True), depth) for depth in (1e6, -LOWEST_SCORE)]


def one_token(rng: np.random.Generator) -> list[Arguments]:
    return [draw(rng, sized(size, T=1), causal=causal) for size in (1, 4) for causal in (False, True)]


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    """Width 1 of queries and keys, then of values too: a lost axis shows as a wrong shape."""
    return [draw(rng, sized(4, d=1, dv=dv), causal=causal) for dv in (2, 1) for causal in (False, True)]


def all_equal_scores(rng: np.random.Generator) -> list[Arguments]:
    """Zero queries: each output is the mean of the values, or of those so far, however they are cut into blocks."""
    cases = [draw(rng, sized(size), causal=causal) for size in (4, 5) for causal in (False, True)]
    return [{**case, "Q": np.zeros_like(case["Q"])} for case in cases]


def wide(rng: np.random.Generator) -> list[Arguments]:
    """A width at which the division matters: without it, nearly all weight falls on one key."""
    return [draw(rng, sized(4, d=251, dv=3), causal=causal) for causal in (False, True)]


def _sloping(rng: np.random.Generator, slope: float, *, causal: bool) -> Arguments:
    """`slope` from one key to the next, on top of scores that are drawn small."""
    case = draw(rng, sized(3), 0.7, causal=causal)
    return steer(case, np.ones(11), slope * np.arange(11.0))


def _hidden_giants(rng: np.random.Generator) -> Arguments:
    """Before the last token, whose own scores are small, each query of its block has a giant score with it.

    By a million, so that anything added to it is too little; by 2,000, which exp cannot take and a few thousand less
    make good; and 1,100 above what the query sees, within what exp can take.
    """
    giants = np.ones(11)
    giants[7:10] = 1e6, 2e3, 550.0
    last = np.zeros(11)
    last[-1] = 1.0
    case = steer(draw(rng, {"T": 11, "d": 3, "dv": 2, "block_size": 7}, causal=True), giants, last)
    case["K"][:, 1] = last - 1.0
    case["Q"][9, 1] = 550.0 * math.sqrt(3)
    return case


def diagnosis() -> list[Arguments]:
    """Distinct sizes twice, without and with a mask, then extremes under which maxima, fills and softmaxes differ.

    The blocks of one moderate case and of two extremes fit; the tokens left over elsewhere are two or more, since
    one broadcasts. In the moderate cases the scores rise along the keys, so that the first block never has the
    maximum of all rows, and are of a common sign, so that a row divided by its own sum stays well conditioned.
    """
    rng = np.random.default_rng(20_220_527)
    plain = steer(draw(rng, {"T": 11, "d": 5, "dv": 7, "block_size": 4}), np.full(11, 1.0), np.linspace(4, 6, 11))
    masked = draw(rng, {"T": 13, "d": 7, "dv": 2, "block_size": 5}, causal=True)
    masked = steer(masked, np.full(13, 1.0), np.linspace(4, 6, 13))
    fitting = steer(draw(rng, {"T": 6, "d": 5, "dv": 2, "block_size": 3}), np.full(6, 1.0), np.linspace(4, 6, 6))
    sizes = {"T": 7, "d": 3, "dv": 2, "block_size": 4}
    high, low = draw(rng, sized(4, T=8, d=3), causal=True), draw(rng, sizes, causal=True)
    rising = draw(rng, {"T": 8, "d": 3, "dv": 2, "block_size": 4})
    return [
        plain,
        masked,
        fitting,
        steer(high, np.linspace(2e3, 9e3, 8), np.ones(8)),
        steer(low, np.linspace(-3e3, -9e3, 7), np.ones(7)),
        steer(rising, np.ones(8), 500.0 * np.arange(8.0)),
        _hidden_giants(rng),
        below(rng, draw(rng, {**sizes, "dv": 3}, causal=True), -LOWEST_SCORE),
    ]


def weighing() -> Arguments:
    return unit_values(draw(np.random.default_rng(20_171_206), sized(5, dv=11)))


TILED_ATTENTION = Operation(
    name="tiled-attention",
    entry="tiled_attention",
    signature="tiled_attention(Q, K, V, block_size, causal=False)",
    returns=("output",),
    reference=tiled_attention,
    draw=draw,
    default_sizes=SIZES,
    worked=worked,
    extremes={
        "causal": causal,
        "block-sizes": block_sizes,
        "rising-scores": rising_scores,
        "huge-scores": huge_scores,
        "future-giant": future_giant,
        "scores-below-fill": scores_below_fill,
        "one-token": one_token,
        "one-feature": one_feature,
        "all-equal-scores": all_equal_scores,
        "wide": wide,
    },
    diagnosis=diagnosis,
    variants=assembly.tiled_attention(),
    fit=assembly.fit_tiled_attention,
    weighing=weighing,
    behaviours=behaviour.TILED,
    measured=tiles.STORES_ALL_SCORES,
)
