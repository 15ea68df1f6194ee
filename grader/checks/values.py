"""Values that cross a session's border, to and from NumPy.

What comes back was written by a process that runs a learner's code: kind,
dtype, shape and size are checked before a single number is read, and nothing
is unpickled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.wire import Kind, Value

# Plain numbers only: a longer text could describe a record, and its size, in the dtype itself.
NUMERIC_DTYPE = re.compile(r"[<>|=]?(?P<kind>[biufc])(?P<size>[0-9]{1,2})")
MAX_DIMENSIONS = 32


class GarbledValueError(Exception):
    """A value that contradicts itself: no honest session sends one."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value that is neither a number, an array of numbers, a string, None nor a sequence.

    `name` was chosen by the learner's code, so it may be shown only where printed output may.
    """

    name: str


def encode(value: Any) -> Value:
    """An argument as bytes: an ndarray, a Python number, a bool, None, a str, or a sequence of these.

    Raises TypeError for anything else.
    """
    match value:
        case np.ndarray():
            # ascontiguousarray would turn a 0-dimensional array into one of shape (1,).
            little = value.astype(value.dtype.newbyteorder("<"), order="C", copy=False)
            return Value(Kind.ARRAY, dtype=little.dtype.str, shape=value.shape, data=little.tobytes())
        case np.generic():
            return Value(Kind.SCALAR, dtype=value.dtype.str, data=value.tobytes())
        case bool():
            return Value(Kind.BOOL, text=str(value))
        case int():
            return Value(Kind.INT, text=str(value))
        case float():
            return Value(Kind.FLOAT, text=value.hex())
        case None:
            return Value(Kind.NONE)
        case str():
            return Value(Kind.TEXT, text=value)
        case list() | tuple():
            return Value(Kind.SEQUENCE, items=tuple(encode(item) for item in value))
    raise TypeError(f"cannot send a {type(value).__name__} into a session")


def decode(value: Value) -> Any:
    """What a learner's function returned: sequences as tuples, arrays as fresh ones in native byte order.

    Raises GarbledValueError where kind, dtype, shape and data contradict each other.
    """
    match value.kind:
        case Kind.ARRAY:
            return _array(value, value.shape)
        case Kind.SCALAR:
            array = _array(value, ())
            return array if isinstance(array, Foreign) else array[()]
        case Kind.INT | Kind.FLOAT:
            return _number(value)
        case Kind.BOOL:
            return value.text == "True"
        case Kind.NONE:
            return None
        case Kind.TEXT:
            return value.text
        case Kind.SEQUENCE:
            return tuple(decode(item) for item in value.items)
        case Kind.OTHER:
            return Foreign(value.text)
    raise GarbledValueError(f"unknown kind {value.kind!r}")


def _number(value: Value) -> int | float:
    try:
        return int(value.text) if value.kind is Kind.INT else float.fromhex(value.text)
    except (ValueError, OverflowError):
        raise GarbledValueError(f"{value.text[:40]!r} is no {value.kind}") from None


def _array(value: Value, shape: tuple[int, ...]) -> Any:
    described = NUMERIC_DTYPE.fullmatch(value.dtype)
    if described is None:
        return Foreign(f"array of dtype {value.dtype}")
    try:
        dtype = np.dtype(f"<{described['kind']}{described['size']}")
    except TypeError:
        raise GarbledValueError(f"unknown dtype {value.dtype!r}") from None
    if len(shape) > MAX_DIMENSIONS or any(length < 0 for length in shape):
        raise GarbledValueError(f"impossible shape {shape}")
    try:
        # Neither step allocates: a view of what was received either has this shape or there is none.
        read_only = np.frombuffer(value.data, dtype=dtype).reshape(shape)
    except ValueError:
        raise GarbledValueError(f"{len(value.data)} bytes are no {dtype.name} of shape {shape}") from None
    return read_only.astype(dtype.newbyteorder("="))
