"""The wrong implementations of each operation, put together from the families.

A learner who makes one mistake still chooses how to write the rest: whether to subtract the row's maximum before
the exponential, and what to put for -inf. Every mistake is therefore kept in each of these styles, so that it is
recognised in any of them, on huge scores too. Where a style is itself a mistake, the variant carries the name of
the other: it is the one to mend first, and the style is named once it is the only one left.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from attention_core.mistakes import axes, causal, cost, heads_assembly, projection, scale, tiles, untiled
from attention_core.mistakes import softmax as softmaxes
from attention_core.mistakes.recipe import (
    Flagged,
    MatrixStep,
    Recipe,
    SoftmaxRecipe,
    flagged,
    from_keys,
    unchanged,
    variant,
)
from attention_core.operation import Arguments, Variant

Styled = tuple[str, str, Recipe]  # a mistake, the name of a variant, and the variant
Styles = tuple[tuple[str, MatrixStep], ...]  # names of softmaxes, and the softmaxes


def projections() -> tuple[Variant, ...]:
    """For qkv-projections."""
    return tuple(_quiet(projection.PROJECTIONS))


def scaled_scores() -> tuple[Variant, ...]:
    """For scaled-scores."""
    return tuple(_quiet(scale.SCORES + projection.SCORES))


def softmax() -> tuple[Variant, ...]:
    """For softmax: every wrong softmax, with what may become of an empty row."""
    endings: dict[str, Callable[[MatrixStep], MatrixStep]] = {
        "empty rows left": lambda wrong: wrong,
        "NaN to 0": lambda wrong: softmaxes.ending_with(wrong, softmaxes.nan_to_zero),
        "empty rows to 0": lambda wrong: softmaxes.ending_with(wrong, softmaxes.empty_rows_to_zero),
    }
    family = (
        *(*softmaxes.SOFTMAXES, *softmaxes.UNSTABLE, *softmaxes.IN_PYTHON, *softmaxes.SIGMOIDS_IN_PYTHON),
        *(*softmaxes.EMPTY_ROWS, *softmaxes.MANY_AXES),
    )
    return tuple(
        variant(wrong.mistake, f"{wrong.name}, {name}", ending(wrong.function))
        for wrong, (name, ending) in itertools.product((*family, *_guarded(family)), endings.items())
    )


def _guarded(family: tuple[Variant, ...]) -> Iterable[Variant]:
    for wrong in family:
        guarded = softmaxes.with_guarded_maximum(wrong.function)
        if guarded is not None:
            yield Variant(wrong.mistake, f"{wrong.name} guarded", guarded)


def attention() -> tuple[Variant, ...]:
    """For attention."""
    wrong_softmaxes = IN_PYTHON_TOO.softmaxes + softmaxes.SIGMOIDS_IN_PYTHON
    steps = replace(IN_PYTHON_TOO, combinations=projection.COMBINATIONS, softmaxes=wrong_softmaxes)
    wrong = (*_in_every_style(steps, {"": unchanged}), *_masked(causal.always_causal()))
    return tuple(variant(*each) for each in wrong)


def causal_attention() -> tuple[Variant, ...]:
    """For causal-attention: what can go wrong in attention, under each way to hide the future; and the mask itself."""
    steps = replace(IN_PYTHON_TOO, combinations=projection.COMBINATIONS + projection.UNMASKED_COMBINATIONS)
    by_prefix = replace(steps, softmaxes=causal.SOFTMAXES_OF_PREFIXES, styles=PREFIXES)
    wrong = (
        *_in_every_style(steps, _masks(causal.later)),
        *_in_every_style(by_prefix, {"row by row": unchanged}),
        *_masked(causal.mistakes_of_masks(causal.later)),
        *_masked(causal.mistakes_of_squares()),
    )
    return tuple(variant(*each) for each in wrong)


def batched_attention() -> tuple[Variant, ...]:
    """For batched-attention, whose masks are aligned bottom-right."""
    return _of_any_axes(causal.later_from_the_end, causal.aligned_otherwise("mask-top-left", causal.later))


def torch_attention() -> tuple[Variant, ...]:
    """For torch-attention, whose masks are aligned top-left."""
    return _of_any_axes(causal.later, causal.aligned_otherwise("mask-bottom-right", causal.later_from_the_end))


def gpu_attention() -> tuple[Variant, ...]:
    """For gpu-attention."""
    between = heads_assembly.between_given_heads()
    return (*_with_flag(FOUR_AXES, causal.later), *(variant(*each) for each in between))


def tiled_attention() -> tuple[Variant, ...]:
    """For tiled-attention: what can go wrong between tiles; and elsewhere, in the whole matrix and on its diagonal."""
    later = causal.later
    steps = (*_in_every_style(MATRICES, _masks(later)), *_typed_in(later))
    wrong = [(mistake, name, flagged(recipe)) for mistake, name, recipe in steps]
    wrong += [*causal.mistakes_of_masks(later), *causal.mistakes_of_flags(later)]
    wrong = list(untiled.with_alike(wrong))
    in_blocks = (untiled.softmaxes_of_blocks(), untiled.scaled_by_block(), tiles.OTHERS_BY_TILE)
    return tuple(_quiet((*tiles.TILES, *untiled.whole(wrong), *untiled.skipping(wrong), *itertools.chain(*in_blocks))))


def fit_scores(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For scaled-scores: ÷ any number typed in."""
    divisor = scale.divisor_of_scores(arguments["Q"], arguments["K"], result)
    if divisor is None:
        return ()
    return (variant("scale-constant", f"÷{divisor:.6g}, fitted", scale.by_constant(divisor)),)


