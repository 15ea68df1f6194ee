"""Wrong multi-head attention: what goes wrong between the heads, and attention's own mistakes within each of them.

    Q, K, V = project(x, Wq, Wk, Wv)  ->  split into heads  ->  attend in each  ->  finish: merge, and times Wo

x (B, T, D) for B sequences of T tokens, every W (D, D), H heads of width d = D / H. A wrong implementation is the
right one with one step replaced. Inside, heads are (B, H, T, d) and scores (B, H, T, T).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_core.mistakes import axes, causal
from attention_core.mistakes.behaviour import plain_projections
from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import (
    Array,
    MatrixStep,
    Parts,
    Recipe,
    flagged,
    transposed,
)

Three = tuple[Array, Array, Array]
Split = Callable[[Array, int], Array]  # (B, T, D) and H -> (B, H, T, d)
Finish = Callable[[Array, Array], Array]  # the heads' outputs (B, H, T, d) and Wo -> (B, T, D)


# The right steps


def by_columns(array: Array, heads: int) -> Array:
    batch, tokens, width = array.shape
    return array.reshape(batch, tokens, heads, width // heads).transpose(0, 2, 1, 3)


def each(split: Split) -> Callable[[Three, int], Three]:
    """The same split for queries, keys and values."""

    def all_three(projected: Three, heads: int) -> Three:
        Q, K, V = projected
        return split(Q, heads), split(K, heads), split(V, heads)

    return all_three


def side_by_side(heads: Array) -> Array:
    batch, count, tokens, width = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(batch, tokens, count * width)


def merged_and_projected(heads: Array, Wo: Array) -> Array:
    return side_by_side(heads) @ Wo


RIGHT_RECIPE = Recipe(mask=causal.hide(causal.later, causal.FILLS["-inf"]))
RIGHT_ATTENTION = flagged(RIGHT_RECIPE)
RIGHT_SPLIT = each(by_columns)


@dataclass(frozen=True)
class Heads:
    """One implementation of multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False)."""

    attend: Callable[..., Array] = RIGHT_ATTENTION
    project: Callable[..., Three] = plain_projections
    split: Callable[[Three, int], Three] = RIGHT_SPLIT
    finish: Finish = merged_and_projected

    def __call__(
        self, x: Array, Wq: Array, Wk: Array, Wv: Array, Wo: Array, num_heads: int, causal: bool = False
    ) -> Any:
        Q, K, V = self.split(self.project(x, Wq, Wk, Wv), num_heads)
        return self.finish(self.attend(Q, K, V, causal), Wo)


# Splitting


def reshaped_at_once(array: Array, heads: int) -> Array:
    batch, tokens, width = array.shape
    return array.reshape(batch, heads, tokens, width // heads)


def reshaped_heads_first(array: Array, heads: int) -> Array:
    batch, tokens, width = array.shape
    return array.reshape(heads, batch, tokens, width // heads).swapaxes(0, 1)


def left_in_the_middle(array: Array, heads: int) -> Array:
    """(B, T, H, d), never transposed: each token's heads attend to each other."""
    batch, tokens, width = array.shape
    return array.reshape(batch, tokens, heads, width // heads)


def by_strides(array: Array, heads: int) -> Array:
    """Head h takes the columns h, h + H, h + 2H, …"""
    batch, tokens, width = array.shape
    return array.reshape(batch, tokens, width // heads, heads).transpose(0, 3, 1, 2)


def not_split(array: Array, heads: int) -> Array:  # noqa: ARG001 - that it is not used is the mistake
    return array[:, None]


def only(split: Split, *places: int) -> Callable[[Three, int], Three]:
    """The wrong split for some of queries (0), keys (1) and values (2), and the right one for the others."""

    def some(projected: Three, heads: int) -> Three:
        Q, K, V = (
            split(array, heads) if place in places else by_columns(array, heads)
            for place, array in enumerate(projected)
        )
        return Q, K, V

    return some


def repeated(place: int) -> Split:
    """The columns of one head for all of them."""

    def reused(array: Array, heads: int) -> Array:
        split = by_columns(array, heads)
        return np.broadcast_to(split[:, [place]], split.shape)

    return reused


def not_split_scaled_by_head(projected: Three, heads: int) -> Three:
    """One head of the whole width, whose scores are divided by the √d of the heads that were asked for."""
    Q, K, V = projected
    return not_split(Q * math.sqrt(heads), heads), not_split(K, heads), not_split(V, heads)


# Heads and batch


def swapped(array: Array) -> Array:
    """(B, H, …) -> (H, B, …)."""
    return array.swapaxes(0, 1)


def reshaped(array: Array) -> Array:
    """(B, H, …) read as (H, B, …)."""
    first, second, *others = array.shape
    return array.reshape(second, first, *others)


def swapped_and_reshaped(array: Array) -> Array:
    """(H, B, …) read as (B, H, …)."""
    return reshaped(swapped(array))


def reshaped_and_swapped(array: Array) -> Array:
    """(B, H, …) read as (H, B, …), and swapped as would suit that."""
    return swapped(reshaped(array))


# Merging


def merged_at_once(heads: Array, Wo: Array) -> Array:
    batch, count, tokens, width = heads.shape
    return heads.reshape(batch, tokens, count * width) @ Wo


def stacked_and_merged_at_once(heads: Array, Wo: Array) -> Array:
    """`np.array(list of heads).reshape(B, T, D)`: the stack is (H, B, T, d)."""
    batch, count, tokens, width = heads.shape
    return heads.swapaxes(0, 1).reshape(batch, tokens, count * width) @ Wo


def stack_taken_for_batch_first(heads: Array, Wo: Array) -> Array:
    return merged_and_projected(swapped_and_reshaped(heads), Wo)


def batch_taken_for_stack(heads: Array, Wo: Array) -> Array:
    return merged_and_projected(reshaped_and_swapped(heads), Wo)


def transposed_as_a_stack(heads: Array, Wo: Array) -> Array:
    """The transposition that suits (H, B, T, d), made with (B, H, T, d)."""
    batch, count, tokens, width = heads.shape
    return heads.transpose(1, 2, 0, 3).reshape(batch, tokens, count * width) @ Wo


def interleaved(heads: Array, Wo: Array) -> Array:
    batch, count, tokens, width = heads.shape
    return heads.transpose(0, 2, 3, 1).reshape(batch, tokens, count * width) @ Wo


def backwards(heads: Array, Wo: Array) -> Array:
    return merged_and_projected(heads[:, ::-1], Wo)


def rotated(places: int) -> Finish:
    def rolled(heads: Array, Wo: Array) -> Array:
        return merged_and_projected(np.roll(heads, places, axis=1), Wo)

    return rolled


def kept_in_the_middle(heads: Array, Wo: Array) -> Array:
    """For (B, T, H, d)."""
    batch, tokens, count, width = heads.shape
    return heads.reshape(batch, tokens, count * width) @ Wo


def middle_axes_swapped_at_last(heads: Array, Wo: Array) -> Array:
    """(B, T, H, d) taken for (B, H, T, d), and merged as that would have to be."""
    batch, tokens, count, width = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(batch, tokens, count * width) @ Wo


def merged_only(heads: Array, Wo: Array) -> Array:  # noqa: ARG001 - that it is not used is the mistake
    return side_by_side(heads)


def projected_by_the_transpose(heads: Array, Wo: Array) -> Array:
    return side_by_side(heads) @ Wo.T


def average_repeated(heads: Array, Wo: Array) -> Array:
    return merged_and_projected(np.broadcast_to(heads.mean(axis=1, keepdims=True), heads.shape), Wo)


def average_spread_out(heads: Array, Wo: Array) -> Array:
    return np.repeat(heads.mean(axis=1), heads.shape[1], axis=-1) @ Wo


def average_by_the_first_rows(heads: Array, Wo: Array) -> Array:
    return heads.mean(axis=1) @ Wo[: heads.shape[-1]]


def average_of_projected_heads(heads: Array, Wo: Array) -> Array:
    return merged_and_projected(heads, Wo) / heads.shape[1]


def heads_alone(heads: Array, Wo: Array) -> Array:  # noqa: ARG001 - what comes out of the heads is returned as it is
    return heads


# Within the heads


def by_root_of_model_width(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - a score step is given all three
    return Q @ transposed(K) / math.sqrt(Q.shape[1] * Q.shape[-1])


def by_model_width(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - a score step is given all three
    return Q @ transposed(K) / (Q.shape[1] * Q.shape[-1])


def all_axes_of_a_head_reversed(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - a score step is given V too
    """K.T in a loop over the heads, where K is (B, T, d)."""
    products = [axes.all_axes_reversed(Q[:, head], K[:, head]) for head in range(Q.shape[1])]
    return np.stack(products, axis=1)


def heads_maximum(scores: Array) -> Array:
    return np.max(scores, axis=1, keepdims=True)


def heads_total(powers: Array) -> Array:
    return np.sum(powers, axis=1, keepdims=True)


def weights_averaged(parts: Parts) -> tuple[Array, Array]:
    weights = parts.weights.mean(axis=1, keepdims=True)
    return weights @ parts.V, weights


def averaged_weights_only(parts: Parts) -> Array:
    return parts.weights.mean(axis=1)


def weights_of_one(place: int) -> Callable[[Parts], Any]:
    def combine(parts: Parts) -> tuple[Array, Array]:
        weights = parts.weights[:, [place]]
        return weights @ parts.V, weights

    return combine


def outputs_mixed(mix: MatrixStep) -> Callable[[Parts], Array]:
    def combine(parts: Parts) -> Array:
        return mix(parts.weights @ parts.V)

    return combine


def weights_mixed(mix: MatrixStep) -> Callable[[Parts], Array]:
    def combine(parts: Parts) -> Array:
        return mix(parts.weights) @ parts.V

    return combine


def a_sequence_at_a_time(step: MatrixStep) -> MatrixStep:
    """A loop over the batch: the step is given (H, T, T)."""

    def looped(scores: Array) -> Array:
        return np.stack([step(sequence) for sequence in scores])

    return looped


def a_head_at_a_time(step: MatrixStep) -> MatrixStep:
    """A loop over the heads: the step is given (B, T, T)."""

    def looped(scores: Array) -> Array:
        return np.stack([step(scores[:, head]) for head in range(scores.shape[1])], axis=1)

    return looped


def a_matrix_at_a_time(step: MatrixStep) -> MatrixStep:
    """A loop over both: the step is given (T, T)."""
    return a_sequence_at_a_time(a_sequence_at_a_time(step))


def on_heads(place: int, mask: MatrixStep) -> MatrixStep:
    """A mask for one head, in every sequence."""

    def masked(scores: Array) -> Array:
        result = scores.copy()
        result[:, place] = mask(scores[:, place])
        return result

    return masked


def on_the_first_matrix(mask: MatrixStep) -> MatrixStep:
    """A mask for the first head of the first sequence."""

    def masked(scores: Array) -> Array:
        result = scores.copy()
        result[0, 0] = mask(scores[0, 0])
        return result

    return masked


def later_tokens(scores: Array) -> Array:
    """For scores (B, T, H, H): a mask made for the tokens, which does not fit."""
    return ~np.tri(scores.shape[1], dtype=np.bool_)


DESCRIPTIONS = (
    Mistake(
        "scale-by-model-width",
        "scale",
        "Divided by the width of the model",
        "You divided the scores by √D (or D), with D the width of the model; divide them by √d, d = D / H, the width "
        "of one head.",
        "One head, and scores that are all equal.",
    ),
    Mistake(
        "heads-split-without-transpose",
        "heads",
        "Split into heads without a transpose",
        "You reshaped to heads without swapping the axes of tokens and heads, so heads hold numbers of several tokens "
        "(or tokens those of several heads); reshape to (B, T, H, d), then swap the middle axes.",
        "One head, and one token unless its heads attend to each other.",
    ),
    Mistake(
        "heads-merged-without-transpose",
        "heads",
        "Merged the heads without a transpose",
        "You reshaped the heads' outputs straight to (B, T, D), which mixes tokens in a row; swap the axes of heads "
        "and tokens back first.",
        "One head, and one token in one sequence.",
    ),
    Mistake(
        "missing-output-projection",
        "heads",
        "No output projection",
        "You returned the heads side by side; multiply them by Wo.",
        "Wo the identity.",
    ),
    Mistake(
        "heads-averaged",
        "heads",
        "Heads averaged",
        "You averaged over the heads; put their outputs side by side, in order, and multiply that by Wo.",
        "One head, and heads that are all alike.",
    ),
    Mistake(
        "one-head-reused",
        "heads",
        "One head for all",
        "You let one head stand for all; head h has the columns from h·d up to (h + 1)·d of Q, K and V to itself.",
        "One head, and heads that are all alike.",
    ),
    Mistake(
        "heads-reordered",
        "heads",
        "Heads in another order",
        "You took other columns for a head, or put heads back in another order; heads are consecutive blocks of "
        "columns and keep their order.",
        "One head, and heads that are all alike; strided columns hide at width 1.",
    ),
    Mistake(
        "softmax-over-heads",
        "heads",
        "Softmax over the heads",
        "Your softmax runs over the heads, so they compete for each pair of tokens; it belongs on the last axis, the "
        "keys.",
        "Nowhere, unless there are as many heads as keys and scores are all equal.",
    ),
    Mistake(
        "mask-on-first-head-only",
        "heads",
        "One head masked, the others not",
        "You hid the future from one head only; a mask of shape (T, T) applies to all heads and sequences at once.",
        "One head in one sequence, and one token.",
    ),
    Mistake(
        "heads-mixed-with-batch",
        "heads",
        "Heads and batch mixed up",
        "You let heads and sequences change places, so that a sequence gets results of another; keep the batch the "
        "first axis.",
        "One sequence, and one head.",
    ),
)
