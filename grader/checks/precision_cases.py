"""Random cases in a lower precision, whose own errors pass. `with: {dtype: bfloat16, …}`, the rest as for random."""

from __future__ import annotations

from grader.checks import random_cases
from grader.checks.kind import Case, CheckSpecError, Context, Kind
from grader.checks.numbers import judge_numbers
from grader.checks.values import DOUBLE


def cases(context: Context) -> list[Case]:
    if context.operation.framework != "torch" or context.dtype == DOUBLE:
        raise CheckSpecError(f"check {context.check.id!r}: `with: dtype` must be a lower precision of tensors")
    return random_cases.cases(context)


PRECISION = Kind(cases, judge_numbers)
