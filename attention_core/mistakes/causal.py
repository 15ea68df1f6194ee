"""Wrong masks: who sees whom, what stands in for the hidden scores, and when."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.projection import masked_scores_blended
from attention_core.mistakes.recipe import (
    Array,
    Flagged,
    MatrixStep,
    Parts,
    Recipe,
    SoftmaxRecipe,
    flagged,
    nothing,
    row_total,
    scaled_product,
    transposed,
    unchanged,
)
from attention_core.mistakes.softmax import (
    IN_PYTHON,
    SIGMOIDS_IN_PYTHON,
    SOFTMAXES,
    SUBTRACTED,
    UNSTABLE,
    column_total,
    ending_with,
    nan_to_zero,
    scores_as_they_are,
    twice,
)
from attention_core.operation import Variant

Hidden = Callable[[Array], Array]  # from scores to a matrix of booleans: True where a score is to be hidden
Fill = Callable[[Array, Array], Array]  # from scores and hidden to masked scores
Named = tuple[str, str, Flagged]  # a mistake, the name of a variant, and the variant


class Later(Protocol):
    """A Hidden: True where a key comes more than `shift` places after what is a query's own."""

    def __call__(self, scores: Array, shift: int = 0) -> Array: ...


def later(scores: Array, shift: int = 0) -> Array:
    """Aligned top-left: query i is token i."""
    queries, keys = scores.shape[-2:]
    return ~np.tri(queries, keys, k=shift, dtype=np.bool_)


def later_from_the_end(scores: Array, shift: int = 0) -> Array:
    """Aligned bottom-right: the last query is the last token."""
    queries, keys = scores.shape[-2:]
    return ~np.tri(queries, keys, k=keys - queries + shift, dtype=np.bool_)


def later_and_self(scores: Array) -> Array:
    return later(scores, -1)


def later_but_the_next(scores: Array) -> Array:
    return later(scores, 1)


def later_in_a_square(scores: Array) -> Array:
    """Made for as many keys as queries, whatever there are: does not fit otherwise."""
    return ~np.tri(scores.shape[-2], dtype=np.bool_)


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
SMALL_PUT = (1e-9, -1e-9, -1.0, -2.0, -3.0, -5.0, -7.0, -10.0, -15.0, -20.0, -30.0, -50.0, -100.0)
SMALL_ADDED = (-2.0, -3.0, -5.0, -7.0, -10.0, -15.0, -20.0, -30.0, -50.0, -100.0, -1e3, -1e4, -1e5)
LOW_PUT = (-1e3, -5e3, -1e4, -1e9)
LOW_ADDED = (-1e6, -1e9)
# As good as -inf for a softmax.
VERY_LOW = (-1e15, -1e16, -1e18, -1e20, -1e25, -1e30, float(np.finfo(np.float64).min))
# Nothing is hidden by any fill where there is no softmax.
FILLS_AS_WEIGHTS = (-1e3, -1e4, -1e5, -1e6, -1e7, -1e8, -1e10, -1e12, *VERY_LOW)


def put_below_all(distance: float) -> Fill:
    """So far below the lowest score."""

    def filled(scores: Array, hidden: Array) -> Any:
        return np.where(hidden, np.min(scores) - distance, scores)

    return filled


def scores_masked_before_scaling(masked: MatrixStep) -> Callable[[Array, Array, Array], Array]:
    def scores(Q: Array, K: Array, V: Array) -> Any:  # noqa: ARG001 - every score step is given all three
        return masked(Q @ transposed(K)) / math.sqrt(Q.shape[-1])

    return scores


