"""The wrong implementations of each operation, put together from the families.

A learner who makes one mistake still chooses how to write the rest: whether to subtract the row's maximum before
the exponential, and what to put for -inf. Every mistake is therefore kept in each of these styles, so that it is
recognised in any of them, on huge scores too. Where a style is itself a mistake, the variant carries the name of
the other: it is the one to mend first, and the style is named once it is the only one left.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from attention_core.mistakes import causal, cost, projection, scale
from attention_core.mistakes import softmax as softmaxes
from attention_core.mistakes.recipe import Array, MatrixStep, Recipe, ScoreStep, SoftmaxRecipe, unchanged, variant
from attention_core.operation import Arguments, Variant


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
    family = softmaxes.SOFTMAXES + softmaxes.UNSTABLE + softmaxes.EMPTY_ROWS + softmaxes.MANY_AXES
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
    wrong = _wrong_steps({"": unchanged}, projection.COMBINATIONS)
    return tuple(_quiet((*wrong, *causal.ALWAYS_CAUSAL)))


def causal_attention() -> tuple[Variant, ...]:
    """For causal-attention: what can go wrong in attention, under each way to hide the future; and the mask itself."""
    masks = {name: causal.hide(causal.later, fill) for name, fill in causal.FILLS.items()}
    wrong = _wrong_steps(masks, projection.COMBINATIONS + projection.UNMASKED_COMBINATIONS)
    return tuple(_quiet((*wrong, *causal.CAUSAL)))


def fit_scores(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For scaled-scores: ÷ any number typed in."""
    divisor = scale.divisor_of_scores(arguments["Q"], arguments["K"], result)
    if divisor is None:
        return ()
    return (variant("scale-constant", f"÷{divisor:.6g}, fitted", scale.by_constant(divisor)),)


def fit_attention(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For attention: ÷ any number typed in, in every style."""
    return _fitted(arguments, result, {"": unchanged})


def fit_causal_attention(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For causal-attention: ÷ any number typed in, in every style."""
    return _fitted(arguments, result, {name: causal.hide(causal.later, fill) for name, fill in causal.FILLS.items()})


def _fitted(arguments: Arguments, result: Any, masks: dict[str, MatrixStep]) -> tuple[Variant, ...]:
    if not isinstance(result, tuple | list) or len(result) != 2:
        return ()
    divisor = scale.divisor_of_weights(arguments["Q"], arguments["K"], result[1])
    if divisor is None:
        return ()
    wrong = Variant("scale-constant", f"÷{divisor:.6g}, fitted", _from_keys(scale.by_constant(divisor)))
    styles = itertools.product(masks.items(), softmaxes.SUBTRACTED.items())
    return tuple(
        _quiet(
            _styled(wrong, Recipe(wrong.function, mask, SoftmaxRecipe(subtract=step)), mask_name, subtracted)
            for (mask_name, mask), (subtracted, step) in styles
        )
    )


def costs() -> tuple[Variant, ...]:
    """For attention-cost."""
    return tuple(_quiet(cost.COSTS))


def _quiet(wrong: Iterable[Variant]) -> Iterable[Variant]:
    return (variant(each.mistake, each.name, each.function) for each in wrong)


def _wrong_steps(masks: dict[str, MatrixStep], combinations: tuple[Variant, ...]) -> Iterable[Variant]:
    """Attention with one step wrong, in every style."""
    for mask_name, mask in masks.items():
        for wrong in softmaxes.SOFTMAXES + softmaxes.UNSTABLE:
            yield _styled(wrong, Recipe(mask=mask, softmax=wrong.function), mask_name)
        for subtracted, step in softmaxes.SUBTRACTED.items():
            style, right = (mask_name, subtracted), Recipe(mask=mask, softmax=SoftmaxRecipe(subtract=step))
            yield from _wrong_scores(right, style)
            for wrong in combinations:
                yield _styled(wrong, replace(right, combine=wrong.function), *style)
            for wrong in scale.AFTER_SOFTMAX:
                recipe = replace(right, scores=_from_keys(scale.no_scale), combine=wrong.function)
                yield _styled(wrong, recipe, *style)


def _wrong_scores(right: Recipe, style: tuple[str, ...]) -> Iterable[Variant]:
    for wrong in scale.SCORES + projection.SCORES:
        yield _styled(wrong, replace(right, scores=_from_keys(wrong.function)), *style)
    for wrong in scale.SCORES_FROM_VALUES:
        yield _styled(wrong, replace(right, scores=wrong.function), *style)


def _styled(wrong: Variant, recipe: Recipe, *style: str) -> Variant:
    return Variant(wrong.mistake, ", ".join(filter(None, (wrong.name, *style))), recipe)


def _from_keys(scores: Callable[[Array, Array], Array]) -> ScoreStep:
    """A score step that has no use for the values."""

    def from_keys(Q: Array, K: Array, V: Array) -> Any:  # noqa: ARG001 - every score step is given all three
        return scores(Q, K)

    return from_keys
