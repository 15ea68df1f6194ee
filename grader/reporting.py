"""From what was found of each check to the report: statuses, points, what may be said, and which mistakes are named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from grader.checks.kind import Case, Context, Finding, Kind
from grader.checks.shown import case_to_json
from grader.verdicts import CheckResult, CheckSpec, Job, Report, Status, Visibility
from grader.wire import CallResult

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
# Of a check for another device than the job's.
ELSEWHERE = {
    "cuda": "Not run: this check needs a GPU.",
    "cpu": "Not run here: this check needs no GPU.",
}


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


def whole(statuses: Iterable[Status]) -> Status:
    """The status of a submission whose checks have these. Passed only if at least one check did."""
    found = set(statuses)
    for status in PRECEDENCE:
        if status in found:
            return status
    if Status.PASSED not in found:
        raise ValueError("no check was run, so there is no verdict")
    return Status.PASSED


def elsewhere(check: CheckSpec) -> CheckResult:
    return CheckResult(
        check.id,
        check.kind,
        Status.SKIPPED,
        Decimal(0),
        check.points,
        check.visibility,
        check.concept,
        message=ELSEWHERE[check.device],
    )


def is_of_numbers(plan: Plan, finding: Finding) -> bool:
    """Whether the check failed for numbers that a named mistake may explain, and not for what it measured besides."""
    measured = set(finding.mistakes) - CONSEQUENCES
    return plan.kind.precise and finding.status is not Status.PASSED and not measured


def check_result(judged: Judged, named: tuple[str, ...], *, passed: bool) -> CheckResult:
    plan, finding, check = judged.plan, judged.finding, judged.plan.check
    explained = finding.status in {Status.FAILED, Status.ERROR} and is_of_numbers(plan, finding)
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
        mistakes=_mistakes(finding, named, explained=explained),
        case=case_to_json(plan.cases[finding.case], finding) if has_case else None,
    )


def _message(check: CheckSpec, finding: Finding, *, reveal: bool) -> str:
    """The check's sentence and what was found; of a hidden check nothing that an input could have coloured."""
    told = (finding.detail or finding.fact) if reveal else finding.fact
    if finding.status is Status.FAILED and not finding.unasked:
        return f"{check.message} {told}".strip()
    return told  # what was in the way, ended or skipped it, or was measured; the check's own sentence is for failing it


def _mistakes(finding: Finding, named: tuple[str, ...], *, explained: bool) -> tuple[str, ...]:
    """What explains the numbers, where this check failed for them; then what the check measured besides."""
    measured = [mistake for mistake in finding.mistakes if not (named and mistake in CONSEQUENCES)]
    return (*(named if explained else ()), *measured)


def not_run(job: Job, status: Status, sentence: str, others: str) -> Report:
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
