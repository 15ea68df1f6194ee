"""Wrong softmaxes: functions from scores to weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from attention_core.mistakes.folds import exp_of_math
from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import (
    Array,
    MatrixStep,
    SoftmaxRecipe,
    nothing,
    row_maximum,
    row_total,
    unchanged,
    whole_maximum,
)
from attention_core.operation import Variant

# What else the same code may subtract from its scores before the exponential; the mistake does not depend on it.
SUBTRACTED: dict[str, MatrixStep] = {
    "row maximum": row_maximum,
    "no maximum": nothing,
    "maximum of everything": whole_maximum,
}


def column_maximum(scores: Array) -> Array:
    return np.max(scores, axis=-2, keepdims=True)


def column_total(powers: Array) -> Array:
    return np.sum(powers, axis=-2, keepdims=True)


def maximum_of_last_axis_but_one(scores: Array) -> Array:
    """Of the columns; of the row itself where there are no columns."""
    return np.max(scores, axis=max(-2, -scores.ndim), keepdims=True)


def total_of_last_axis_but_one(powers: Array) -> Array:
    return np.sum(powers, axis=max(-2, -powers.ndim), keepdims=True)


def first_axis_maximum(scores: Array) -> Array:
    return np.max(scores, axis=0, keepdims=True)


def first_axis_total(powers: Array) -> Array:
    return np.sum(powers, axis=0, keepdims=True)


def second_axis_maximum(scores: Array) -> Array:
    return np.max(scores, axis=1, keepdims=True)


def second_axis_total(powers: Array) -> Array:
    return np.sum(powers, axis=1, keepdims=True)


def matrix_total(powers: Array) -> Array:
    return np.sum(powers, axis=(-2, -1), keepdims=True)


def flat_row_maximum(scores: Array) -> Array:
    return np.max(scores, axis=-1)


def flat_row_total(powers: Array) -> Array:
    return np.sum(powers, axis=-1)


def flat_second_axis_total(powers: Array) -> Array:
    return np.sum(powers, axis=1)


def flat_row_maximum_of_each(scores: Array) -> Array:
    """As where matrices are taken one by one: applied to the columns of its own matrix."""
    return np.max(scores, axis=-1)[..., None, :]


def flat_row_total_of_each(powers: Array) -> Array:
    return np.sum(powers, axis=-1)[..., None, :]


def row_total_plus(number: float) -> MatrixStep:
    def total(powers: Array) -> Any:
        return row_total(powers) + number

    return total


def one(powers: Array) -> float:  # noqa: ARG001 - a step is given the powers, needed or not
    return 1.0


def scores_as_they_are(scores: Array) -> Array:
    return scores.copy()


def row_minimum(scores: Array) -> Array:
    return np.min(scores, axis=-1, keepdims=True)


def magnitudes(scores: Array) -> Array:
    return np.abs(scores) / row_total(np.abs(scores))


def sigmoid(scores: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-scores))


def sigmoid_shared_out(scores: Array) -> Array:
    return sigmoid(scores) / row_total(sigmoid(scores))


def first_of_the_largest(scores: Array) -> Array:
    return np.eye(scores.shape[-1])[np.argmax(scores, axis=-1)]


def all_of_the_largest(scores: Array) -> Array:
    return (scores == row_maximum(scores)).astype(np.float64)


def largest_shared_out(scores: Array) -> Array:
    return all_of_the_largest(scores) / row_total(all_of_the_largest(scores))


def new_axis_in_second_place(scores: Array) -> Array:
    """`sum(axis=-1)[:, None]`: right for a matrix only."""
    powers = np.exp(scores - np.max(scores, axis=-1)[:, None])
    return powers / powers.sum(axis=-1)[:, None]


def rows_and_columns_unpacked(scores: Array) -> Array:
    """`rows, columns = scores.shape`: raises unless there are two axes."""
    rows, _ = scores.shape
    return np.stack([SoftmaxRecipe()(scores[row]) for row in range(rows)])


def one_item_at_a_time(scores: Array) -> Array:
    """A loop over the first axis that takes each item for a row."""
    powers = [np.exp(item - np.max(item)) for item in scores]
    return np.array([item / np.sum(item) for item in powers])


def last_axis_item_by_item(scores: Array) -> Array:
    """A loop over `scores[..., j]`, each taken for one column."""
    powers = [np.exp(column - np.max(column)) for column in np.moveaxis(scores, -1, 0)]
    return np.stack([column / np.sum(column) for column in powers], axis=-1)


def second_axis_item_by_item(scores: Array) -> Array:
    """A loop over `scores[:, j]`, each taken for one column."""
    powers = [np.exp(column - np.max(column)) for column in np.moveaxis(scores, 1, 0)]
    return np.stack([column / np.sum(column) for column in powers], axis=1)


def divided_through_transposes(scores: Array) -> Array:
    """`(e.T / e.sum(axis=-1)).T`: right for a row or a matrix only."""
    powers = np.exp(scores - row_maximum(scores))
    return (powers.T / powers.sum(axis=-1)).T


def through_logarithms(scores: Array) -> Array:
    """`exp(S - log Σ exp S)`: 0 and ∞ where exp overflows or vanishes, in place of ∞/∞ and 0/0."""
    return np.exp(scores - np.log(row_total(np.exp(scores))))


def one_more_score_of_zero(scores: Array) -> Array:
    """1 + Σ, and never an overflow: a column of zeros takes part in the softmax, and is dropped."""
    zeros = np.zeros((*scores.shape[:-1], 1))
    return SoftmaxRecipe()(np.concatenate([scores, zeros], axis=-1))[..., :-1]


def guarded_row_maximum(scores: Array) -> Array:
    """The row's maximum, or 0 where the whole row is -inf."""
    largest = row_maximum(scores)
    return np.where(np.isneginf(largest), 0.0, largest)


