"""The lesson's worked example: the numbers that the learner has seen."""

from __future__ import annotations

from grader.checks.kind import Case, Context, Kind, make_case
from grader.checks.numbers import judge_numbers


def cases(context: Context) -> list[Case]:
    return [make_case(context, context.operation.worked())]


WORKED = Kind(cases, judge_numbers)
