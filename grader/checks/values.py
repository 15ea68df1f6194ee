"""Values that cross a session's border, to and from NumPy. Tensors too: PyTorch is never needed here.

What comes back was written by a process that runs a learner's code: kind,
dtype, shape and size are checked before a single number is read, and nothing
is unpickled.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from attention_core import precision
from grader.wire import Kind, Value

# Plain numbers only: a longer text could describe a record, and its size, in the dtype itself.
NUMERIC_DTYPE = re.compile(r"[<>|=]?(?P<kind>[biufc])(?P<size>[0-9]{1,2})")
MAX_DIMENSIONS = 64  # NumPy's own, and what a session may send
# PyTorch's dtypes, and in which of NumPy's their bytes are read. NumPy has no bfloat16: read as words, then decoded.
TENSOR_DTYPES = {
    **{f"float{bits}": f"<f{bits // 8}" for bits in (16, 32, 64)},
    **{f"int{bits}": f"<i{bits // 8}" for bits in (8, 16, 32, 64)},
    "bfloat16": "<u2",
    "uint8": "<u1",
    "bool": "|b1",
    "complex64": "<c8",
    "complex128": "<c16",
}
DOUBLE: Final = "float64"
Precision = precision.Precision | Literal["float64"]
LARGEST_ITEM = 16  # bytes of a number in the widest dtype that is computed in here
META_NUMBERS = 10**6  # the most of a tensor there
META = "meta"  # the device of tensors that have a shape and a dtype, but no numbers


class GarbledValueError(Exception):
    """A value that contradicts itself: no honest session sends one."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value that is neither a number, an array of numbers, a string, None nor a sequence.

    `name` was chosen by the learner's code, so it may be shown only where printed output may.
    """

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A tensor that came back: its numbers (floating ones as float64), PyTorch's name of its dtype, and its device
    without a number, such as "cuda". One on the device "meta" has no numbers: they stand as NaN.
    """

    array: np.ndarray
    dtype: str
    device: str


def encode_tensor(array: np.ndarray, dtype: Precision, device: str = "cpu") -> Value:
    """An array of float64 as a tensor of a floating dtype, rounded to its precision; on "meta" its shape alone."""
    if device == META or array.size == 0:
        data = b""
    else:
        data = array.astype("<f8").tobytes() if dtype == DOUBLE else precision.encode(array, dtype)
    return Value(Kind.TENSOR, dtype=dtype, shape=array.shape, data=data, text=device)


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
        case Kind.TENSOR:
            return _tensor(value)
        case Kind.KEPT:
            return Foreign("object")  # whatever it is, it is no result
        case Kind.OTHER:
            return Foreign(value.text)
    raise GarbledValueError(f"unknown kind {value.kind!r}")


def _tensor(value: Value) -> Tensor | Foreign:
    device = value.text.partition(":")[0]
    dtype = TENSOR_DTYPES.get(value.dtype)
    if dtype is None:
        return Foreign("torch.Tensor")
    if device == META:
        # Nothing was received for it, but work on it takes time and memory.
        if math.prod(value.shape) > META_NUMBERS or _is_unwieldy(value.shape):
            return Foreign("torch.Tensor")
        return Tensor(_without_numbers(value.shape), value.dtype, device)
    array = _array(replace(value, dtype=dtype), value.shape)
    if isinstance(array, Foreign):
        return Foreign("torch.Tensor")
    if value.dtype == "bfloat16":
        array = precision.decode_bfloat16(array)
    return Tensor(array.astype(np.float64) if array.dtype.kind == "f" else array, value.dtype, device)


def _without_numbers(shape: tuple[int, ...]) -> np.ndarray:
    try:
        return np.broadcast_to(np.nan, shape)  # takes no memory, whatever the shape
    except ValueError:
        raise GarbledValueError(f"impossible shape {shape}") from None


def _is_unwieldy(shape: tuple[int, ...]) -> bool:
    """Whether NumPy refuses such a shape in some dtype, though it has no element: it counts an axis of 0 as 1."""
    return math.prod(max(length, 1) for length in shape) * LARGEST_ITEM > np.iinfo(np.intp).max


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
    if _is_unwieldy(shape):
        return Foreign("numpy.ndarray")
    return read_only.astype(dtype.newbyteorder("="))