def twice(softmax: MatrixStep) -> MatrixStep:
    def applied_twice(scores: Array) -> Array:
        return softmax(softmax(scores))

    return applied_twice


def sigmoid_of_math(scores: Array) -> Array:
    """1 / (1 + math.exp(-s)): raises where a score is very low."""
    return 1.0 / (1.0 + exp_of_math(-scores))


def sigmoid_of_math_shared_out(scores: Array) -> Array:
    return sigmoid_of_math(scores) / row_total(sigmoid_of_math(scores))


def divided_by_python(powers: Array, total: Array) -> Array:
    """As Python's own numbers: raises where NumPy has 0/0."""
    if np.any(total == 0):
        raise ZeroDivisionError
    return powers / total


def zero_where_total_is_zero(powers: Array, total: Array) -> Array:
    return np.where(total == 0, 0.0, powers / total)


def nan_to_zero(weights: Array, scores: Array) -> Array:  # noqa: ARG001 - an ending is given both
    return np.where(np.isnan(weights), 0.0, weights)


def empty_rows_to_zero(weights: Array, scores: Array) -> Array:
    return np.where(np.all(np.isneginf(scores), axis=-1, keepdims=True), 0.0, weights)


def with_guarded_maximum(softmax: MatrixStep) -> MatrixStep | None:
    """The same softmax with its row maximum guarded against empty rows; None where it subtracts no such maximum."""
    if isinstance(softmax, SoftmaxRecipe) and softmax.subtract is row_maximum:
        return replace(softmax, subtract=guarded_row_maximum)
    return None


def ending_with(softmax: MatrixStep, ending: Callable[[Array, Array], Array]) -> MatrixStep:
    """The same softmax with what it does about empty rows in the end."""

    def ended(scores: Array) -> Any:
        return ending(softmax(scores), scores)

    return ended


def _for_each_subtracted(mistake: str, name: str, **steps: Any) -> Iterable[Variant]:
    for subtracted, step in SUBTRACTED.items():
        yield Variant(mistake, f"{name}, {subtracted}", SoftmaxRecipe(subtract=step, **steps))


def _over_queries() -> Iterable[Variant]:
    yield Variant("softmax-over-queries", "axis -2, column maximum", SoftmaxRecipe(column_maximum, total=column_total))
    yield from _for_each_subtracted("softmax-over-queries", "axis -2", total=column_total)


def _missing_keepdims() -> Iterable[Variant]:
    yield from _for_each_subtracted("missing-keepdims", "sum", total=flat_row_total)
    yield Variant("missing-keepdims", "maximum", SoftmaxRecipe(subtract=flat_row_maximum))
    yield Variant("missing-keepdims", "both", SoftmaxRecipe(subtract=flat_row_maximum, total=flat_row_total))


SOFTMAXES = (  # wrong for a matrix already
    *_over_queries(),
    *_for_each_subtracted("softmax-over-everything", "one total", total=np.sum),
    Variant("no-softmax", "scores as they are", scores_as_they_are),
    Variant("normalised-without-exp", "S/ΣS", SoftmaxRecipe(subtract=nothing, power=unchanged)),
    Variant("normalised-without-exp", "minimum subtracted", SoftmaxRecipe(subtract=row_minimum, power=unchanged)),
    Variant("normalised-without-exp", "|S|/Σ|S|", magnitudes),
    *_missing_keepdims(),
    *_for_each_subtracted("softmax-base-2", "2^S", power=np.exp2),
    *(
        Variant("softmax-twice", f"twice, {subtracted}", twice(SoftmaxRecipe(subtract=step)))
        for subtracted, step in SUBTRACTED.items()
    ),
    Variant("sigmoid-weights", "as they are", sigmoid),
    Variant("sigmoid-weights", "divided by the row's sum", sigmoid_shared_out),
    *_for_each_subtracted("not-normalised", "exponentials as they are", total=one),
    Variant("hard-max", "first of the largest", first_of_the_largest),
    Variant("hard-max", "all of the largest", all_of_the_largest),
    Variant("hard-max", "the largest share", largest_shared_out),
    *_for_each_subtracted("extra-one-in-denominator", "1 + Σ", total=row_total_plus(1.0)),
    Variant("extra-one-in-denominator", "one more score of 0", one_more_score_of_zero),
)