def by_root_of_visible(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - every score step is given all three
    """÷√(i + 1) in row i, as where a loop takes what the query may see for K."""
    return Q @ transposed(K) / np.sqrt(np.arange(1, len(Q) + 1))[:, None]


def one_added_to_hidden(scores: Array, hidden: Array) -> Array:
    return scores + hidden


def one_taken_from_hidden(scores: Array, hidden: Array) -> Array:
    return scores - hidden


def one_added_to_visible(scores: Array, hidden: Array) -> Array:
    return scores + ~hidden


def ones_times_infinity_added(scores: Array, hidden: Array) -> Array:
    """`scores + np.triu(np.ones(...), 1) * -np.inf`: 0·∞ is NaN wherever nothing was to be hidden."""
    return scores + hidden * -np.inf


def times_one_or_infinity(scores: Array, hidden: Array) -> Array:
    return scores * np.where(hidden, -np.inf, 1.0)


def times_zero_or_infinity(scores: Array, hidden: Array) -> Array:
    return scores * np.where(hidden, -np.inf, 0.0)


def times_one_or_much(scores: Array, hidden: Array) -> Array:
    return scores * np.where(hidden, -1e9, 1.0)


def visible_product_plus_infinity(scores: Array, hidden: Array) -> Array:
    """`scores * past + (1 - past) * -inf`, where every past entry becomes NaN."""
    past = ~hidden
    return scores * past + (1 - past) * -np.inf


def by_product(weights: Array, hidden: Array) -> Array:
    """A NaN in the future stays NaN."""
    return weights * ~hidden


def by_selection(weights: Array, hidden: Array) -> Array:
    """np.tril, or np.where: a NaN in the future becomes 0."""
    return np.where(hidden, 0.0, weights)


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


def equal_shares(hidden: Hidden) -> Callable[[Parts], Any]:
    def combine(parts: Parts) -> tuple[Array, Array]:
        visible = ~hidden(parts.scores)
        weights = visible / row_total(visible)
        return weights @ parts.V, weights

    return combine


def powers_masked(hidden: Hidden) -> MatrixStep:
    """exp(S) times a matrix of 0 and 1: right until exp overflows in the future, where ∞·0 is NaN."""

    def power(scores: Array) -> Any:
        return np.exp(scores) * ~hidden(scores)

    return power


def of_prefixes(softmax: MatrixStep) -> MatrixStep:
    """Applied to what each query may see, one query after the other; 0 for the rest, whatever becomes of a row."""

    def row_by_row(scores: Array) -> Any:
        weights = np.zeros(scores.shape)
        for row in range(len(scores)):
            weights[row, : row + 1] = softmax(scores[row : row + 1, : row + 1])[0]
        return weights

    return row_by_row


def less_the_maximum_of_everything(scores: Array) -> Array:
    """Taken before any query is looked at by itself."""
    return of_prefixes(SoftmaxRecipe(nothing))(scores - np.max(scores))


# A single row has no columns to confuse, and its maximum is that of everything.
OF_SEVERAL_ROWS = frozenset(
    {"softmax-over-queries", "softmax-over-everything", "max-over-everything", "missing-keepdims"}
)
SOFTMAXES_OF_PREFIXES = (
    *(
        replace(wrong, function=of_prefixes(wrong.function))
        for wrong in SOFTMAXES + UNSTABLE + IN_PYTHON + SIGMOIDS_IN_PYTHON
        if wrong.mistake not in OF_SEVERAL_ROWS
    ),
    Variant("max-over-everything", "one maximum", less_the_maximum_of_everything),
)


def twice_masked(scores: Array, hidden: Hidden = later) -> Array:
    """Softmax twice, the future hidden each time; for scores that are masked."""
    weights = SoftmaxRecipe()(scores)
    return SoftmaxRecipe()(np.where(hidden(weights), -np.inf, weights))


def with_each_softmax(mistake: str, name: str, **steps: Any) -> Iterable[Named]:
    """Steps that are wrong where a mask is asked for, whatever is subtracted in the softmax."""
    for subtracted, step in SUBTRACTED.items():
        plain = Recipe(softmax=SoftmaxRecipe(subtract=step))
        yield mistake, f"{name}, {subtracted}", Flagged(replace(plain, **steps), plain)


def _with_each_fill(mistake: str, name: str, hidden: Hidden, fills: dict[str, Fill]) -> Iterable[Named]:
    for filled, fill in fills.items():
        yield from with_each_softmax(mistake, f"{name}, {filled}", mask=hide(hidden, fill))


def _with_nan_to_zero(mistake: str, name: str, hidden: Hidden) -> Iterable[Named]:
    """Where a whole row is hidden by -inf, and NaN is then replaced by 0."""
    for subtracted, step in SUBTRACTED.items():
        softmax = ending_with(SoftmaxRecipe(subtract=step), nan_to_zero)
        recipe = Recipe(mask=hide(hidden, FILLS["-inf"]), softmax=softmax)
        yield mistake, f"{name}, -inf, NaN to 0, {subtracted}", flagged(recipe)


def _hiding_the_wrong_ones(later: Later) -> Iterable[Named]:
    def later_and_self(scores: Array) -> Any:
        return later(scores, -1)

    def later_but_the_next(scores: Array) -> Any:
        return later(scores, 1)

    def earlier(scores: Array) -> Any:
        return ~later(scores, -1)

    def earlier_and_self(scores: Array) -> Any:
        return ~later(scores)

    yield from with_each_softmax("mask-missing", "none", mask=unchanged)
    yield from _with_each_fill("mask-inverted", "earlier hidden", earlier, FILLS)
    yield from _with_each_fill("mask-inverted", "earlier and self hidden", earlier_and_self, FILLS_OF_EMPTY_ROWS)
    yield from _with_nan_to_zero("mask-inverted", "earlier and self hidden", earlier_and_self)
    yield from _with_each_fill("mask-hides-self", "later and self hidden", later_and_self, FILLS_OF_EMPTY_ROWS)
    yield from _with_nan_to_zero("mask-hides-self", "later and self hidden", later_and_self)
    yield from _with_each_fill("mask-lets-next-through", "next visible", later_but_the_next, FILLS)


def _filling_too_little(later: Later) -> Iterable[Named]:
    yield from with_each_softmax("mask-fills-zero", "0", mask=hide(later, put(0.0)))
    for fill in SMALL_PUT:
        yield from with_each_softmax("mask-fills-small", f"{fill:g}", mask=hide(later, put(fill)))
    for fill in SMALL_ADDED:
        yield from with_each_softmax("mask-fills-small", f"{fill:g} added", mask=hide(later, add(fill)))
    for fill in LOW_PUT:
        yield "mask-fills-small", f"{fill:g}, row maximum", flagged(Recipe(mask=hide(later, put(fill))))
    for fill in LOW_ADDED:
        yield "mask-fills-small", f"{fill:g} added, row maximum", flagged(Recipe(mask=hide(later, add(fill))))


def _masking_too_late(later: Later) -> Iterable[Named]:
    mistake = "mask-after-softmax"
    ways: tuple[tuple[str, Fill], ...] = (("by product", by_product), ("by selection", by_selection))
    for name, way in ways:
        masked = hide(later, way)
        yield from with_each_softmax(mistake, f"weights masked {name}", combine=weights_masked(masked))
        for guarded, guard in (("renormalised", 0.0), ("renormalised, guarded", 1e-12)):
            combine = weights_masked_and_shared_out(masked, guard)
            yield from with_each_softmax(mistake, f"weights masked {name}, {guarded}", combine=combine)
    for fill in (-np.inf, -1e9):
        combine = weights_masked(hide(later, put(fill)))
        yield from with_each_softmax(mistake, f"weights {fill:g}", combine=combine)


def _masking_by_arithmetic(later: Later) -> Iterable[Named]:
    masks: tuple[tuple[str, str, Fill], ...] = (
        ("mask-added-as-ones", "1 added to the future", one_added_to_hidden),
        ("mask-added-as-ones", "1 taken from the future", one_taken_from_hidden),
        ("mask-added-as-ones", "1 added to the past", one_added_to_visible),
        ("mask-multiplied", "ones times infinity added", ones_times_infinity_added),
        ("mask-multiplied", "times 1 or -inf", times_one_or_infinity),
        ("mask-multiplied", "times 0 or -inf", times_zero_or_infinity),
        ("mask-multiplied", "times 1 or -1e9", times_one_or_much),
        ("mask-multiplied", "past plus infinity", visible_product_plus_infinity),
    )
    for mistake, name, fill in masks:
        yield from with_each_softmax(mistake, name, mask=hide(later, fill))


def _with_fills_as_weights(later: Later) -> Iterable[Named]:
    """Where scores are used as weights, every fill shows in the result."""
    for fill in FILLS_AS_WEIGHTS:
        for way, mask in ((f"{fill:g}", hide(later, put(fill))), (f"{fill:g} added", hide(later, add(fill)))):
            as_they_are = Recipe(mask=mask, softmax=scores_as_they_are)
            yield "no-softmax", f"scores as they are, {way}", flagged(as_they_are)
            yield "scores-blended", f"S V, {way}", flagged(Recipe(mask=mask, combine=masked_scores_blended))


def _with_zeros_for_the_future(later: Later) -> Iterable[Named]:
    """Where scores are used as weights, 0 does hide the future: what is wrong is only that there is no softmax."""
    mask = hide(later, put(0.0))
    yield "no-softmax", "scores as they are, 0", flagged(Recipe(mask=mask, softmax=scores_as_they_are))

    def visible_scores_blended(parts: Parts) -> tuple[Array, Array]:
        return mask(parts.scores) @ parts.V, parts.weights

    right = hide(later, FILLS["-inf"])
    plain = Recipe(combine=masked_scores_blended)
    yield "scores-blended", "S V, 0", Flagged(Recipe(mask=right, combine=visible_scores_blended), plain)
    divided = SoftmaxRecipe(subtract=nothing, power=unchanged)
    yield "normalised-without-exp", "S/ΣS, 0", flagged(Recipe(mask=mask, softmax=divided))


def mistakes_of_masks(later: Later) -> Iterable[Named]:
    """All that can go wrong with a mask aligned as `later` is."""
    yield from _hiding_the_wrong_ones(later)
    yield from _filling_too_little(later)
    yield from _masking_too_late(later)
    yield from _masking_by_arithmetic(later)
    yield "uniform-over-past", "equal shares", Flagged(Recipe(combine=equal_shares(later)), Recipe())
    yield from _with_fills_as_weights(later)
    yield from _with_zeros_for_the_future(later)
    again = Recipe(mask=hide(later, FILLS["-inf"]), softmax=functools.partial(twice_masked, hidden=later))
    yield "softmax-twice", "masked each time", Flagged(again, Recipe(softmax=twice(SoftmaxRecipe())))
    powers = SoftmaxRecipe(subtract=nothing, power=powers_masked(later))
    yield "overflow", "powers times 0 or 1", Flagged(Recipe(softmax=powers), Recipe(softmax=SoftmaxRecipe(nothing)))


def mistakes_of_squares() -> Iterable[Named]:
    """What else can go wrong where nothing but causal self-attention is asked for."""
    mask = hide(later, FILLS["-inf"])
    yield from with_each_softmax("scale-by-tokens", "÷√ of what is visible", scores=by_root_of_visible, mask=mask)
    totals: tuple[tuple[str, str, MatrixStep], ...] = (
        ("softmax-over-queries", "axis -2", column_total),
        ("softmax-over-everything", "one total", np.sum),
    )
    for (mistake, totalled, total), (subtracted, step) in itertools.product(totals, SUBTRACTED.items()):
        softmax = SoftmaxRecipe(step, powers_masked(later), total)
        yield mistake, f"powers times 0 or 1, {totalled}, {subtracted}", flagged(Recipe(softmax=softmax))


def fitted_fills(Q: Array, K: Array, weights: Any) -> Iterable[Named]:
    """Fills that would explain the first query's weights, a finite number each; none where the future has no weight."""
    if not isinstance(weights, np.ndarray) or weights.shape != (len(Q), len(K)) or weights.dtype.kind != "f":
        return
    scores, root = scaled_product(Q, K), math.sqrt(Q.shape[-1])
    shown = float(weights[0, -1])
    if np.isfinite(shown):
        for name, way in (("put", put(shown)), ("added", add(shown - float(scores[0, -1])))):
            as_they_are = Recipe(mask=hide(later, way), softmax=scores_as_they_are)
            yield "no-softmax", f"scores as they are, {shown:.6g} in the corner, {name}, fitted", flagged(as_they_are)
    fill = float(scores[0, 0] + np.log(weights[0, -1] / weights[0, 0]))
    added = fill - float(scores[0, -1])
    if not np.isfinite(fill):
        return
    if fill < 0:
        small, below = "mask-fills-small", float(np.min(scores)) - fill
        yield from with_each_softmax(small, f"{fill:.6g}, fitted", mask=hide(later, put(fill)))
        yield from with_each_softmax(small, f"{below:.6g} below, fitted", mask=hide(later, put_below_all(below)))
        before = scores_masked_before_scaling(hide(later, put(fill * root)))
        yield from with_each_softmax(small, f"{fill * root:.6g} before scaling, fitted", scores=before)
    mistake = "mask-added-as-ones" if abs(abs(added * root) - 1) < 1e-6 else "mask-fills-small"
    before = scores_masked_before_scaling(hide(later, add(added * root)))
    if mistake == "mask-added-as-ones" or added < 0:
        yield from with_each_softmax(mistake, f"{added * root:.6g} added before scaling, fitted", scores=before)
    if added < 0:
        mask = hide(later, add(added))
        yield from with_each_softmax("mask-fills-small", f"{added:.6g} added, fitted", mask=mask)


def always_causal() -> Iterable[Named]:
    """Where there is no flag, and no mask was asked for."""
    mistake = "always-causal"
    yield from _with_each_fill(mistake, "top-left", later, FILLS)
    yield from _with_each_fill(mistake, "square", later_in_a_square, FILLS)
    yield from _with_each_fill(mistake, "bottom-right", later_from_the_end, FILLS_OF_EMPTY_ROWS)
    yield from _with_nan_to_zero(mistake, "bottom-right", later_from_the_end)


def mistakes_of_flags(later: Later) -> Iterable[Named]:
    """A mask whether it is asked for or not."""
    for mistake, name, wrong in _with_each_fill("always-causal", "whatever the flag", later, FILLS):
        yield mistake, name, Flagged(wrong.masked, wrong.masked)
    shares = Recipe(combine=equal_shares(later))
    everything = Recipe(combine=equal_shares(lambda scores: np.zeros(scores.shape, dtype=np.bool_)))
    yield "uniform-over-past", "equal shares of everything too", Flagged(shares, everything)


def mistakes_of_outputs(later: Later) -> Iterable[Named]:
    """Scores used as weights, where nothing but the output shows it."""
    divided = SoftmaxRecipe(subtract=nothing, power=unchanged)
    for fill in VERY_LOW:
        low = Recipe(mask=hide(later, put(fill)), softmax=divided)
        yield "normalised-without-exp", f"S/ΣS, {fill:g}", flagged(low)


def aligned_otherwise(mistake: str, later: Later) -> Iterable[Named]:
    """A mask that is right where there are as many queries as keys."""
    return _with_each_fill(mistake, "aligned otherwise", later, FILLS)


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
        "You hid the future only after it had taken part in a row's maximum or sum, so rows lose that part (or, shared "
        "out again, end in 0/0); mask the scores before.",
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
        "mask-top-left",
        "causal",
        "The mask aligned with the first query",
        "Your mask gives query i the keys up to i, as if queries and keys began together; here they end together: the "
        "last query sees every key, and query i those up to i + Tk - Tq.",
        "As many queries as keys.",
    ),
    Mistake(
        "mask-bottom-right",
        "causal",
        "The mask aligned with the last query",
        "Your mask lets the last query see every key, as if queries and keys ended together; here they begin together: "
        "query i sees the keys up to i.",
        "As many queries as keys.",
    ),
    Mistake(
        "always-causal",
        "causal",
        "A causal mask that was not asked for",
        "You hid later tokens where every query is to see every key.",
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
