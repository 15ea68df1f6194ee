"""Mistakes are named when they are made, and never otherwise."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from attention_core import OPERATIONS, RAISED, Diagnosis, Operation, Variant, diagnosis_of, outcome, same_result
from attention_core.comparison import ATOL, RTOL
from attention_core.diagnosis import _Known, _Samples
from tests.attention_core.learners import SAMPLES, UNNAMED, Sample, compiled
from tests.attention_core.styles import RIGHT

# Pairs that give the same results whatever the input, or the same within the tolerance (exp(1e-9) is nearly exp(0)).
OF_OUTPUTS = {
    frozenset({"scale-by-width", "scaled-twice"}),
    frozenset({"mask-fills-zero", "mask-fills-small"}),
    frozenset({"no-softmax", "scores-blended"}),
}
ALWAYS_ALIKE = {
    "qkv-projections": {frozenset({"query-key-swapped", "results-swapped"})},
    "scaled-scores": {frozenset({"scale-by-width", "scaled-twice"})},
    "softmax": set(),
    "attention": {frozenset({"scale-by-width", "scaled-twice"})},
    "causal-attention": {
        frozenset({"scale-by-width", "scaled-twice"}),
        frozenset({"mask-fills-zero", "mask-fills-small"}),
        frozenset({"mask-multiplied", "nan-result"}),
    },
    "multi-head-attention": {
        *(frozenset({"axis-fixed-for-2d", over}) for over in ("softmax-over-queries", "softmax-over-heads")),
        frozenset({"axis-fixed-for-2d", "missing-keepdims"}),
        frozenset({"heads-split-without-transpose", "heads-merged-without-transpose"}),
        frozenset({"heads-split-without-transpose", "heads-mixed-with-batch"}),
        frozenset({"heads-merged-without-transpose", "heads-mixed-with-batch"}),
        frozenset({"scale-by-width", "scaled-twice"}),
        frozenset({"mask-fills-zero", "mask-fills-small"}),
        frozenset({"no-softmax", "scores-blended"}),
    },
    "attention-cost": set(),
    "batched-attention": OF_OUTPUTS,
    "torch-attention": OF_OUTPUTS,
    "gpu-attention": OF_OUTPUTS | {frozenset({"softmax-over-heads", "axis-fixed-for-2d"})},
    "kv-cache": OF_OUTPUTS - {frozenset({"mask-fills-zero", "mask-fills-small"})},
    "tiled-attention": {
        *OF_OUTPUTS,
        frozenset({"never-divided", "not-normalised"}),
        frozenset({"rescale-inverted", "nan-result"}),
    },
}
SCALED = OPERATIONS["scaled-scores"]


def named(operation: Operation, function: Callable[..., Any]) -> tuple[str, ...]:
    with np.errstate(all="ignore"):
        return diagnosis_of(operation).mistakes_of(lambda case: outcome(function, case))


def scores_times(factor: float) -> Callable[..., Any]:
    return lambda Q, K: SCALED.reference(Q, K) * factor


def scaled_scores_with(*variants: Variant) -> Operation:
    return replace(SCALED, variants=variants)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_variant_is_named_and_only_with_what_is_always_alike(name: str) -> None:
    pairs = set()
    for variant in OPERATIONS[name].variants:
        found = named(OPERATIONS[name], variant.function)
        assert variant.mistake in found, variant
        pairs |= {frozenset({variant.mistake, other}) for other in found if other != variant.mistake}
    assert pairs == ALWAYS_ALIKE[name]


@pytest.mark.parametrize(("slug", "mistakes", "body"), SAMPLES)
def test_learners_mistakes_are_named(slug: str, mistakes: tuple[str, ...], body: str) -> None:
    assert named(OPERATIONS[slug], compiled(slug, body)) == mistakes


@pytest.mark.parametrize(("slug", "mistakes", "body"), UNNAMED)
def test_nothing_is_named_falsely(slug: str, mistakes: tuple[str, ...], body: str) -> None:
    assert named(OPERATIONS[slug], compiled(slug, body)) == mistakes


def test_every_mistake_is_made_by_some_sample() -> None:
    made: dict[str, set[str]] = {name: set() for name in OPERATIONS}
    sample: Sample
    for sample in SAMPLES:
        made[sample[0]].update(sample[1])
    for name, operation in OPERATIONS.items():
        assert {variant.mistake for variant in operation.variants} == made[name] - {"nan-result"}


@pytest.mark.parametrize("name", OPERATIONS)
def test_right_solutions_show_no_mistake(name: str) -> None:
    for function in (OPERATIONS[name].reference, *RIGHT[name]):
        assert named(OPERATIONS[name], function) == ()


@pytest.mark.parametrize("number", [0.37, 2.718, 1000.0])
def test_any_number_typed_in_is_found_from_what_it_does(number: float) -> None:
    assert named(SCALED, lambda Q, K: Q @ K.T / number) == ("scale-constant",)
    body = f"e = np.exp(Q @ K.T / {number})\nw = e / e.sum(axis=1, keepdims=True)\nreturn w @ V, w"
    assert named(OPERATIONS["attention"], compiled("attention", body)) == ("scale-constant",)


def test_a_number_that_changes_with_the_case_is_not_typed_in() -> None:
    assert named(SCALED, lambda Q, K: Q @ K.T / (2.718 + Q.shape[1])) == ()


def test_what_equals_the_right_answer_everywhere_is_no_mistake() -> None:
    operation = scaled_scores_with(Variant("no-scale", "right", SCALED.reference))
    assert named(operation, SCALED.reference) == ()
    assert [variant.name for variant in diagnosis_of(operation).nameless()] == ["right"]


def test_code_that_raises_everywhere_shows_not_even_a_mistake_that_does() -> None:
    def raising(*_arguments: Any) -> None:
        raise ValueError

    operation = scaled_scores_with(Variant("no-scale", "raises", raising))
    assert named(operation, raising) == ()
    assert [variant.name for variant in diagnosis_of(operation).nameless()] == ["raises"]
    for shipped in OPERATIONS.values():
        assert named(shipped, raising) == ()


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_shipped_variant_can_be_named(name: str) -> None:
    assert diagnosis_of(OPERATIONS[name]).nameless() == ()


def test_nan_everywhere_is_named_before_what_explains_it_and_only_then() -> None:
    def nothing(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
        return np.full((len(Q), len(K)), np.nan)

    def nothing_in_a_row(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
        return np.concatenate([nothing(Q[:1], K), SCALED.reference(Q[1:], K)])

    multiplied = scaled_scores_with(Variant("mask-multiplied", "", nothing))
    assert named(multiplied, nothing) == ("nan-result", "mask-multiplied")
    in_a_row = scaled_scores_with(Variant("mask-multiplied", "", nothing_in_a_row))
    assert named(in_a_row, nothing_in_a_row) == ("mask-multiplied",)
    assert named(in_a_row, nothing) == ()


def test_best_match_comes_first() -> None:
    """Two mistakes within the tolerance of each other: the one that is nearer is named first."""
    operation = scaled_scores_with(
        Variant("first", "", scores_times(1.1)), Variant("second", "", scores_times(1.1 + 4e-7))
    )
    assert named(operation, scores_times(1.1)) == ("first", "second")
    assert named(operation, scores_times(1.1 + 4e-7)) == ("second", "first")
    assert named(operation, scores_times(1.1 + 3e-6)) == ()


def test_the_tolerance_is_the_callers() -> None:
    diagnosis = Diagnosis(scaled_scores_with(Variant("halved", "", scores_times(0.5))))
    nearly = scores_times(0.5001)
    assert diagnosis.mistakes_of(lambda case: outcome(nearly, case)) == ()
    assert diagnosis.mistakes_of(lambda case: outcome(nearly, case), rtol=1e-3) == ("halved",)


def test_several_variants_of_a_mistake_are_named_once() -> None:
    half = scores_times(0.5)
    assert named(scaled_scores_with(Variant("halved", "one", half), Variant("halved", "other", half)), half) == (
        "halved",
    )


def test_one_variant_must_explain_every_case() -> None:
    """The first variant up to the last case, there the second: neither is what was done."""
    one, other = scores_times(0.5), scores_times(0.25)
    diagnosis = Diagnosis(scaled_scores_with(Variant("halved", "one", one), Variant("halved", "other", other)))
    asked: list[Any] = []

    def answer(case: Any) -> Any:
        asked.append(case)
        return outcome(one if len(asked) < len(diagnosis.cases) else other, case)

    assert diagnosis.mistakes_of(answer) == ()
    assert asked == list(diagnosis.cases)


def test_it_asks_no_more_once_no_mistake_is_left() -> None:
    asked: list[Any] = []

    def answer(case: Any) -> Any:
        asked.append(case)
        return np.zeros((1, 1)) if len(asked) == 2 else case["Q"] @ case["K"].T

    assert diagnosis_of(SCALED).mistakes_of(answer) == ()
    assert len(asked) == 2


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_sample_never_leaves_out_an_equal_result(name: str) -> None:
    operation = OPERATIONS[name]
    for case in operation.diagnosis():
        results = [outcome(variant.function, case) for variant in operation.variants[::7]]
        samples = _Samples(results)
        for result in results:
            equal = {place for place, other in enumerate(results) if same_result(other, result)}
            assert equal <= set(samples.near(result, RTOL, ATOL))


@pytest.mark.parametrize(
    ("known", "result"),
    [
        (np.array([0.0, 5.0]), np.array([4e-9, 5.0])),  # allowed by the scale, which is 5
        (np.array([0.0, 5.0, np.inf]), np.array([4e-9, 5.0, np.inf])),
        ((np.zeros(2), np.full(2, 1e-3)), (np.full(2, 9e-10), np.full(2, 1e-3))),  # the scale of zeros is 1
        (np.array([np.nan, 1.0]), np.array([np.nan, 1.0])),
        (np.array([1, 2]), np.array([1.0, 2.0])),
        (10**30, 1e30),
        (RAISED, RAISED),
    ],
)
def test_a_sample_allows_what_the_comparison_allows(known: Any, result: Any) -> None:
    assert same_result(known, result)
    assert _Samples([known, np.zeros(13)]).near(result, RTOL, ATOL)[:1] == [0]


@pytest.mark.parametrize("name", OPERATIONS)
def test_comparing_equal_results_once_finds_what_comparing_each_does(name: str) -> None:
    operation = OPERATIONS[name]
    for case in operation.diagnosis():
        results = [outcome(variant.function, case) for variant in operation.variants[::3]]
        known = _Known(results)
        for among in range(len(results)), range(0, len(results), 5), range(3):
            for result in [*results[::11], RAISED, np.zeros((2, 3))]:
                equal = [place for place in among if same_result(results[place], result)]
                assert known.that_give(result, among, RTOL, ATOL) == equal


def test_results_are_one_only_where_they_cannot_be_told_apart() -> None:
    flat, column = np.arange(4.0), np.arange(4.0)[:, None]
    arrays = [flat, column, flat.astype(np.int64), flat[::-1], (flat, column), (flat, flat)]
    others = [1, 1.0, RAISED, None]
    assert len(_Known([*arrays, *others, *copy.deepcopy(arrays), *others])._distinct) == 10


def test_what_is_fitted_is_put_to_each_case_once() -> None:
    tried: list[int] = []

    def fitted(Q: np.ndarray, K: np.ndarray) -> Any:
        tried.append(len(Q))
        return Q @ K.T / 7.0

    diagnosis = Diagnosis(replace(SCALED, fit=lambda _case, _result: (Variant("scale-constant", "7", fitted),)))
    tried.clear()
    assert diagnosis.mistakes_of(lambda case: case["Q"] @ case["K"].T / 7.0) == ("scale-constant",)
    assert tried == [len(case["Q"]) for case in diagnosis.cases]


def test_a_fit_that_comes_late_must_explain_the_cases_before_it() -> None:
    """The answers are a known mistake's on the first case, and what is fitted to that explains only the second."""
    half = Variant("halved", "", scores_times(0.5))
    operation = replace(SCALED, variants=(half,), fit=lambda _case, _result: (Variant("scale-constant", "", tripled),))
    asked: list[Any] = []

    def tripled(Q: np.ndarray, K: np.ndarray) -> Any:
        return SCALED.reference(Q, K) * 3

    def answer(case: Any) -> Any:
        asked.append(case)
        return outcome(half.function if len(asked) == 1 else tripled, case)

    assert Diagnosis(operation).mistakes_of(answer) == ()
    assert len(asked) == 2


