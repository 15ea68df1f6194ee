"""From what a call came to, to its results by name; or to what is wrong with them before any number is compared.

Structure first, then kind, shape, dtype and device. A closeness test that comes
before these passes an empty, a broadcast or an all-NaN array.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from grader.calling import START, StepsResult, place_of
from grader.checks import words
from grader.checks.kind import Case, Context, Finding
from grader.checks.values import Tensor, decode
from grader.verdicts import Status
from grader.wire import CallResult, Kind, Outcome, Value

RETURN_MISSING = " Is a `return` missing?"
IN_THIS_ORDER = " Return (output_t, cache), in this order."
STEP = "step(cache, q_t, k_t, v_t)"


def read(context: Context, case: Case, result: CallResult, index: int) -> tuple[Any, ...] | Finding:
    """The results, one for each of `operation.returns`, each of the expected type, dtype and shape.

    Where one is not, a finding about the case of that index instead. Raises
    GarbledValueError where the reply contradicts itself.
    """
    found = _results(context, case, result)
    return replace(found, case=index) if isinstance(found, Finding) else found


def not_returned(context: Context, case: Case, result: CallResult) -> Finding | None:
    """A finding where the call raised, or found no entry any more."""
    if result.outcome is Outcome.RAISED:
        return _raised(context, case, result)
    if result.outcome is Outcome.NO_ENTRY:
        name = START if place_of(result) == f"{START}()" else context.exercise.entry
        fact = f"{name} was no longer a function when it was to be called again."
        return Finding(Status.ERROR, fact, fact)
    return None


def _results(context: Context, case: Case, result: CallResult) -> tuple[Any, ...] | Finding:
    finding = not_returned(context, case, result)
    if finding is not None:
        return finding
    if result.outcome is not Outcome.RETURNED or result.value is None:
        raise ValueError(f"a call that {result.outcome} carries no value")
    decoded = decode(result.value)
    if isinstance(result, StepsResult):
        finding = _steps(context, case, decoded, result.place)
        if finding is not None:
            return finding
    outputs = split(decoded, len(case.wanted))
    if outputs is None:
        return _not_so_many(context, case, decoded)
    for name, expected, got in zip(context.operation.returns, case.expected, outputs, strict=True):
        finding = _judged(case, name, expected, got)
        if finding is not None:
            return finding
    numbers = (got.array if isinstance(got, Tensor) else got for got in outputs)
    return tuple(_as_expected(*pair) for pair in zip(case.expected, numbers, strict=True))


def _judged(case: Case, name: str, expected: Any, got: Any) -> Finding | None:
    """What is wrong with one result, apart from its numbers."""
    if not isinstance(expected, np.ndarray):
        return _number(name, expected, got, _sizes(case))
    sent = next((argument for argument in case.call.args if argument.kind is Kind.TENSOR), None)
    if sent is not None:
        return _tensor(name, expected, got, _sizes(case), sent)
    return _array(name, expected, got, _sizes(case))


def _steps(context: Context, case: Case, decoded: Any, place: str) -> Finding | None:
    """What is wrong with the first step that did not return an output as expected, and a cache."""
    if place:
        hint = RETURN_MISSING if decoded is None else ""
        fact, detail = (
            f"{place[0].upper()}{place[1:]} returned {words.value(decoded, reveal=reveal, sizes=_sizes(case))}; "
            f"expected a pair (output_t, cache).{hint}"
            for reveal in (False, True)
        )
        return _failed(fact, detail, *([] if isinstance(decoded, (np.ndarray, tuple)) else ["not-an-array"]))
    for number, expected in enumerate(case.expected[0]):
        got = decoded[number, ...] if isinstance(decoded, np.ndarray) else decoded[number]
        finding = _array(f"{context.operation.returns[0]} of step {number}", expected, got, _sizes(case))
        if finding is not None and not isinstance(got, np.ndarray):
            return replace(finding, fact=finding.fact + IN_THIS_ORDER, detail=finding.detail + IN_THIS_ORDER)
        if finding is not None:
            return finding
    return None


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
    return Finding(Status.FAILED, fact, detail, mistakes, unasked=True)


def _array(name: str, expected: np.ndarray, got: Any, sizes: frozenset[int]) -> Finding | None:
    wanted = f"an array of shape {expected.shape}, {expected.dtype.name}"
    if not isinstance(got, np.ndarray):
        return _another_type(name, wanted, got, sizes)
    return _shape(name, expected, got, sizes) or _dtype(name, expected.dtype.name, got.dtype.name)


def _tensor(name: str, expected: np.ndarray, got: Any, sizes: frozenset[int], sent: Value) -> Finding | None:
    """`sent`: a tensor of the arguments, whose dtype and device the result must have."""
    wanted = f"a tensor of shape {expected.shape}, {sent.dtype}"
    if not isinstance(got, Tensor):
        return _another_type(name, wanted, got, sizes)
    finding = _shape(name, expected, got.array, sizes) or _dtype(name, sent.dtype, got.dtype)
    return finding or (_device(name, sent.text, got.device) if got.device != sent.text else None)


def _another_type(name: str, wanted: str, got: Any, sizes: frozenset[int]) -> Finding:
    hint = RETURN_MISSING if got is None else ""
    fact, detail = (
        f"{name} is {words.value(got, reveal=reveal, sizes=sizes)}; expected {wanted}.{hint}"
        for reveal in (False, True)
    )
    return _failed(fact, detail, "not-an-array")


def _shape(name: str, expected: np.ndarray, got: np.ndarray, sizes: frozenset[int]) -> Finding | None:
    if got.shape == expected.shape:
        return None
    fact, detail = (
        f"{name} has {words.shape(got, reveal=reveal, sizes=sizes)}; expected {expected.shape}."
        for reveal in (False, True)
    )
    return _failed(fact, detail, "wrong-shape")


def _dtype(name: str, expected: str, got: str) -> Finding | None:
    fact = f"{name} has dtype {got}; expected {expected}."
    return _failed(fact, fact, "wrong-dtype") if got != expected else None


def _device(name: str, expected: str, got: str) -> Finding:
    fact = f"{name} is on {words.device(got)}; expected {expected}, where the arguments are."
    return _failed(fact, fact, "device-moved")


def _number(name: str, expected: float, got: Any, sizes: frozenset[int]) -> Finding | None:
    """A count must be a Python int (NumPy's overflow); a float may also be an int, or NumPy's float64, which is one."""
    exact = isinstance(expected, int)
    allowed: type | tuple[type, ...] = int if exact else (int, float)
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
    place = place_of(result)
    if result.error.type == "TypeError" and result.signature and place != f"{START}()":
        asked, arguments = context.operation.signature, len(case.call.args)
        if isinstance(result, StepsResult):
            asked, arguments = STEP, arguments + 1
        arity = words.wrong_arity(context.exercise.entry, asked, result.signature, arguments)
        if arity:
            return Finding(Status.ERROR, arity, arity)
    where = f"In {place} your" if place else "Your"
    fact, detail = (f"{where} code {words.raised(result.error, reveal=reveal)}." for reveal in (False, True))
    return Finding(Status.ERROR, fact, detail)