# Often added to a row's sum against 0/0. Beside the sum of a row whose own maximum was subtracted it is nothing.
GUARDS = (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16)

UNSTABLE = (  # right until scores are large or far apart
    Variant("overflow", "no maximum", SoftmaxRecipe(subtract=nothing)),
    Variant("overflow", "no maximum, guarded sum", SoftmaxRecipe(nothing, divide=zero_where_total_is_zero)),
    Variant("overflow", "no maximum, NaN to 0", ending_with(SoftmaxRecipe(subtract=nothing), nan_to_zero)),
    Variant("overflow", "no maximum, through logarithms", through_logarithms),
    Variant("max-over-everything", "one maximum", SoftmaxRecipe(subtract=whole_maximum)),
    Variant(
        "max-over-everything", "one maximum, guarded sum", SoftmaxRecipe(whole_maximum, divide=zero_where_total_is_zero)
    ),
    *(
        Variant("max-over-everything", f"one maximum, Σ + {guard:g}", SoftmaxRecipe(whole_maximum, total=total))
        for guard, total in ((guard, row_total_plus(guard)) for guard in GUARDS)
    ),
)

EMPTY_ROWS = (  # differ from others in what becomes of an empty row
    Variant("softmax-twice", "twice, each guarded", twice(ending_with(SoftmaxRecipe(), nan_to_zero))),
)

STYLES_IN_PYTHON: dict[str, MatrixStep] = {
    "math.exp": SoftmaxRecipe(nothing, exp_of_math),
    "math.exp, Python's division": SoftmaxRecipe(nothing, exp_of_math, divide=divided_by_python),
}

# With math.exp, which raises where NumPy has infinity.
IN_PYTHON = (
    *(Variant("overflow", name, style) for name, style in STYLES_IN_PYTHON.items()),
    Variant("overflow", "math.exp, guarded sum", SoftmaxRecipe(nothing, exp_of_math, divide=zero_where_total_is_zero)),
    Variant("not-normalised", "exponentials as they are, math.exp", SoftmaxRecipe(nothing, exp_of_math, one)),
)
SIGMOIDS_IN_PYTHON = (  # a finite fill in place of -inf makes them raise always
    Variant("sigmoid-weights", "as they are, math.exp", sigmoid_of_math),
    Variant("sigmoid-weights", "math.exp of -S, divided by the row's sum", sigmoid_of_math_shared_out),
)

FIRST_AXIS = (  # over the queries of a matrix; over whatever comes first where there are more axes
    Variant("softmax-over-queries", "axis 0, its maximum", SoftmaxRecipe(first_axis_maximum, total=first_axis_total)),
    *_for_each_subtracted("softmax-over-queries", "axis 0", total=first_axis_total),
)

SECOND_AXIS = (  # right for a matrix
    Variant("axis-fixed-for-2d", "axis 1, its maximum", SoftmaxRecipe(second_axis_maximum, total=second_axis_total)),
    *_for_each_subtracted("axis-fixed-for-2d", "axis 1", total=second_axis_total),
    Variant("axis-fixed-for-2d", "axis 1 for the maximum only", SoftmaxRecipe(subtract=second_axis_maximum)),
)

HEADS_AXIS = (  # the second axis of (B, H, T, T)
    Variant(
        "softmax-over-heads", "heads' axis, its maximum", SoftmaxRecipe(second_axis_maximum, total=second_axis_total)
    ),
    *_for_each_subtracted("softmax-over-heads", "heads' axis", total=second_axis_total),
)

ONE_ITEM_AT_A_TIME = Variant("axis-fixed-for-2d", "one item at a time", one_item_at_a_time)


def _missing_keepdims_of_each() -> Iterable[Variant]:
    mistake, largest, total = "missing-keepdims", flat_row_maximum_of_each, flat_row_total_of_each
    yield from _for_each_subtracted(mistake, "sum of each matrix", total=total)
    yield Variant(mistake, "maximum of each matrix", SoftmaxRecipe(subtract=largest))
    yield Variant(mistake, "both of each matrix", SoftmaxRecipe(subtract=largest, total=total))


