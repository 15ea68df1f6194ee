"""Mistakes are named when they are made, and never otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attention_core import MISTAKES, OPERATIONS, RAISED, Diagnosis, Variant, confusions
from attention_core.separation import outcome
from tests.attention_core.learners import SAMPLES, UNNAMED, Sample, compiled
from tests.attention_core.styles import RIGHT

# Pairs that give the same results whatever the input, or the same within the tolerance (exp(1e-9) is nearly exp(0)).
ALWAYS_ALIKE = {
    "qkv-projections": {frozenset({"query-key-swapped", "results-swapped"})},
    "scaled-scores": {frozenset({"scale-by-width", "scaled-twice"})},
    "softmax": set(),
    "attention": {frozenset({"scale-by-width", "scaled-twice"})},
    "causal-attention": {
        frozenset({"scale-by-width", "scaled-twice"}),
        frozenset({"mask-fills-zero", "mask-fills-small"}),
    },
    "attention-cost": set(),
}
DIAGNOSES = {name: Diagnosis(operation) for name, operation in OPERATIONS.items()}


def diagnosed(slug: str, body: str) -> tuple[str, ...]:
    function = compiled(slug, body)
    with np.errstate(all="ignore"):
        return DIAGNOSES[slug].matching([outcome(function, case) for case in DIAGNOSES[slug].cases])


@pytest.mark.parametrize("name", OPERATIONS)
def test_only_what_is_always_alike_is_confused(name: str) -> None:
    assert confusions(OPERATIONS[name]) == ALWAYS_ALIKE[name]


def test_a_confusion_is_found() -> None:
    operation = OPERATIONS["scaled-scores"]
    no_scale = next(v for v in operation.variants if v.mistake == "no-scale")
    double = replace(operation, variants=(no_scale, Variant("scale-constant", "÷1", no_scale.function)))
    assert confusions(double) == {frozenset({"no-scale", "scale-constant"})}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_variant_is_recognised_as_its_mistake_and_no_other(name: str) -> None:
    diagnosis = DIAGNOSES[name]
    for i, variant in enumerate(diagnosis.operation.variants):
        named = diagnosis.matching(diagnosis.results_of(i))
        assert variant.mistake in named, variant
        for other in set(named) - {variant.mistake}:
            assert frozenset({variant.mistake, other}) in ALWAYS_ALIKE[name], variant


@pytest.mark.parametrize(("slug", "mistakes", "body"), SAMPLES)
def test_learners_mistakes_are_named(slug: str, mistakes: tuple[str, ...], body: str) -> None:
    assert diagnosed(slug, body) == mistakes


@pytest.mark.parametrize(("slug", "mistakes", "body"), UNNAMED)
def test_nothing_is_named_falsely(slug: str, mistakes: tuple[str, ...], body: str) -> None:
    assert diagnosed(slug, body) == mistakes


def test_every_mistake_is_made_by_some_sample() -> None:
    made: dict[str, set[str]] = {name: set() for name in OPERATIONS}
    sample: Sample
    for sample in SAMPLES:
        made[sample[0]].update(sample[1])
    for name, operation in OPERATIONS.items():
        assert {variant.mistake for variant in operation.variants} == made[name]


@pytest.mark.parametrize("name", OPERATIONS)
def test_right_solutions_show_no_mistake(name: str) -> None:
    diagnosis = DIAGNOSES[name]
    for function in RIGHT[name]:
        assert diagnosis.matching([outcome(function, case) for case in diagnosis.cases]) == ()


@pytest.mark.parametrize("name", OPERATIONS)
def test_code_that_always_raises_shows_no_mistake(name: str) -> None:
    assert DIAGNOSES[name].matching([RAISED] * len(DIAGNOSES[name].cases)) == ()


def test_not_even_a_mistake_that_always_raises() -> None:
    def raising(Q: object, K: object) -> None:
        raise ValueError

    operation = replace(OPERATIONS["scaled-scores"], variants=(Variant("no-scale", "raises", raising),))
    assert Diagnosis(operation).matching([RAISED] * 3) == ()


def test_results_must_be_one_for_each_case() -> None:
    with pytest.raises(ValueError, match="results must be 3, one for each case, got 2"):
        DIAGNOSES["scaled-scores"].matching([RAISED] * 2)


@pytest.mark.parametrize("name", OPERATIONS)
def test_diagnosis_sets_are_always_the_same_and_hide_nothing(name: str) -> None:
    """No axis of size 1, which would broadcast; and at least two cases in which no two sizes are equal."""
    first, second = OPERATIONS[name].diagnosis(), OPERATIONS[name].diagnosis()
    distinct = 0
    for case, again in zip(first, second, strict=True):
        sizes = {size for value in case.values() for size in np.shape(value)}
        assert 1 not in sizes
        assert all(np.array_equal(value, again[key]) for key, value in case.items())
        axes = {"Q": 2, "x": 3, "scores": np.ndim(case.get("scores", 0))}
        distinct += len(sizes) >= next((count for key, count in axes.items() if key in case), 0)
    assert distinct >= 2


def test_names_come_in_the_order_of_the_table() -> None:
    order = list(MISTAKES)
    for pair in ALWAYS_ALIKE["causal-attention"]:
        assert sorted(pair, key=order.index) in (
            ["scale-by-width", "scaled-twice"],
            ["mask-fills-zero", "mask-fills-small"],
        )