def test_a_sample_leaves_out_most() -> None:
    samples = _Samples([*(np.full((5, 7), float(i)) for i in range(100)), RAISED, 10**400])
    assert samples.near(np.full((5, 7), 41.0), RTOL, ATOL) == [41]
    assert samples.near(np.full((5, 17), 41.0), RTOL, ATOL) == []
    assert samples.near(RAISED, RTOL, ATOL) == samples.near("text", RTOL, ATOL) == [100]
    assert samples.near(10**400, RTOL, ATOL) == [101]


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


@pytest.mark.parametrize("name", ["batched-attention", "torch-attention", "gpu-attention"])
def test_diagnosis_sets_of_stacks_cover_both_flags_and_every_number_of_axes(name: str) -> None:
    cases = OPERATIONS[name].diagnosis()
    square = name == "gpu-attention"
    flags, tokens, distinct = set(), set(), 0
    for case in cases:
        Q, K, V, causal = case.values()
        flags.add((Q.ndim, causal))
        tokens.add((Q.shape[-2], K.shape[-2]))
        sizes = [*Q.shape, K.shape[-2], V.shape[-1]]
        different = len(sizes) - 2 * square
        distinct += len(set(sizes)) == different
    assert {(4, False), (4, True)} <= flags if square else {(2, False), (2, True), (3, True), (4, False)} <= flags
    assert len({queries for queries, _ in tokens}) > 1  # else their number is one more constant
    assert len({keys for _, keys in tokens}) > 1
    assert distinct >= 2
    assert not list(cases[0].values())[3]  # what a number typed in is fitted to


@pytest.mark.parametrize("number", [0.02, 0.37, 2.718, 1000.0])
@pytest.mark.parametrize("name", ["batched-attention", "torch-attention", "gpu-attention"])
def test_any_number_typed_in_is_found_from_the_output_alone(name: str, number: float) -> None:
    def divided(Q: Any, K: Any, V: Any, causal: bool) -> Any:
        scores = Q @ K.swapaxes(-1, -2) / number
        if causal:
            first = 1 + K.shape[-2] - Q.shape[-2] if name == "batched-attention" else 1
            scores = np.where(np.triu(np.ones(scores.shape[-2:]), first) == 1, -1e9, scores)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True) @ V

    assert named(OPERATIONS[name], divided) == ("scale-constant",)
