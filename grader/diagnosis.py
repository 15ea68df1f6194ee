"""Which named mistake a submission makes, found by how it behaves; or none.

A mistake is named only if the submission gives what one of its variants gives
on every case of the operation's diagnosis set: equal results, or an exception
where the variant raises. The set tells apart whatever can be told apart, so
mistakes that remain together are the same function. Two mistakes at once, or
one that nobody described, match nothing and are not named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_core.comparison import RAISED, same_result
from attention_core.operation import Arguments, Operation
from grader.checks.returned import split
from grader.checks.values import GarbledValue, decode, encode
from grader.wire import Call, CallResult, Outcome, Value

REFERENCE = ""  # stands among the mistakes for the right answer


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A way to behave: a mistake's id, and what one of its variants returns for each case, or RAISED."""

    mistake: str
    results: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Prepared:
    operation: Operation  # held, so that its id stays its own
    arguments: tuple[tuple[Value, ...], ...]
    candidates: tuple[_Candidate, ...]


_prepared: dict[int, _Prepared] = {}


def prepare(operation: Operation) -> _Prepared:
    """The diagnosis set of an operation and every variant's results for it; computed once a process."""
    found = _prepared.get(id(operation))
    if found is None:
        cases = operation.diagnosis()
        functions = [(REFERENCE, operation.reference), *((v.mistake, v.function) for v in operation.variants)]
        found = _Prepared(
            operation,
            tuple(tuple(encode(argument) for argument in case.values()) for case in cases),
            tuple(_Candidate(name, tuple(_run(function, case) for case in cases)) for name, function in functions),
        )
        _prepared[id(operation)] = found
    return found


def diagnose(
    operation: Operation, entry: str, call: Callable[[Call], CallResult], *, rtol: float, atol: float
) -> tuple[str, ...]:
    """Ids of the mistakes that the submission behind `call` behaves as, best match first; empty if none is certain.

    Stops at the first case that leaves no mistake, and whenever the session ends.
    """
    prepared = prepare(operation)
    count = len(operation.returns)
    remaining = list(prepared.candidates)
    distance = dict.fromkeys(range(len(remaining)), 0.0)
    indices = list(distance)
    answered = False
    for case, arguments in enumerate(prepared.arguments):
        result = _learners(call(Call(entry, args=arguments)), count)
        if result is _ENDED:
            return ()
        answered = answered or result is not RAISED
        indices = [
            i for i in indices if same_result(_alike(remaining[i].results[case], count), result, rtol=rtol, atol=atol)
        ]
        for i in indices:
            distance[i] = max(distance[i], _distance(_alike(remaining[i].results[case], count), result))
        if all(remaining[i].mistake == REFERENCE for i in indices):
            return ()
    # Code that raises whatever it is given behaves as nothing in particular. And what equals the right answer too,
    # on every case, is not wrong here: no mistake explains it.
    if not answered or any(remaining[i].mistake == REFERENCE for i in indices):
        return ()
    ordered = sorted(indices, key=lambda i: distance[i])  # stable: of equal ones, the operation's own order
    return tuple(dict.fromkeys(remaining[i].mistake for i in ordered))


_ENDED = object()


def _learners(result: CallResult, count: int) -> Any:
    if result.outcome is Outcome.RAISED:
        return RAISED
    if result.outcome is not Outcome.RETURNED or result.value is None:
        return _ENDED
    try:
        return _alike(decode(result.value), count)
    except GarbledValue:
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
