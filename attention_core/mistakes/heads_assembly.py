"""The wrong implementations of multi_head_attention, put together from heads.py and the families; and of attention in
heads that are given, what goes wrong between them.

As in assembly.py, each mistake is kept in every style of writing the rest.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attention_core.mistakes import axes, causal, heads, projection, scale
from attention_core.mistakes import softmax as softmaxes
from attention_core.mistakes.behaviour import cleaning_up, in_precision, plain_projections, reshaped, rounded
from attention_core.mistakes.heads import Heads
from attention_core.mistakes.recipe import (
    Array,
    Flagged,
    MatrixStep,
    Parts,
    Recipe,
    SoftmaxRecipe,
    flagged,
    from_keys,
    variant,
)
from attention_core.operation import Arguments, Variant

Step = tuple[str, str, Any]  # mistake, name, and the step that is wrong

_PROJECTED: tuple[Step, ...] = tuple(
    (wrong.mistake, wrong.name, wrong.function)
    for wrong in projection.PROJECTIONS
    if wrong.mistake != "results-swapped" and wrong.function is not projection.multiplied_from_the_left
)

STRUCTURES: tuple[tuple[str, str, Heads], ...] = (
    *((mistake, name, Heads(project=project)) for mistake, name, project in _PROJECTED),
    ("weights-transposed", "Wo", Heads(finish=heads.projected_by_the_transpose)),
    (
        "weights-transposed",
        "all four",
        Heads(project=projection.all_transposed, finish=heads.projected_by_the_transpose),
    ),
    ("heads-split-without-transpose", "reshape(B, H, T, d)", Heads(split=heads.each(heads.reshaped_at_once))),
    *(
        ("heads-split-without-transpose", f"reshape(B, H, T, d) for {name} only", Heads(split=split))
        for name, split in (
            ("Q", heads.only(heads.reshaped_at_once, 0)),
            ("K", heads.only(heads.reshaped_at_once, 1)),
            ("V", heads.only(heads.reshaped_at_once, 2)),
            ("Q and K", heads.only(heads.reshaped_at_once, 0, 1)),
        )
    ),
    *(
        (
            "heads-split-without-transpose",
            f"(B, T, H, d), {name}",
            Heads(split=heads.each(heads.left_in_the_middle), finish=finish),
        )
        for name, finish in (("kept", heads.kept_in_the_middle), ("swapped at last", heads.middle_axes_swapped_at_last))
    ),
    *(
        (
            mistake,
            f"reshape(B, H, T, d) {name} reshape(B, T, D)",
            Heads(split=heads.each(heads.reshaped_at_once), finish=heads.merged_at_once),
        )
        for mistake, name in (("heads-split-without-transpose", "and"), ("heads-merged-without-transpose", "with"))
    ),
    ("heads-merged-without-transpose", "reshape(B, T, D)", Heads(finish=heads.merged_at_once)),
    ("heads-merged-without-transpose", "stack reshaped to (B, T, D)", Heads(finish=heads.stacked_and_merged_at_once)),
    ("heads-mixed-with-batch", "(H, B, T, d) reshaped to (B, T, D)", Heads(finish=heads.stacked_and_merged_at_once)),
    ("heads-mixed-with-batch", "(H, B, T, d) as (B, H, T, d)", Heads(finish=heads.stack_taken_for_batch_first)),
    ("heads-mixed-with-batch", "(B, H, T, d) as (H, B, T, d)", Heads(finish=heads.batch_taken_for_stack)),
    ("heads-mixed-with-batch", "transpose(1, 2, 0, 3) of (B, H, T, d)", Heads(finish=heads.transposed_as_a_stack)),
    ("heads-mixed-with-batch", "reshape(H, B, T, d)", Heads(split=heads.each(heads.reshaped_heads_first))),
    (
        "heads-split-without-transpose",
        "reshape(H, B, T, d) in place of B first",
        Heads(split=heads.each(heads.reshaped_heads_first)),
    ),
    ("missing-output-projection", "merged heads", Heads(finish=heads.merged_only)),
    ("heads-averaged", "repeated", Heads(finish=heads.average_repeated)),
    ("heads-averaged", "spread out", Heads(finish=heads.average_spread_out)),
    ("heads-averaged", "times the first rows of Wo", Heads(finish=heads.average_by_the_first_rows)),
    ("heads-averaged", "each times its rows of Wo", Heads(finish=heads.average_of_projected_heads)),
    *(
        ("one-head-reused", f"{name} of {which} head", Heads(split=heads.only(heads.repeated(place), *places)))
        for which, place in (("the first", 0), ("the last", -1))
        for name, places in (
            ("Q, K and V", (0, 1, 2)),
            ("Q", (0,)),
            ("K", (1,)),
            ("V", (2,)),
            ("Q and K", (0, 1)),
            ("K and V", (1, 2)),
        )
    ),
    ("one-head-reused", "one head of width D", Heads(split=heads.each(heads.not_split))),
    ("one-head-reused", "one head of width D, ÷√d", Heads(split=heads.not_split_scaled_by_head)),
    ("heads-reordered", "strides in", Heads(split=heads.each(heads.by_strides))),
    ("heads-reordered", "strides in and out", Heads(split=heads.each(heads.by_strides), finish=heads.interleaved)),
    ("heads-reordered", "interleaved out", Heads(finish=heads.interleaved)),
    ("heads-reordered", "backwards", Heads(finish=heads.backwards)),
    ("heads-reordered", "first at the end", Heads(finish=heads.rotated(-1))),
    ("heads-reordered", "last in front", Heads(finish=heads.rotated(1))),
)

SCORES: tuple[Step, ...] = (  # (Q, K, V) -> scores
    *(
        (wrong.mistake, wrong.name, from_keys(wrong.function))
        for wrong in scale.BY_SHAPE
        if wrong.function not in {scale.by_root_of_keys, scale.by_keys}  # as many keys as queries
    ),
    ("reshape-instead-of-transpose", "K.reshape(B, H, d, T)", from_keys(projection.keys_reshaped)),
    ("axis-fixed-for-2d", "K.T", from_keys(axes.all_axes_reversed)),
    ("axis-fixed-for-2d", "K.T, a head at a time", heads.all_axes_of_a_head_reversed),
    ("scale-by-model-width", "÷√D", heads.by_root_of_model_width),
    ("scale-by-model-width", "÷D", heads.by_model_width),
)

COMBINATIONS: tuple[Step, ...] = (  # Parts -> outputs
    ("blend-transposed", "Pᵀ V", projection.blend_transposed),
    ("scores-blended", "S V", projection.masked_scores_blended),
    ("scores-blended", "S V without the mask", projection.all_scores_blended),
    ("scores-blended", "Q Kᵀ V", projection.unscaled_scores_blended),
    ("heads-averaged", "weights", heads.weights_averaged),
    ("one-head-reused", "weights of the first head", heads.weights_of_one(0)),
    ("one-head-reused", "weights of the last head", heads.weights_of_one(-1)),
)

MIXED: tuple[tuple[str, Callable[[Parts], Array]], ...] = (  # where heads and batch are two axes from the start
    ("(H, B, T, d) returned", heads.outputs_mixed(heads.swapped)),
    ("reshape(H, B, T, d) returned", heads.outputs_mixed(heads.reshaped)),
    ("(H, B, T, d) as (B, H, T, d)", heads.outputs_mixed(heads.swapped_and_reshaped)),
    ("(B, H, T, d) as (H, B, T, d)", heads.outputs_mixed(heads.reshaped_and_swapped)),
    ("weights (H, B, T, T) as (B, H, T, T)", heads.weights_mixed(heads.swapped_and_reshaped)),
    ("weights (B, H, T, T) as (H, B, T, T)", heads.weights_mixed(heads.reshaped_and_swapped)),
)

LOOPS: dict[str, Callable[[MatrixStep], MatrixStep]] = {
    "a sequence at a time": heads.a_sequence_at_a_time,
    "a head at a time": heads.a_head_at_a_time,
    "a matrix at a time": heads.a_matrix_at_a_time,
}


def _softmaxes() -> Iterator[Variant]:
    """Wrong softmaxes of scores (B, H, T, T): of all at once, and in loops where that makes a difference."""
    yield from (*softmaxes.SOFTMAXES, *softmaxes.UNSTABLE, *softmaxes.FIRST_AXIS)
    for subtracted, step in {"their maximum": heads.heads_maximum, **softmaxes.SUBTRACTED}.items():
        yield Variant("softmax-over-heads", f"over heads, {subtracted}", SoftmaxRecipe(step, total=heads.heads_total))
    for loop, looped in LOOPS.items():
        for wrong in softmaxes.SOFTMAXES:
            if wrong.mistake in {"softmax-over-everything", "missing-keepdims"}:
                yield Variant(wrong.mistake, f"{wrong.name}, {loop}", looped(wrong.function))
    fixed = (
        *(wrong for wrong in softmaxes.SECOND_AXIS if "only" not in wrong.name),
        Variant("axis-fixed-for-2d", "new axis in second place", softmaxes.new_axis_in_second_place),
        Variant("axis-fixed-for-2d", "transposed, divided, transposed", softmaxes.divided_through_transposes),
    )
    for wrong in fixed:
        yield wrong
        yield Variant(wrong.mistake, f"{wrong.name}, a head at a time", heads.a_head_at_a_time(wrong.function))


def multi_head_attention() -> tuple[Variant, ...]:
    """For multi-head-attention."""
    within = (Variant(mistake, name, Heads(attend)) for mistake, name, attend in _within_heads())
    return tuple(variant(wrong.mistake, wrong.name, wrong.function) for wrong in (*_between_heads(), *within))


def _styles() -> Iterator[tuple[str, Recipe]]:
    """Right ways to write attention, but for large scores and low ones."""
    together = itertools.product(causal.FILLS.items(), softmaxes.SUBTRACTED.items())
    for (filled, fill), (subtracted, step) in together:
        yield f"{filled}, {subtracted}", Recipe(mask=causal.hide(causal.later, fill), softmax=SoftmaxRecipe(step))


def _between_heads() -> Iterator[Variant]:
    for subtracted, step in softmaxes.SUBTRACTED.items():
        plain = Recipe(softmax=SoftmaxRecipe(step))
        attend = Flagged(replace(plain, mask=causal.hide(heads.later_tokens, causal.FILLS["-inf"])), plain)
        untransposed = Heads(attend, split=heads.each(heads.left_in_the_middle), finish=heads.kept_in_the_middle)
        name = f"(B, T, H, d), a mask that does not fit, {subtracted}"
        yield Variant("heads-split-without-transpose", name, untransposed)
    for style, right in _styles():
        for mistake, name, structure in STRUCTURES:
            yield Variant(mistake, f"{name}, {style}", replace(structure, attend=flagged(right)))
        for name, combine in (("all", projection.weights_only), ("averaged", heads.averaged_weights_only)):
            attend = flagged(replace(right, combine=combine))
            yield Variant("returns-weights", f"{name}, {style}", Heads(attend, finish=heads.heads_alone))


def _within_heads() -> Iterator[causal.Named]:
    for filled, fill in causal.FILLS.items():
        for wrong in _softmaxes():
            recipe = Recipe(mask=causal.hide(causal.later, fill), softmax=wrong.function)
            yield wrong.mistake, f"{wrong.name}, {filled}", flagged(recipe)
    for style, right in _styles():
        for mistake, name, scores in SCORES:
            yield mistake, f"{name}, {style}", flagged(replace(right, scores=scores))
        for wrong in scale.OUTPUT_AFTER_SOFTMAX:
            recipe = replace(right, scores=from_keys(scale.no_scale), combine=wrong.function)
            yield wrong.mistake, f"{wrong.name}, {style}", flagged(recipe)
        for mistake, name, combine in COMBINATIONS:
            yield mistake, f"{name}, {style}", flagged(replace(right, combine=combine))
    yield from _masked_in_part()
    for subtracted, step in softmaxes.SUBTRACTED.items():
        plain = Recipe(softmax=SoftmaxRecipe(step))
        for number in (-np.inf, -1e9):
            mask = axes.filled_along_first_axes(causal.later, number)
            for name, way in (("all at once", mask), ("a head at a time", heads.a_head_at_a_time(mask))):
                attend = Flagged(replace(plain, mask=way), plain)
                yield "axis-fixed-for-2d", f"indices of the tokens, {number:g}, {name}, {subtracted}", attend
    for constant in scale.OFTEN_TYPED_IN:
        attend = flagged(replace(heads.RIGHT_RECIPE, scores=from_keys(scale.by_constant(constant))))
        yield "scale-constant", f"÷{constant:.6g}", attend
    yield from causal.mistakes_of_masks(causal.later)
    yield from causal.mistakes_of_flags(causal.later)


def _masked_in_part() -> Iterator[causal.Named]:
    for style, right in _styles():
        for name, mask in (
            ("the first head", heads.on_heads(0, right.mask)),
            ("the last head", heads.on_heads(-1, right.mask)),
            ("the first head of the first sequence", heads.on_the_first_matrix(right.mask)),
        ):
            attend = replace(flagged(right), masked=replace(right, mask=mask))
            yield "mask-on-first-head-only", f"{name}, {style}", attend


def between_given_heads() -> Iterator[causal.Named]:
    """For gpu-attention, whose queries, keys and values are (B, H, T, d) as they come and whose outputs stay so."""
    yield from _masked_in_part()
    for style, right in _styles():
        for name, combine in MIXED:
            yield "heads-mixed-with-batch", f"{name}, {style}", flagged(replace(right, combine=combine))


def fit_multi_head_attention(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For multi-head-attention: ÷ any number typed in, in every style."""
    x, Wq, Wk, Wv, Wo, count, _ = arguments.values()
    if not isinstance(result, np.ndarray) or result.shape != x.shape or result.dtype.kind not in "iuf":
        return ()
    if not np.isfinite(result).all():
        return ()
    Q, K, V = heads.RIGHT_SPLIT(plain_projections(x, Wq, Wk, Wv), count)
    divisor = scale.divisor_of_output(Q, K, V, heads.by_columns(result @ np.linalg.inv(Wo), count))
    if divisor is None:
        return ()
    scores = from_keys(scale.by_constant(divisor))
    return tuple(
        variant("scale-constant", f"÷{divisor:.6g}, {style}, fitted", Heads(flagged(replace(right, scores=scores))))
        for style, right in _styles()
    )


