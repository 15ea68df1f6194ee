"""Job + sandbox -> Report. No ORM, no Celery; the sandbox is whatever has the two protocols below.

Theory of operation
===================
All cases are drawn and all expected values computed before a session opens. In
the session the source is loaded once; then come the calls of the checks that
are shown, then those of the others, so that nothing that is printed while a
shown call runs can hold an input that is hidden. Only what loading and shown
calls print is kept. If numbers came out wrong, the diagnosis set follows in the
same session; it decides no point.

A fault of ours (SandboxFault, or any other exception) leaves `judge` as it is:
it is never a verdict, and who called decides whether to try again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Protocol

import numpy as np

from attention_core.diagnosis import diagnosis_of
from attention_core.operation import Operation
from attention_core.operations import OPERATIONS
from grader.checks import KINDS
from grader.checks.kind import Case, CheckSpecError, Context, Finding, Kind
from grader.checks.precision import Sample, measure
from grader.checks.returned import read
from grader.checks.shown import case_to_json
from grader.checks.values import GarbledValueError
from grader.diagnosis import diagnose
from grader.endings import ENDINGS, Ending, load_failure
from grader.source import SourceRefused, normalise_source
from grader.verdicts import CheckResult, CheckSpec, ExerciseSpec, Job, Report, Status, Visibility
from grader.wire import Call, CallResult, Limits, Outcome

# The whole has the first of these that any check has.
PRECEDENCE = (
    Status.REFUSED,
    Status.FAULT,
    Status.TIMEOUT,
    Status.MEMORY,
    Status.OUTPUT,
    Status.CRASHED,
    Status.FAILED,
    Status.ERROR,
)
# What a wrong number brings along; a mistake that explains the number explains these too.
CONSEQUENCES = frozenset({"nan-result", "wrong-shape", "wrong-dtype", "not-an-array"})


class SessionLike(Protocol):
    @property
    def elapsed_ms(self) -> float: ...
    def load(self, entry: str) -> CallResult: ...
    def call(self, call: Call) -> CallResult: ...


class SandboxLike(Protocol):
    def open(self, source: str, *, limits: Limits) -> AbstractContextManager[SessionLike]: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """One check, ready to be run."""

    context: Context
    kind: Kind
    cases: tuple[Case, ...]

    @property
    def check(self) -> CheckSpec:
        return self.context.check

    @property
    def shown(self) -> bool:
        return self.check.visibility is Visibility.SHOWN


@dataclass(slots=True)
class Judged:
    """One check after it ran. `results` are those of its calls that were made."""

    plan: Plan
    results: list[CallResult]
    finding: Finding


def judge(job: Job, sandbox: SandboxLike, plans: Sequence[Plan] | None = None) -> Report:
    """The verdict on one submission. Raises SandboxFault; CheckSpecError for an exercise that is described wrongly.

    `plans` are those of the job's exercise and seed, where make_plans has made them before; they may be used again.
    """
    try:
        source = normalise_source(job.source, job.spec.source_bytes)
    except SourceRefused as refusal:
        return _not_run(job, Status.REFUSED, str(refusal), "Not run.")
    operation = operation_of(job.spec)
    plans = plans or make_plans(job, operation)
    diagnosis_of(operation)  # now, not on the session's time
    run = _Run(job.spec, operation, source.count("\n") + 1)
    with sandbox.open(source, limits=job.spec.limits) as session:
        report = run.report(job, plans, session)
    return replace(report, session_ms=session.elapsed_ms)


def operation_of(spec: ExerciseSpec) -> Operation:
    if spec.operation not in OPERATIONS:
        raise CheckSpecError(f"exercise {spec.slug!r}: there is no operation {spec.operation!r}")
    return OPERATIONS[spec.operation]


def make_plans(job: Job, operation: Operation) -> tuple[Plan, ...]:
    """Every check with its cases. Raises CheckSpecError."""
    if not job.spec.checks:
        raise CheckSpecError(f"exercise {job.spec.slug!r} has no checks")
    return tuple(_plan(job, operation, check) for check in job.spec.checks)


def _plan(job: Job, operation: Operation, check: CheckSpec) -> Plan:
    if check.kind not in KINDS:
        raise CheckSpecError(f"check {check.id!r}: no kind {check.kind!r}; there are {', '.join(KINDS)}")
    # A generator of its own for each check: its cases hang on the seed and its id, not on its neighbours.
    entropy = [job.seed % 2**64, *check.id.encode()]
    context = Context(check, job.spec, operation, np.random.default_rng(np.random.SeedSequence(entropy)))
    kind = KINDS[check.kind]
    return Plan(context, kind, tuple(kind.cases(context)))


class _Run:
    """The checks of one job in one session."""

    def __init__(self, spec: ExerciseSpec, operation: Operation, lines: int) -> None:
        self.spec, self.operation, self.lines = spec, operation, lines
        self.printed: list[bytes] = []
        self.signature = ""
        self.ended_by = ""  # the id of the check in which the session ended

    def report(self, job: Job, plans: Sequence[Plan], session: SessionLike) -> Report:
        loaded = session.load(self.spec.entry)
        self.printed.append(loaded.stdout)
        if loaded.outcome is not Outcome.RETURNED:
            status, sentence = load_failure(loaded, self.spec, self.operation.signature)
            report = _not_run(job, status, sentence, "Not run: the code could not be loaded.")
            return replace(report, stdout=self._stdout())
        self.signature = loaded.signature
        judged = {id(plan): self._run_check(plan, session) for plan in sorted(plans, key=lambda plan: not plan.shown)}
        ordered = [judged[id(plan)] for plan in plans]
        named = () if self.ended_by else self._named(ordered, session)
        return self._assembled(job, ordered, named)

    # ---- Calls ----

    def _run_check(self, plan: Plan, session: SessionLike) -> Judged:
        if self.ended_by:
            reason = f"Not run: the session had ended in the check {self.ended_by}."
            return Judged(plan, [], Finding(Status.SKIPPED, reason, reason))
        results: list[CallResult] = []
        for case in plan.cases:
            result = self._sanitised(session.call(case.call))
            if plan.shown:
                self.printed.append(result.stdout)
            ending = ENDINGS[result.outcome]  # no default: an outcome that is not in the table is a fault of ours
            if ending is not None:
                return self._ended(plan, results, ending)
            results.append(result)
        try:
            return Judged(plan, results, plan.kind.judge(plan.context, plan.cases, results))
        except GarbledValueError:
            garbled = ENDINGS[Outcome.GARBLED]
            assert garbled is not None  # noqa: S101 what a garbled reply is does not change at run time
            return self._ended(plan, [], garbled)

    def _ended(self, plan: Plan, results: list[CallResult], ending: Ending) -> Judged:
        self.ended_by = plan.check.id
        sentence = ending.sentence(self.spec.limits)
        return Judged(plan, results, Finding(ending.status, sentence, sentence, case=len(results)))

    def _sanitised(self, result: CallResult) -> CallResult:
        """With the signature as it was before any input was sent, and no line that the source does not have."""
        error = result.error
        if error is not None and not (error.line is not None and 1 <= error.line <= self.lines):
            error = replace(error, line=None)
        return replace(result, signature=self.signature, error=error)

    # ---- Mistakes ----

    def _named(self, judged: Sequence[Judged], session: SessionLike) -> tuple[str, ...]:
        """Mistakes that explain the wrong numbers of the checks; empty where none is certain."""
        wrong = [one for one in judged if one.plan.kind.precise and one.finding.status is not Status.PASSED]
        if not wrong:
            return ()
        spec = self.spec
        diagnosed = diagnose(self.operation, spec.entry, session.call, rtol=spec.rtol, atol=spec.atol)
        if diagnosed:
            return diagnosed
        measured = measure([sample for one in judged if one.plan.kind.precise for sample in _samples(one)])
        return (measured,) if measured else ()

    # ---- The report ----

    def _assembled(self, job: Job, judged: Sequence[Judged], named: tuple[str, ...]) -> Report:
        status = whole(one.finding.status for one in judged)
        checks = tuple(_check_result(one, named, passed=status is Status.PASSED) for one in judged)
        mistakes = dict.fromkeys([*named, *(mistake for check in checks for mistake in check.mistakes)])
        return Report(
            exercise=self.spec.slug,
            revision=self.spec.revision,
            status=status,
            points=sum((check.points for check in checks), Decimal(0)),
            max_points=self.spec.max_points,
            checks=checks,
            mistakes=tuple(mistakes),
            device=job.device,
            stdout=self._stdout(),
        )

    def _stdout(self) -> str:
        """Head and tail of what loading and the shown calls printed."""
        printed = b"".join(self.printed)
        kept = self.spec.limits.kept_output_bytes
        if len(printed) <= kept:
            return printed.decode("utf-8", "replace")
        head, tail = printed[: kept // 2], printed[-(kept // 2) :]
        left_out = len(printed) - len(head) - len(tail)
        return f"{head.decode('utf-8', 'replace')}\n[{left_out:,} bytes left out]\n{tail.decode('utf-8', 'replace')}"


def whole(statuses: Iterable[Status]) -> Status:
    """The status of a submission whose checks have these. Passed only if at least one check did."""
    found = set(statuses)
    for status in PRECEDENCE:
        if status in found:
            return status
    if Status.PASSED not in found:
        raise ValueError("no check was run, so there is no verdict")
    return Status.PASSED


def _check_result(judged: Judged, named: tuple[str, ...], *, passed: bool) -> CheckResult:
    plan, finding, check = judged.plan, judged.finding, judged.plan.check
    failed = finding.status in {Status.FAILED, Status.ERROR}
    may_see = plan.shown or (check.visibility is Visibility.AFTER_PASSING and passed)
    has_case = may_see and finding.status is not Status.SKIPPED
    return CheckResult(
        id=check.id,
        kind=check.kind,
        status=finding.status,
        points=check.points if finding.status is Status.PASSED else Decimal(0),
        max_points=check.points,
        visibility=check.visibility,
        concept=check.concept,
        message=_message(check, finding, reveal=plan.shown),
        mistakes=_mistakes(finding, named, explained=failed and plan.kind.precise),
        case=case_to_json(plan.cases[finding.case], finding) if has_case else None,
    )


def _message(check: CheckSpec, finding: Finding, *, reveal: bool) -> str:
    """The check's sentence and what was found; of a hidden check nothing that an input could have coloured."""
    told = (finding.detail or finding.fact) if reveal else finding.fact
    match finding.status:
        case Status.PASSED:
            return ""
        case Status.FAILED:
            return f"{check.message} {told}".strip()
        case _:  # what ended or skipped it; the check's own sentence is about results, and there is none
            return told


