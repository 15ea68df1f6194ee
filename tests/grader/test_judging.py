"""Judging: order of calls, endings, statuses of the whole, what is printed, what may be told, and faults of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from attention_core.operations import OPERATIONS
from grader.checks.kind import CheckSpecError
from grader.checks.values import encode
from grader.endings import ENDINGS
from grader.inprocess import FunctionSession
from grader.judging import judge
from grader.reporting import PRECEDENCE, whole
from grader.reports import points_to_text, report_to_json
from grader.source import SourceRefused, normalise_source
from grader.specs import SpecError, exercise_spec
from grader.verdicts import ExerciseSpec, Job, Report, Status, Visibility
from grader.wire import Call, CallResult, CodeError, Kind, Outcome, Value
from tests.grader.judged import ScriptedSandbox, judged
from tests.verdicts.exercise import CHECKS, check, exercise

REFERENCE = OPERATIONS["attention"].reference
RIGHT = FunctionSession(REFERENCE)
SHOWN_CALLS, ALL_CALLS = 2, 13
Answer = Callable[[int, Call], CallResult]


def run(answer: Answer, spec: ExerciseSpec | None = None, **loaded: Any) -> tuple[Report, ScriptedSandbox]:
    sandbox = ScriptedSandbox(answer, CallResult(**loaded) if loaded else None)
    return judge(Job(spec or exercise(), b"x = 1\n" * 30, 5), sandbox), sandbox


def right(_number: int, call: Call) -> CallResult:
    return RIGHT.call(call)


def then(number: int, result: CallResult) -> Answer:
    """Right up to call `number`, which comes to `result`."""
    return lambda each, call: result if each == number else RIGHT.call(call)


def wrong(_number: int, call: Call) -> CallResult:
    returned = RIGHT.call(call)
    assert returned.value is not None
    return replace(returned, value=Value(Kind.SEQUENCE, items=returned.value.items[::-1]))


# ---- Order and secrecy ----------------------------------------------------------------------------------------------


def test_calls_of_shown_checks_come_first_and_results_keep_the_order_of_the_exercise() -> None:
    report, sandbox = run(right)
    assert report.passed
    assert [one.id for one in report.checks] == [one.id for one in CHECKS]
    assert len(sandbox.session.calls) == ALL_CALLS
    worked = OPERATIONS["attention"].worked()
    assert sandbox.session.calls[0].args == tuple(encode(argument) for argument in worked.values())
    assert [call.arguments_back for call in sandbox.session.calls] == [False] * (ALL_CALLS - 1) + [True]


def test_only_what_loading_and_shown_calls_print_is_kept() -> None:
    def answer(number: int, call: Call) -> CallResult:
        return replace(RIGHT.call(call), stdout=f"call {number}\n".encode())

    report, _ = run(answer, outcome=Outcome.RETURNED, stdout=b"loading\xff\n", signature="(Q, K, V)")
    assert report.stdout == "loading\N{REPLACEMENT CHARACTER}\ncall 0\ncall 1\n"


def test_much_output_is_cut_in_the_middle() -> None:
    report, _ = run(right, outcome=Outcome.RETURNED, stdout=b"a" * 50_000 + b"z" * 50_000)
    assert report.stdout.startswith("aaa")
    assert report.stdout.endswith("zzz")
    assert "\n[34,464 bytes left out]\n" in report.stdout
    assert len(report.stdout) < 66_000


def test_nothing_of_a_hidden_input_is_told_of_a_hidden_check() -> None:
    def tells_all(number: int, call: Call) -> CallResult:
        secret = f"Q starts with {np.frombuffer(call.args[0].data)[0]!r} secret"
        if number % 3 == 0:
            error = CodeError(secret if number % 2 else "ValueError", secret, line=10**9 + 7, traceback=secret)
            return CallResult(Outcome.RAISED, error=error, stdout=secret.encode(), signature=f"(Q, {secret})")
        kinds = [Value(Kind.TEXT, text=secret), Value(Kind.OTHER, text=secret)]
        return CallResult(Outcome.RETURNED, value=kinds[number % 2], arguments=call.args, stdout=secret.encode())

    hidden = [one for one in CHECKS if one.visibility is not Visibility.SHOWN]
    report, _ = run(tells_all, exercise("attention", *hidden))
    told = json.dumps(report_to_json(report))
    assert "secret" not in told
    assert "1000000007" not in told
    assert report.status is Status.FAILED


def test_no_hidden_input_is_told_by_the_shape_of_a_result() -> None:
    def folds_an_input_into_a_shape(number: int, call: Call) -> CallResult:
        made_up = Value(Kind.ARRAY, dtype="<f8", shape=(0, 777_777 + number, 777_777))
        both = Value(Kind.SEQUENCE, items=(made_up, made_up))
        return CallResult(Outcome.RETURNED, value=both if number % 2 else made_up, arguments=call.args)

    for visibility in Visibility:
        checks = [one for one in CHECKS if one.visibility is visibility]
        report, _ = run(folds_an_input_into_a_shape, exercise("attention", *checks))
        told = "777777" in json.dumps(report_to_json(report))
        assert told is (visibility is Visibility.SHOWN)


def test_only_lines_of_the_source_are_believed() -> None:
    believed = {30: "ValueError at line 30.", 31: "ValueError at line 31.", 32: "ValueError.", 0: "ValueError."}
    for line, told in believed.items():
        raised = CallResult(Outcome.RAISED, error=CodeError("ValueError", "", line=line))
        report, _ = run(then(SHOWN_CALLS, raised))
        assert told in report.checks[0].message


def test_what_raised_is_not_told_what_its_results_would_have_been_told() -> None:
    report, _ = run(lambda *_: CallResult(Outcome.RAISED, error=CodeError("ValueError", "", line=3)))
    assert {one.message for one in report.checks} == {"Your code raised ValueError at line 3."}


def test_a_signature_is_the_one_from_before_any_input() -> None:
    raised = CallResult(Outcome.RAISED, error=CodeError("TypeError", "takes 2"), signature="(secret)")
    report, _ = run(lambda *_: raised, outcome=Outcome.RETURNED, signature="(Q, K)")
    told = "attention(Q, K, V) was called with 3 arguments, yours is attention(Q, K)."
    assert report.checks[0].message.startswith(told)
    assert report.status is Status.ERROR


# ---- Endings --------------------------------------------------------------------------------------------------------


def test_the_table_names_every_outcome() -> None:
    assert set(ENDINGS) == set(Outcome)
    assert {outcome for outcome, ending in ENDINGS.items() if ending is None} == {
        Outcome.RETURNED,
        Outcome.RAISED,
        Outcome.NO_ENTRY,
    }
    assert all(ending.status is not Status.PASSED for ending in ENDINGS.values() if ending)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.TIMEOUT, Status.TIMEOUT),
        (Outcome.MEMORY, Status.MEMORY),
        (Outcome.OUTPUT, Status.OUTPUT),
        (Outcome.EXITED, Status.CRASHED),
        (Outcome.CRASHED, Status.CRASHED),
        (Outcome.GARBLED, Status.CRASHED),
        (Outcome.TOO_LARGE, Status.FAILED),
    ],
)
def test_what_ends_a_session_is_its_checks_status_and_the_rest_is_skipped(outcome: Outcome, status: Status) -> None:
    report, sandbox = run(then(SHOWN_CALLS, CallResult(outcome)))  # in the first hidden check
    assert report.status is status
    assert [one.status for one in report.checks] == [status, Status.PASSED, Status.PASSED, *[Status.SKIPPED] * 4]
    assert report.points == Decimal("2.5")
    assert len(sandbox.session.calls) == SHOWN_CALLS + 1
    ended = report.checks[0]
    assert ended.message
    assert report.checks[3].message == f"Not run: the session had ended in the check {ended.id}."
    assert report.mistakes == ()


@pytest.mark.parametrize("outcome", [outcome for outcome, ending in ENDINGS.items() if ending])
def test_what_ends_the_session_while_loading_is_the_status_of_all(outcome: Outcome) -> None:
    ending = ENDINGS[outcome]
    assert ending is not None
    report, sandbox = run(right, outcome=outcome, stdout=b"so far\n")
    assert {one.status for one in report.checks} == {ending.status} == {report.status}
    assert report.checks[0].message == report.message != ""
    assert report.stdout == "so far\n"
    assert sandbox.session.calls == []


def test_a_reply_that_contradicts_itself_ends_the_session() -> None:
    broken = Value(Kind.ARRAY, dtype="<f8", shape=(3,), data=b"short")
    report, sandbox = run(then(SHOWN_CALLS, CallResult(Outcome.RETURNED, value=broken)))
    assert report.checks[0].status is Status.CRASHED
    assert "could not be read" in report.checks[0].message
    assert report.checks[3].status is Status.SKIPPED
    assert len(sandbox.session.calls) == SHOWN_CALLS + 2  # the rest of the same check, and no other


def test_arguments_that_do_not_come_back_as_asked_are_no_proof_of_anything() -> None:
    report, _ = run(lambda _number, call: replace(RIGHT.call(call), arguments=()))
    assert report.checks[-1].status is Status.CRASHED


def test_limits_are_told() -> None:
    for outcome, told in (
        (Outcome.TIMEOUT, "after 1 seconds"),
        (Outcome.MEMORY, "more than the 128 MB"),
        (Outcome.OUTPUT, "more than 1,000,000 bytes"),
        (Outcome.EXITED, "os._exit"),
    ):
        report, sandbox = run(then(0, CallResult(outcome)))
        assert told in report.checks[1].message
        assert sandbox.limits == [exercise().limits]


def test_an_outcome_that_is_not_in_the_table_is_our_fault() -> None:
    with pytest.raises(KeyError):
        run(then(0, CallResult("astonished")))  # type: ignore[arg-type]


@pytest.mark.parametrize("result", [CallResult(Outcome.RETURNED), CallResult(Outcome.RAISED)])
def test_a_sandbox_that_keeps_something_back_is_our_fault(result: CallResult) -> None:
    with pytest.raises(ValueError, match="carries no"):
        run(then(0, result))


def test_a_fault_of_the_sandbox_goes_through() -> None:
    def fails(_number: int, _call: Call) -> CallResult:
        raise RuntimeError("the jail is gone")

    with pytest.raises(RuntimeError, match="the jail is gone"):
        run(fails)


# ---- The whole ------------------------------------------------------------------------------------------------------


def test_the_precedence_is_the_contracts() -> None:
    names = "refused fault timeout memory output crashed failed error"
    assert [status.value for status in PRECEDENCE] == names.split()
    for index, status in enumerate(PRECEDENCE):
        assert whole([Status.PASSED, Status.SKIPPED, *PRECEDENCE[index:]]) is status


def test_passed_only_if_a_check_passed() -> None:
    assert whole([Status.PASSED, Status.SKIPPED]) is Status.PASSED
    for statuses in ([], [Status.SKIPPED]):
        with pytest.raises(ValueError, match="no check was run"):
            whole(statuses)


def test_points_are_all_or_nothing_a_check() -> None:
    report = judged(lambda Q, K, V: tuple(np.round(result, 12) for result in REFERENCE(Q, K, V)))
    assert (report.points, report.max_points) == (Decimal("9.0"), Decimal("9.0"))
    report, _ = run(wrong)
    assert report.points == 0


def test_mistakes_are_in_order_best_match_first_then_what_was_measured() -> None:
    def unscaled_in_place(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        scores = Q @ K.T
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        output = weights @ V
        Q *= 2
        return output, weights

    report = judged(unscaled_in_place)
    assert report.mistakes == ("no-scale", "mutates-input")
    by_id = {one.id: one.mistakes for one in report.checks}
    assert by_id["worked-shown"] == ("no-scale",)
    assert by_id["unchanged-hidden"] == ("mutates-input",)


def test_a_mistake_explains_the_shape_that_comes_with_it() -> None:
    report, _ = run(wrong)
    assert report.mistakes == ("results-swapped",)
    assert report.checks[-1].status is Status.FAILED  # the shapes are wrong in the unchanged check too
    assert report.checks[-1].mistakes == ()


def test_no_diagnosis_where_no_number_was_wrong() -> None:
    calls: list[int] = []

    def spoils(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        calls.append(1)
        result = REFERENCE(Q, K, V)
        Q += 1
        return result

    assert judged(spoils).mistakes == ("mutates-input",)
    assert len(calls) == ALL_CALLS


def test_the_session_ending_in_the_diagnosis_changes_no_status() -> None:
    def answer(number: int, call: Call) -> CallResult:
        return wrong(number, call) if number < ALL_CALLS else CallResult(Outcome.CRASHED)

    report, sandbox = run(answer)
    assert report.status is Status.FAILED
    assert len(sandbox.session.calls) == ALL_CALLS + 1
    assert "results-swapped" not in report.mistakes


# ---- Refused, and faults of a package -------------------------------------------------------------------------------


def test_a_refused_source_opens_no_session() -> None:
    sandbox = ScriptedSandbox()
    report = judge(Job(exercise(), b"\0", 5), sandbox)
    assert (report.status, report.points, report.max_points) == (Status.REFUSED, Decimal(0), Decimal("9.0"))
    assert sandbox.sources == []
    assert "NUL" in report.message


def test_the_source_is_sent_with_line_ends_made_alike() -> None:
    sandbox = ScriptedSandbox(right)
    judge(Job(exercise(), b"\xef\xbb\xbfa = 1\r\nb = 2\rc = 3\n", 5), sandbox)
    assert sandbox.sources == ["a = 1\nb = 2\nc = 3\n"]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (replace(exercise(), checks=()), "has no checks"),
        (replace(exercise(), operation="alchemy"), "there is no operation 'alchemy'"),
        (exercise("attention", check("alchemy", Visibility.SHOWN)), "no kind 'alchemy'"),
    ],
)
def test_an_exercise_that_is_described_wrongly_is_our_fault(spec: ExerciseSpec, sentence: str) -> None:
    with pytest.raises(CheckSpecError, match=sentence):
        run(right, spec)


def test_the_limit_of_the_source_counts_bytes() -> None:
    assert normalise_source(b"#" * 10, 10) == "#" * 10
    with pytest.raises(SourceRefused, match="larger than 10 bytes"):
        normalise_source("# ééééé".encode(), 10)  # seven characters, twelve bytes


# ---- Specs and reports ----------------------------------------------------------------------------------------------

FIRST: dict[str, Any] = {
    "id": "a",
    "kind": "worked",
    "points": "2.50",
    "visibility": "shown",
    "concept": "c",
    "message": "m",
    "with": {},
}
DATA: dict[str, Any] = {
    "slug": "attention",
    "entry": "attention",
    "operation": "attention",
    "checks": [
        FIRST,
        {"id": "b", "kind": "unchanged", "points": "0.5", "visibility": "hidden", "concept": "c", "message": "m"},
    ],
}


def test_a_spec_has_the_formats_defaults() -> None:
    spec = exercise_spec(DATA, revision=3)
    assert (spec.revision, spec.max_points, spec.source_bytes) == (3, Decimal("3.00"), 65_536)
    assert (spec.rtol, spec.atol) == (1e-6, 1e-9)
    assert (spec.limits.wall_seconds, spec.limits.memory_bytes) == (10.0, 512 * 1024 * 1024)
    assert (spec.limits.output_bytes, spec.limits.kept_output_bytes) == (1_000_000, 65_536)


def test_a_spec_has_the_rules_and_the_devices_of_its_checks() -> None:
    checks = [FIRST, {**FIRST, "id": "gpu", "device": "cuda"}]
    spec = exercise_spec({**DATA, "checks": checks, "rules": ["no-fused-attention"]}, revision=3)
    assert ([check.device for check in spec.checks], spec.rules) == (["cpu", "cuda"], ("no-fused-attention",))
    assert exercise_spec(DATA, revision=3).rules == ()


def test_a_spec_takes_what_is_given() -> None:
    limits = {"wall_seconds": 2.5, "memory_mb": 64, "source_kb": 1, "output_kb": 10}
    spec = exercise_spec({**DATA, "limits": limits, "tolerance": {"rtol": 0.1, "atol": 0}}, revision=0)
    assert (spec.limits.wall_seconds, spec.limits.memory_bytes) == (2.5, 64 * 1024 * 1024)
    assert (spec.limits.output_bytes, spec.source_bytes, spec.rtol, spec.atol) == (10_000, 1024, 0.1, 0.0)


@pytest.mark.parametrize(
    "change",
    [
        {"checks": None},
        {"checks": [{"id": "a"}]},
        {"checks": [{**FIRST, "points": "many"}]},
        {"checks": [{**FIRST, "visibility": "sometimes"}]},
        {"limits": {"wall_seconds": "long"}},
    ],
)
def test_an_unusable_spec_names_its_exercise(change: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="exercise 'attention': its spec is not usable"):
        exercise_spec({**DATA, **change}, revision=1)


def test_a_report_as_json_has_the_contracts_keys() -> None:
    shown = report_to_json(judged(lambda *QKV: QKV[:2]))
    contract = {"exercise", "revision", "status", "passed", "points", "max_points", "checks", "mistakes"}
    assert set(shown) == contract | {"device", "session_ms", "stdout", "message"}
    of_checks = {"id", "kind", "status", "points", "max_points", "visibility", "message", "mistakes", "case"}
    assert all(set(one) == of_checks | {"concept"} for one in shown["checks"])
    assert (shown["exercise"], shown["revision"], shown["status"], shown["passed"]) == ("attention", 7, "failed", False)
    assert (shown["points"], shown["max_points"], shown["device"]) == ("0", "9", "cpu")
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown


@pytest.mark.parametrize(
    ("points", "text"), [("0", "0"), ("0.00", "0"), ("10", "10"), ("2.50", "2.5"), ("100", "100"), ("3.0", "3")]
)
def test_points_are_plain(points: str, text: str) -> None:
    assert points_to_text(Decimal(points)) == text
