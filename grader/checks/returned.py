"""From what a call came to, to its results by name; or to what is wrong with them before any number is compared.

Structure first, then kind, dtype and shape. A closeness test that comes before
these passes an empty, a broadcast or an all-NaN array.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from grader.checks import words
from grader.checks.kind import Case, Context, Finding
from grader.checks.values import decode
from grader.verdicts import Status
from grader.wire import CallResult, Outcome

RETURN_MISSING = " Is a `return` missing?"


def read(context: Context, case: Case, result: CallResult, index: int) -> tuple[Any, ...] | Finding:
    """The results, one for each of `operation.returns`, each of the expected type, dtype and shape.

    Where one is not, a finding about the case of that index instead. Raises
    GarbledValueError where the reply contradicts itself.
    """
    found = _results(context, case, result)
    return replace(found, case=index) if isinstance(found, Finding) else found


def _results(context: Context, case: Case, result: CallResult) -> tuple[Any, ...] | Finding:
    if result.outcome is Outcome.RAISED:
        return _raised(context, case, result)
    if result.outcome is Outcome.NO_ENTRY:
        fact = f"{context.exercise.entry} was no longer a function when it was to be called again."
        return Finding(Status.ERROR, fact, fact)
    if result.outcome is not Outcome.RETURNED or result.value is None:
        raise ValueError(f"a call that {result.outcome} carries no value")
    outputs = split(decode(result.value), len(case.expected))
    if outputs is None:
        return _not_so_many(context, case, decode(result.value))
    for name, expected, got in zip(context.operation.returns, case.expected, outputs, strict=True):
        judge = _array if isinstance(expected, np.ndarray) else _number
        finding = judge(name, expected, got, _sizes(case))
        if finding is not None:
            return finding
    return tuple(_as_expected(*pair) for pair in zip(case.expected, outputs, strict=True))


def split(decoded: Any, count: int) -> tuple[Any, ...] | None:
    """`count` results: one is the value itself, more are any sequence (an array with a leading axis too) of as many."""
    if count == 1:
        return (decoded,)
    is_sequence = isinstance(decoded, tuple) or (isinstance(decoded, np.ndarray) and decoded.ndim > 0)
    return tuple(decoded) if is_sequence and len(decoded) == count else None


def _as_expected(expected: Any, got: Any) -> Any:
    """Where a float is expected, any number as one."""
    if not isinstance(expected, float):
        return got
    try:
        return float(got)
    except OverflowError:  # an int beyond the largest float
        return float("inf") if got > 0 else float("-inf")


def _sizes(case: Case) -> frozenset[int]:
    """The lengths of all axes of the case."""
    arrays = [value for value in (*case.arguments.values(), *case.expected) if isinstance(value, np.ndarray)]
    return frozenset(length for array in arrays for length in array.shape)


def _failed(fact: str, detail: str, *mistakes: str) -> Finding:
    return Finding(Status.FAILED, fact, detail, mistakes)


def _array(name: str, expected: np.ndarray, got: Any, sizes: frozenset[int]) -> Finding | None:
    wanted = f"expected an array of shape {expected.shape}, {expected.dtype.name}"
    if not isinstance(got, np.ndarray):
        hint = RETURN_MISSING if got is None else ""
        fact, detail = (f"{name} is {words.value(got, reveal=reveal)}; {wanted}.{hint}" for reveal in (False, True))
        return _failed(fact, detail, "not-an-array")
    if got.shape != expected.shape:
        fact, detail = (
            f"{name} has {words.shape(got, reveal=reveal, sizes=sizes)}; expected {expected.shape}."
            for reveal in (False, True)
        )
        return _failed(fact, detail, "wrong-shape")
    if got.dtype != expected.dtype:
        fact = f"{name} has dtype {got.dtype.name}; expected {expected.dtype.name}."
        return _failed(fact, fact, "wrong-dtype")
    return None


def _number(name: str, expected: float, got: Any, sizes: frozenset[int]) -> Finding | None:
    """A count must be a Python int (NumPy's overflow); a float may also be an int, or NumPy's own float."""
    exact = isinstance(expected, int)
    allowed: type | tuple[type, ...] = int if exact else (int, float, np.floating)
    if isinstance(got, allowed) and not isinstance(got, bool):
        return None
    fact, detail = (
        f"{name} is {words.value(got, reveal=reveal, sizes=sizes)}; expected a Python {'int' if exact else 'float'}."
        for reveal in (False, True)
    )
    other_number = isinstance(got, (bool, float, np.generic))
    return _failed(fact, detail, *(["wrong-dtype"] if other_number else []))


def _not_so_many(context: Context, case: Case, decoded: Any) -> Finding:
    names = context.operation.returns
    wanted = f"expected {words.COUNTS[len(names)]} results ({', '.join(names)})"
    hint = RETURN_MISSING if decoded is None else ""
    fact, detail = (
        f"{context.exercise.entry} returned {words.value(decoded, reveal=reveal, sizes=_sizes(case))}; {wanted}.{hint}"
        for reveal in (False, True)
    )
    wants_arrays = any(isinstance(expected, np.ndarray) for expected in case.expected)
    several = isinstance(decoded, (np.ndarray, tuple))  # arrays, but not as many as were asked for
    return _failed(fact, detail, *(["not-an-array"] if wants_arrays and not several else []))


def _raised(context: Context, case: Case, result: CallResult) -> Finding:
    if result.error is None:
        raise ValueError("a call that raised carries no error")
    operation = context.operation
    if result.error.type == "TypeError" and result.signature:
        arity = words.wrong_arity(context.exercise.entry, operation.signature, result.signature, len(case.call.args))
        if arity:
            return Finding(Status.ERROR, arity, arity)
    fact, detail = (f"Your code {words.raised(result.error, reveal=reveal)}." for reveal in (False, True))
    return Finding(Status.ERROR, fact, detail)
