"""attention over batches with two or three mistakes at once: told of none that it does not make."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from attention_core import OPERATIONS, Variant, diagnosis_of, outcome
from attention_core.mistakes import axes, causal, projection, scale, softmax
from attention_core.mistakes.recipe import Flagged, Recipe, flagged, unchanged

# Always the same function, so always named together.
ALIKE = (
    {"scale-by-width", "scaled-twice"},
    {"no-softmax", "scores-blended"},
    {"axis-fixed-for-2d", "softmax-over-heads"},
)
ALIGNMENTS = {
    "batched-attention": causal.later_from_the_end,
    "torch-attention": causal.later,
    "gpu-attention": causal.later,
}
EVERY = 7  # combinations are many: one in so many is tried

Step = tuple[str, Callable[..., Any]]  # a mistake, and a wrong step of a recipe that makes it


def _from_keys(variant: Variant) -> Step:
    return variant.mistake, lambda Q, K, _V: variant.function(Q, K)


SCORES: list[Step] = [_from_keys(variant) for variant in scale.BY_SHAPE + projection.SCORES + axes.SCORES]
SOFTMAXES: list[Step] = [
    (variant.mistake, variant.function) for variant in softmax.SOFTMAXES + softmax.UNSTABLE + softmax.STACKS
]
COMBINATIONS: list[Step] = [(variant.mistake, variant.function) for variant in projection.OUTPUTS + axes.COMBINATIONS]


def masks(later: causal.Later) -> list[Step]:
    infinite = causal.put(-np.inf)
    return [
        ("", causal.hide(later, infinite)),
        ("mask-missing", unchanged),
        ("mask-hides-self", causal.hide(lambda scores: later(scores, -1), infinite)),
        ("mask-lets-next-through", causal.hide(lambda scores: later(scores, 1), infinite)),
        ("mask-fills-small", causal.hide(later, causal.put(-1e4))),
    ]


def combined(masks: list[Step]) -> Iterator[tuple[set[str], Flagged]]:
    for (hidden, mask), (scored, scores) in itertools.product(masks, SCORES):
        for shared, wrong in SOFTMAXES:
            yield {hidden, scored, shared} - {""}, flagged(Recipe(scores, mask, wrong))
        for blended, wrong in COMBINATIONS:
            yield {hidden, scored, blended} - {""}, flagged(Recipe(scores, mask, combine=wrong))
    for (hidden, mask), (shared, wrong) in itertools.product(masks, SOFTMAXES):
        always = Recipe(mask=mask, softmax=wrong)
        yield {hidden, shared, "always-causal"} - {""}, Flagged(always, always)


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_no_third_mistake_is_named(name: str) -> None:
    diagnosis = diagnosis_of(OPERATIONS[name])
    judged, named_at_all, false = 0, 0, []
    for made, function in itertools.islice(combined(masks(ALIGNMENTS[name])), 0, None, EVERY):
        with np.errstate(all="ignore"):
            named = set(diagnosis.mistakes_of(functools.partial(outcome, function)))
        allowed = made.union(*(alike for alike in ALIKE if alike & made))
        judged, named_at_all = judged + 1, named_at_all + bool(named)
        if not named <= allowed:
            false.append((made, named))
    assert false == []
    assert judged > 700
    assert named_at_all > 0  # one of two is named where the other changes nothing, as when scores are never large