STACKS = (  # wrong for a stack of matrices
    *SECOND_AXIS,
    *_for_each_subtracted("missing-keepdims", "sum over axis 1", total=flat_second_axis_total),
    *_missing_keepdims_of_each(),
    *_for_each_subtracted("softmax-over-everything", "one total a matrix", total=matrix_total),
    ONE_ITEM_AT_A_TIME,
)

MANY_AXES = (  # wrong once there are more or fewer axes than two
    *FIRST_AXIS,
    Variant(
        "softmax-over-queries",
        "axis -2 if any, its maximum",
        SoftmaxRecipe(maximum_of_last_axis_but_one, total=total_of_last_axis_but_one),
    ),
    *_for_each_subtracted("softmax-over-queries", "axis -2 if any", total=total_of_last_axis_but_one),
    Variant("softmax-over-queries", "one S[..., j] at a time", last_axis_item_by_item),
    Variant("softmax-over-queries", "one S[:, j] at a time", second_axis_item_by_item),
    *SECOND_AXIS,
    *_for_each_subtracted("missing-keepdims", "sum over axis 1", total=flat_second_axis_total),
    Variant("axis-fixed-for-2d", "new axis in second place", new_axis_in_second_place),
    Variant("axis-fixed-for-2d", "rows and columns unpacked", rows_and_columns_unpacked),
    ONE_ITEM_AT_A_TIME,
    Variant("axis-fixed-for-2d", "transposed, divided, transposed", divided_through_transposes),
)

DESCRIPTIONS = (
    Mistake(
        "softmax-over-queries",
        "softmax",
        "Softmax down the columns",
        "Your softmax runs over the queries, so columns sum to 1; it belongs on the last axis, so that each row does.",
        "One token, and as many queries as keys with equal scores.",
    ),
    Mistake(
        "softmax-over-everything",
        "softmax",
        "One softmax for the whole matrix",
        "Your softmax shares out 1 over the whole array; every row has a sum of its own.",
        "A single row.",
    ),
    Mistake(
        "no-softmax",
        "softmax",
        "No softmax",
        "You used the scores as weights; softmax makes them positive shares that sum to 1.",
        "Scores that are shares already, such as a single score of 1.",
    ),
    Mistake(
        "normalised-without-exp",
        "softmax",
        "Divided by the sum without the exponential",
        "You divided the scores by their sum; take the exponential of each first, so that every share is positive.",
        "One column, and scores that are all equal and not zero.",
    ),
    Mistake(
        "overflow",
        "softmax",
        "Exponential of large scores",
        "Your exponential overflows on large scores (or all of a row vanishes): "
        "subtract each row's maximum from it first.",
        "Scores between about -700 and 700.",
    ),
    Mistake(
        "max-over-everything",
        "softmax",
        "Maximum of the whole array subtracted",
        "You subtracted one maximum from all rows, so a row far below the others becomes 0/0; subtract each row's own.",
        "Rows whose maxima lie within about 700 of each other.",
    ),
    Mistake(
        "missing-keepdims",
        "softmax",
        "A sum without keepdims",
        "Your row sums (or maxima) lost their axis and are applied to the columns; keep it with keepdims=True.",
        "One axis, and rows that all have the same sum.",
    ),
    Mistake(
        "softmax-base-2",
        "softmax",
        "Powers of 2",
        "You raised 2 to the scores; softmax raises e, with np.exp.",
        "Scores that are all equal.",
    ),
    Mistake(
        "softmax-twice",
        "softmax",
        "Softmax applied twice",
        "You applied softmax to weights that already were shares, which makes them nearly equal; once is enough.",
        "Scores that are all equal.",
    ),
    Mistake(
        "sigmoid-weights",
        "softmax",
        "Sigmoid in place of softmax",
        "You squashed each score by itself with a sigmoid; softmax makes the scores of a row compete.",
        "Scores that are all equal, once divided by their sum.",
    ),
    Mistake(
        "not-normalised",
        "softmax",
        "Exponentials not divided by their sum",
        "You took the exponentials and did not divide each row by its sum, so rows do not sum to 1.",
        "One column, with the maximum subtracted.",
    ),
    Mistake(
        "hard-max",
        "softmax",
        "All weight on the largest score",
        "You gave all weight to the largest score; softmax gives each score its share.",
        "Scores so far apart that one takes all weight.",
    ),
    Mistake(
        "extra-one-in-denominator",
        "softmax",
        "1 added to the sum",
        "Your denominator has an extra 1, so rows sum to less than 1; divide by the sum of the exponentials alone.",
        "Nowhere, except in exponentials so large that 1 is lost beside them.",
    ),
    Mistake(
        "axis-fixed-for-2d",
        "softmax",
        "An axis that is right for a matrix only",
        "Your code counts axes as a matrix has them; count from the end (axis=-1 with keepdims=True, shape[-1], "
        "swapaxes(-1, -2)), and it fits any number of them.",
        "Any matrix.",
    ),
)
