"""Tiled attention as learners write it, with one step of it wrong.

    for each block of queries:  tiles of scores, in the order of their keys  ->  fold  ->  the rows of these queries

Most wrong implementations fold the tiles wrongly (mistakes.folds); the others cut them wrongly, or do in each tile what
a whole matrix would not show alike. What shows alike in both, scale, softmax and mask, is in mistakes.untiled.

Size letters: T tokens, d query and key width, dv value width; b the block size.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from attention_core.mistakes import folds, projection, scale
from attention_core.mistakes.causal import FILLS, Fill
from attention_core.mistakes.folds import Factor, Fold, Tile, merging, right, running
from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import Array, ScoreStep, SoftmaxRecipe, from_keys, right_scores, variant
from attention_core.operation import Variant

Positions = Callable[[Array, Array], Array]  # from places of queries, a column, and of keys, to what is hidden


def later(queries: Array, keys: Array) -> Array:
    return keys > queries


def earlier(queries: Array, keys: Array) -> Array:
    return keys < queries


def earlier_and_self(queries: Array, keys: Array) -> Array:
    return keys <= queries


@dataclass(frozen=True)
class Walk:
    """One implementation of tiled_attention(Q, K, V, block_size, causal), in tiles of block_size × block_size."""

    fold: Fold
    scores: ScoreStep = right_scores
    hidden: Positions = later
    fill: Fill = FILLS["-inf"]
    skips: bool = True  # where causal, tiles that lie wholly in the future are not computed
    all_keys: bool = True  # the last block too, where it is shorter
    all_queries: bool = True

    def __call__(self, Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Array:
        tokens = len(Q)
        output = np.zeros((tokens, V.shape[1]))
        whole = tokens - tokens % block_size
        for first in range(0, tokens if self.all_queries else whole, block_size):
            rows = slice(first, min(first + block_size, tokens))
            stop = tokens if self.all_keys else whole
            if causal and self.skips:
                stop = min(stop, rows.stop)
            output[rows] = self.fold(list(self._tiles(Q, K, V, rows, range(0, stop, block_size), causal)))
        return output

    def _tiles(self, Q: Array, K: Array, V: Array, rows: slice, starts: range, causal: bool) -> Iterator[Tile]:
        for start in starts:
            columns = slice(start, min(start + starts.step, len(K)))
            scores = self.scores(Q[rows], K[columns], V[columns])
            if causal:
                queries, keys = np.arange(rows.start, rows.stop)[:, None], np.arange(columns.start, columns.stop)
                scores = self.fill(scores, self.hidden(queries, keys))
            yield Tile(scores, K[columns], V[columns])


# ---- Variants -------------------------------------------------------------------------------------------------------

# How the future may be hidden by code that makes another mistake: what is filled in, and whether all tiles are
# computed. The finite fills leak where scores are very low.
HIDINGS: dict[str, dict[str, Any]] = {
    "-inf": {},
    "-1e9": {"fill": FILLS["-1e9"]},
    "-1e9 added": {"fill": FILLS["-1e9 added"]},
    "-1e9 in all tiles": {"fill": FILLS["-1e9"], "skips": False},
    "-1e9 added in all tiles": {"fill": FILLS["-1e9 added"], "skips": False},
}
# A tile in which all is hidden has no maximum of its own, and no softmax.
HIDINGS_BY_TILE = {**HIDINGS, "-inf in all tiles": {"skips": False}}
PLAINLY = {"-inf": HIDINGS["-inf"]}
# The right folds, and the ways to hide that differ under them. A maximum that starts at -1e9 is too high where scores
# are very low.
RIGHT_FOLDS: tuple[tuple[str, Fold, Mapping[str, dict[str, Any]]], ...] = (
    ("running maximum", right, HIDINGS),
    ("running maximum from -1e9", running(folds.shrinking, folds.shrinking, -1e9), PLAINLY),
    ("no maximum", folds.without_maximum, PLAINLY),
)


def _walks(mistake: str, name: str, walk: Walk, hidings: Mapping[str, dict[str, Any]] = HIDINGS) -> Iterable[Variant]:
    return (Variant(mistake, f"{name}, {hidden}", replace(walk, **hiding)) for hidden, hiding in hidings.items())


def _rescaling() -> Iterable[Variant]:
    upside_down = folds.growing_after_the_first
    wrong: tuple[tuple[str, str, Factor, Factor], ...] = (
        ("no-rescale", "nothing rescaled", folds.unchanging, folds.unchanging),
        ("denominator-not-rescaled", "sum not rescaled", folds.unchanging, folds.shrinking),
        ("output-not-rescaled", "output not rescaled", folds.shrinking, folds.unchanging),
        ("rescale-inverted", "exp(m' - m)", upside_down, upside_down),
    )
    for mistake, name, for_total, for_blend in wrong:
        yield from _walks(mistake, f"{name}, running maximum", Walk(running(for_total, for_blend)))
        from_low = Walk(running(for_total, for_blend, -1e9))
        yield from _walks(mistake, f"{name}, running maximum from -1e9", from_low, PLAINLY)
        yield from _walks(
            mistake, f"{name}, maximum of each tile", Walk(merging(for_total, for_blend)), HIDINGS_BY_TILE
        )
    yield Variant("rescale-inverted", "exp(m' - m) from -inf", Walk(running(folds.growing, folds.growing)))


def _averaging() -> Iterable[Variant]:
    means: dict[str, Fold] = {
        "mean": folds.mean_of_tiles,
        "mean by length": folds.mean_of_tiles_by_length,
        "half and half": folds.half_and_half,
    }
    for name, fold in means.items():
        yield from _walks("blocks-averaged", name, Walk(fold), HIDINGS_BY_TILE)
    yield Variant("blocks-averaged", "mean, NaN to 0", Walk(folds.mean_of_tiles_with_any_key, skips=False))


def _dropping() -> Iterable[Variant]:
    dropped = {"keys": (False, True), "queries": (True, False), "keys and queries": (False, False)}
    for (name, (keys, queries)), (style, fold, hidings) in itertools.product(dropped.items(), RIGHT_FOLDS):
        walk = Walk(fold, all_keys=keys, all_queries=queries)
        yield from _walks("tail-dropped", f"{name} dropped, {style}", walk, hidings)


def raising_for_nan(function: Callable[..., Any]) -> Callable[..., Any]:
    """As in plain Python, where 0/0 raises and so does exp of a large number."""

    def in_plain_python(*args: Any) -> Array:
        output = function(*args)
        if np.isnan(output).any():
            raise ZeroDivisionError
        return output

    return in_plain_python


def zero_for_nan(function: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(*args: Any) -> Array:
        output = function(*args)
        return np.where(np.isnan(output), 0.0, output)

    return guarded


def _bad_maxima() -> Iterable[Variant]:
    from_zero = Walk(running(folds.shrinking, folds.shrinking, 0.0))
    yield Variant("max-starts-at-zero", "0/0", from_zero)
    yield Variant("max-starts-at-zero", "0/0 guarded", zero_for_nan(from_zero))
    yield Variant("max-starts-at-zero", "0/0 raises", raising_for_nan(from_zero))
    yield from _walks("keeps-first-max", "of each row", Walk(folds.from_the_first_maximum))
    yield Variant("keeps-first-max", "raises", raising_for_nan(Walk(folds.from_the_first_maximum)))
    yield Variant("overflow", "no maximum, raises", raising_for_nan(Walk(folds.without_maximum)))
    by_math = partial(folds.without_maximum, power=folds.exp_of_math)
    yield Variant("overflow", "no maximum, exp raises", Walk(by_math))


TILES = (  # whole functions (Q, K, V, block_size, causal) -> output
    *_rescaling(),
    *_averaging(),
    *_dropping(),
    *_bad_maxima(),
)


def _inverted() -> Iterable[Variant]:
    """With -inf, and NaN from the first tile on that is hidden as a whole; other fills are as for the whole matrix."""
    for (name, hidden), skips in itertools.product({"": earlier, "and self ": earlier_and_self}.items(), (True, False)):
        walk = Walk(right, hidden=hidden, skips=skips)
        tiles = f"earlier {name}hidden in {'tiles' if skips else 'all tiles'}, -inf"
        yield Variant("mask-inverted", tiles, walk)
        yield Variant("mask-inverted", f"{tiles}, NaN to 0", zero_for_nan(walk))


def _scaled_by_tile() -> Iterable[Variant]:
    lengths = {
        "÷√ queries of a tile": scale.by_root_of_queries,
        "÷√ keys of a tile": scale.by_root_of_keys,
        "÷ queries of a tile": scale.by_queries,
        "÷ keys of a tile": scale.by_keys,
    }
    for (name, scores), (style, fold, hidings) in itertools.product(lengths.items(), RIGHT_FOLDS):
        yield from _walks("scale-by-tokens", f"{name}, {style}", Walk(fold, from_keys(scores)), hidings)


def _confused_by_tile() -> Iterable[Variant]:
    """Many of these fit square tiles only, or values as wide as keys, and raise elsewhere."""
    scored = {"query-key-swapped": projection.keys_by_queries, "reshape-instead-of-transpose": projection.keys_reshaped}
    for (mistake, scores), (style, fold, hidings) in itertools.product(scored.items(), RIGHT_FOLDS):
        walk = Walk(fold, from_keys(scores))
        yield from _walks(mistake, f"{scores.__name__} in each tile, {style}", walk, hidings)
    wrong: tuple[tuple[str, str, Fold], ...] = (
        ("softmax-over-queries", "axis 0", folds.down_the_columns),
        ("missing-keepdims", "maximum", folds.maximum_along_the_columns),
        ("blend-transposed", "Pᵀ V", folds.blending(lambda powers, tile: powers.T @ tile.values)),
        ("keys-as-values", "P K", folds.blending(lambda powers, tile: powers @ tile.keys)),
        ("scores-blended", "S V", folds.blending(lambda _powers, tile: tile.scores @ tile.values)),
    )
    for mistake, name, fold in wrong:
        yield from _walks(mistake, f"{name} in each tile", Walk(fold))


def _from_a_low_maximum() -> Iterable[Variant]:
    fold = running(folds.shrinking, folds.shrinking, -1e9)
    for wrong in scale.BY_SHAPE + projection.SCORES:
        walk = Walk(fold, from_keys(wrong.function))
        yield Variant(wrong.mistake, f"{wrong.name} of a tile, running maximum from -1e9", walk)
    for wrong in scale.SCORES_FROM_VALUES:
        yield Variant(wrong.mistake, f"{wrong.name}, running maximum from -1e9", Walk(fold, wrong.function))


OTHERS_BY_TILE = (  # mistakes of other families that differ from the same in a whole matrix
    *_inverted(),
    *_scaled_by_tile(),
    *_confused_by_tile(),
    *_from_a_low_maximum(),
)


# ---- Samples of behaviour -------------------------------------------------------------------------------------------


def whole_matrix(Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Array:  # noqa: ARG001
    """Attention without tiles."""
    scores = right_scores(Q, K, V)
    if causal:
        scores[np.triu_indices(len(Q), 1)] = -np.inf
    return SoftmaxRecipe()(scores) @ V


def whole_mask(Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Array:
    """Tiles of scores, and one boolean for each pair of tokens."""
    hidden = ~np.tri(len(Q), dtype=np.bool_) & causal
    output = np.empty((len(Q), V.shape[1]))
    for first in range(0, len(Q), block_size):
        rows, tiles = slice(first, first + block_size), []
        for start in range(0, len(K), block_size):
            columns = slice(start, start + block_size)
            scores = right_scores(Q[rows], K[columns], V[columns])
            tiles.append(Tile(np.where(hidden[rows, columns], -np.inf, scores), K[columns], V[columns]))
        output[rows] = right(tiles)
    return output


def tiles_kept(Q: Array, K: Array, V: Array, block_size: int, causal: bool = False) -> Array:
    """Every tile is made first, and all of them are kept in a list until the last query has its output."""
    kept = []
    for first in range(0, len(Q), block_size):
        queries = np.arange(first, min(first + block_size, len(Q)))
        for start in range(0, len(K), block_size):
            keys = np.arange(start, min(start + block_size, len(K)))
            scores = right_scores(Q[queries], K[keys], V[keys])
            hidden = (keys > queries[:, None]) & causal
            kept.append((first, Tile(np.where(hidden, -np.inf, scores), K[keys], V[keys])))
    firsts = range(0, len(Q), block_size)
    return np.concatenate([right([tile for row, tile in kept if row == first]) for first in firsts])


# Right results, and memory that grows like T²: seen only by who measures the memory of a process.
STORES_ALL_SCORES = (
    variant("stores-all-scores", "whole matrix", whole_matrix),
    variant("stores-all-scores", "whole mask", whole_mask),
    variant("stores-all-scores", "tiles kept", tiles_kept),
)

DESCRIPTIONS = (
    Mistake(
        "no-rescale",
        "tiles",
        "Nothing rescaled when the maximum rose",
        "Your running sum and output still count from an old maximum; when it rises from m to m', multiply both by "
        "exp(m - m').",
        "One block, and a maximum in the first block.",
    ),
    Mistake(
        "denominator-not-rescaled",
        "tiles",
        "Running sum not rescaled",
        "You rescaled the output when the maximum rose, and not the running sum; both take the factor exp(m - m').",
        "One block, and a maximum in the first block.",
    ),
    Mistake(
        "output-not-rescaled",
        "tiles",
        "Running output not rescaled",
        "You rescaled the running sum when the maximum rose, and not the output; both take the factor exp(m - m').",
        "One block, and a maximum in the first block.",
    ),
    Mistake(
        "rescale-inverted",
        "tiles",
        "Rescaled the wrong way round",
        "You rescaled by exp(m' - m), which grows; what counted from the lower maximum m shrinks, by exp(m - m').",
        "One block, and a maximum in the first block, unless it begins with -inf.",
    ),
    Mistake(
        "blocks-averaged",
        "tiles",
        "Blocks averaged",
        "You took the mean of the blocks' outputs; a block counts for as much as its exponentials sum to.",
        "One block, and scores that are all equal where the block size divides the tokens.",
    ),
    Mistake(
        "tail-dropped",
        "tiles",
        "The last, shorter block dropped",
        "Your blocks end before the last token where the block size does not divide T; let the last one be shorter.",
        "Block sizes that divide the number of tokens.",
    ),
    Mistake(
        "max-starts-at-zero",
        "tiles",
        "The running maximum starts at 0",
        "Your maximum starts at 0, so a row of very negative scores leaves nothing but 0, and 0/0; start from -inf.",
        "Rows with any score above about -700.",
    ),
    Mistake(
        "keeps-first-max",
        "tiles",
        "The first block's maximum kept",
        "You kept the maximum of the first block, so a later block far above it overflows; update it with each block.",
        "Later scores that are at most about 700 above those of the first block.",
    ),
    Mistake(
        "never-divided",
        "tiles",
        "Never divided by the sum",
        "You returned the sum of exponentials times values; divide each row by its running sum after the last block.",
        "A single token.",
    ),
    Mistake(
        "diagonal-block-unmasked",
        "tiles",
        "Blocks on the diagonal not masked",
        "You skipped blocks that lie wholly in the future; those on the diagonal do so in part, and need a mask.",
        "Blocks of one token, and attention that is not causal.",
    ),
    Mistake(
        "stores-all-scores",
        "tiles",
        "All scores held at once",
        "Your memory grows like T², so something with an entry for each pair of tokens exists as a whole, perhaps only "
        "a mask; keep one block at a time.",
        "Tests that look at results only, and short sequences.",
    ),
)
