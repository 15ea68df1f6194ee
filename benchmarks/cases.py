"""Right submissions with as many random cases as a benchmark asks for, what is expected of them computed ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from benchmarks.session import EXERCISES
from benchmarks.timing import milliseconds
from courses.package.exercises import load_exercise
from grader.checks.random_cases import MOST_CASES
from grader.judging import judge, make_plans, operation_of
from grader.reporting import Plan
from grader.sandbox import Sandbox
from grader.specs import exercise_spec
from grader.verdicts import CheckSpec, Job, Visibility

SLUGS = {"numpy": "attention", "torch": "torch-attention"}  # by the library that a session needs


@dataclass(frozen=True)
class Submission:
    """The exercise's own solution, to be judged again and again."""

    job: Job
    plans: tuple[Plan, ...]

    def judge_in(self, sandbox: Sandbox) -> None:
        """A session: the source sent, every case called, every result compared."""
        report = judge(self.job, sandbox, self.plans)
        assert report.passed, report

    def milliseconds_in(self, sandbox: Sandbox) -> float:
        return milliseconds(lambda: self.judge_in(sandbox))


def of_cases(library: str, calls: int) -> Submission:
    """One that takes as many calls, each of a random case of the exercise's usual sizes."""
    exercise = load_exercise(EXERCISES / SLUGS[library])
    spec = exercise_spec(exercise.compiled["spec"], revision=0)
    job = Job(replace(spec, checks=tuple(_checks(calls))), exercise.solution, seed=calls)
    return Submission(job, make_plans(job, operation_of(job.spec)))


def _checks(calls: int) -> Iterator[CheckSpec]:
    """As many as that many cases need."""
    for first in range(0, calls, MOST_CASES):
        many = {"cases": min(MOST_CASES, calls - first)}
        yield CheckSpec(
            f"from-{first}", "random", Decimal(1), Visibility.HIDDEN, message="", concept="", parameters=many
        )
