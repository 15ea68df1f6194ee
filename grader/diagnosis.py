"""Asks a session which named mistake its submission makes: attention_core.diagnosis, over the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attention_core.comparison import RAISED
from attention_core.diagnosis import diagnosis_of
from attention_core.operation import Arguments, Operation
from grader.checks.returned import split
from grader.checks.values import GarbledValueError, Tensor, decode
from grader.wire import CallResult, Outcome


class _SessionEndedError(Exception):
    """There will be no more answers."""


def diagnose(
    operation: Operation, put: Callable[[Arguments], CallResult], *, rtol: float, atol: float
) -> tuple[str, ...]:
    """Ids of the mistakes that a submission behaves as, best match first; empty if none is certain.

    `put` performs the case of these arguments. It is asked no more once no mistake is left, nor after the session has
    ended, which names nothing.
    """
    count = len(operation.returns)

    def answer(arguments: Arguments) -> Any:
        return _answer(put(arguments), count)

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
    if isinstance(decoded, Tensor):
        return decoded.array
    return decoded if count == 1 else split(decoded, count) or decoded
