"""Cases of attention(Q, K, V, causal=False) -> output: stacks of matrices, and whether later keys are hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from attention_core.operation import Arguments
from attention_core.operations.cases import LOWEST_SCORE, below, giant, normal, steer, unit_values

Extreme = Callable[["np.random.Generator"], list[Arguments]]  # quoted: numpy.random is loaded when first used


@dataclass(frozen=True)
class Stack:
    """Sizes of Q (*leading, Tq, d), K (*leading, Tk, d) and V (*leading, Tk, dv), and the cases that have them.

    Every matrix of a stack is steered alike, unless a case says otherwise.
    """

    leading: tuple[int, ...] = (3,)
    Tq: int = 5
    Tk: int = 7
    d: int = 3
    dv: int = 2

    def draw(self, rng: np.random.Generator, *, causal: bool = False, scale: float = 1.0) -> Arguments:
        """Entries of standard deviation `scale`."""
        return {
            "Q": normal(rng, *self.leading, self.Tq, self.d, scale=scale),
            "K": normal(rng, *self.leading, self.Tk, self.d, scale=scale),
            "V": normal(rng, *self.leading, self.Tk, self.dv, scale=scale),
            "causal": causal,
        }

    def both(self, rng: np.random.Generator) -> list[Arguments]:
        """A case that is not causal, and one that is."""
        return [self.draw(rng), self.draw(rng, causal=True)]

    def huge_scores(self, rng: np.random.Generator) -> list[Arguments]:
        """Scores near 1e4 and near -1e4 whose rows are still spread over several keys; then saturated ones."""
        high = [steer(case, rng.uniform(9.9e3, 1e4, self.Tq), np.ones(self.Tk)) for case in self.both(rng)]
        low = [steer(case, rng.uniform(-1e4, -9.9e3, self.Tq), np.ones(self.Tk)) for case in self.both(rng)]
        return [*high, *low, *({**case, "Q": case["Q"] * 1e3} for case in self.both(rng))]

    def one_far_row(self, rng: np.random.Generator) -> list[Arguments]:
        """One query whose scores all lie thousands below the others': one maximum for all leaves it 0/0."""
        offsets = np.zeros(self.Tq)
        offsets[int(rng.integers(0, self.Tq))] = -5e3
        return [steer(case, offsets, np.ones(self.Tk)) for case in self.both(rng)]

    def future_giant(self, rng: np.random.Generator) -> list[Arguments]:
        """The last key matches every query hugely: a softmax that has seen it leaves nothing for the past."""
        return [giant(rng, self.draw(rng, causal=True), size) for size in (2e3, 1e6)]

    def scores_below_fill(self, rng: np.random.Generator) -> list[Arguments]:
        """Visible scores near -1e6, then near -1e12, and one score of about 0 in the future: a finite fill leaks."""
        return [below(rng, self.draw(rng, causal=True), depth) for depth in (1e6, -LOWEST_SCORE)]

    def all_equal_scores(self, rng: np.random.Generator) -> list[Arguments]:
        """Zero queries, then one key repeated: each output is the mean of the values that it may see."""
        zero = [{**case, "Q": np.zeros_like(case["Q"])} for case in self.both(rng)]
        return [*zero, *({**case, "K": np.repeat(case["K"][..., :1, :], self.Tk, -2)} for case in self.both(rng))]

    def wide(self, rng: np.random.Generator) -> list[Arguments]:
        """A width at which the division matters: without it, nearly all weight falls on one key."""
        return replace(self, d=251).both(rng)

    def moderate(self, rng: np.random.Generator, *, causal: bool = False) -> Arguments:
        """Scores of a common sign, so that a row divided by its own sum stays well conditioned."""
        return steer(self.draw(rng, causal=causal, scale=1.3), np.full(self.Tq, 3.0), np.ones(self.Tk))

    def telling_extremes(self, rng: np.random.Generator) -> list[Arguments]:
        """For a diagnosis set: those under which fills and softmaxes differ, all of them causal."""
        high = steer(self.draw(rng, causal=True), np.linspace(2e3, 9e3, self.Tq), np.ones(self.Tk))
        low = steer(self.draw(rng, causal=True), np.linspace(-3e3, -9e3, self.Tq), np.ones(self.Tk))
        return [below(rng, self.draw(rng, causal=True), -LOWEST_SCORE), high, low, self.giants(rng)]

    def giants(self, rng: np.random.Generator) -> Arguments:
        """For a diagnosis set: a last key that stands out more and more from row to row, first without overflow."""
        queries, keys = np.ones(self.Tq), np.full(self.Tk, -0.085)
        queries[:4], keys[-1] = (700.0, 1.2e3, 1.04e4, 1.004e5), 1.0
        return steer(self.draw(rng, causal=True), queries, keys)

    def far(self, rng: np.random.Generator) -> Arguments:
        """For a diagnosis set: one row far below the others, and nothing hidden."""
        queries, keys = np.linspace(1.0, 4.0, self.Tq), np.ones(self.Tk) + 0.1 * normal(rng, self.Tk)
        queries[2] = -5e3
        return steer(self.draw(rng), queries, keys)


