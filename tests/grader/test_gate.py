"""The gate lets nothing through that it should not: each rule is seen to refuse."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from attention_core.operation import Operation, Variant
from attention_core.operations import OPERATIONS
from grader import gate, judging
from grader.degenerate import degenerate_answers
from grader.gate import run_gate
from grader.inprocess import FunctionSession
from grader.verdicts import Job, Status
from grader.wire import Call, CallResult, Limits, Outcome, Usage
from tests.grader.judged import judged
from tests.grader.test_measured_checks import MeasuredSandbox
from tests.verdicts.exercise import exercise

REFERENCE = OPERATIONS["scaled-scores"].reference


def one_check(name: str, kind: str, **parameters: Any) -> dict[str, Any]:
    return {
        "id": name,
        "kind": kind,
        "points": "1",
        "visibility": "shown",
        "concept": "why-root-d",
        "message": f"The sentence of {name}.",
        "with": parameters,
    }


CHECKS = [
    one_check("worked", "worked"),
    one_check("random", "random", cases=2),
    one_check("large", "extreme", case="large-values"),
    one_check("wide", "extreme", case="wide"),
    one_check("unchanged", "unchanged"),
]


def compiled(*checks: Mapping[str, Any]) -> dict[str, Any]:
    spec = {"slug": "scaled-scores", "entry": "scaled_scores", "operation": "scaled-scores", "checks": list(checks)}
    return {"slug": "scaled-scores", "starter": "starter", "solution": "right", "spec": spec}


@dataclass
class Known:
    right: dict[str, bytes] = field(default_factory=dict)
    wrong: dict[str, bytes] = field(default_factory=dict)
    expect: dict[str, dict[str, Any]] = field(default_factory=dict)


FUNCTIONS = {
    "right": REFERENCE,
    "no scale": lambda Q, K: Q @ K.T,
    "doubles its queries": lambda Q, K: REFERENCE(Q, K) if Q.__imul__(2) is None else REFERENCE(Q / 2, K),
    "starter": lambda _Q, _K: None,
}


class NamedFunctions:
    """A sandbox in which a source is the name of one of FUNCTIONS; keeps each one's limits."""

    def __init__(self) -> None:
        self.limits: dict[str, Limits] = {}

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[FunctionSession]:
        self.limits[source] = limits
        yield FunctionSession(FUNCTIONS[source])


def errors(*checks: Mapping[str, Any], known: Known | None = None, sandboxed: bool = True) -> list[str]:
    sandbox = NamedFunctions() if sandboxed else None
    return list(run_gate(compiled(*(checks or CHECKS)), known or Known(), sandbox, seeds=(1, 2)).errors)


def wrong(**expected: Any) -> Known:
    expected = {"mistakes": ["no-scale"], "fails": ["worked"], "status": "failed", **expected}
    return Known(wrong={"no_scale.py": b"no scale"}, expect={"no_scale.py": expected})


def test_a_good_exercise_passes() -> None:
    told: list[str] = []
    report = run_gate(compiled(*CHECKS), wrong(), NamedFunctions(), told.append, seeds=(1, 2))
    assert report.errors == ()
    assert report.passed
    assert report.judged > 50
    assert told[0].startswith("scaled-scores: ")


def test_without_a_sandbox_submissions_are_not_judged() -> None:
    known = Known(right={"broken.py": b"no scale"})
    assert errors(known=known, sandboxed=False) == []
    assert errors(known=known) != []


def test_a_known_mistake_that_passes_is_refused() -> None:
    """The worked example alone does not tell ÷√Tq from ÷√Tk, nor a typed-in √2 from √d."""
    found = errors(one_check("worked", "worked"), one_check("unchanged", "unchanged"))
    assert any("scale-constant" in error and "passes every check" in error for error in found)
    assert all(error.startswith("scaled-scores: ") for error in found)


def test_a_known_mistake_that_is_not_named_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    variants = (Variant("no-scale", "raises always", lambda _Q, _K: 1 / 0),)
    patched(monkeypatch, variants=variants)
    assert errors() == ["scaled-scores: no-scale (raises always) can never be named: no diagnosis case shows it"]


def test_a_sample_of_behaviour_that_is_not_named_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, behaviours=(Variant("rounded", "to nothing", lambda Q, K: 0 * REFERENCE(Q, K)),))
    assert errors(sandboxed=False) == ["scaled-scores: rounded (to nothing) is not named, but nothing (seed 1)"]