# Behaviour

_right: Callable[..., Any] = Heads()
_unscaled = Heads(flagged(replace(heads.RIGHT_RECIPE, scores=from_keys(scale.no_scale))))


def scaling_in_place(
    x: Array, Wq: Array, Wk: Array, Wv: Array, Wo: Array, num_heads: int, causal: bool = False
) -> Array:
    """`Wq /= √d`: right results, and a changed Wq."""
    Wq /= math.sqrt(Wq.shape[1] // num_heads)
    return _unscaled(x, Wq, Wk, Wv, Wo, num_heads, causal)


BEHAVIOURS = (
    variant("lower-precision", "float32", in_precision(_right, np.float32)),
    variant("lower-precision", "float16", in_precision(_right, np.float16)),
    variant("rounded", "two decimals", rounded(_right, 2)),
    variant("rounded", "four decimals", rounded(_right, 4)),
    variant("mutates-input", "cleaned up", cleaning_up(_right)),
    variant("mutates-input", "Wq scaled in place", scaling_in_place),
    variant("wrong-shape", "an axis too many", reshaped(_right, lambda result: result[None])),
    variant("wrong-shape", "flat", reshaped(_right, np.ravel)),
    variant("wrong-dtype", "float32", reshaped(_right, lambda result: result.astype(np.float32))),
    variant("not-an-array", "lists", reshaped(_right, lambda result: result.tolist())),
    variant("nan-result", "NaN throughout", reshaped(_right, lambda result: np.full_like(result, np.nan))),
)
