"""Numbers against the reference's, and claims of a property: what differs first, and by how much.

Structure, dtype and shape have been judged before (grader.checks.returned);
closeness is attention_core.comparison's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from attention_core.comparison import Difference as Compared
from attention_core.comparison import compare
from grader.checks import words
from grader.checks.kind import Case, Context, Difference, Finding, Wanted, worst
from grader.checks.returned import read
from grader.verdicts import Status
from grader.wire import CallResult

NamedValues = tuple[str, Wanted, Any]  # what it is called, expected, got


def judge_numbers(context: Context, cases: Sequence[Case], results: Sequence[CallResult]) -> Finding:
    """Each case's results against the reference's."""
    findings = []
    for index, (case, result) in enumerate(zip(cases, results, strict=True)):
        outputs = read(context, case, result, index)
        if isinstance(outputs, Finding):
            findings.append(outputs)
            continue
        named = list(zip(context.operation.returns, case.wanted, outputs, strict=True))
        findings.append(judge_values(context, named, index))
    return worst(findings)


def judge_values(context: Context, named: Sequence[NamedValues], index: int) -> Finding:
    """The first of several named values that is not close to the expected one, as a finding about case `index`."""
    expected = {name: wanted.value for name, wanted, _ in named if wanted.whole} or None
    got = {name: found for name, _, found in named}
    for name, wanted, found in named:
        if wanted.allowed is None:
            compared = compare(wanted.value, found, rtol=context.exercise.rtol, atol=context.exercise.atol)
        else:
            compared = compare_within(wanted.value, found, wanted.allowed)
        if compared is not None:
            return _differs(name, compared, index, expected, got)
        if not wanted.whole and (place := _first(np.isnan(found))) is not None:
            fact, detail = f"{name} holds NaN.", f"{words.at(name, place)} is NaN."
            return Finding(Status.FAILED, fact, detail, _nan_result(found), index, expected, got)
    return Finding(Status.PASSED, case=index, expected=expected, got=got)


def compare_within(expected: np.ndarray, got: np.ndarray, allowed: np.ndarray) -> Compared | None:
    """The first number that is further off than allowed there, or is NaN. All three have one shape.

    Where any difference is allowed, NaN is too.
    """
    with np.errstate(invalid="ignore"):
        off = ~(np.abs(got - expected) <= allowed) & np.isfinite(allowed)
    index = _first(off)
    if index is None:
        return None
    kind: Literal["nan", "value"] = "nan" if np.isnan(got[index]) else "value"
    numbers = expected[index].item(), got[index].item(), float(allowed[index])
    return Compared(kind, None, index, *numbers, sentence="")


def _first(marked: np.ndarray) -> tuple[int, ...] | None:
    """The first index, in C order, at which an array of booleans is True."""
    if not marked.any():
        return None
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(marked)), marked.shape))


def degenerate(names: Sequence[str], expected: Sequence[Any], outputs: Sequence[Any], index: int) -> Finding | None:
    """A finding if a result is the same number everywhere, or nowhere a number, where the reference's is not.

    Zeros obey most properties and leave all inputs as they were; neither is worth points.
    """
    for name, wanted, found in zip(names, expected, outputs, strict=True):
        if not isinstance(wanted, np.ndarray):
            if found == 0 != wanted:
                return Finding(Status.FAILED, f"{name} is 0.", f"{name} is 0.", case=index, unasked=True)
        elif not _constant(wanted) and (_constant(found) or np.isnan(found).all()):
            fact = f"{name} holds nothing but {'NaN' if np.isnan(found).any() else 'one number'}."
            return Finding(Status.FAILED, fact, fact, _nan_result(found), index, unasked=True)
    return None


def _constant(array: np.ndarray) -> bool:
    return bool((array == array.flat[0]).all())


def _nan_result(found: Any) -> tuple[str, ...]:
    """NaN is what differs from itself; NumPy's isnan takes no int beyond 64 bits."""
    return ("nan-result",) if np.any(found != found) else ()


def _differs(
    name: str, compared: Compared, index: int, expected: dict[str, Any] | None, got: dict[str, Any]
) -> Finding:
    if compared.index is None or compared.kind not in {"nan", "value"}:
        raise ValueError(f"{name} was to be compared by value, but: {compared.sentence}")
    mistakes = _nan_result(got[name])
    fact = f"{name} holds NaN." if mistakes else ""
    wanted, found = words.two_numbers(compared.expected, compared.got)
    allowed = f" (a difference of up to {compared.allowed:.2g} is allowed)" if compared.allowed else ""
    detail = f"{words.at(name, compared.index)} is {found}, expected {wanted}{allowed}."
    difference = Difference(name, compared.index, compared.expected, compared.got, compared.allowed or 0.0)
    return Finding(Status.FAILED, fact, detail, mistakes, index, expected, got, difference)


def in_the_way(finding: Finding, sentence: str) -> Finding:
    """Of a check that asks for more than right numbers: they are wrong already, and `sentence` says what follows."""
    fact, detail = (f"{sentence} {told}".strip() for told in (finding.fact, finding.detail))
    return replace(finding, fact=fact, detail=detail, unasked=True)
