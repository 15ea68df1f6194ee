"""kv-cache: its reference against plain Python, its cases, and what its diagnosis names."""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core import OPERATIONS, Arguments, Diagnosis, compare, diagnosis_of, outcome, worked_example
from attention_core.mistakes.cache import RECOMPUTES_PAST, fit_kv_cache
from tests.attention_core import independent
from tests.attention_core.cache_code import SAMPLES, STYLES, Changes, body
from tests.attention_core.learners import compiled
from tests.attention_core.test_cases import cases
from tests.attention_core.test_diagnosis import ALWAYS_ALIKE, named

OPERATION = OPERATIONS["kv-cache"]
# Two mistakes that together are a third.
TOGETHER_A_THIRD = {
    frozenset({"query-from-key-matrix", "key-from-query-matrix"}): {"query-key-swapped"},
    frozenset({"normalised-without-exp", "not-normalised"}): {"no-softmax", "scores-blended"},
    frozenset({"no-softmax", "scores-blended", "uniform-over-past"}): {"softmax-over-queries"},  # all weights 1
}


def compiled_body(body_of: str) -> Callable[..., Any]:
    return compiled("kv-cache", body_of)


def named_of(function: Callable[..., Any]) -> tuple[str, ...]:
    return named(OPERATION, function)


def scores_of(case: Arguments) -> Any:
    return case["Q"] @ case["K"].T / np.sqrt(case["Q"].shape[1])


def test_it_is_called_in_steps() -> None:
    assert (OPERATION.calling, OPERATION.entry) == ("steps", "step")
    assert OPERATION.signature == "start() and step(cache, q_t, k_t, v_t)"


def test_two_mistakes_at_once_name_no_third() -> None:
    false, both = [], 0
    for (first, style, one), (second, other_style, two) in itertools.combinations(SAMPLES, 2):
        if style != other_style or set(first) & set(second):
            continue
        try:
            function = compiled_body(body(style, {**one, **two}))
        except (ValueError, SyntaxError):
            continue  # the changes overlap
        both += 1
        made = {*first, *second}
        alike = set().union(*(pair for pair in ALWAYS_ALIKE[OPERATION.name] if pair & made))
        if not set(found := named_of(function)) <= made | alike | TOGETHER_A_THIRD.get(frozenset(made), set()):
            false.append((first, second, style, found))
    assert false == []
    assert both > 200


def test_every_mistake_is_made_in_two_ways_at_least() -> None:
    made = collections.Counter(mistake for mistakes, _, _ in SAMPLES for mistake in mistakes)
    assert {mistake for mistake, count in made.items() if count >= 2} == {v.mistake for v in OPERATION.variants}


@pytest.mark.parametrize("sample", RECOMPUTES_PAST, ids=lambda sample: sample.name)
def test_samples_that_compute_the_past_again_are_right_otherwise(sample: Any) -> None:
    assert named_of(sample.function) == ()
    for case in cases(OPERATION, 3):
        assert compare(OPERATION.reference(**case), outcome(sample.function, case)) is None


@pytest.mark.parametrize("number", [0.37, 2.718, 25.0])
@pytest.mark.parametrize("changes", [{}, {"s - s.max()": "s"}])
def test_any_number_typed_in_is_found_from_what_it_does(number: float, changes: Changes) -> None:
    function = compiled_body(body("lists", {"np.sqrt(len(q_t))": str(number), **changes}))
    assert named_of(function) == ("scale-constant",)


@pytest.mark.parametrize("result", [None, np.full((5, 7), np.nan), np.zeros((5, 6)), np.zeros(()), "text", (1, 2)])
def test_no_number_is_fitted_to_what_is_no_output(result: Any) -> None:
    assert fit_kv_cache(OPERATION.diagnosis()[0], result) == ()


@pytest.mark.parametrize("seed", range(20))
def test_the_reference_is_the_softmax_of_plain_python(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tokens, width, values = (int(size) for size in rng.integers(1, 12, 3))
    Q, K, V = (rng.normal(size=(tokens, size)) * 3 for size in (width, width, values))
    expected, _ = independent.attention(Q.tolist(), K.tolist(), V.tolist(), causal=True)
    np.testing.assert_allclose(OPERATION.reference(Q, K, V), expected, rtol=1e-12, atol=1e-12)


def test_the_worked_example_is_the_lessons() -> None:
    case, example = OPERATION.worked(), worked_example()
    output = OPERATION.reference(**case)
    np.testing.assert_allclose(output[-1], example.output[-1], rtol=1e-15)  # the last word sees all of them
    np.testing.assert_array_equal(output[0], case["V"][0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones((3, 2)), np.ones((2, 2)), np.ones((3, 2))), r"K must have shape \(3, 2\).*tokens of Q.*got \(2, 2\)"),
        ((np.ones((3, 2)), np.ones((3, 2)), np.ones((2, 2))), r"V must have shape \(3, 2\).*tokens of Q.*got \(2, 2\)"),
        ((np.ones(3), np.ones((3, 2)), np.ones((2, 2))), r"Q must be a matrix \(T, d\), got shape \(3,\)"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OPERATION.reference(*arguments)


@pytest.mark.parametrize("seed", range(10))
def test_extremes_are_extreme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    extremes = {name: build(rng) for name, build in OPERATION.extremes.items()}
    assert [len(case["Q"]) for name in ("one-step", "many-steps") for case in extremes[name]] == [1, 31]
    high, low, _ = extremes["huge-scores"]
    assert scores_of(high).min() > 9_500
    assert scores_of(low).max() < -9_500
    _, up, _, down = (scores_of(case)[-1] for case in extremes["rising-scores"])
    assert (np.diff(up) > 250).all()
    assert (np.diff(down) < -250).all()
    for case in extremes["all-equal-scores"]:
        assert np.ptp(scores_of(case), axis=1).max() < 1e-12


def test_diagnosis_is_quick() -> None:
    """Of processor time, the least of several, since others may be at work on the machine."""
    started = time.process_time()
    Diagnosis(OPERATION)
    assert time.process_time() - started < 0.7
    wrong, diagnosis, took = compiled_body(body("lists", {"len(q_t)": "len(v_t)"})), diagnosis_of(OPERATION), []
    for _ in range(5):
        started = time.process_time()
        assert diagnosis.mistakes_of(lambda case: outcome(wrong, case)) == ("scale-by-value-width",)
        took.append(time.process_time() - started)
    assert min(took) < 0.01


def test_the_styles_are_different_code() -> None:
    lines = [{line.strip() for line in source.splitlines() if line.strip()} for source in STYLES.values()]
    for one, other in itertools.combinations(lines, 2):
        assert len(one & other) < len(one) / 2
