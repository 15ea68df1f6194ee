"""Code with two or three mistakes at once must never be told of one that it does not make."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from attention_core.mistakes import causal, projection, scale, softmax
from attention_core.mistakes.recipe import Recipe, unchanged
from attention_core.operation import Variant
from attention_core.operations import OPERATIONS
from grader.diagnosis import diagnose
from grader.inprocess import FunctionSession
from tests.grader.judged import put

# Always the same function, so always named together.
ALIKE = {"scale-by-width": {"scaled-twice"}, "scaled-twice": {"scale-by-width"}}
# NaN everywhere does not show where it came from, so these two are named together for it: one of them, or neither.
NAN_EVERYWHERE = {"mask-multiplied", "nan-result"}

Step = tuple[str, Callable[..., Any]]  # a mistake, and a wrong step of a recipe that makes it


def _from_keys(variant: Variant) -> Step:
    return variant.mistake, lambda Q, K, _V: variant.function(Q, K)


SCORES: list[Step] = [
    *(_from_keys(variant) for variant in scale.SCORES + projection.SCORES if variant.mistake != "scale-constant"),
    *((variant.mistake, variant.function) for variant in scale.SCORES_FROM_VALUES),
]
SOFTMAXES: list[Step] = [(variant.mistake, variant.function) for variant in softmax.SOFTMAXES + softmax.UNSTABLE]
COMBINATIONS: list[Step] = [(variant.mistake, variant.function) for variant in projection.COMBINATIONS]
INFINITE = causal.put(-np.inf)
MASKS: dict[str, list[Step]] = {
    "attention": [("", unchanged)],
    "causal-attention": [
        ("", causal.hide(causal.later, INFINITE)),
        ("mask-missing", unchanged),
        ("mask-hides-self", causal.hide(causal.later_and_self, INFINITE)),
        ("mask-lets-next-through", causal.hide(causal.later_but_the_next, INFINITE)),
        ("mask-fills-small", causal.hide(causal.later, causal.put(-1e4))),
    ],
}


def combined(masks: Iterable[Step]) -> Iterable[tuple[set[str], Recipe]]:
    for (hidden, mask), (scored, scores) in itertools.product(masks, SCORES):
        for shared, wrong in SOFTMAXES:
            yield {hidden, scored, shared} - {""}, Recipe(scores, mask, wrong)
        for blended, wrong in COMBINATIONS:
            yield {hidden, scored, blended} - {""}, Recipe(scores, mask, combine=wrong)


@pytest.mark.parametrize("slug", MASKS)
def test_no_third_mistake_is_named(slug: str) -> None:
    operation = OPERATIONS[slug]
    judged, named_at_all, false = 0, 0, []
    for made, recipe in combined(MASKS[slug]):
        named = set(diagnose(operation, put(operation, FunctionSession(recipe).call), rtol=1e-6, atol=1e-9))
        allowed = made.union(*(ALIKE.get(mistake, set()) for mistake in made))
        judged, named_at_all = judged + 1, named_at_all + bool(named)
        if not named <= allowed and named != NAN_EVERYWHERE:
            false.append((made, named))
    assert false == []
    assert judged > 700
    assert named_at_all > 0  # one of two is named where the other changes nothing, as when scores are never large