def fit_attention(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For attention: ÷ any number typed in, in every style."""
    return tuple(variant(*each) for each in _fitted(arguments, result, {"": unchanged}, STYLES_IN_PYTHON))


def fit_causal_attention(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For causal-attention: ÷ any number typed in, in every style; and any number put in place of -inf."""
    if not isinstance(result, tuple | list) or len(result) != 2:
        return ()
    in_every_style = (
        *_fitted(arguments, result, _masks(causal.later), STYLES_IN_PYTHON),
        *_fitted(arguments, result, {"row by row": unchanged}, PREFIXES),
        *_masked(causal.fitted_fills(arguments["Q"], arguments["K"], result[1])),
    )
    return tuple(variant(*each) for each in in_every_style)


def fit_bottom_right(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For batched-attention: ÷ any number typed in, in every style."""
    return _fitted_with_flag(arguments, result, causal.later_from_the_end)


def fit_top_left(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For torch-attention and gpu-attention: ÷ any number typed in, in every style."""
    return _fitted_with_flag(arguments, result, causal.later)


def fit_tiled_attention(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For tiled-attention: ÷ any number typed in, in every style; from a case that is not causal."""
    Q, K, V, *_ = arguments.values()
    styled = _divided_by(scale.divisor_of_output(Q, K, V, result), _masks(causal.later))
    wrong = [(mistake, name, flagged(recipe)) for mistake, name, recipe in styled]
    return tuple(_quiet((*untiled.whole(wrong), *untiled.skipping(wrong))))


def costs() -> tuple[Variant, ...]:
    """For attention-cost."""
    return tuple(_quiet(cost.COSTS))


STYLES: Styles = tuple((subtracted, SoftmaxRecipe(subtract=step)) for subtracted, step in softmaxes.SUBTRACTED.items())
STYLES_IN_PYTHON: Styles = (*STYLES, *softmaxes.STYLES_IN_PYTHON.items())
PREFIXES: Styles = tuple((name, causal.of_prefixes(style)) for name, style in STYLES_IN_PYTHON)


@dataclass(frozen=True)
class WrongSteps:
    """What can go wrong in each step of an operation, but for its mask. styles: softmaxes to go with other mistakes."""

    combinations: tuple[Variant, ...]
    scores: tuple[Variant, ...] = scale.SCORES + projection.SCORES
    scores_from_values: tuple[Variant, ...] = scale.SCORES_FROM_VALUES
    softmaxes: tuple[Variant, ...] = softmaxes.SOFTMAXES + softmaxes.UNSTABLE
    after_softmax: tuple[Variant, ...] = scale.AFTER_SOFTMAX
    styles: Styles = STYLES


# Where learners may well do without NumPy.
IN_PYTHON_TOO = WrongSteps(
    combinations=(),
    softmaxes=softmaxes.SOFTMAXES + softmaxes.UNSTABLE + softmaxes.IN_PYTHON,
    styles=STYLES_IN_PYTHON,
)

# Where only the output is returned, and any number of axes stands before the last two.
ANY_AXES = WrongSteps(
    combinations=projection.OUTPUTS + projection.UNMASKED_COMBINATIONS + axes.COMBINATIONS,
    scores=scale.BY_SHAPE + projection.SCORES + axes.SCORES + axes.SCORES_BY_LENGTH,
    softmaxes=softmaxes.SOFTMAXES + softmaxes.UNSTABLE + softmaxes.STACKS + softmaxes.FIRST_AXIS,
    after_softmax=scale.OUTPUT_AFTER_SOFTMAX,
)
# Where there are always two of them, as many queries as keys, and values as wide as keys.
FOUR_AXES = WrongSteps(
    combinations=ANY_AXES.combinations,
    scores=scale.BY_SHAPE + projection.SCORES + axes.SCORES,
    scores_from_values=(),
    softmaxes=softmaxes.SOFTMAXES + softmaxes.UNSTABLE + softmaxes.HEADS_AXIS + softmaxes.STACKS,
    after_softmax=scale.OUTPUT_AFTER_SOFTMAX,
)
# Where there are none, and only the output is returned.
MATRICES = WrongSteps(
    combinations=projection.OUTPUTS + projection.UNMASKED_COMBINATIONS,
    scores=scale.BY_SHAPE + projection.SCORES,
    after_softmax=scale.OUTPUT_AFTER_SOFTMAX,
)


def _quiet(wrong: Iterable[Variant]) -> Iterable[Variant]:
    return (variant(each.mistake, each.name, each.function) for each in wrong)


def _masked(wrong: Iterable[causal.Named]) -> Iterable[Styled]:
    """For functions without a flag."""
    return ((mistake, name, function.masked) for mistake, name, function in wrong)


def _masks(later: causal.Later) -> dict[str, MatrixStep]:
    return {name: causal.hide(later, fill) for name, fill in causal.FILLS.items()}


def _of_any_axes(later: causal.Later, aligned_otherwise: Iterable[causal.Named]) -> tuple[Variant, ...]:
    wrong = (*aligned_otherwise, *_keys_for_queries(later))
    return (*_with_flag(ANY_AXES, later), *(variant(*each) for each in wrong))


def _with_flag(steps: WrongSteps, later: causal.Later) -> Iterable[Variant]:
    """For functions (Q, K, V, causal=False) -> output."""
    wrong = (*_in_every_style(steps, _masks(later)), *_typed_in(later))
    yield from (variant(mistake, name, flagged(recipe)) for mistake, name, recipe in wrong)
    families = (
        causal.mistakes_of_masks,
        causal.mistakes_of_flags,
        causal.mistakes_of_outputs,
        axes.mistakes_of_masks,
    )
    yield from (variant(*each) for family in families for each in family(later))


def _in_every_style(steps: WrongSteps, masks: dict[str, MatrixStep]) -> Iterable[Styled]:
    """Attention with one step wrong."""
    for mask_name, mask in masks.items():
        for wrong in steps.softmaxes:
            yield _styled(wrong, Recipe(mask=mask, softmax=wrong.function), mask_name)
        for softmax_name, softmax in steps.styles:
            style, right = (mask_name, softmax_name), Recipe(mask=mask, softmax=softmax)
            for wrong in steps.scores:
                yield _styled(wrong, replace(right, scores=from_keys(wrong.function)), *style)
            for wrong in steps.scores_from_values:
                yield _styled(wrong, replace(right, scores=wrong.function), *style)
            for wrong in steps.combinations:
                yield _styled(wrong, replace(right, combine=wrong.function), *style)
            for wrong in steps.after_softmax:
                recipe = replace(right, scores=from_keys(scale.no_scale), combine=wrong.function)
                yield _styled(wrong, recipe, *style)


def _keys_for_queries(later: causal.Later) -> Iterable[causal.Named]:
    """K Kᵀ under a mask that is made from the shapes of Q and K: does not fit unless Tq = Tk."""
    wrong = Variant("query-from-key-matrix", "K Kᵀ that fits", projection.keys_by_keys_that_fit)
    plain = from_keys(projection.keys_by_keys)
    for (mask_name, mask), (subtracted, step) in itertools.product(_masks(later).items(), softmaxes.SUBTRACTED.items()):
        recipe = Recipe(from_keys(wrong.function), mask, SoftmaxRecipe(subtract=step))
        mistake, name, masked = _styled(wrong, recipe, mask_name, subtracted)
        yield mistake, name, Flagged(masked, replace(recipe, scores=plain, mask=unchanged))


def _typed_in(later: causal.Later) -> Iterable[Styled]:
    """In one style: in any other, and with any other number, they are fitted."""
    for constant in scale.OFTEN_TYPED_IN:
        recipe = Recipe(from_keys(scale.by_constant(constant)), causal.hide(later, causal.FILLS["-inf"]))
        yield "scale-constant", f"÷{constant:.6g}", recipe


def _fitted(arguments: Arguments, result: Any, masks: dict[str, MatrixStep], styles: Styles) -> Iterable[Styled]:
    if not isinstance(result, tuple | list) or len(result) != 2:
        return ()
    divisor = scale.divisor_of_weights(arguments["Q"], arguments["K"], result[1])
    return _divided_by(divisor, masks, styles)


def _fitted_with_flag(arguments: Arguments, result: Any, later: causal.Later) -> tuple[Variant, ...]:
    """From a case that is not causal, so that whatever the style, the result is the same."""
    Q, K, V, _ = arguments.values()
    styled = _divided_by(scale.divisor_of_output(Q, K, V, result), _masks(later))
    return tuple(variant(mistake, name, flagged(recipe)) for mistake, name, recipe in styled)


def _divided_by(divisor: float | None, masks: dict[str, MatrixStep], styles: Styles = STYLES) -> Iterable[Styled]:
    """Nothing where no divisor was found."""
    if divisor is None:
        return
    wrong = Variant("scale-constant", f"÷{divisor:.6g}, fitted", scale.by_constant(divisor))
    for (mask_name, mask), (softmax_name, softmax) in itertools.product(masks.items(), styles):
        yield _styled(wrong, Recipe(from_keys(wrong.function), mask, softmax), mask_name, softmax_name)


def _styled(wrong: Variant, recipe: Recipe, *style: str) -> Styled:
    return wrong.mistake, ", ".join(filter(None, (wrong.name, *style))), recipe
