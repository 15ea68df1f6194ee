"""What an exercise must show before it is published: its checks accept what is right and catch what is wrong.

First without a sandbox, on functions of our own: the reference passes; every
variant of every known mistake, every sample of a mistake of behaviour and every
degenerate answer fails some check; a variant can be told from right code, and
what a sample shows is named. Then, in the sandbox, on the package's own
submissions: right ones get all points on every seed, the starter does not pass,
and wrong ones come to what expect.yaml says. Last, every check must have been
failed by something: one that nothing fails tests nothing. Checks that measure a
session can be failed by wrong submissions only; those for a GPU are left out.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol

from attention_core.diagnosis import diagnosis_of
from attention_core.operation import Operation, Variant
from grader.checks.kind import CheckSpecError
from grader.degenerate import degenerate_answers
from grader.inprocess import FunctionSandbox, FunctionSession
from grader.inprocess_tensors import TensorSandbox
from grader.judging import SandboxLike, judge, make_plans, operation_of
from grader.reporting import CONSEQUENCES, Plan
from grader.specs import SpecError, exercise_spec
from grader.verdicts import ExerciseSpec, Job, Report, Status

Progress = Callable[[str], None]
Slot = AbstractContextManager[Any]  # held while something is judged; may be entered again, and by several threads
ALONE: Slot = nullcontext()
NO_FILE = b"# judged in this process\n"
NOTHING_EXPECTED: Mapping[str, Any] = MappingProxyType({"mistakes": (), "fails": (), "status": Status.FAILED})
# Of what is to be caught by measuring: on a machine with much to do a difference of times may drown. It never accuses
# what is right, so to catch a mistake once shows that it can.
MEASURED_TIMES = 3
TIMEOUT_SECONDS = 0.5  # of wall clock, for what is to run out of time: it need not use up the learner's limit


class KnownSubmissions(Protocol):
    """What a package brings along; courses.package's LoadedExercise is one."""

    @property
    def right(self) -> Mapping[str, bytes]: ...
    @property
    def wrong(self) -> Mapping[str, bytes]: ...
    @property
    def expect(self) -> Mapping[str, Mapping[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class GateReport:
    """`errors` are sentences for an author; an exercise without any may be published.

    `kills`, where it was asked for: by mistake and check, whether every implementation of the mistake fails the check
    (False: some of them). A check that none fails is not there. `answers`: by degenerate answer, the checks it fails.
    """

    exercise: str
    errors: tuple[str, ...]
    judged: int  # how many times something was judged
    kills: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    answers: Mapping[str, Collection[str]] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return not self.errors


@dataclass(slots=True)
class _Gate:
    spec: ExerciseSpec
    operation: Operation
    plans: Mapping[int, Sequence[Plan]]  # by seed: drawn once, for all that is judged
    matrix: bool  # whether to put every mistake to every check
    slot: Slot
    errors: list[str] = field(default_factory=list)
    failed_checks: set[str] = field(default_factory=set)
    judged: int = 0
    killed: dict[str, list[Collection[str]]] = field(default_factory=lambda: defaultdict(list))
    answers: dict[str, Collection[str]] = field(default_factory=dict)

    def judge(
        self, source: bytes, sandbox: SandboxLike, seed: int, spec: ExerciseSpec, *, measured: bool = True
    ) -> Report:
        """Changes nothing here, so that several threads may judge at once. `measured`: with checks that measure."""
        plans = [plan for plan in self.plans[seed] if measured or not plan.kind.measures]
        if not measured:
            spec = replace(spec, checks=tuple(check for check in spec.checks if check.id not in self.measuring))
        with self.slot:
            return judge(Job(spec, source, seed), sandbox, plans)

    @property
    def measuring(self) -> set[str]:
        """Ids of the checks that measure whole sessions, which takes them seconds."""
        return {plan.check.id for plan in next(iter(self.plans.values())) if plan.kind.measures}

    def judge_function(self, function: Callable[..., Any], seed: int) -> Report:
        """A function of arrays, whatever the operation's entry is given."""
        plans = [plan for plan in self.plans[seed] if plan.kind.in_process]
        return self._judge_in_process(FunctionSandbox(function), plans, seed)

    def judge_sample(self, function: Callable[..., Any], seed: int) -> Report:
        """A function of what the operation's entry is given: of tensors, every check that needs no more is run."""
        if self.operation.framework == "numpy":
            return self.judge_function(function, seed)
        plans = [plan for plan in self.plans[seed] if not plan.kind.measures]
        return self._judge_in_process(TensorSandbox(function), plans, seed)

    def _judge_in_process(self, sandbox: SandboxLike, plans: Sequence[Plan], seed: int) -> Report:
        spec = replace(self.spec, checks=tuple(plan.check for plan in plans), rules=())
        return self.noted(judge(Job(spec, NO_FILE, seed), sandbox, plans, calling="function"))

    def noted(self, report: Report) -> Report:
        self.judged += 1
        self.failed_checks |= failing(report)
        return report

    def kills(self) -> Mapping[str, Mapping[str, bool]]:
        """By mistake, for each check that an implementation of it failed, whether all did."""
        return {
            mistake: {
                check.id: all(check.id in failed for failed in each)
                for check in self.spec.checks
                if any(check.id in failed for failed in each)
            }
            for mistake, each in sorted(self.killed.items())
        }


def run_gate(
    exercise: Mapping[str, Any],
    submissions: KnownSubmissions,
    sandbox: SandboxLike | None,
    progress: Progress = lambda _line: None,
    *,
    seeds: Sequence[int] = (1, 2, 3),
    wrong_seeds: Sequence[int] = (1,),
    matrix: bool = False,
    slot: Slot = ALONE,
) -> GateReport:
    """Every error that keeps `exercise` (the data of an ExerciseRevision) from being published.

    `sandbox`: one that has the framework of the exercise (grader.judging.framework_of). Without one only the first
    part and the last one are done. `seeds` are for what must pass, `wrong_seeds` for what must not. `matrix`: report
    the kills, which takes several times as long. `slot`: what shares the processors with gates of other processes.
    Raises SandboxFault.
    """
    slug = str(exercise.get("slug", "?"))
    try:
        spec = exercise_spec(exercise["spec"], revision=0)
        operation = operation_of(spec)
        with slot:
            plans = _plans(spec, operation, seeds, wrong_seeds)
        if any(check.device == "cuda" for check in spec.checks):  # which are not run here, but must be described well
            make_plans(Job(spec, NO_FILE, seeds[0], "cuda"), operation)
    except (KeyError, SpecError, CheckSpecError) as error:
        return GateReport(slug, (f"{slug}: {error}",), 0)
    gate = _Gate(spec, operation, plans, matrix, slot)
    progress(f"{slug}: {len(operation.variants)} known mistakes")
    with slot:
        _judge_functions(gate, seeds, wrong_seeds)
    if sandbox is not None:
        right = {"solution.py": str(exercise["solution"]).encode(), **submissions.right}
        progress(f"{slug}: {len(right)} right submissions, {len(seeds)} seeds each")
        _judge_right(gate, right, sandbox, seeds)
        if gate.noted(gate.judge(str(exercise["starter"]).encode(), sandbox, seeds[0], spec)).passed:
            gate.errors.append("starter.py passes as it is")
        progress(f"{slug}: {len(submissions.wrong)} wrong submissions")
        _judge_wrong(gate, submissions, sandbox, wrong_seeds)
    gate.errors += _unmeasured(gate, in_sandbox=sandbox is not None)
    put = [plan for plan in plans[wrong_seeds[0]] if sandbox is not None or plan.kind.in_process]
    never = [plan.check.id for plan in put if plan.check.id not in gate.failed_checks]
    errors = [*gate.errors, *(f"the check {check} is failed by nothing that is known to be wrong" for check in never)]
    kills = gate.kills() if matrix else {}
    return GateReport(slug, tuple(f"{slug}: {error}" for error in errors), gate.judged, kills, gate.answers)


def _plans(
    spec: ExerciseSpec, operation: Operation, seeds: Sequence[int], wrong_seeds: Sequence[int]
) -> Mapping[int, Sequence[Plan]]:
    """By seed, the first of which has them all; those that measure only where something is measured."""
    every = make_plans(Job(spec, NO_FILE, seeds[0]), operation)
    quick = {plan.check.id for plan in every if not plan.kind.measures}
    drawn = {seeds[0]: every}
    for seed in (*seeds, *wrong_seeds):
        if seed not in drawn:
            asked = [check for check in spec.checks if check.id in quick or seed in wrong_seeds]
            drawn[seed] = make_plans(Job(replace(spec, checks=tuple(asked)), NO_FILE, seed), operation)
    return drawn


def _unmeasured(gate: _Gate, *, in_sandbox: bool) -> Iterator[str]:
    """Of mistakes that only show in what a session takes: what is missing for them to be caught."""
    measuring = {plan.kind.measured for plan in next(iter(gate.plans.values()))}
    for mistake in sorted({variant.mistake for variant in gate.operation.measured}):
        if mistake not in measuring:
            yield f"{mistake} passes every check: none measures it"
        elif in_sandbox and mistake not in gate.killed:
            yield f"no wrong submission of the package makes the mistake {mistake}, which shows in sessions only"


def failing(report: Report) -> set[str]:
    """Ids of the checks that were run and not passed."""
    return {check.id for check in report.checks if check.status not in {Status.PASSED, Status.SKIPPED}}


# ---- Functions of our own -------------------------------------------------------------------------------------------


def _judge_functions(gate: _Gate, seeds: Sequence[int], wrong_seeds: Sequence[int]) -> None:
    for seed in seeds:
        report = gate.judge_function(gate.operation.reference, seed)
        if not report.passed:
            gate.errors.append(f"the reference itself fails {_listed(failing(report))} (seed {seed})")
    for name, function in degenerate_answers(gate.operation).items():
        gate.answers[name] = _expect_caught(gate, function, name, "", wrong_seeds)
    for sample in gate.operation.behaviours:
        name = f"{sample.mistake} ({sample.name})"
        gate.killed[sample.mistake].append(_expect_caught(gate, sample.function, name, sample.mistake, wrong_seeds))
    for variant in gate.operation.variants:
        for seed in wrong_seeds:
            _expect_numbers_caught(gate, variant, seed)
    for variant in diagnosis_of(gate.operation).nameless():
        gate.errors.append(f"{variant.mistake} ({variant.name}) can never be named: no diagnosis case shows it")


def _expect_caught(
    gate: _Gate, function: Callable[..., Any], name: str, mistake: str, seeds: Sequence[int]
) -> set[str]:
    """Ids of the checks that caught it. `mistake`: the one that it is a sample of; a degenerate answer makes none."""
    caught: set[str] = set()
    for seed in seeds:
        report = gate.judge_sample(function, seed) if mistake else gate.judge_function(function, seed)
        caught |= failing(report)
        if report.passed:
            gate.errors.append(f"{name} passes every check (seed {seed})")
        elif mistake and mistake not in report.mistakes and not (mistake in CONSEQUENCES and report.mistakes):
            gate.errors.append(f"{name} is not named, but {_listed(report.mistakes) or 'nothing'} (seed {seed})")
    return caught


def _expect_numbers_caught(gate: _Gate, variant: Variant, seed: int) -> None:
    """A variant must fail a check of numbers, which is what has it named.

    There are hundreds: once every check has been seen to fail, the first that fails is enough; but for the matrix.
    """
    gate.judged += 1
    precise = [plan for plan in gate.plans[seed] if plan.kind.precise and plan.kind.in_process]
    caught: set[str] = set()
    for plan in sorted(precise, key=lambda plan: plan.check.id in gate.failed_checks):
        if caught and plan.check.id in gate.failed_checks and not gate.matrix:
            break
        if _fails(plan, variant.function):
            caught.add(plan.check.id)
    gate.failed_checks |= caught
    gate.killed[variant.mistake].append(caught)
    if not caught:
        gate.errors.append(f"{variant.mistake} ({variant.name}) passes every check of numbers (seed {seed})")


def _fails(plan: Plan, function: Callable[..., Any]) -> bool:
    session = FunctionSession(function)
    results = [session.call(case.call) for case in plan.cases]
    return plan.kind.judge(plan.context, plan.cases, results).status is not Status.PASSED


# ---- The package's own submissions ----------------------------------------------------------------------------------


def _judge_right(gate: _Gate, sources: Mapping[str, bytes], sandbox: SandboxLike, seeds: Sequence[int]) -> None:
    """Checks that measure take seconds and hardly hang on what is drawn: they are put on the first seed."""
    drawn = [_Drawn(name, seed, measured=seed == seeds[0]) for name in sources for seed in seeds]
    for one, report in _judged(gate, sources, sandbox, drawn):
        _expect_all_points(gate, one.name, report, one.seed)


def _judge_wrong(gate: _Gate, submissions: KnownSubmissions, sandbox: SandboxLike, seeds: Sequence[int]) -> None:
    """What fails for its numbers is not measured as well, unless it makes a mistake that only measuring shows."""
    mistakes_in_process = set(gate.killed)
    drawn = [
        _Drawn(
            name,
            seed,
            measured=not set(expected["fails"]) - gate.measuring
            or not set(expected["mistakes"]) <= mistakes_in_process,
            late=expected["status"] == Status.TIMEOUT,
            to_be_measured=frozenset(gate.measuring & set(expected["fails"])),
        )
        for name in submissions.wrong
        for expected in [submissions.expect.get(name, NOTHING_EXPECTED)]
        for seed in seeds
    ]
    for one, report in _judged(gate, submissions.wrong, sandbox, drawn):
        _expect_as_told(gate, one, submissions.expect.get(one.name), report)
        for mistake in set(report.mistakes) - mistakes_in_process:  # those that only a session shows
            gate.killed[mistake].append([check.id for check in report.checks if mistake in check.mistakes])


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One submission on one seed. `late`: it is to run out of time. `to_be_measured`: checks that measure, and are to
    fail it.
    """

    name: str
    seed: int
    measured: bool
    late: bool = False
    to_be_measured: frozenset[str] = frozenset()


def _judged(
    gate: _Gate, sources: Mapping[str, bytes], sandbox: SandboxLike, drawn: Sequence[_Drawn]
) -> Iterator[tuple[_Drawn, Report]]:
    """Each with its report; as many at once as there are processors. What is measured takes longest: it comes first."""
    soon = replace(gate.spec, limits=replace(gate.spec.limits, wall_seconds=TIMEOUT_SECONDS))

    def judge_one(one: _Drawn) -> Report:
        spec = soon if one.late else gate.spec
        report = gate.judge(sources[one.name], sandbox, one.seed, spec, measured=one.measured)
        for _ in range(MEASURED_TIMES - 1):
            if not one.measured or one.to_be_measured <= failing(report):
                break
            report = gate.judge(sources[one.name], sandbox, one.seed, spec)
        return report

    longest_first = sorted(drawn, key=lambda one: not one.measured)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = dict(zip(longest_first, pool.map(judge_one, longest_first), strict=True))
    for one in drawn:
        yield one, gate.noted(reports[one])


def _expect_all_points(gate: _Gate, name: str, report: Report, seed: int) -> None:
    most = sum(check.max_points for check in report.checks if check.status is not Status.SKIPPED)
    if not report.passed or report.points != most:
        told = report.message or next((check.message for check in report.checks if check.message), "")
        gate.errors.append(
            f"{name} is right but comes to {report.status}, failing {_listed(failing(report))} (seed {seed}): {told}"
        )


def _expect_as_told(gate: _Gate, one: _Drawn, expected: Mapping[str, Any] | None, report: Report) -> None:
    name, seed = one.name, one.seed
    if expected is None:
        gate.errors.append(f"expect.yaml says nothing of {name}")
        return
    if report.status != expected["status"]:
        gate.errors.append(f"{name} should come to {expected['status']}, but comes to {report.status} (seed {seed})")
    if list(report.mistakes) != list(expected["mistakes"]):
        wanted, named = _listed(expected["mistakes"]) or "nothing", _listed(report.mistakes) or "nothing"
        gate.errors.append(f"of {name} {wanted} should be named, but {named} is (seed {seed})")
    asked = set(expected["fails"]) - (set() if one.measured else gate.measuring)
    if missed := asked - failing(report):
        gate.errors.append(f"{name} should fail {_listed(missed)} but does not (seed {seed})")


def _listed(names: Sequence[str] | set[str]) -> str:
    return ", ".join(sorted(names) if isinstance(names, set) else names)
