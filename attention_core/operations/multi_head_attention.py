"""The exercise multi-head-attention: multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False) -> output."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from attention_core.heads import multi_head_attention
from attention_core.mistakes import heads_assembly
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import LOWEST_SCORE, normal
from attention_core.worked_example import worked_example

SIZES = {"B": 5, "T": 7, "H": 2, "d": 3}


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0, *, causal: bool = False) -> Arguments:
    """x (B, T, D), four matrices (D, D) and H heads, D = H·d.

    The entries of x have standard deviation `scale`, and so have those of the queries, keys and values.
    """
    width = sizes["H"] * sizes["d"]
    return {
        "x": normal(rng, sizes["B"], sizes["T"], width, scale=scale),
        **{name: normal(rng, width, width, scale=1 / math.sqrt(width)) for name in ("Wq", "Wk", "Wv", "Wo")},
        "num_heads": sizes["H"],
        "causal": causal,
    }


def steer(arguments: Arguments, query_part: ArrayLike, key_part: ArrayLike, head_part: ArrayLike = 1.0) -> Arguments:
    """The same case with head_part[h]² · query_part[b, i] · key_part[b, j] added to score (i, j) of head h.

    Two features of x carry it: the first column of a head's queries reads feature 0, that of its keys feature 1, and
    nothing else reads either. The parts may leave out axes and broadcast. However large the query part, the features
    are not: its size is in Wq.
    """
    queries = np.asarray(query_part, dtype=np.float64)
    size = np.abs(queries).max()
    x, Wq, Wk, Wv = (arguments[name].copy() for name in ("x", "Wq", "Wk", "Wv"))
    width = len(Wq) // arguments["num_heads"]
    for matrix in (Wq, Wk, Wv):
        matrix[:2] = 0.0
    Wq[:, ::width], Wk[:, ::width] = 0.0, 0.0
    Wq[0, ::width], Wk[1, ::width] = np.multiply(head_part, size * math.sqrt(width)), head_part
    x[..., 0] = queries / size
    x[..., 1] = np.asarray(key_part, dtype=np.float64)
    return {**arguments, "x": x, "Wq": Wq, "Wk": Wk, "Wv": Wv}


def worked() -> Arguments:
    """The lesson's four words with a fourth feature, and two heads.

    The first head is the lesson's own: its matrices do not look at the new feature. The second looks at the last two.
    """
    example = worked_example()
    x = np.column_stack([example.x, [0, 1, 0, 1]])
    second = {
        "Wq": [[0, 0], [1, 0], [0, 1], [1, 1]],
        "Wk": [[0, 1], [0, 0], [1, 1], [1, 0]],
        "Wv": [[1, 1], [0, 1], [0, 0], [2, 0]],
    }
    projections = {
        name: np.column_stack([np.vstack([example.matrix(name), [0, 0]]), columns]) for name, columns in second.items()
    }
    Wo = np.array([[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 2]], dtype=np.float64)
    return {"x": x[None], **projections, "Wo": Wo, "num_heads": 2, "causal": False}


def causal_only(rng: np.random.Generator) -> list[Arguments]:
    """Random cases in which no token sees a later one."""
    return [draw(rng, sizes, causal=True) for sizes in (SIZES, {"B": 2, "T": 5, "H": 3, "d": 7})]


def huge_scores(rng: np.random.Generator) -> list[Arguments]:
    """Scores near 1e4 and near -1e4 whose rows are still spread over several keys; then saturated ones."""
    steered = [
        steer(draw(rng, SIZES, causal=causal), sign * rng.uniform(9.9e3, 1e4, 7), np.ones(7))
        for sign in (1, -1)
        for causal in (False, True)
    ]
    saturated = draw(rng, SIZES)
    return [*steered, {**saturated, "x": saturated["x"] * 30}]


def one_far_row(rng: np.random.Generator) -> list[Arguments]:
    """One token whose scores lie thousands below the others': the whole matrix's maximum leaves it 0/0."""
    offsets = np.zeros(7)
    offsets[int(rng.integers(0, 7))] = -5e3
    return [steer(draw(rng, SIZES), offsets, np.ones(7))]


def future_giant(rng: np.random.Generator) -> list[Arguments]:
    """The last key of every head matches every query hugely: a softmax that has seen it leaves nothing for the past."""
    return [_giant(rng, SIZES, size) for size in (2e3, 1e6)]


def scores_below_fill(rng: np.random.Generator) -> list[Arguments]:
    """Visible scores near -1e6, then near -1e12, and one of about 0 in the future: a finite fill leaks."""
    return [_below(rng, SIZES, depth) for depth in (1e6, -LOWEST_SCORE)]


def one_head(rng: np.random.Generator) -> list[Arguments]:
    return [draw(rng, {"B": 3, "T": 7, "H": 1, "d": 5}, causal=causal) for causal in (False, True)]


def many_heads(rng: np.random.Generator) -> list[Arguments]:
    """More heads than tokens."""
    return [draw(rng, {"B": 2, "T": 5, "H": 11, "d": 3}, causal=causal) for causal in (False, True)]


def width_one(rng: np.random.Generator) -> list[Arguments]:
    """As many heads as columns."""
    return [draw(rng, {"B": 2, "T": 5, "H": 3, "d": 1}, causal=causal) for causal in (False, True)]


def one_token(rng: np.random.Generator) -> list[Arguments]:
    return [draw(rng, {**SIZES, "T": 1}, causal=causal) for causal in (False, True)]


def one_sequence(rng: np.random.Generator) -> list[Arguments]:
    return [draw(rng, {**SIZES, "B": 1}, causal=causal) for causal in (False, True)]


def all_equal_scores(rng: np.random.Generator) -> list[Arguments]:
    """No queries, then no keys to tell apart: each token gets the mean of the values it sees."""
    cases = []
    for causal, name in ((False, "Wq"), (True, "Wk")):
        case = draw(rng, SIZES, causal=causal)
        cases.append({**case, name: np.zeros_like(case[name])})
    return cases


def _giant(rng: np.random.Generator, sizes: Mapping[str, int], size: float) -> Arguments:
    tokens = sizes["T"]
    return steer(draw(rng, sizes, causal=True), rng.uniform(size / 2, size, tokens), np.eye(tokens)[-1])


def _below(rng: np.random.Generator, sizes: Mapping[str, int], depth: float) -> Arguments:
    """Scores from -0.99 to -0.65 times `depth` for every key but the last, at least 0.005 · depth apart.

    Apart by so much, each row has all its weight on one key, whatever rounding does to numbers of this size; and no
    two sequences and no two heads have the same ones.
    """
    batch, tokens, count = sizes["B"], sizes["T"], sizes["H"]
    keys = np.zeros((batch, tokens))
    keys[:, :-1] = [-rng.permutation(np.linspace(0.9, 0.99, tokens - 1)) for _ in range(batch)]
    queries = depth * rng.permutation(np.linspace(0.9, 1.0, batch * tokens)).reshape(batch, tokens)
    return steer(draw(rng, sizes, causal=True), queries, keys, np.linspace(0.9, 1.0, count))


def diagnosis() -> list[Arguments]:
    """Distinct sizes twice, so that each divisor differs, with and without the future; the extremes under which
    softmaxes and fills differ; and a case all of whose sizes are equal, for what raises on all others.

    The moderate cases have scores of a common sign, so that a row divided by its own sum stays well conditioned.
    """
    rng = np.random.default_rng(20_170_612)
    sizes = {"B": 2, "T": 5, "H": 3, "d": 7}
    first = steer(draw(rng, sizes, 1.3), np.full(5, 3.0), np.ones(5))
    second = steer(draw(rng, {"B": 3, "T": 7, "H": 2, "d": 5}, 1.3, causal=True), np.full(7, 3.0), np.ones(7))
    far = steer(draw(rng, sizes), [2e3, 2.02e3, -5e3, 1.97e3, 2.05e3], np.ones(5))
    low = steer(draw(rng, sizes, causal=True), np.linspace(-3e3, -9e3, 5), np.ones(5))
    equal = steer(draw(rng, {"B": 3, "T": 3, "H": 3, "d": 3}), np.full(3, 3.0), np.ones(3))
    # A last key that stands out more and more from row to row, first without overflow.
    giants = steer(draw(rng, sizes, causal=True), [700.0, 1.2e3, 1.04e4, 1.004e5, 1.0], [-0.085] * 4 + [1.0])
    below = _below(rng, {"B": 5, "T": 2, "H": 3, "d": 7}, -LOWEST_SCORE)
    return [first, second, far, low, giants, below, equal]


MULTI_HEAD_ATTENTION = Operation(
    name="multi-head-attention",
    entry="multi_head_attention",
    signature="multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False)",
    returns=("output",),
    reference=multi_head_attention,
    draw=draw,
    default_sizes=SIZES,
    worked=worked,
    extremes={
        "causal": causal_only,
        "huge-scores": huge_scores,
        "one-far-row": one_far_row,
        "future-giant": future_giant,
        "scores-below-fill": scores_below_fill,
        "one-head": one_head,
        "many-heads": many_heads,
        "width-one": width_one,
        "one-token": one_token,
        "one-sequence": one_sequence,
        "all-equal-scores": all_equal_scores,
    },
    diagnosis=diagnosis,
    variants=heads_assembly.multi_head_attention(),
    fit=heads_assembly.fit_multi_head_attention,
    behaviours=heads_assembly.BEHAVIOURS,
)
