"""Cases at the edge: huge scores, one token, a future far above the past. `with: {case: huge-scores}`."""

from __future__ import annotations

from grader.checks.kind import Case, Context, Kind, choose, make_case
from grader.checks.numbers import judge_numbers


def cases(context: Context) -> list[Case]:
    draw = choose(context, "case", context.operation.extremes)
    return [make_case(context, arguments) for arguments in draw(context.rng)]


EXTREME = Kind(cases, judge_numbers)
