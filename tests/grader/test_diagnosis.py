"""A mistake is named when a submission behaves as it does everywhere, and never otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core.comparison import RAISED, same_result
from attention_core.operation import Operation, Variant
from attention_core.operations import OPERATIONS
from grader.diagnosis import diagnose
from grader.inprocess import FunctionSession
from grader.outlines import Outlines
from grader.wire import Call, CallResult, Outcome

TOLERANCE = {"rtol": 1e-6, "atol": 1e-9}
ATTENTION = OPERATIONS["attention"]


def named(operation: Operation, function: Callable[..., Any]) -> tuple[str, ...]:
    return diagnose(operation, operation.entry, FunctionSession(function).call, **TOLERANCE)


def softmax_rows(scores: np.ndarray) -> Any:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention_with(
    scale: Callable[..., float] = lambda Q, *_: float(np.sqrt(Q.shape[1])),
    softmax: Callable[[np.ndarray], Any] = softmax_rows,
) -> Callable[..., Any]:
    def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        weights = softmax(Q @ K.T / scale(Q, K, V))
        return weights @ V, weights

    return attention


@pytest.mark.parametrize(
    ("function", "mistakes"),
    [
        (attention_with(scale=lambda *_: 1.0), ("no-scale",)),
        (attention_with(scale=lambda Q, *_: Q.shape[1]), ("scale-by-width", "scaled-twice")),
        (attention_with(scale=lambda *QKV: np.sqrt(QKV[2].shape[1])), ("scale-by-value-width",)),
        (attention_with(softmax=lambda s: np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)), ("overflow",)),
        (attention_with(softmax=lambda s: softmax_rows(s.T).T), ("softmax-over-queries",)),
        (attention_with(), ()),
    ],
    ids=["none", "width", "value width", "overflow", "columns", "right"],
)
def test_own_code_that_makes_a_mistake(function: Callable[..., Any], mistakes: tuple[str, ...]) -> None:
    assert named(ATTENTION, function) == mistakes


@pytest.mark.parametrize("number", [0.37, 2.718, 1000.0, -1.5])
def test_any_number_typed_in_is_found_from_what_it_does(number: float) -> None:
    assert named(ATTENTION, attention_with(scale=lambda *_: number)) == ("scale-constant",)
    assert named(OPERATIONS["scaled-scores"], lambda Q, K: Q @ K.T / number) == ("scale-constant",)


def test_a_number_that_changes_with_the_case_is_not_typed_in() -> None:
    assert named(ATTENTION, attention_with(scale=lambda Q, *_: 2.718 + Q.shape[1])) == ()


def test_two_mistakes_at_once_are_not_named() -> None:
    both = attention_with(scale=lambda *_: 1.0, softmax=lambda s: softmax_rows(s.T).T)
    assert named(ATTENTION, both) == ()


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_variant_is_named_and_the_reference_is_not(name: str) -> None:
    operation = OPERATIONS[name]
    assert named(operation, operation.reference) == ()
    for variant in operation.variants[:: max(1, len(operation.variants) // 60)]:
        assert variant.mistake in named(operation, variant.function), variant.name


def test_a_mistake_on_all_cases_but_the_last_is_not_named() -> None:
    cases, calls = len(ATTENTION.diagnosis()), []

    def nearly(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        calls.append(1)
        scale = (lambda *_: 1.0) if len(calls) < cases else (lambda *_: 1.0001)
        return attention_with(scale=scale)(Q, K, V)

    assert named(ATTENTION, nearly) == ()
    assert len(calls) == cases


def test_code_that_raises_everywhere_is_not_named() -> None:
    def raises(*_arguments: Any) -> None:
        raise ValueError("no")

    assert named(ATTENTION, raises) == ()


def test_an_exception_counts_where_the_mistake_raises() -> None:
    def forgotten_keepdims(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        powers = np.exp(scores - scores.max(axis=1))
        weights = powers / powers.sum(axis=1)
        return weights @ V, weights

    assert named(ATTENTION, forgotten_keepdims) == ("missing-keepdims",)


def test_stops_at_the_first_case_that_leaves_nothing() -> None:
    calls: list[Call] = []

    def call(one: Call) -> CallResult:
        calls.append(one)
        return FunctionSession(lambda *_: (np.zeros((1, 1)), np.zeros((1, 1)))).call(one)

    assert diagnose(ATTENTION, "attention", call, **TOLERANCE) == ()
    assert len(calls) == 1


@pytest.mark.parametrize("outcome", [Outcome.TIMEOUT, Outcome.CRASHED, Outcome.TOO_LARGE, Outcome.GARBLED])
def test_a_session_that_ends_names_nothing(outcome: Outcome) -> None:
    assert diagnose(ATTENTION, "attention", lambda _call: CallResult(outcome), **TOLERANCE) == ()


def test_best_match_comes_first() -> None:
    """Two mistakes within the tolerance of each other: the one that is nearer is named first."""

    def near(offset: float) -> Callable[..., Any]:
        return lambda Q, K, V: tuple(result * (1.1 + offset) for result in ATTENTION.reference(Q, K, V))

    variants = (Variant("first", "", near(0.0)), Variant("second", "", near(4e-7)))
    operation = Operation(**{**vars(ATTENTION), "variants": variants})
    assert named(operation, near(0.0)) == ("first", "second")
    assert named(operation, near(4e-7)) == ("second", "first")
    assert named(operation, near(3e-6)) == ()


def test_several_variants_of_a_mistake_are_named_once() -> None:
    def half(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        return tuple(result / 2 for result in ATTENTION.reference(Q, K, V))

    variants = (Variant("halved", "one", half), Variant("halved", "other", half))
    operation = Operation(**{**vars(ATTENTION), "variants": variants})
    assert named(operation, half) == ("halved",)


@pytest.mark.parametrize("name", OPERATIONS)
def test_outlines_never_leave_out_an_equal_result(name: str) -> None:
    operation = OPERATIONS[name]
    for case in operation.diagnosis():
        results = [_run(function.function, case) for function in operation.variants[::7]]
        outlines = Outlines(results)
        for result in results:
            equal = [i for i, other in enumerate(results) if same_result(other, result, **TOLERANCE)]
            assert set(equal) <= set(outlines.near(result, range(len(results)), **TOLERANCE))


def test_outlines_leave_out_most() -> None:
    results = [np.full((5, 7), float(i)) for i in range(100)]
    assert Outlines(results).near(np.full((5, 7), 41.0), range(100), **TOLERANCE) == [41]
    assert Outlines(results).near(np.full((7, 5), 41.0), range(100), **TOLERANCE) == []
    assert Outlines(results).near("text", range(100), **TOLERANCE) == []


def _run(function: Callable[..., Any], case: dict[str, Any]) -> Any:
    try:
        return function(*(value.copy() if isinstance(value, np.ndarray) else value for value in case.values()))
    except Exception:  # noqa: BLE001 to raise is how some mistakes behave
        return RAISED