def _mistakes(finding: Finding, named: tuple[str, ...], *, explained: bool) -> tuple[str, ...]:
    """What explains the numbers, where this check failed for them; then what the check measured besides."""
    measured = [mistake for mistake in finding.mistakes if not (named and mistake in CONSEQUENCES)]
    return (*(named if explained else ()), *measured)


def _samples(judged: Judged) -> list[Sample]:
    """The results of a check's calls beside the reference's, for those that returned what was asked for."""
    context, samples = judged.plan.context, []
    for index, (case, result) in enumerate(zip(judged.plan.cases, judged.results, strict=False)):
        outputs = read(context, case, result, index)
        if isinstance(outputs, Finding):
            continue
        ordinary = context.check.kind != "extreme"
        together = zip(context.operation.returns, case.expected, outputs, strict=True)
        samples += [Sample(name, expected, got, ordinary) for name, expected, got in together]
    return samples


def _not_run(job: Job, status: Status, sentence: str, others: str) -> Report:
    """Every check with the same status: the first says why, the others that they were not run."""
    spec = job.spec
    checks = tuple(
        CheckResult(
            check.id,
            check.kind,
            status,
            Decimal(0),
            check.points,
            check.visibility,
            check.concept,
            message=others if position else sentence,
        )
        for position, check in enumerate(spec.checks)
    )
    return Report(
        exercise=spec.slug,
        revision=spec.revision,
        status=status,
        points=Decimal(0),
        max_points=spec.max_points,
        checks=checks,
        mistakes=(),
        message=sentence,
        device=job.device,
    )