SIZES = {"B": 2, "H": 3, "Tq": 5, "Tk": 7, "d": 11, "dv": 13}


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Not causal, of sizes Tq, Tk, d and dv, before them B and H where they are given."""
    leading = tuple(sizes[name] for name in ("B", "H") if name in sizes)
    return Stack(leading, sizes["Tq"], sizes["Tk"], sizes["d"], sizes["dv"]).draw(rng, scale=scale)


def causal_only(rng: np.random.Generator) -> list[Arguments]:
    """One leading axis, then two."""
    return [Stack(leading).draw(rng, causal=True) for leading in ((3,), (2, 3))]


def one_token(rng: np.random.Generator) -> list[Arguments]:
    """One query for several keys, several for one, and one for one; the last may be causal and make no difference."""
    one = Stack(Tq=1, Tk=1)
    return [replace(one, Tk=7).draw(rng), replace(one, Tq=5).draw(rng), *one.both(rng)]


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    """Width 1 of queries and keys, then of values too: a lost axis shows as a wrong shape."""
    return [case for dv in (2, 1) for case in Stack(d=1, dv=dv).both(rng)]


def cross(rng: np.random.Generator) -> list[Arguments]:
    """More queries than keys, and far fewer; causal where there are fewer."""
    return [Stack(Tq=7, Tk=5).draw(rng), *Stack(Tq=3, Tk=11).both(rng)]


def no_leading_axes(rng: np.random.Generator) -> list[Arguments]:
    return Stack(leading=()).both(rng)


def many_leading_axes(rng: np.random.Generator) -> list[Arguments]:
    """Three of them, then two of length 1."""
    return [case for leading in ((2, 3, 2), (1, 1)) for case in Stack(leading=leading).both(rng)]


def single_query(rng: np.random.Generator) -> list[Arguments]:
    """One query and many keys, causal: which of them it may see is all that the alignment decides."""
    return [Stack(leading, Tq=1, Tk=7).draw(rng, causal=True) for leading in ((3,), ())]


def weighing() -> Arguments:
    return unit_values(Stack(dv=7).draw(np.random.default_rng(20_171_206)))


def diagnosis() -> list[Arguments]:
    """No, one and two leading axes, sizes distinct in each but for square cases, for what raises unless Tq = Tk.

    The first is not causal: whatever hides the future, a number typed in shows in it. The extremes are matrices.
    """
    rng = np.random.default_rng(20_170_612)
    return [
        Stack(()).moderate(rng),
        Stack((3,), Tq=7, Tk=11, d=13, dv=2).moderate(rng, causal=True),
        *Stack(()).telling_extremes(rng),
        Stack((2, 3), Tq=5, Tk=7, d=11, dv=13).moderate(rng),
        Stack((), Tq=5, Tk=5, d=2, dv=3).moderate(rng),
        Stack((3,), Tq=5, Tk=5, d=2, dv=7).moderate(rng, causal=True),
        Stack((3,), d=2, dv=11).far(rng),
    ]


EXTREMES: Mapping[str, Extreme] = {
    "causal": causal_only,
    "huge-scores": Stack().huge_scores,
    "one-far-row": Stack().one_far_row,
    "future-giant": Stack().future_giant,
    "scores-below-fill": Stack().scores_below_fill,
    "one-token": one_token,
    "one-feature": one_feature,
    "all-equal-scores": Stack().all_equal_scores,
    "cross": cross,
    "no-leading-axes": no_leading_axes,
    "many-leading-axes": many_leading_axes,
    "single-query": single_query,
    "wide": Stack().wide,
}
