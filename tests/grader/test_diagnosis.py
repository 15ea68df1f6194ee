"""A session is asked for its mistake over the wire, case by case. What is named when: tests/attention_core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core.operation import Operation
from attention_core.operations import OPERATIONS
from grader.diagnosis import diagnose
from grader.inprocess import FunctionSession
from grader.wire import Call, CallResult, Outcome
from tests.grader.judged import put

TOLERANCE = {"rtol": 1e-6, "atol": 1e-9}
ATTENTION = OPERATIONS["attention"]


def named(operation: Operation, function: Callable[..., Any]) -> tuple[str, ...]:
    return diagnose(operation, put(operation, FunctionSession(function).call), **TOLERANCE)


def softmax_rows(scores: np.ndarray) -> Any:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention_with(
    scale: Callable[..., float] = lambda Q, *_: float(np.sqrt(Q.shape[1])),
    softmax: Callable[[np.ndarray], Any] = softmax_rows,
    returned: type[list[Any]] | type[tuple[Any, ...]] = tuple,
) -> Callable[..., Any]:
    def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        weights = softmax(Q @ K.T / scale(Q, K, V))
        return returned((weights @ V, weights))

    return attention


@pytest.mark.parametrize(
    ("function", "mistakes"),
    [
        (attention_with(scale=lambda *_: 1.0), ("no-scale",)),
        (attention_with(scale=lambda *_: 1.0, returned=list), ("no-scale",)),
        (attention_with(scale=lambda Q, *_: Q.shape[1]), ("scale-by-width", "scaled-twice")),
        (attention_with(scale=lambda *QKV: np.sqrt(QKV[2].shape[1])), ("scale-by-value-width",)),
        (attention_with(scale=lambda *_: 0.37), ("scale-constant",)),
        (attention_with(softmax=lambda s: np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)), ("overflow",)),
        (attention_with(softmax=lambda s: softmax_rows(s.T).T), ("softmax-over-queries",)),
        (attention_with(scale=lambda *_: 1.0, softmax=lambda s: softmax_rows(s.T).T), ()),
        (attention_with(), ()),
    ],
    ids=["none", "list", "width", "value width", "typed in", "overflow", "columns", "two at once", "right"],
)
def test_own_code_that_makes_a_mistake(function: Callable[..., Any], mistakes: tuple[str, ...]) -> None:
    assert named(ATTENTION, function) == mistakes


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_variant_is_named_and_the_reference_is_not(name: str) -> None:
    operation = OPERATIONS[name]
    assert named(operation, operation.reference) == ()
    for variant in operation.variants:
        assert variant.mistake in named(operation, variant.function), variant.name


def test_an_array_of_as_many_results_is_as_many_results() -> None:
    """As a check takes it too."""

    def stacked(x: np.ndarray, Wq: np.ndarray, Wk: np.ndarray, Wv: np.ndarray) -> np.ndarray:
        return np.stack([x @ Wq, x @ Wk, x @ Wk])

    square = {"x": np.eye(3), "Wq": np.eye(3), "Wk": 2 * np.eye(3), "Wv": 3 * np.eye(3)}
    operation = Operation(**{**vars(OPERATIONS["qkv-projections"]), "diagnosis": lambda: [square]})
    assert named(operation, stacked) == ("keys-as-values",)


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

    assert diagnose(ATTENTION, put(ATTENTION, call), **TOLERANCE) == ()
    assert len(calls) == 1


@pytest.mark.parametrize("outcome", [Outcome.TIMEOUT, Outcome.CRASHED, Outcome.TOO_LARGE, Outcome.GARBLED])
def test_a_session_that_ends_names_nothing_and_is_asked_no_more(outcome: Outcome) -> None:
    calls: list[Call] = []

    def call(one: Call) -> CallResult:
        calls.append(one)
        unscaled = FunctionSession(attention_with(scale=lambda *_: 1.0))
        return unscaled.call(one) if len(calls) == 1 else CallResult(outcome)

    assert diagnose(ATTENTION, put(ATTENTION, call), **TOLERANCE) == ()
    assert len(calls) == 2
