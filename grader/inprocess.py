"""A stand-in for the sandbox that calls a function of our own in this process.

For trusted functions only: the gate puts every known mistake to the checks with
it, as a submission is, in a hundredth of the time. It takes no source. What it
is given and what it gives crosses as bytes, as in a session. The function takes
and returns arrays: tensors are made arrays, and what is returned a tensor of
their dtype.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np

from grader.checks.values import Precision, Tensor, decode, encode, encode_tensor
from grader.wire import Call, CallResult, CodeError, Kind, Limits, Outcome, Usage, Value


class FunctionSandbox:
    """Opens sessions in which every entry is `function`, whatever the source says."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[FunctionSession]:  # noqa: ARG002 as the sandbox's
        yield FunctionSession(self._function)


class FunctionSession:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._opened = time.monotonic()

    @property
    def elapsed_ms(self) -> float:
        return (time.monotonic() - self._opened) * 1000

    @property
    def usage(self) -> Usage | None:
        return None  # nobody can tell a function's from this process's own

    def load(self, entry: str) -> CallResult:  # noqa: ARG002 as a session's
        return CallResult(Outcome.RETURNED, signature=str(inspect.signature(self._function)))

    def call(self, call: Call) -> CallResult:
        sent = next((argument for argument in call.args if argument.kind is Kind.TENSOR), None)
        arguments = [_array(argument) for argument in call.args]
        try:
            with np.errstate(all="ignore"):
                returned = self._function(*arguments, **{name: decode(value) for name, value in call.kwargs.items()})
        except Exception as error:  # noqa: BLE001 as a session does with whatever code raises
            return CallResult(Outcome.RAISED, error=CodeError(type(error).__name__, str(error)))
        back = tuple(_described(argument, sent) for argument in arguments) if call.arguments_back else ()
        return CallResult(Outcome.RETURNED, value=_described(returned, sent), arguments=back)


def _array(argument: Value) -> Any:
    decoded = decode(argument)
    return decoded.array if isinstance(decoded, Tensor) else decoded


def _described(returned: Any, sent: Value | None = None) -> Value:
    """What `encode` has no kind for is named, as the guest does. `sent`: a tensor of the arguments, if there is one."""
    if isinstance(returned, (list, tuple)):
        return Value(Kind.SEQUENCE, items=tuple(_described(item, sent) for item in returned))
    if sent is not None and type(returned) is np.ndarray:
        return _as_tensor(returned, sent)
    is_subclass = isinstance(returned, np.ndarray) and type(returned) is not np.ndarray
    if is_subclass or (isinstance(returned, np.ndarray) and returned.dtype.kind not in "biufc"):
        return Value(Kind.OTHER, text=_type_name(returned))
    try:
        return encode(returned)
    except TypeError:
        return Value(Kind.OTHER, text=_type_name(returned))


def _as_tensor(array: np.ndarray, sent: Value) -> Value:
    """A tensor as `sent` is, of floats; of anything else, one of its own dtype."""
    if array.dtype == np.float64:
        return encode_tensor(array, cast(Precision, sent.dtype), sent.text)
    plain = encode(array)
    return Value(Kind.TENSOR, dtype=array.dtype.name, shape=plain.shape, data=plain.data, text=sent.text)


def _type_name(value: Any) -> str:
    name = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
    return f"{name} of dtype {value.dtype}" if type(value) is np.ndarray else name
