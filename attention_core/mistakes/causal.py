"""Wrong masks: who sees whom, what stands in for the hidden scores, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.projection import masked_scores_blended
from attention_core.mistakes.recipe import (
    Array,
    MatrixStep,
    Parts,
    Recipe,
    SoftmaxRecipe,
    nothing,
    row_total,
    unchanged,
)
from attention_core.mistakes.softmax import SUBTRACTED, ending_with, nan_to_zero, scores_as_they_are
from attention_core.operation import Variant

Hidden = Callable[[Array], Array]  # from scores to a matrix of booleans: True where a score is to be hidden
Fill = Callable[[Array, Array], Array]  # from scores and hidden to masked scores


def later(scores: Array) -> Array:
    return ~np.tri(scores.shape[0], scores.shape[1], dtype=np.bool_)


def later_and_self(scores: Array) -> Array:
    return ~np.tri(scores.shape[0], scores.shape[1], k=-1, dtype=np.bool_)


def later_but_the_next(scores: Array) -> Array:
    return ~np.tri(scores.shape[0], scores.shape[1], k=1, dtype=np.bool_)


def earlier(scores: Array) -> Array:
    return np.tri(scores.shape[0], scores.shape[1], k=-1, dtype=np.bool_)


def earlier_and_self(scores: Array) -> Array:
    return np.tri(scores.shape[0], scores.shape[1], dtype=np.bool_)


def later_from_the_end(scores: Array) -> Array:
    """Aligned bottom-right."""
    queries, keys = scores.shape
    return ~np.tri(queries, keys, k=keys - queries, dtype=np.bool_)


def later_in_a_square(scores: Array) -> Array:
    """Made for as many keys as queries, whatever there are: does not fit otherwise."""
    return ~np.tri(scores.shape[0], dtype=np.bool_)


def put(fill: float) -> Fill:
    def filled(scores: Array, hidden: Array) -> Any:
        return np.where(hidden, fill, scores)

    return filled


def add(fill: float) -> Fill:
    def added(scores: Array, hidden: Array) -> Any:
        return scores + np.where(hidden, fill, 0.0)

    return added


def hide(hidden: Hidden, fill: Fill) -> MatrixStep:
    """A mask step."""

    def masked(scores: Array) -> Any:
        return fill(scores, hidden(scores))

    return masked


# How code that makes another mistake may hide the future. The two finite ones leak where scores are very low.
FILLS: dict[str, Fill] = {"-inf": put(-np.inf), "-1e9": put(-1e9), "-1e9 added": add(-1e9)}
# Where a whole row is hidden, what is left of it depends on the fill.
FILLS_OF_EMPTY_ROWS: dict[str, Fill] = {
    **FILLS,
    "-1e4": put(-1e4),
    "-1e4 added": add(-1e4),
    "-1e15": put(-1e15),
    "-1e15 added": add(-1e15),
}
# Fills that leak among scores of some -1e3, or beside one of some 1e5, in every softmax; and fills that leak only
# where exp gives 0 for all scores, so that without the row's maximum they make no difference to the 0/0.
SMALL_PUT = (1e-9, -1e-9, -1.0, -2.0, -5.0, -10.0, -20.0, -30.0, -50.0, -100.0)
SMALL_ADDED = (-2.0, -5.0, -10.0, -20.0, -30.0, -50.0, -100.0, -1e3, -1e4, -1e5)
LOW_PUT = (-1e3, -5e3, -1e4, -1e9)
LOW_ADDED = (-1e6, -1e9)


def later_plus_one(scores: Array) -> Array:
    return scores + later(scores)


def later_minus_one(scores: Array) -> Array:
    return scores - later(scores)


def past_plus_one(scores: Array) -> Array:
    return scores + ~later(scores)


def ones_times_infinity_added(scores: Array) -> Array:
    """`scores + np.triu(np.ones(...), 1) * -np.inf`: 0·∞ is NaN wherever nothing was to be hidden."""
    return scores + later(scores) * -np.inf


def scores_times_one_or_infinity(scores: Array) -> Array:
    return scores * np.where(later(scores), -np.inf, 1.0)


def scores_times_zero_or_infinity(scores: Array) -> Array:
    return scores * np.where(later(scores), -np.inf, 0.0)


def scores_times_one_or_much(scores: Array) -> Array:
    return scores * np.where(later(scores), -1e9, 1.0)


def past_product_plus_infinity(scores: Array) -> Array:
    """`scores * past + (1 - past) * -inf`, where every past entry becomes NaN."""
    past = ~later(scores)
    return scores * past + (1 - past) * -np.inf


def by_product(weights: Array) -> Array:
    """A NaN in the future stays NaN."""
    return weights * ~later(weights)


def by_selection(weights: Array) -> Array:
    """np.tril, or np.where: a NaN in the future becomes 0."""
    return np.where(later(weights), 0.0, weights)


def weights_masked(masked: MatrixStep) -> Callable[[Parts], Any]:
    def combine(parts: Parts) -> tuple[Array, Array]:
        weights = masked(parts.weights)
        return weights @ parts.V, weights

    return combine


def weights_masked_and_shared_out(masked: MatrixStep, guard: float) -> Callable[[Parts], Any]:
    """Renormalised, with a little something in the denominator where `guard` is not 0."""

    def combine(parts: Parts) -> tuple[Array, Array]:
        weights = masked(parts.weights)
        weights = weights / (row_total(weights) + guard)
        return weights @ parts.V, weights

    return combine


def weights_filled(fill: float) -> Callable[[Parts], Any]:
    def filled(parts: Parts) -> tuple[Array, Array]:
        weights = np.where(later(parts.weights), fill, parts.weights)
        return weights @ parts.V, weights

    return filled


def equal_shares_of_the_past(parts: Parts) -> tuple[Array, Array]:
    past = ~later(parts.scores)
    weights = past / row_total(past)
    return weights @ parts.V, weights


def powers_of_the_past(scores: Array) -> Array:
    """exp(S) times a matrix of 0 and 1: right until exp overflows in the future, where ∞·0 is NaN."""
    return np.exp(scores) * ~later(scores)


def _with_each_softmax(mistake: str, name: str, **steps: Any) -> Iterable[Variant]:
    """A wrong recipe of attention, whatever is subtracted in its softmax."""
    for subtracted, step in SUBTRACTED.items():
        yield Variant(mistake, f"{name}, {subtracted}", Recipe(softmax=SoftmaxRecipe(subtract=step), **steps))


def _with_each_fill(mistake: str, name: str, hidden: Hidden, fills: dict[str, Fill]) -> Iterable[Variant]:
    for filled, fill in fills.items():
        yield from _with_each_softmax(mistake, f"{name}, {filled}", mask=hide(hidden, fill))


def _with_nan_to_zero(mistake: str, name: str, hidden: Hidden) -> Iterable[Variant]:
    """Where a whole row is hidden by -inf, and NaN is then replaced by 0."""
    for subtracted, step in SUBTRACTED.items():
        softmax = ending_with(SoftmaxRecipe(subtract=step), nan_to_zero)
        recipe = Recipe(mask=hide(hidden, FILLS["-inf"]), softmax=softmax)
        yield Variant(mistake, f"{name}, -inf, NaN to 0, {subtracted}", recipe)


def _hiding_the_wrong_ones() -> Iterable[Variant]:
    yield from _with_each_softmax("mask-missing", "none", mask=unchanged)
    yield from _with_each_fill("mask-inverted", "earlier hidden", earlier, FILLS)
    yield from _with_each_fill("mask-inverted", "earlier and self hidden", earlier_and_self, FILLS_OF_EMPTY_ROWS)
    yield from _with_nan_to_zero("mask-inverted", "earlier and self hidden", earlier_and_self)
    yield from _with_each_fill("mask-hides-self", "later and self hidden", later_and_self, FILLS_OF_EMPTY_ROWS)
    yield from _with_nan_to_zero("mask-hides-self", "later and self hidden", later_and_self)
    yield from _with_each_fill("mask-lets-next-through", "next visible", later_but_the_next, FILLS)


def _filling_too_little() -> Iterable[Variant]:
    yield from _with_each_softmax("mask-fills-zero", "0", mask=hide(later, put(0.0)))
    for fill in SMALL_PUT:
        yield from _with_each_softmax("mask-fills-small", f"{fill:g}", mask=hide(later, put(fill)))
    for fill in SMALL_ADDED:
        yield from _with_each_softmax("mask-fills-small", f"{fill:g} added", mask=hide(later, add(fill)))
    for fill in LOW_PUT:
        yield Variant("mask-fills-small", f"{fill:g}, row maximum", Recipe(mask=hide(later, put(fill))))
    for fill in LOW_ADDED:
        yield Variant("mask-fills-small", f"{fill:g} added, row maximum", Recipe(mask=hide(later, add(fill))))


def _masking_too_late() -> Iterable[Variant]:
    mistake = "mask-after-softmax"
    for name, masked in (("by product", by_product), ("by selection", by_selection)):
        yield from _with_each_softmax(mistake, f"weights masked {name}", combine=weights_masked(masked))
        for guarded, guard in (("renormalised", 0.0), ("renormalised, guarded", 1e-12)):
            combine = weights_masked_and_shared_out(masked, guard)
            yield from _with_each_softmax(mistake, f"weights masked {name}, {guarded}", combine=combine)
    for fill in (-np.inf, -1e9):
        yield from _with_each_softmax(mistake, f"weights {fill:g}", combine=weights_filled(fill))


def _masking_by_arithmetic() -> Iterable[Variant]:
    masks: tuple[tuple[str, str, MatrixStep], ...] = (
        ("mask-added-as-ones", "1 added to the future", later_plus_one),
        ("mask-added-as-ones", "1 taken from the future", later_minus_one),
        ("mask-added-as-ones", "1 added to the past", past_plus_one),
        ("mask-multiplied", "ones times infinity added", ones_times_infinity_added),
        ("mask-multiplied", "times 1 or -inf", scores_times_one_or_infinity),
        ("mask-multiplied", "times 0 or -inf", scores_times_zero_or_infinity),
        ("mask-multiplied", "times 1 or -1e9", scores_times_one_or_much),
        ("mask-multiplied", "past plus infinity", past_product_plus_infinity),
    )
    for mistake, name, mask in masks:
        yield from _with_each_softmax(mistake, name, mask=mask)


def twice_masked(scores: Array) -> Array:
    """Softmax twice, the future hidden each time; for scores that are masked."""
    weights = SoftmaxRecipe()(scores)
    return SoftmaxRecipe()(np.where(later(weights), -np.inf, weights))


def _with_very_low_fills() -> Iterable[Variant]:
    """Where scores are used as weights, right fills show in the result."""
    for fill in (-1e15, -1e18, -1e20, -1e30, float(np.finfo(np.float64).min)):
        mask = hide(later, put(fill))
        yield Variant("no-softmax", f"scores as they are, {fill:g}", Recipe(mask=mask, softmax=scores_as_they_are))
        yield Variant("scores-blended", f"S V, {fill:g}", Recipe(mask=mask, combine=masked_scores_blended))


def _with_zeros_for_the_future() -> Iterable[Variant]:
    """Where scores are used as weights, 0 does hide the future: what is wrong is only that there is no softmax."""
    mask = hide(later, put(0.0))
    yield Variant("no-softmax", "scores as they are, 0", Recipe(mask=mask, softmax=scores_as_they_are))
    divided = SoftmaxRecipe(subtract=nothing, power=unchanged)
    yield Variant("normalised-without-exp", "S/ΣS, 0", Recipe(mask=mask, softmax=divided))


CAUSAL = (  # whole functions (Q, K, V) -> results
    *_hiding_the_wrong_ones(),
    *_filling_too_little(),
    *_masking_too_late(),
    *_masking_by_arithmetic(),
    Variant("uniform-over-past", "equal shares", Recipe(combine=equal_shares_of_the_past)),
    *_with_very_low_fills(),
    *_with_zeros_for_the_future(),
    Variant("softmax-twice", "masked each time", Recipe(mask=hide(later, FILLS["-inf"]), softmax=twice_masked)),
    Variant("overflow", "powers times 0 or 1", Recipe(softmax=SoftmaxRecipe(nothing, powers_of_the_past))),
)


def _always_causal() -> Iterable[Variant]:
    mistake = "always-causal"
    yield from _with_each_fill(mistake, "top-left", later, FILLS)
    yield from _with_each_fill(mistake, "square", later_in_a_square, FILLS)
    yield from _with_each_fill(mistake, "bottom-right", later_from_the_end, FILLS_OF_EMPTY_ROWS)
    yield from _with_nan_to_zero(mistake, "bottom-right", later_from_the_end)


ALWAYS_CAUSAL = tuple(_always_causal())  # whole functions (Q, K, V) -> results, where no mask was asked for

DESCRIPTIONS = (
    Mistake(
        "mask-missing",
        "causal",
        "No causal mask",
        "You let every token see the later ones; hide them with -inf above the diagonal, before the softmax.",
        "One token.",
    ),
    Mistake(
        "mask-inverted",
        "causal",
        "The past hidden in place of the future",
        "Your mask is the wrong way round: it hides earlier tokens; hide the later ones, above the diagonal.",
        "One token, unless it hides that one too.",
    ),
    Mistake(
        "mask-hides-self",
        "causal",
        "The diagonal hidden too",
        "Your mask hides each token from itself, so the first sees nothing; start one above the diagonal (k=1).",
        "Nowhere.",
    ),
    Mistake(
        "mask-lets-next-through",
        "causal",
        "One token too many visible",
        "Your mask lets each token see the next one; start one above the diagonal (k=1), not two.",
        "One token.",
    ),
    Mistake(
        "mask-fills-zero",
        "causal",
        "Hidden scores set to 0",
        "You set hidden scores to 0, but exp(0) is 1, so the future keeps its weight; set them to -inf.",
        "One token, and scores far above 0.",
    ),
    Mistake(
        "mask-fills-small",
        "causal",
        "A fill that real scores can reach",
        "You fill hidden scores with a finite number that is not low enough, so the future leaks when real scores "
        "are lower; fill with -inf.",
        "One token, and scores far above the fill.",
    ),
    Mistake(
        "mask-after-softmax",
        "causal",
        "Masked after the softmax",
        "You hid the future only after the softmax had given it weight, so rows lose that part (or, shared out again, "
        "end in 0/0); mask the scores before.",
        "One token; shared out again, all but a future score that takes all weight.",
    ),
    Mistake(
        "mask-added-as-ones",
        "causal",
        "A mask of ones added",
        "You added (or subtracted) a mask of ones, which only shifts scores by 1; the hidden ones need -inf.",
        "One token.",
    ),
    Mistake(
        "mask-multiplied",
        "causal",
        "A mask multiplied by infinity",
        "You multiplied where infinity meets 0 or a negative score, which gives NaN or +inf; "
        "choose with np.where in place of a product.",
        "One token with a positive score, where that is multiplied by 1.",
    ),
    Mistake(
        "always-causal",
        "causal",
        "A causal mask that was not asked for",
        "You hid later tokens, and this function is to let every query see every key.",
        "One key.",
    ),
    Mistake(
        "uniform-over-past",
        "causal",
        "Equal weights for the past",
        "You gave all visible tokens the same weight; within the past, the scores still decide.",
        "Scores that are all equal.",
    ),
)
