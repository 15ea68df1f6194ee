"""What the kinds of check share: their cases, what a call came to, and what was found.

A kind is two functions. `cases` makes the calls before a session opens; `judge`
gets one CallResult for each of them, in order, all of which returned or raised
(what ends a session is dealt with in grader.judging), and finds a status.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_core.operation import Arguments, Operation
from grader.checks.values import encode
from grader.verdicts import CheckSpec, ExerciseSpec, Status
from grader.wire import Call, CallResult

# A status of a check with several calls is the first of these that any call has.
ORDER = (Status.FAILED, Status.ERROR, Status.PASSED)


class CheckSpecError(Exception):
    """A check that its package describes wrongly: a fault of the package, never of a learner."""


@dataclass(frozen=True, slots=True)
class Context:
    """One check of one job. `rng` is its own, so that adding a check changes no other's cases."""

    check: CheckSpec
    exercise: ExerciseSpec
    operation: Operation
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class Case:
    """One call, and what the reference returns for it: one expected value for each of `operation.returns`."""

    arguments: Arguments
    expected: tuple[Any, ...]
    call: Call


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a result first differs; numbers, and the difference that is allowed there."""

    result: str
    index: tuple[int, ...]
    expected: Any
    got: Any
    allowed: float


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check came to.

    `fact` says nothing that a learner's code could have filled with a hidden
    input: shapes of the case's own sizes, dtypes, built-in exceptions and lines.
    `detail` may say more.
    """

    status: Status
    fact: str = ""
    detail: str = ""
    mistakes: tuple[str, ...] = ()
    case: int = 0  # index of the case that it is about
    expected: Mapping[str, Any] | None = None  # by name, where there is something to show beside it
    got: Mapping[str, Any] | None = None
    difference: Difference | None = None


PASSED = Finding(Status.PASSED)


@dataclass(frozen=True, slots=True)
class Kind:
    """`precise`: a failure of this kind means wrong numbers, which a named mistake may explain."""

    cases: Callable[[Context], list[Case]]
    judge: Callable[[Context, Sequence[Case], Sequence[CallResult]], Finding]
    precise: bool = True


def make_case(context: Context, arguments: Arguments, *, arguments_back: bool = False) -> Case:
    """A positional call with `arguments`, in their order; the reference gets copies of its own."""
    call = Call(
        context.exercise.entry,
        args=tuple(encode(argument) for argument in arguments.values()),
        arguments_back=arguments_back,
    )
    return Case(arguments, expected_of(context.operation, arguments), call)


def expected_of(operation: Operation, arguments: Arguments) -> tuple[Any, ...]:
    copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    returned = operation.reference(**copies)
    return tuple(returned) if len(operation.returns) > 1 else (returned,)


def parameter(context: Context, name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
    """A value of the check's `with:` mapping. Raises CheckSpecError where it is missing or of another type."""
    found = context.check.parameters.get(name, default)
    if not isinstance(found, kind) or isinstance(found, bool):
        raise CheckSpecError(f"check {context.check.id!r}: `with: {name}` is {found!r}, which is not what it takes")
    return found


def choose(context: Context, name: str, palette: Mapping[str, Any]) -> Any:
    """The entry of a palette that `with: name` asks for. Raises CheckSpecError, naming all there are."""
    wanted = parameter(context, name, str)
    if wanted not in palette:
        known = ", ".join(sorted(palette))
        raise CheckSpecError(
            f"check {context.check.id!r}: {context.operation.name} has no {name} {wanted!r}; it has {known}"
        )
    return palette[wanted]


def worst(findings: Sequence[Finding]) -> Finding:
    """The first finding of the status that decides."""
    return min(findings, key=lambda finding: ORDER.index(finding.status), default=PASSED)
