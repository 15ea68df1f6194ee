"""Asks a session which named mistake its submission makes: attention_core.diagnosis, over the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attention_core.comparison import RAISED
from attention_core.diagnosis import diagnosis_of
from attention_core.operation import Arguments, Operation
from grader.checks.returned import split
from grader.checks.values import GarbledValueError, decode, encode
from grader.wire import Call, CallResult, Outcome


class _SessionEndedError(Exception):
    """There will be no more answers."""


def diagnose(
    operation: Operation, entry: str, call: Callable[[Call], CallResult], *, rtol: float, atol: float
) -> tuple[str, ...]:
    """Ids of the mistakes that the submission behind `call` behaves as, best match first; empty if none is certain.

    Makes no further call once no mistake is left, nor after the session has ended, which names nothing.
    """
    count = len(operation.returns)

    def answer(arguments: Arguments) -> Any:
        return _answer(call(Call(entry, args=tuple(map(encode, arguments.values())))), count)

    try:
        return diagnosis_of(operation).mistakes_of(answer, rtol=rtol, atol=atol)
    except (_SessionEndedError, GarbledValueError):
        return ()


def _answer(result: CallResult, count: int) -> Any:
    """What a call returned, several results as a tuple, whichever sequence they came in; or RAISED."""
    if result.outcome is Outcome.RAISED:
        return RAISED
    if result.outcome is not Outcome.RETURNED or result.value is None:
        raise _SessionEndedError
    decoded = decode(result.value)
    return decoded if count == 1 else split(decoded, count) or decoded
