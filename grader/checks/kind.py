"""What the kinds of check share: their cases, what a call came to, and what was found.

A kind is two functions. `cases` makes the calls before a session opens; `judge`
gets one CallResult for each of them, in order, all of which returned or raised
(what ends a session is dealt with in grader.judging), and finds a status. A
kind that measures what a whole session takes has `measure` in place of `judge`:
it is given a Meter, which opens sessions for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np

from attention_core import precision
from attention_core.operation import Arguments, Operation
from grader.checks.values import DOUBLE, Precision, encode, encode_tensor
from grader.verdicts import CheckSpec, ExerciseSpec, Status
from grader.wire import Call, CallResult, Usage, Value

# A status of a check with several calls is the first of these that any call has.
ORDER = (Status.FAILED, Status.ERROR, Status.PASSED)
DTYPES = (DOUBLE, *precision.PRECISIONS)
ALIGNMENT: Final = "top-left"  # of causal masks, in every operation on tensors: as PyTorch's own
REPLY_BYTES = 1_000_000  # the least that a reply may carry


class CheckSpecError(Exception):
    """A check that its package describes wrongly: a fault of the package, never of a learner."""


@dataclass(frozen=True, slots=True)
class Context:
    """One check of one job. `rng` is its own, so that adding a check changes no other's cases.

    `dtype` and `device` are those of the tensors that are sent; of an operation on arrays they say nothing.
    """

    check: CheckSpec
    exercise: ExerciseSpec
    operation: Operation
    rng: np.random.Generator
    dtype: Precision = DOUBLE
    device: str = "cpu"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An expected result. `allowed`: the largest differences that pass; None: what the exercise's tolerance allows.

    `whole`: False where it says nothing of some rows. There `allowed` is infinite; NaN fails all the same.
    """

    value: Any
    allowed: np.ndarray | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """One call, and what the reference returns for it: one expected value for each of `operation.returns`.

    `gradients`, by argument, where the call asks for them.
    """

    arguments: Arguments
    wanted: tuple[Wanted, ...]
    call: Call
    gradients: Mapping[str, Wanted] = field(default_factory=lambda: MappingProxyType({}))
    in_turn: bool = False  # its steps are taken in turn with those of the case before it

    @property
    def expected(self) -> tuple[Any, ...]:
        return tuple(each.value for each in self.wanted)


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
    `detail` may say more. `unasked`: something was in the way of what the check asks (another kind of result, another
    shape, NaN), so that its own sentence may not be true.
    """

    status: Status
    fact: str = ""
    detail: str = ""
    mistakes: tuple[str, ...] = ()
    case: int = 0  # index of the case that it is about
    expected: Mapping[str, Any] | None = None  # by name, where there is something to show beside it
    got: Mapping[str, Any] | None = None
    difference: Difference | None = None
    unasked: bool = False


PASSED = Finding(Status.PASSED)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one whole session came to: a result for each call, and what all of it took."""

    results: tuple[CallResult, ...]
    usage: Usage


class Meter(Protocol):
    """Opens sessions to be measured. What ends one early also ends the check, outside of the kind."""

    def measure(self, cases: Sequence[Case]) -> Measurement:
        """A session of the submission's own in which nothing but these cases is performed."""
        ...

    def bare(self) -> Usage:
        """What a session takes that runs nothing."""
        ...

    def extended(self, added: str, case: Case) -> CallResult | str:
        """What this case comes to in a session of the submission's own, with `added`, source of ours, behind its.

        However that ends, it ends no check: where there is no result, a sentence says why.
        """
        ...

    def ours(self, source: str, case: Case) -> CallResult:
        """What this case comes to in a session of a source of ours. However that ends, it ends no check."""
        ...


def _judges_nothing(_context: Context, _cases: Sequence[Case], _results: Sequence[CallResult]) -> Finding:
    raise TypeError("this kind of check measures sessions of its own")


def _measures_nothing(_context: Context, _cases: Sequence[Case], _meter: Meter) -> Finding:
    raise TypeError("this kind of check judges results")


@dataclass(frozen=True, slots=True)
class Kind:
    """`precise`: a failure of this kind means wrong numbers, which a named mistake may explain.

    `in_process`: a function of our own, of arrays and called in this process, can be put to it. `measured`: the mistake
    that shows in what a session takes.
    """

    cases: Callable[[Context], list[Case]]
    judge: Callable[[Context, Sequence[Case], Sequence[CallResult]], Finding] = _judges_nothing
    precise: bool = True
    in_process: bool = True
    measure: Callable[[Context, Sequence[Case], Meter], Finding] = _measures_nothing
    measured: str = ""

    @property
    def measures(self) -> bool:
        return self.measure is not _measures_nothing


def make_case(
    context: Context,
    arguments: Arguments,
    *,
    arguments_back: bool = False,
    device: str = "",
    expecting: Callable[[Arguments], tuple[Wanted, ...]] | None = None,
) -> Case:
    """A positional call with `arguments`, in their order; the reference gets copies of its own.

    Where tensors are sent, everything is computed from the numbers that dtype can hold. `device`: the context's, if
    left out. `expecting`: what is wanted of these numbers, where it is not all that the reference returns.
    """
    arguments = rounded(context, arguments)
    wanted = expecting(arguments) if expecting else _wanted(context, arguments)
    size = sum(each.value.nbytes for each in wanted if isinstance(each.value, np.ndarray))
    call = Call(
        context.exercise.entry,
        args=encode_arguments(context.operation, arguments, context.dtype, device or context.device),
        arguments_back=arguments_back,
        reply_bytes=max(REPLY_BYTES, 2 * size),
    )
    return Case(arguments, wanted, call)


def encode_arguments(
    operation: Operation, arguments: Arguments, dtype: Precision = DOUBLE, device: str = "cpu"
) -> tuple[Value, ...]:
    """As they are sent; `dtype` and `device` are for tensors."""
    as_tensors = operation.framework == "torch"
    return tuple(
        encode_tensor(value, dtype, device) if as_tensors and isinstance(value, np.ndarray) else encode(value)
        for value in arguments.values()
    )


def rounded(context: Context, arguments: Arguments) -> Arguments:
    """The arguments with every array as the tensor that is sent holds it."""
    if context.dtype == DOUBLE:
        return arguments
    return {
        name: precision.round_to(value, context.dtype).astype(np.float64) if isinstance(value, np.ndarray) else value
        for name, value in arguments.items()
    }


def _wanted(context: Context, arguments: Arguments) -> tuple[Wanted, ...]:
    expected = expected_of(context.operation, arguments)
    if context.dtype == DOUBLE:
        return tuple(map(Wanted, expected))
    q, k, v, *flag = arguments.values()  # as every operation on tensors takes them
    return tuple(Wanted(value, precision.allowance(q, k, v, any(flag), ALIGNMENT, context.dtype)) for value in expected)


def expected_of(operation: Operation, arguments: Arguments) -> tuple[Any, ...]:
    copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    returned = operation.reference(**copies)
    return tuple(returned) if len(operation.returns) > 1 else (returned,)


def with_options(context: Context, arguments: Arguments) -> Arguments:
    """The arguments, with flags and numbers among them as the check's `with:` has them: `is_causal: true`."""
    options = {}
    for name, value in arguments.items():
        given = context.check.parameters.get(name, value)
        if not isinstance(value, np.ndarray) and type(given) is not type(value):
            raise CheckSpecError(f"check {context.check.id!r}: `with: {name}` is {given!r}, which is not what it takes")
        options[name] = value if isinstance(value, np.ndarray) else given
    return options


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
