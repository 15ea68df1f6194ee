"""Inputs must come back as they were sent, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence

from grader.calling import StepsResult, place_of
from grader.checks.kind import Case, Context, Finding, Kind, make_case, worst
from grader.checks.numbers import degenerate
from grader.checks.returned import read
from grader.checks.values import GarbledValueError
from grader.verdicts import Status
from grader.wire import CallResult, Outcome


def cases(context: Context) -> list[Case]:
    operation = context.operation
    drawn = operation.draw(context.rng, operation.default_sizes, 1.0)
    return [make_case(context, drawn, arguments_back=True)]


def judge(context: Context, cases: Sequence[Case], results: Sequence[CallResult]) -> Finding:
    together = enumerate(zip(cases, results, strict=True))
    return worst([_judge_one(context, case, result, index) for index, (case, result) in together])


def _judge_one(context: Context, case: Case, result: CallResult, index: int) -> Finding:
    # Leaving the inputs alone is an achievement only for code that does something with them.
    outputs = read(context, case, result, index)
    changed = _changed(case, result) if result.outcome is Outcome.RETURNED and not place_of(result) else []
    if changed:
        fact = f"{' and '.join(changed)} came back changed: work on a copy."
        return Finding(Status.FAILED, fact, fact, ("mutates-input",), index)
    if isinstance(outputs, Finding):
        return outputs
    return degenerate(context.operation.returns, case.expected, outputs, index) or Finding(Status.PASSED, case=index)


def _changed(case: Case, result: CallResult) -> list[str]:
    if len(result.arguments) != len(case.call.args):
        raise GarbledValueError(f"{len(result.arguments)} arguments came back of {len(case.call.args)}")
    names = [f"{name.lower()}_t" if isinstance(result, StepsResult) else name for name in case.arguments]
    together = zip(names, case.call.args, result.arguments, strict=True)
    return [name for name, sent, back in together if sent != back]


UNCHANGED = Kind(cases, judge, precise=False)
