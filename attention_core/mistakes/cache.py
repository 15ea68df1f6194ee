"""Attention one token at a time, gone wrong: attention's own mistakes, as they show with one query.

Step t sees one query and the keys and values of tokens 0 to t, so a softmax over everything, or without keepdims, is
right here, and one over the queries gives each key the weight 1. There is no future to hide; what can go wrong with
the past is to forget it, which has no name, and to compute it again.

Size letters: T tokens, d query and key width, dv value width.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from attention_core.mistakes import projection, scale
from attention_core.mistakes import softmax as softmaxes
from attention_core.mistakes.causal import equal_shares
from attention_core.mistakes.folds import exp_of_math
from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import Array, Recipe, SoftmaxRecipe, from_keys, nothing, row_maximum, variant
from attention_core.mistakes.tiles import raising_for_nan
from attention_core.operation import Arguments, Variant

Step = Callable[[Array, Array, Array], Array]  # (Q, K, V) of the tokens so far -> output of the last of them
RIGHT_FOR_A_ROW = frozenset({"softmax-over-everything", "max-over-everything", "missing-keepdims"})
# With one query, Pᵀ V raises but at the first step. Weights that are returned are one more at each step, and what
# steps return is compared as one array, which such rows do not make: that their shape is wrong is said, and no more.
NOT_FOR_A_ROW = frozenset({"blend-transposed", "returns-weights"})
# With one query, ÷√Tq divides by 1.
SCORES = tuple(each for each in scale.BY_SHAPE if each.function not in (scale.by_root_of_queries, scale.by_queries))
SUBTRACTED = {"row maximum": row_maximum, "no maximum": nothing}


@dataclass(frozen=True)
class Stepped:
    """One implementation of the function (Q, K, V) -> outputs (T, dv), a row for each step."""

    step: Step

    def __call__(self, Q: Array, K: Array, V: Array) -> Array:
        return np.array([self.step(Q[:t], K[:t], V[:t]) for t in range(1, len(Q) + 1)])


def last(recipe: Recipe) -> Step:
    """The recipe for the last query alone."""

    def step(Q: Array, K: Array, V: Array) -> Array:
        return recipe(Q[-1:], K, V)[0][0]

    return step


def kept_queries(recipe: Recipe) -> Step:
    """Queries in the cache, and the new key as the query."""

    def step(Q: Array, K: Array, V: Array) -> Array:
        return recipe(K[-1:], Q, V)[0][0]

    return step


def queries_for_keys(recipe: Recipe) -> Step:
    """Queries in the cache in place of keys."""

    def step(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - that the keys are not used is the mistake
        return recipe(Q[-1:], Q, V)[0][0]

    return step


def keys_for_queries(recipe: Recipe) -> Step:
    """The new key as the query."""

    def step(Q: Array, K: Array, V: Array) -> Array:  # noqa: ARG001 - that the queries are not used is the mistake
        return recipe(K[-1:], K, V)[0][0]

    return step


def before_itself(recipe: Recipe, first: Callable[[Array], Array]) -> Step:
    """Attends before the new key and value are in the cache; `first` makes the first output, of its own value."""

    def step(Q: Array, K: Array, V: Array) -> Array:
        return recipe(Q[-1:], K[:-1], V[:-1])[0][0] if len(Q) > 1 else first(V[0])

    return step


def _styled(mistake: str, name: str, step: Callable[[Recipe], Step] = last, **steps: Any) -> Iterable[Variant]:
    """The same wrong steps with and without the maximum subtracted."""
    for subtracted, subtract in SUBTRACTED.items():
        recipe = Recipe(softmax=SoftmaxRecipe(subtract=subtract), **steps)
        yield Variant(mistake, f"{name}, {subtracted}", Stepped(step(recipe)))


def _scales() -> Iterable[Variant]:
    for wrong in SCORES:
        yield from _styled(wrong.mistake, wrong.name, scores=from_keys(wrong.function))
    for constant in scale.OFTEN_TYPED_IN:
        yield from _styled("scale-constant", f"÷{constant:.6g}", scores=from_keys(scale.by_constant(constant)))
    for wrong in scale.SCORES_FROM_VALUES:
        yield from _styled(wrong.mistake, wrong.name, scores=wrong.function)
    for wrong in scale.OUTPUT_AFTER_SOFTMAX:
        unscaled = from_keys(scale.no_scale)
        yield from _styled(wrong.mistake, wrong.name, scores=unscaled, combine=wrong.function)


def _softmaxes() -> Iterable[Variant]:
    for wrong in softmaxes.SOFTMAXES + softmaxes.UNSTABLE:
        if wrong.mistake not in RIGHT_FOR_A_ROW:
            yield Variant(wrong.mistake, wrong.name, Stepped(last(Recipe(softmax=wrong.function))))
    without_maximum = Stepped(last(Recipe(softmax=SoftmaxRecipe(nothing))))
    yield Variant("overflow", "no maximum, raises", raising_for_nan(without_maximum))
    by_math = Stepped(last(Recipe(softmax=SoftmaxRecipe(nothing, exp_of_math))))
    yield Variant("overflow", "no maximum, exp raises", by_math)


def _matrices() -> Iterable[Variant]:
    yield from _styled("query-key-swapped", "queries kept, and the key asks", kept_queries)
    yield from _styled("key-from-query-matrix", "queries kept", queries_for_keys)
    yield from _styled("query-from-key-matrix", "the key asks", keys_for_queries)
    reshaped = from_keys(projection.keys_reshaped)
    yield from _styled("reshape-instead-of-transpose", "K.reshape(d, t)", scores=reshaped)
    for wrong in projection.OUTPUTS:
        if wrong.mistake not in NOT_FOR_A_ROW:
            yield from _styled(wrong.mistake, wrong.name, combine=wrong.function)


def _pasts() -> Iterable[Variant]:
    firsts: dict[str, Callable[[Array], Array]] = {
        "0": np.zeros_like,
        "NaN": lambda value: np.full_like(value, np.nan),
        "its own value": np.copy,
    }
    for first_name, first in firsts.items():
        name = f"attends before it appends, first {first_name}"
        yield from _styled("mask-hides-self", name, partial(before_itself, first=first))
    everything = equal_shares(lambda scores: np.zeros(scores.shape, dtype=np.bool_))
    yield Variant("uniform-over-past", "mean of the values", Stepped(last(Recipe(combine=everything))))


def kv_cache() -> tuple[Variant, ...]:
    """For kv-cache: whole functions (Q, K, V) -> outputs."""
    families = (_scales(), _softmaxes(), _matrices(), _pasts())
    return tuple(variant(each.mistake, each.name, each.function) for family in families for each in family)


def fit_kv_cache(arguments: Arguments, result: Any) -> tuple[Variant, ...]:
    """For kv-cache: ÷ any number typed in, found from the last step, in every style."""
    if not isinstance(result, np.ndarray) or result.ndim == 0:
        return ()
    divisor = scale.divisor_of_output(arguments["Q"][-1:], arguments["K"], arguments["V"], result[-1:])
    if divisor is None:
        return ()
    scores = from_keys(scale.by_constant(divisor))
    fitted = _styled("scale-constant", f"÷{divisor:.6g}, fitted", scores=scores)
    return tuple(variant(each.mistake, each.name, each.function) for each in fitted)


def everything_again(Q: Array, K: Array, V: Array) -> Array:
    """Causal attention of all tokens so far, of which the last row is returned."""
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    scores[np.triu_indices(len(Q), 1)] = -np.inf
    return (SoftmaxRecipe()(scores) @ V)[-1]


def each_token_again(Q: Array, K: Array, V: Array) -> Array:
    """The output of every token so far, one after the other."""
    return [last(Recipe())(Q[:t], K[:t], V[:t]) for t in range(1, len(Q) + 1)][-1]


# Right results, and work in a step that grows like the square of the tokens seen: only who measures its time sees that.
RECOMPUTES_PAST = (
    variant("recomputes-past", "all rows", Stepped(everything_again)),
    variant("recomputes-past", "token by token", Stepped(each_token_again)),
)

DESCRIPTIONS = (
    Mistake(
        "recomputes-past",
        "cache",
        "The past computed again at each step",
        "Your steps answer earlier queries again, so their work grows faster than the tokens seen; let the new query "
        "alone meet the keys in the cache.",
        "Tests that look at results only, and short sequences.",
    ),
)