def test_a_known_mistake_that_fails_no_check_of_numbers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails `unchanged`, and that has no mistake of numbers named."""

    def changes_queries(Q: np.ndarray, K: np.ndarray) -> Any:
        scores = REFERENCE(Q, K)
        Q[0] = 0.0
        return scores

    patched(monkeypatch, variants=(Variant("no-scale", "odd", changes_queries),))
    assert errors(sandboxed=False) == [
        "scaled-scores: no-scale (odd) passes every check of numbers (seed 1)",
        "scaled-scores: no-scale (odd) can never be named: no diagnosis case shows it",
    ]


def test_known_mistakes_are_tried_on_all_checks_until_each_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def unscaled(name: str) -> Variant:
        def function(Q: np.ndarray, K: np.ndarray) -> Any:
            calls.append(name)
            return Q @ K.T

        return Variant("no-scale", name, function)

    patched(monkeypatch, variants=(unscaled("first"), unscaled("second")), behaviours=())
    monkeypatch.setattr(gate, "degenerate_answers", lambda _operation: {})
    told = "scaled-scores: the check unchanged is failed by nothing that is known to be wrong"
    assert errors(sandboxed=False) == [told]  # so all others have been failed, though the first had failed `worked`
    diagnosed = len(OPERATIONS["scaled-scores"].diagnosis())
    assert calls.count("first") - diagnosed >= len(CHECKS) - 1
    assert calls.count("second") - diagnosed == 1  # the call of `worked`


def test_a_check_that_only_a_later_known_mistake_fails_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def unscaled_where_ordinary(Q: np.ndarray, K: np.ndarray) -> Any:
        ordinary = np.abs(Q).max() < 50 and Q.shape[1] < 20
        return Q @ K.T if ordinary else REFERENCE(Q, K)

    sometimes = Variant("no-scale", "neither large nor wide", unscaled_where_ordinary)
    patched(monkeypatch, variants=(sometimes, Variant("no-scale", "always", FUNCTIONS["no scale"])), behaviours=())
    monkeypatch.setattr(gate, "degenerate_answers", lambda _operation: {})
    told = "scaled-scores: the check unchanged is failed by nothing that is known to be wrong"
    assert errors(sandboxed=False) == [told]


def test_a_degenerate_answer_that_passes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, variants=(), behaviours=())
    monkeypatch.setattr(gate, "degenerate_answers", lambda _operation: {"anything": REFERENCE})
    found = errors()
    assert "scaled-scores: anything passes every check (seed 1)" in found


def test_a_check_that_nothing_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, variants=(), behaviours=())
    monkeypatch.setattr(gate, "degenerate_answers", lambda _operation: {})
    found = errors(sandboxed=False)
    told = "is failed by nothing that is known to be wrong"
    assert found == [f"scaled-scores: the check {each['id']} {told}" for each in CHECKS]


def test_a_reference_that_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def drifting(Q: np.ndarray, K: np.ndarray) -> Any:
        calls.append(1)
        return REFERENCE(Q, K) + len(calls)

    patched(monkeypatch, reference=drifting, variants=(), behaviours=())
    assert any("the reference itself fails" in error for error in errors(sandboxed=False))


def test_a_right_submission_that_does_not_get_all_points_is_refused() -> None:
    found = errors(known=Known(right={"mine.py": b"no scale"}))
    assert len(found) == 2  # on each seed
    assert found[0].startswith("scaled-scores: mine.py is right but comes to failed, failing large, random")


def test_a_solution_is_a_right_submission() -> None:
    exercise = {**compiled(*CHECKS), "solution": "no scale"}
    found = run_gate(exercise, Known(), NamedFunctions(), seeds=(1,)).errors
    assert [error.split(" is right")[0] for error in found] == ["scaled-scores: solution.py"]


def test_a_starter_that_passes_is_refused() -> None:
    exercise = {**compiled(*CHECKS), "starter": "right"}
    assert run_gate(exercise, Known(), NamedFunctions()).errors == ("scaled-scores: starter.py passes as it is",)


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ({"status": "error"}, "no_scale.py should come to error, but comes to failed (seed 1)"),
        ({"mistakes": ["scale-by-width"]}, "of no_scale.py scale-by-width should be named, but no-scale is (seed 1)"),
        ({"mistakes": []}, "of no_scale.py nothing should be named, but no-scale is (seed 1)"),
        ({"fails": ["worked", "unchanged"]}, "no_scale.py should fail unchanged but does not (seed 1)"),
    ],
)
def test_a_wrong_submission_that_comes_to_something_else_is_refused(expected: dict[str, Any], sentence: str) -> None:
    assert errors(known=wrong(**expected)) == [f"scaled-scores: {sentence}"]


def test_a_wrong_submission_that_nothing_is_said_of_is_refused() -> None:
    known = Known(wrong={"new.py": b"no scale"})
    assert errors(known=known) == ["scaled-scores: expect.yaml says nothing of new.py"]


def test_what_is_to_run_out_of_time_is_not_given_all_of_it() -> None:
    sandbox = NamedFunctions()
    known = Known({"right.py": b"right"}, {"no_scale.py": b"no scale"}, wrong(status="timeout").expect)
    run_gate(compiled(*CHECKS), known, sandbox)
    assert sandbox.limits["no scale"] == Limits(wall_seconds=0.5)
    assert sandbox.limits["right"] == Limits()


def test_what_is_measured_is_begun_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is the last, other processors wait for it. What fails for its numbers is not measured."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    sandbox = NamedFunctions()
    known = Known(
        wrong={"a.py": b"no scale", "b.py": b"doubles its queries"}, expect={"a.py": wrong().expect["no_scale.py"]}
    )
    known.expect["b.py"] = {"mistakes": ["mutates-input"], "fails": [], "status": "failed"}
    assert run_gate(compiled(*CHECKS), known, sandbox).errors == ()
    assert list(sandbox.limits)[-2:] == ["doubles its queries", "no scale"]  # in the order they were first opened


def test_memory_is_measured_on_the_first_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, list[str]]] = []
    make_plans = judging.make_plans

    def noted(job: Job, operation: Operation) -> Any:
        drawn.append((job.seed, [check.id for check in job.spec.checks]))
        return make_plans(job, operation)

    monkeypatch.setattr(gate, "make_plans", noted)
    tiled = compiled(one_check("worked", "worked"), one_check("memory", "memory", tokens=[8, 192], block_size=1))
    tiled["spec"] |= {"operation": "tiled-attention", "entry": "tiled_attention"}
    run_gate(tiled, Known(), None, seeds=(1, 2, 3))
    assert drawn == [(1, ["worked", "memory"]), (2, ["worked"]), (3, ["worked"])]
    drawn.clear()
    run_gate(tiled, Known(), None, seeds=(1, 2), wrong_seeds=(2, 4))
    assert drawn == [(1, ["worked", "memory"]), (2, ["worked", "memory"]), (4, ["worked", "memory"])]


@pytest.mark.parametrize(
    ("operation", "mistake"), [("tiled-attention", "stores-all-scores"), ("kv-cache", "recomputes-past")]
)
def test_a_mistake_that_only_measuring_shows_must_be_measured(operation: str, mistake: str) -> None:
    exercise = compiled(one_check("worked", "worked"))
    exercise["spec"] |= {"operation": operation, "entry": OPERATIONS[operation].entry}
    found = run_gate(exercise, Known(), None, seeds=(1,)).errors
    assert f"scaled-scores: {mistake} passes every check: none measures it" in found


def test_where_it_is_measured_a_wrong_submission_must_show_it() -> None:
    exercise = compiled(one_check("worked", "worked"), one_check("memory", "memory", tokens=[8, 192], block_size=1))
    exercise["spec"] |= {"operation": "tiled-attention", "entry": "tiled_attention"}
    told = "no wrong submission of the package makes the mistake stores-all-scores, which shows in sessions only"
    missing = f"scaled-scores: {told}"
    assert missing not in run_gate(exercise, Known(), None, seeds=(1,)).errors
    sandbox = MeasuredSandbox("tiled-attention", [Usage(1_000_000, 1.0)] * 99)
    assert missing in run_gate(exercise, Known(), sandbox, seeds=(1,)).errors


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (one_check("odd", "astrology"), "no kind 'astrology'"),
        (one_check("odd", "extreme", case="huge"), "scaled-scores has no case 'huge'; it has large-values"),
        ({"id": "odd"}, "its spec is not usable"),
    ],
)
def test_an_exercise_that_cannot_be_judged_is_refused(check: Mapping[str, Any], sentence: str) -> None:
    (found,) = errors(check)
    assert sentence in found


def test_a_check_for_a_gpu_is_not_run_but_must_be_described_well() -> None:
    (found,) = errors(*CHECKS, {**one_check("odd", "random"), "device": "cuda"})
    assert "check 'odd': scaled-scores takes arrays, which have neither a device" in found


@pytest.mark.parametrize("name", OPERATIONS)
def test_degenerate_answers_can_be_called_and_are_wrong(name: str) -> None:
    operation = OPERATIONS[name]
    arguments = operation.draw(np.random.default_rng(1), operation.default_sizes, 1.0)
    answers = degenerate_answers(operation)
    assert {"zeros", "ones", "NaN", "None"} <= set(answers)
    for answer in answers.values():
        answer(*arguments.values())


OTHERS = {
    "attention": {"a hard maximum", "uniform weights", "its own arguments"},
    "softmax": {"a hard maximum", "uniform weights", "its own argument scores"},
    "scaled-scores": {"its own argument Q", "its own argument K"},
    "tiled-attention": {
        *("a hard maximum", "uniform weights", "the mean of all values"),
        *("its own argument Q", "its own argument K", "its own argument V"),
    },
    "torch-attention": {
        *("a hard maximum", "uniform weights", "the mean of all values"),
        *("its own argument q", "its own argument k", "its own argument v"),
    },
    "attention-cost": {"its own arguments"},
}


@pytest.mark.parametrize("name", OTHERS)
def test_degenerate_answers_are_those_that_apply(name: str) -> None:
    filled = {"zeros", "ones", "NaN", "None", "nothing but empty arrays", "results of one row"}
    spread = {"every row the mean of all rows", "every entry the mean of its row"}
    assert set(degenerate_answers(OPERATIONS[name])) == OTHERS[name] | filled | spread


def test_a_hard_maximum_and_uniform_weights_are_what_they_say() -> None:
    Q, K, V = np.array([[1.0, 0.0]]), np.array([[0.5, 3.0], [2.0, 1.0], [0.0, 9.0]]), np.array([[1.0], [2.0], [6.0]])
    answers = degenerate_answers(OPERATIONS["tiled-attention"])
    assert answers["a hard maximum"](Q.repeat(3, 0), K, V, 2, False).tolist() == [[2.0]] * 3
    assert answers["uniform weights"](Q.repeat(3, 0), K, V, 2, True).tolist() == [[1.0], [1.5], [3.0]]
    assert answers["the mean of all values"](Q, K, V, 2, True).tolist() == [[3.0]]


@pytest.mark.parametrize(("answer", "points"), [("zeros", 0), ("ones", 0), ("NaN", 0), ("None", 0)])
def test_answers_without_thought_earn_nothing(answer: str, points: int) -> None:
    report = judged(degenerate_answers(OPERATIONS["attention"])[answer], exercise())
    assert report.status is Status.FAILED
    assert report.points == points


def test_a_fault_of_the_sandbox_goes_through() -> None:
    class Gone(NamedFunctions):
        def open(self, source: str, *, limits: Limits) -> Any:  # noqa: ARG002 as the sandbox's
            raise RuntimeError("the jail is gone")

    with pytest.raises(RuntimeError, match="the jail is gone"):
        run_gate(compiled(*CHECKS), Known(), Gone())


def test_in_this_process_a_call_comes_to_what_a_session_would_make_of_it() -> None:
    session = FunctionSession(lambda _Q: (_ for _ in ()))
    assert session.load("f") == CallResult(Outcome.RETURNED, signature="(_Q)")
    values = {
        "generator": FunctionSession(lambda: (_ for _ in ())),
        "numpy.ma.MaskedArray": FunctionSession(lambda: np.ma.masked_array([1.0])),
        "numpy.ndarray of dtype object": FunctionSession(lambda: np.array([None])),
    }
    for text, one in values.items():
        returned = one.call(Call("f"))
        assert returned.value is not None
        assert returned.value.text == text


# ---- Exercises whose cases hide what they should show ---------------------------------------------------------------

EASY: dict[str, tuple[str, dict[str, Any], dict[str, float]]] = {
    "small inputs": ("attention", {"cases": 3, "low": -0.1, "high": 0.1}, {"rtol": 1e-4, "atol": 1e-4}),
    # Outputs are near 0.05, which a tolerance is relative to: this is an absolute one of 1e-4.
    "small inputs, absolute": ("attention", {"cases": 3, "low": -0.1, "high": 0.1}, {"rtol": 0.0, "atol": 2e-3}),
    "saturated scores": ("attention", {"cases": 3, "scale": 1000.0}, {}),
    "square inputs": ("attention", {"cases": 3, "sizes": {"Tq": 3, "Tk": 3, "d": 3, "dv": 3}}, {}),
    "one token": ("causal-attention", {"cases": 3, "sizes": {"T": 1}}, {}),
}
SURVIVE = {
    "small inputs": {"overflow", "max-over-everything", "scale-constant"},
    "small inputs, absolute": {"overflow", "scale-by-width", "scale-by-tokens", "scale-by-value-width"},
    "saturated scores": {"no-scale", "scale-by-width", "hard-max", "softmax-base-2"},
    "square inputs": {"scale-by-tokens", "scale-by-value-width"},
    "one token": {"mask-missing", "mask-inverted", "no-scale", "softmax-twice", "mask-lets-next-through"},
}


@pytest.mark.parametrize("easy", EASY)
def test_an_exercise_of_easy_cases_is_refused_and_the_mistakes_that_survive_are_told(easy: str) -> None:
    operation, parameters, tolerance = EASY[easy]
    described = OPERATIONS[operation]
    checks = [one_check("cases", "random", **parameters), one_check("unchanged", "unchanged")]
    spec = {"slug": "easy", "entry": described.entry, "operation": operation, "checks": checks, "tolerance": tolerance}
    report = run_gate({"slug": "easy", "spec": spec}, Known(), None)
    assert not report.passed
    told = " passes every check of numbers (seed 1)"
    survivors = {error.removeprefix("easy: ").split(" ")[0] for error in report.errors if error.endswith(told)}
    assert survivors >= SURVIVE[easy], sorted(survivors)


# ---- The matrix -----------------------------------------------------------------------------------------------------


def test_the_matrix_says_which_checks_kill_which_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    def unscaled_where_wide(Q: np.ndarray, K: np.ndarray) -> Any:
        return Q @ K.T if Q.shape[1] > 20 else REFERENCE(Q, K)

    variants = (
        Variant("no-scale", "always", FUNCTIONS["no scale"]),
        Variant("no-scale", "where wide", unscaled_where_wide),
        Variant("scale-by-width", "always", lambda Q, K: Q @ K.T / Q.shape[1]),
    )
    patched(monkeypatch, variants=variants)
    kills = run_gate(compiled(*CHECKS), Known(), None, matrix=True).kills
    assert kills["no-scale"] == {"worked": False, "random": False, "large": False, "wide": True}
    assert kills["scale-by-width"] == dict.fromkeys(["worked", "random", "large", "wide"], True)
    assert kills["mutates-input"] == {"unchanged": True}
    assert run_gate(compiled(*CHECKS), Known(), None).kills == {}


def test_of_each_degenerate_answer_it_tells_which_checks_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"zeros": lambda Q, K: 0 * REFERENCE(Q, K), "changes Q": FUNCTIONS["doubles its queries"]}
    monkeypatch.setattr(gate, "degenerate_answers", lambda _operation: answers)
    told = run_gate(compiled(*CHECKS), Known(), None).answers
    everything = {"worked", "random", "large", "wide", "unchanged"}  # to leave zeros' inputs alone is no achievement
    assert told == {"zeros": everything, "changes Q": {"unchanged"}}


def test_of_what_only_a_session_shows_the_matrix_has_the_submissions(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, variants=(), behaviours=())
    known = Known(wrong={"no_scale.py": b"doubles its queries"}, expect=wrong().expect)
    known.expect["no_scale.py"] = {"mistakes": ["mutates-input"], "fails": ["unchanged"], "status": "failed"}
    report = run_gate(compiled(*CHECKS), known, NamedFunctions(), matrix=True)
    assert report.errors == ()
    assert report.kills == {"mutates-input": {"unchanged": True}}


def patched(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    changed = Operation(**{**vars(OPERATIONS["scaled-scores"]), **changes})
    monkeypatch.setattr(judging, "OPERATIONS", {**OPERATIONS, "scaled-scores": changed})
