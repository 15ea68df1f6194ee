"""The online softmax as learners write it: what is done with the tiles of scores of some queries, one after the other.

A fold carries a maximum m, a sum l and an output o for each row from tile to tile. When the maximum rises from m to
m', l and o are corrected:

    m' = max(m, max s),  l' = l·exp(m - m') + Σ exp(s - m'),  o' = o·exp(m - m') + Σ exp(s - m') v;  at the end o / l.

A wrong fold has one step of this wrong.

Size letters: b the block size, dv the value width.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attention_core.mistakes.recipe import Array, SoftmaxRecipe, row_maximum, row_total


class Tile(NamedTuple):
    """Scores of a block of queries for a block of keys, hidden ones filled, and what is there for these keys."""

    scores: Array
    keys: Array
    values: Array


Fold = Callable[[list[Tile]], Array]  # from all tiles of some queries to their rows of the output
Factor = Callable[[Array, Array], Array]  # from two maxima, of before and after, to what is multiplied


def shrinking(before: Array, after: Array) -> Array:
    """The right one: what was counted from a lower maximum is worth less."""
    return np.exp(before - after)


def unchanging(before: Array, after: Array) -> float:  # noqa: ARG001 - a factor is given both, needed or not
    return 1.0


def growing(before: Array, after: Array) -> Array:
    """Upside down; from a maximum of -inf it is infinite, and what is 0 becomes NaN."""
    return np.exp(after - before)


def growing_after_the_first(before: Array, after: Array) -> Array:
    """Upside down, with the first block let be."""
    return np.where(np.isneginf(before), 0.0, np.exp(after - before))


def _first_maximum(tiles: list[Tile], start: float = -np.inf) -> Array:
    """Of each row, before any tile."""
    return np.full_like(tiles[0].scores[:, :1], start)


def running(for_total: Factor, for_blend: Factor, start: float = -np.inf) -> Fold:
    """Each tile counts from the maximum so far, which begins with `start`."""

    def fold(tiles: list[Tile]) -> Array:
        largest, total, blend = _first_maximum(tiles, start), 0.0, 0.0
        for tile in tiles:
            raised = np.maximum(largest, row_maximum(tile.scores))
            powers = np.exp(tile.scores - raised)
            total = total * for_total(largest, raised) + row_total(powers)
            blend = blend * for_blend(largest, raised) + powers @ tile.values
            largest = raised
        return blend / total

    return fold


def merging(for_total: Factor, for_blend: Factor) -> Fold:
    """Each tile counts from its own maximum, and is then brought together with those before it."""

    def fold(tiles: list[Tile]) -> Array:
        largest, total, blend = _first_maximum(tiles), 0.0, 0.0
        for tile in tiles:
            own = row_maximum(tile.scores)
            powers = np.exp(tile.scores - own)
            raised = np.maximum(largest, own)
            total = total * for_total(largest, raised) + row_total(powers) * for_total(own, raised)
            blend = blend * for_blend(largest, raised) + powers @ tile.values * for_blend(own, raised)
            largest = raised
        return blend / total

    return fold


right = running(shrinking, shrinking)


def exp_of_math(scores: Array) -> Array:
    """As math.exp: raises where NumPy has infinity."""
    powers = np.exp(scores)
    if (np.isinf(powers) & np.isfinite(scores)).any():
        raise OverflowError
    return powers


def without_maximum(tiles: list[Tile], power: Callable[[Array], Array] = np.exp) -> Array:
    powers = [power(tile.scores) for tile in tiles]
    return sum(p @ tile.values for p, tile in zip(powers, tiles, strict=True)) / sum(map(row_total, powers))


def from_the_first_maximum(tiles: list[Tile]) -> Array:
    largest = row_maximum(tiles[0].scores)
    return without_maximum([tile._replace(scores=tile.scores - largest) for tile in tiles])


def outputs_of(tiles: list[Tile]) -> list[Array]:
    """Of each tile alone."""
    return [SoftmaxRecipe()(tile.scores) @ tile.values for tile in tiles]


def mean_of_tiles(tiles: list[Tile]) -> Array:
    return np.mean(outputs_of(tiles), axis=0)


def mean_of_tiles_with_any_key(tiles: list[Tile]) -> Array:
    """Over all of them, a tile with nothing to see counting as 0."""
    return np.nansum(outputs_of(tiles), axis=0) / len(tiles)


def mean_of_tiles_by_length(tiles: list[Tile]) -> Array:
    return np.average(outputs_of(tiles), axis=0, weights=[len(tile.keys) for tile in tiles])


def half_and_half(tiles: list[Tile]) -> Array:
    """The mean of what there was and each further tile."""
    return functools.reduce(lambda before, output: (before + output) / 2, outputs_of(tiles))


def _nothing_yet(queries: int) -> tuple[Array, Array, Array]:
    """A maximum, a sum and an output without their last axis."""
    return np.full(queries, -np.inf), np.zeros(queries), 0.0


def down_the_columns(tiles: list[Tile]) -> Array:
    """axis=0 throughout: fits square tiles only."""
    largest, total, blend = _nothing_yet(len(tiles[0].scores))
    for tile in tiles:
        raised = np.maximum(largest, tile.scores.max(axis=0))
        powers, factor = np.exp(tile.scores - raised), np.exp(largest - raised)
        total = total * factor + powers.sum(axis=0)
        blend = blend * factor[:, None] + powers @ tile.values
        largest = raised
    return blend / total[:, None]


def maximum_along_the_columns(tiles: list[Tile]) -> Array:
    """`np.exp(s - m)` with m of shape (b,): fits square tiles only."""
    largest, total, blend = _nothing_yet(len(tiles[0].scores))
    for tile in tiles:
        raised = np.maximum(largest, tile.scores.max(axis=1))
        powers, factor = np.exp(tile.scores - raised), np.exp(largest - raised)
        total = total * factor + powers.sum(axis=1)
        blend = blend * factor[:, None] + powers @ tile.values
        largest = raised
    return blend / total[:, None]


def blending(product: Callable[[Array, Tile], Array]) -> Fold:
    """The right fold but for what is added to the output, which is made of exponentials and tile."""

    def fold(tiles: list[Tile]) -> Array:
        largest, total, blend = _first_maximum(tiles), 0.0, 0.0
        for tile in tiles:
            raised = np.maximum(largest, row_maximum(tile.scores))
            powers, factor = np.exp(tile.scores - raised), np.exp(largest - raised)
            total = total * factor + row_total(powers)
            blend = blend * factor + product(powers, tile)
            largest = raised
        return blend / total

    return fold
