"""Mistakes in tiled-attention that have nothing to do with the online softmax: whole matrices show them as well.

A right online softmax comes to what the whole matrix comes to, so the recipes of attention serve here too. Two things
remain of the tiles. Where those in the future are never computed, a wrong mask does its harm on the diagonal only; and
what should be done for each row may be done for all rows of a block of queries.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attention_core.mistakes import causal as masks
from attention_core.mistakes import softmax as softmaxes
from attention_core.mistakes.recipe import Array, Flagged, MatrixStep, Recipe, flagged
from attention_core.operation import Variant

# Where scores are used as weights, tiles that are not computed add nothing; elsewhere they have no weight.
SCORES_AS_WEIGHTS = frozenset({"no-softmax", "scores-blended", "normalised-without-exp"})
# What is wrong with these hangs on which rows there are.
OF_ROWS = frozenset({"softmax-over-queries", "softmax-over-everything", "max-over-everything"})


@dataclass(frozen=True)
class Whole:
    """tiled_attention(Q, K, V, block_size, causal) at once, whatever the block size."""

    function: Flagged

    def __call__(self, Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Any:  # noqa: ARG002
        return self.function(Q, K, V, causal)


@dataclass(frozen=True)
class Skipping:
    """The same with the tiles left out that lie wholly in the future: their scores are `future`."""

    function: Flagged
    future: float = -np.inf

    def __call__(self, Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Any:
        block = np.arange(len(Q)) // block_size
        mask = _after(
            self.function.masked.mask, masks.hide(lambda _scores: block > block[:, None], masks.put(self.future))
        )
        return replace(self.function, masked=replace(self.function.masked, mask=mask))(Q, K, V, causal)


@dataclass(frozen=True)
class ByBlock:
    """The same with the softmax applied to the rows of one block of queries after the other."""

    function: Flagged

    def __call__(self, Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Any:
        recipe = self.function.masked if causal else self.function.plain

        def softmax(scores: Array) -> Any:
            starts = range(0, len(scores), block_size)
            return np.concatenate([recipe.softmax(scores[start : start + block_size]) for start in starts])

        return replace(recipe, softmax=softmax)(Q, K, V)[0]


@dataclass(frozen=True)
class ScaledByBlock:
    """The scores divided by a power of the block size in place of √d."""

    function: Callable[..., Any]
    power: float

    def __call__(self, Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Any:
        scaled = Q * (math.sqrt(Q.shape[-1]) / block_size**self.power)
        return self.function(scaled, K, V, block_size, causal)


def _after(first: MatrixStep, second: MatrixStep) -> MatrixStep:
    return lambda scores: second(first(scores))


def whole(wrong: Iterable[masks.Named]) -> Iterable[Variant]:
    return (Variant(mistake, f"{name}, whole matrix", Whole(function)) for mistake, name, function in wrong)


def _hides_the_future(mask: MatrixStep) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.isneginf(mask(np.ones((3, 3)))[np.triu_indices(3, 1)]).all())


def skipping(wrong: Iterable[masks.Named]) -> Iterable[Variant]:
    """Those for which it makes a difference; where no mask is left, the diagonal is all that is not masked."""
    for mistake, name, function in wrong:
        if mistake == "mask-missing":
            yield Variant("diagonal-block-unmasked", f"{name}, future skipped", Skipping(function))
        elif mistake in SCORES_AS_WEIGHTS:
            yield Variant(mistake, f"{name}, future skipped", Skipping(function, 0.0))
        elif not _hides_the_future(function.masked.mask):
            yield Variant(mistake, f"{name}, future skipped", Skipping(function))


def softmaxes_of_blocks() -> Iterable[Variant]:
    """One softmax, maximum or sum for all rows of a block of queries."""
    wrong = [each for each in softmaxes.SOFTMAXES + softmaxes.UNSTABLE if each.mistake in OF_ROWS]
    for (filled, fill), each in itertools.product(masks.FILLS.items(), wrong):
        recipe = Recipe(mask=masks.hide(masks.later, fill), softmax=each.function)
        yield Variant(each.mistake, f"{each.name}, {filled}, of each block", ByBlock(flagged(recipe)))


def scaled_by_block() -> Iterable[Variant]:
    for (name, power), (filled, fill) in itertools.product(
        {"÷√block_size": 0.5, "÷block_size": 1.0}.items(), masks.FILLS.items()
    ):
        for mistake, style, function in masks.with_each_softmax(
            "scale-by-tokens", name, mask=masks.hide(masks.later, fill)
        ):
            yield Variant(mistake, f"{style}, {filled}, whole matrix", ScaledByBlock(Whole(function), power))
            yield Variant(mistake, f"{style}, {filled}, future skipped", ScaledByBlock(Skipping(function), power))


# Where no output tells one mistake from another, each owns the other's variants; the first is to be named first.
ALIKE = {"not-normalised": ("never-divided", "not-normalised"), "no-softmax": ("no-softmax", "scores-blended")}


def with_alike(named: Iterable[masks.Named]) -> Iterable[masks.Named]:
    for mistake, name, function in named:
        for other in ALIKE.get(mistake, (mistake,)):
            yield other, name if other == mistake else f"{other}: {name}", function
