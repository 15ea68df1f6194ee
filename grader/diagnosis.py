"""Which named mistake a submission makes, found by how it behaves; or none.

A mistake is named only if the submission gives what one of its variants gives
on every case of the operation's diagnosis set: equal results, or an exception
where the variant raises. The set tells apart whatever can be told apart, so
mistakes that remain together are the same function. Two mistakes at once, or
one that nobody described, match nothing and are not named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_core.comparison import RAISED, same_result
from attention_core.operation import Arguments, Operation, Variant
from grader.checks.returned import split
from grader.checks.values import GarbledValueError, decode, encode
from grader.outlines import Outlines
from grader.wire import Call, CallResult, Outcome, Value

REFERENCE = ""  # stands among the mistakes for the right answer


@dataclass(frozen=True, slots=True)
class _Case:
    """One call of the diagnosis set, and what each candidate gives for it: a result, or RAISED."""

    inputs: Arguments
    arguments: tuple[Value, ...]  # the same, as they are sent
    results: tuple[Any, ...]
    outlines: Outlines


@dataclass(frozen=True, slots=True)
class _Prepared:
    operation: Operation  # held, so that its id stays its own
    mistakes: tuple[str, ...]  # of each candidate; the first is the reference
    cases: tuple[_Case, ...]


_prepared: dict[int, _Prepared] = {}


def prepare(operation: Operation) -> _Prepared:
    """The diagnosis set of an operation and every variant's results for it; computed once a process."""
    found = _prepared.get(id(operation))
    if found is None:
        functions = [operation.reference, *(variant.function for variant in operation.variants)]
        mistakes = (REFERENCE, *(variant.mistake for variant in operation.variants))
        cases = tuple(_case(functions, case, len(operation.returns)) for case in operation.diagnosis())
        found = _prepared[id(operation)] = _Prepared(operation, mistakes, cases)
    return found


def _case(functions: Sequence[Callable[..., Any]], arguments: Arguments, count: int) -> _Case:
    results = tuple(_alike(_run(function, arguments), count) for function in functions)
    sent = tuple(encode(argument) for argument in arguments.values())
    return _Case(arguments, sent, results, Outlines(results))


def diagnose(
    operation: Operation, entry: str, call: Callable[[Call], CallResult], *, rtol: float, atol: float
) -> tuple[str, ...]:
    """Ids of the mistakes that the submission behind `call` behaves as, best match first; empty if none is certain.

    Stops at the first case that leaves no mistake, and whenever the session ends.
    """
    prepared = prepare(operation)
    candidates: Sequence[int] = range(len(prepared.mistakes))
    distance = dict.fromkeys(candidates, 0.0)
    fitted: tuple[Variant, ...] | None = None  # known once the submission has answered the first case
    answered = False
    for case in prepared.cases:
        result = _learners(call(Call(entry, args=case.arguments)), len(operation.returns))
        if result is _ENDED:
            return ()
        answered = answered or result is not RAISED
        likely = case.outlines.near(result, candidates, rtol=rtol, atol=atol)
        candidates = [i for i in likely if same_result(case.results[i], result, rtol=rtol, atol=atol)]
        fitted = _fit(operation, case, result) if fitted is None else fitted
        fitted = tuple(v for v in fitted if same_result(_result_of(v, operation, case), result, rtol=rtol, atol=atol))
        if not fitted and all(prepared.mistakes[i] == REFERENCE for i in candidates):
            return ()
        for i in candidates:
            distance[i] = max(distance[i], _distance(case.results[i], result))
    # Code that raises whatever it is given behaves as nothing in particular. And what equals the right answer too,
    # on every case, is not wrong here: no mistake explains it.
    if not answered or any(prepared.mistakes[i] == REFERENCE for i in candidates):
        return ()
    ordered = sorted(candidates, key=lambda i: distance[i])  # stable: of equal ones, the operation's own order
    named = [prepared.mistakes[i] for i in ordered] + [variant.mistake for variant in fitted or ()]
    return tuple(dict.fromkeys(named))


def _fit(operation: Operation, case: _Case, result: Any) -> tuple[Variant, ...]:
    """Variants with a number in them that would explain this result."""
    if result is RAISED:
        return ()
    with np.errstate(all="ignore"):
        return operation.fit(case.inputs, result)


def _result_of(variant: Variant, operation: Operation, case: _Case) -> Any:
    return _alike(_run(variant.function, case.inputs), len(operation.returns))


_ENDED = object()


def _learners(result: CallResult, count: int) -> Any:
    if result.outcome is Outcome.RAISED:
        return RAISED
    if result.outcome is not Outcome.RETURNED or result.value is None:
        return _ENDED
    try:
        return _alike(decode(result.value), count)
    except GarbledValueError:
        return _ENDED


def _run(function: Callable[..., Any], arguments: Arguments) -> Any:
    copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    try:
        with np.errstate(all="ignore"):
            return function(**copies)
    except Exception:  # noqa: BLE001 to raise is how some mistakes behave
        return RAISED


def _alike(result: Any, count: int) -> Any:
    """Several results as a tuple, whichever sequence they came in; anything else as it is."""
    if result is RAISED or count == 1:
        return result
    return split(result, count) or result


def _distance(expected: Any, got: Any) -> float:
    """The largest relative difference, in steps of 1e-12: less is rounding and decides nothing."""
    if expected is RAISED:
        return 0.0
    if isinstance(expected, tuple):
        return max((_distance(a, b) for a, b in zip(expected, got, strict=True)), default=0.0)
    one, other = np.asarray(expected, dtype=np.float64), np.asarray(got, dtype=np.float64)
    finite = np.isfinite(one) & np.isfinite(other)
    one, other = one[finite], other[finite]
    scale = float(np.abs(one).max(initial=0.0)) or 1.0
    return float(np.floor(np.abs(one - other).max(initial=0.0) / scale * 1e12))
