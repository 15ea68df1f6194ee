"""A case of steps is put to a session as start() and one step a row, and comes back as one call of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core.operations import OPERATIONS
from grader.calling import StepsResult, load, perform
from grader.checks.values import decode, encode
from grader.judging import judge
from grader.verdicts import Job, Report, Status, Visibility
from grader.wire import Call, CallResult, Kind, Outcome, Value
from tests.grader.judged import EndsSessionError, StepsSandbox, StepsSession
from tests.verdicts.exercise import check, exercise

SHOWN, HIDDEN = Visibility.SHOWN, Visibility.HIDDEN
Step = Callable[..., Any]


def start() -> list[Any]:
    return []


def right(cache: list[Any], q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Any:
    cache.append((k, v))
    keys, values = (np.array(rows) for rows in zip(*cache, strict=True))
    powers = np.exp(keys @ q / np.sqrt(q.size) - (keys @ q).max() / np.sqrt(q.size))
    return powers / powers.sum() @ values, cache


def summing(cache: list[Any], q: np.ndarray, _k: np.ndarray, _v: np.ndarray) -> Any:
    """The sum of the queries so far: easy on paper."""
    cache.append(q)
    return np.sum(cache, axis=0), cache


def call(*rows: list[list[float]], back: bool = False) -> Call:
    return Call("step", tuple(encode(np.array(each)) for each in rows), arguments_back=back)


ROWS: list[list[float]] = [[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]


def performed(step: Step, *calls: Call) -> list[CallResult]:
    return perform("steps", calls, StepsSession(start, step).call)


def judged(step: Step, *checks: Any, start: Callable[..., Any] | None = start) -> Report:
    return judge(Job(exercise("kv-cache", *checks), b"# line 1\n", 7), StepsSandbox(start, step))


# ---- Performing -----------------------------------------------------------------------------------------------------


def test_outputs_are_stacked_a_row_for_each_step() -> None:
    (result,) = performed(summing, call(ROWS, ROWS, ROWS))
    assert result.value is not None
    assert decode(result.value).tolist() == [[1, 2], [4, 6], [9, 13]]
    assert (result.outcome, result.stdout, result.wall_ms) == (Outcome.RETURNED, b"called\n" * 4, 8.0)


def test_the_calls_are_start_and_a_step_for_each_row_with_the_cache_kept_inside() -> None:
    session = StepsSession(start, summing)
    perform("steps", [call(ROWS, ROWS, [[9.0], [8.0], [7.0]])], session.call)
    begin, *steps = session.calls
    assert (begin.entry, begin.args, begin.keep_item) == ("start", (), None)
    assert [each.entry for each in steps] == ["step"] * 3
    assert {each.args[0] for each in steps} == {Value(Kind.KEPT, text=begin.keep)}
    assert [decode(value).tolist() for value in steps[1].args[1:]] == [[3, 4], [3, 4], [8]]
    # A thousand steps are held at once: each may be large, but not as large as a whole result.
    assert {each.reply_bytes for each in steps} == {64 * 1024}


def test_two_sequences_are_stepped_in_turn_and_each_has_a_cache_of_its_own() -> None:
    session = StepsSession(start, summing)
    longer, shorter = call(ROWS, ROWS, ROWS), call(ROWS[:2], ROWS[:2], ROWS[:2])
    first, second = perform("steps", [longer, shorter], session.call)
    assert first.value is not None
    assert second.value is not None
    assert decode(first.value).tolist() == [[1, 2], [4, 6], [9, 13]]
    assert decode(second.value).tolist() == [[1, 2], [4, 6]]
    caches = [each.args[0].text if each.args else "" for each in session.calls]
    assert caches[:6] == ["", "", *caches[2:4] * 2]
    assert len(set(caches)) == 3


def test_changed_rows_come_back_changed() -> None:
    def doubles_keys(cache: list[Any], q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Any:
        k *= 2
        return summing(cache, q, k, v)

    sent = call(ROWS, ROWS, ROWS, back=True)
    (result,) = performed(doubles_keys, sent)
    assert [back == given for back, given in zip(result.arguments, sent.args, strict=True)] == [True, False, True]
    assert decode(result.arguments[1]).tolist() == [[2, 4], [6, 8], [10, 14]]


def test_a_function_is_called_as_it_is() -> None:
    calls: list[Call] = []

    def ask(one: Call) -> CallResult:
        calls.append(one)
        return CallResult(Outcome.TIMEOUT if len(calls) == 2 else Outcome.RETURNED)

    one = call(ROWS)
    assert [result.outcome for result in perform("function", [one] * 3, ask)] == [Outcome.RETURNED, Outcome.TIMEOUT]
    assert calls == [one, one]


@pytest.mark.parametrize("last", [0, 1, 2])
def test_what_ends_a_session_ends_the_sequence(last: int) -> None:
    def ends(cache: list[Any], *rows: np.ndarray) -> Any:
        if len(cache) == last:
            raise EndsSessionError(Outcome.TIMEOUT)
        return summing(cache, *rows)

    session = StepsSession(start, ends)
    results = perform("steps", [call(ROWS, ROWS, ROWS)], session.call)
    assert [result.outcome for result in results] == [Outcome.TIMEOUT]
    assert len(session.calls) == last + 2
    assert results[0].stdout == b"called\n" * (last + 1) + b"end\n"


def test_nothing_is_asked_of_another_sequence_once_the_session_has_ended() -> None:
    def ends(cache: list[Any], *rows: np.ndarray) -> Any:
        raise EndsSessionError(Outcome.MEMORY)

    session = StepsSession(start, ends)
    results = perform("steps", [call(ROWS, ROWS, ROWS)] * 2, session.call)
    assert [result.outcome for result in results] == [Outcome.MEMORY]
    assert [each.entry for each in session.calls] == ["start", "start", "step"]


def test_both_functions_are_looked_for() -> None:
    assert load("steps", "step", StepsSession(start, right)).outcome is Outcome.RETURNED
    missing = load("steps", "step", StepsSession(None, right))
    assert (missing.outcome, isinstance(missing, StepsResult)) == (Outcome.NO_ENTRY, True)


# ---- What is said ---------------------------------------------------------------------------------------------------


def test_right_steps_pass_every_kind_of_check() -> None:
    properties = ("two-sequences", "prefix-consistent", "values-shifted", "zero-padded-width", "output-within-values")
    checks = [check("property", HIDDEN, property=each) for each in properties]
    report = judged(right, check("worked", SHOWN), check("random", HIDDEN), check("unchanged", HIDDEN), *checks)
    assert report.passed, [one.message for one in report.checks if one.message]


def test_a_missing_start_is_told_before_anything_is_called() -> None:
    report = judged(right, check("worked", SHOWN), check("random", SHOWN), start=None)
    assert report.status is Status.ERROR
    assert report.message.startswith("Your code defines no function start. Expected: ")
    assert report.checks[1].message == "Not run: the code could not be loaded."


@pytest.mark.parametrize(
    ("returned", "said", "mistakes"),
    [
        (lambda output, _: output, "Step 0 returned an array of shape (2,); expected a pair (output_t, cache).", ()),
        (lambda output, cache: (output, cache, 1), "Step 0 returned a sequence of 3; expected a pair", ()),
        (
            lambda _output, _cache: None,
            "Step 0 returned None; expected a pair (output_t, cache). Is a `return` missing?",
            ("not-an-array",),
        ),
        (
            lambda output, cache: (output[None], cache),
            "output of step 0 has shape (1, 2); expected (2,).",
            ("wrong-shape",),
        ),
        (
            lambda output, cache: (output if len(cache) < 3 else output[:1], cache),
            "output of step 2 has shape (1,); expected (2,).",
            ("wrong-shape",),
        ),
        (
            lambda output, cache: (output.astype(np.float32), cache),
            "output of step 0 has dtype float32; expected float64.",
            ("wrong-dtype",),
        ),
        (
            lambda output, cache: (output.tolist(), cache),
            "output of step 0 is a sequence of 2; expected an array of shape (2,), float64. Return (output_t, cache)",
            ("not-an-array",),
        ),
    ],
)
def test_the_step_that_returned_something_else_is_named(
    returned: Callable[..., Any], said: str, mistakes: tuple[str, ...]
) -> None:
    report = judged(lambda *arguments: returned(*right(*arguments)), check("worked", SHOWN))
    assert (report.status, report.mistakes) == (Status.FAILED, mistakes)
    assert said in report.checks[0].message


def test_the_step_that_raised_is_named() -> None:
    def third_raises(cache: list[Any], *rows: np.ndarray) -> Any:
        if len(cache) == 2:
            raise ValueError("no")
        return right(cache, *rows)

    report = judged(third_raises, check("worked", SHOWN), check("random", HIDDEN))
    assert report.status is Status.ERROR
    assert report.checks[0].message == "In step 2 your code raised ValueError at line 1: no."
    assert report.checks[1].message == "In step 2 your code raised ValueError at line 1."


def test_a_start_that_raises_is_named() -> None:
    report = judged(right, check("worked", SHOWN), start=lambda: 1 / 0)
    assert report.checks[0].message == "In start() your code raised ZeroDivisionError at line 1: division by zero."


def test_steps_of_other_arguments_are_told_what_they_are_called_with() -> None:
    def backwards(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Any:
        raise AssertionError

    (told,) = judged(backwards, check("worked", SHOWN)).checks
    assert told.message == "step(cache, q_t, k_t, v_t) was called with 4 arguments, yours is step(q, k, v)." or (
        told.message.startswith("step(cache, q_t, k_t, v_t) was called with 4 arguments, yours is step(q: ")
    )


def test_changed_vectors_are_named() -> None:
    def scales(cache: list[Any], q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Any:
        result = right(cache, q, k.copy(), v)
        k *= 2
        return result

    report = judged(scales, check("unchanged", HIDDEN))
    assert report.mistakes == ("mutates-input",)
    assert "k_t came back changed" in report.checks[0].message


def test_one_cache_for_all_sequences_breaks_two_of_them() -> None:
    shared: list[Any] = []

    def start_anew() -> list[Any]:
        shared.clear()
        return shared

    checks = [check("worked", SHOWN), check("property", SHOWN, property="two-sequences")]
    report = judged(right, *checks, start=start_anew)
    assert [one.status for one in report.checks] == [Status.PASSED, Status.FAILED]
    assert "of two sequences" in report.checks[1].message


def test_a_mistake_made_in_steps_is_named() -> None:
    def unscaled(cache: list[Any], q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Any:
        return right(cache, q * np.sqrt(q.size), k, v)

    assert judged(unscaled, check("random", HIDDEN)).mistakes == ("no-scale",)


def test_reference_and_independent_steps_agree() -> None:
    arguments = OPERATIONS["kv-cache"].draw(np.random.default_rng(3), OPERATIONS["kv-cache"].default_sizes, 1.0)
    (result,) = performed(right, Call("step", tuple(map(encode, arguments.values()))))
    assert result.value is not None
    np.testing.assert_allclose(decode(result.value), OPERATIONS["kv-cache"].reference(**arguments), rtol=1e-12)
