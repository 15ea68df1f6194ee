"""Frames of a session's channel: requests as bytes, and replies, which a learner may have forged, from bytes.

A frame is two 32-bit big-endian lengths, a JSON header of the first length and raw buffers of the second together.
Every length, name and number of a reply is checked before it is used, and texts are made safe to store and to print.
"""

from __future__ import annotations

import builtins
import json
import math
import re
import struct
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.wire import Call, CodeError, Kind, Outcome, Value

PREFIX = struct.Struct(">II")
HEADER_BYTES = 1 << 20  # 72 texts of 1,000 characters, an error, and room
NUMBER_DTYPES = re.compile(r"\|b1|\|[iu]1|<[iu][248]|<f(2|4|8|12|16)|<c(8|16|24|32)")
ITEM_BYTES = re.compile(r"\d+$")
TENSOR_ITEM_BYTES = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1,
    "bool": 1, "complex64": 8, "complex128": 16,
}  # fmt: skip
DEVICES = ("cpu", "cuda", "meta")  # a tensor on "meta" has no data
AXES, AXIS_LENGTH = 64, 10**9
SEQUENCE_ITEMS, SEQUENCE_DEPTH = 8, 2
GRAPH_NAMES, GRAPH_CHARACTERS = 200, 100
TEXT_CHARACTERS, MESSAGE_CHARACTERS, TRACEBACK_CHARACTERS = 1_000, 2_000, 4_100
LARGEST_LINE = 10**7
GRADIENT_KINDS = (Kind.TENSOR, Kind.NONE, Kind.OTHER)  # other: one that is sparse
# What a session may say of itself. The others are the worker's to find.
REPLIED = (Outcome.RETURNED, Outcome.RAISED, Outcome.NO_ENTRY, Outcome.MEMORY, Outcome.EXITED, Outcome.TOO_LARGE)
BUILTIN_EXCEPTIONS = {
    name for name, found in vars(builtins).items() if isinstance(found, type) and issubclass(found, BaseException)
}


class FrameError(Exception):
    """A reply that the guest, left alone, would not have written."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A valid reply; `value` and the rest are as untrusted as any output."""

    outcome: Outcome
    value: Value | None = None
    arguments: tuple[Value, ...] = ()
    error: CodeError | None = None
    signature: str = ""
    gradients: tuple[Value, ...] = ()
    graph: tuple[str, ...] = ()


# ---- Requests -------------------------------------------------------------------------------------------------------


def load_request(source: str, entry: str, nonce: str) -> bytes:
    data = source.encode()
    return _frame({"op": "load", "nonce": nonce, "entry": entry, "size": len(data)}, [data])


def call_request(call: Call, nonce: str, *, tensors: bool, kept: Collection[str], gpu: bool = False) -> bytes:
    """`tensors`: whether the session knows them; `kept`: names under which it has kept something; `gpu`: has it one.

    Raises ValueError for an argument that cannot be sent.
    """
    if call.keep_item is not None and (not call.keep or not 0 <= call.keep_item < SEQUENCE_ITEMS):
        place = f"expected an item from 0 to {SEQUENCE_ITEMS - 1} and a name to keep it under"
        raise ValueError(f"{place}, got {call.keep_item} and {call.keep!r}")
    buffers: list[bytes] = []
    sent = [*call.args, *call.kwargs.values()]
    for value in sent:
        if value.kind is Kind.KEPT and value.text not in kept:
            raise ValueError(f"nothing is kept under the name {value.text!r} in this session")
    if not tensors and any(map(_has_tensor, [*sent, *filter(None, [call.cotangent])])):
        raise ValueError("tensors cannot be sent into a session without PyTorch")
    if not gpu and any(map(_is_for_gpu, [*sent, *filter(None, [call.cotangent])])):
        raise ValueError("expected a tensor for one of the devices that the session has, got 'cuda'")
    header = {
        "op": "call",
        "nonce": nonce,
        "entry": call.entry,
        "args": [_describe(value, buffers) for value in call.args],
        "kwargs": {name: _describe(value, buffers) for name, value in call.kwargs.items()},
        "arguments_back": call.arguments_back,
        "reply_bytes": call.reply_bytes,
        "keep": call.keep,
        "keep_item": call.keep_item,
    }
    if call.cotangent is not None:
        if call.cotangent.kind is not Kind.TENSOR:
            raise ValueError(f"expected a tensor as cotangent, got a value of kind {call.cotangent.kind.value!r}")
        header["cotangent"] = _describe(call.cotangent, buffers)
    return _frame(header, buffers)


def _frame(header: Mapping[str, Any], buffers: list[bytes]) -> bytes:
    text = json.dumps(header).encode()
    return b"".join([PREFIX.pack(len(text), sum(map(len, buffers))), text, *buffers])


def _has_tensor(value: Value) -> bool:
    return value.kind is Kind.TENSOR or any(map(_has_tensor, value.items))


def _is_for_gpu(value: Value) -> bool:
    return (value.kind is Kind.TENSOR and value.text == "cuda") or any(map(_is_for_gpu, value.items))


def _describe(value: Value, buffers: list[bytes], depth: int = 0) -> dict[str, Any]:
    if value.kind in {Kind.ARRAY, Kind.SCALAR, Kind.TENSOR}:
        if value.kind is Kind.TENSOR and value.text not in DEVICES:
            raise ValueError(f"expected a tensor for one of the devices {DEVICES}, got {value.text!r}")
        size = _size(value.kind, value.dtype, value.shape, value.text)
        if size != len(value.data):
            raise ValueError(f"{value.dtype} {value.shape} is {size} bytes, got {len(value.data)}")
        buffers.append(value.data)
        return {"kind": value.kind, "dtype": value.dtype, "shape": value.shape, "text": value.text}
    if value.kind is Kind.SEQUENCE:
        return {"kind": value.kind, "items": [_describe(item, buffers, depth + 1) for item in value.items]}
    if value.kind is Kind.OTHER or (value.kind is Kind.KEPT and depth):
        place = "within a sequence " if depth else ""
        raise ValueError(f"a value of kind {value.kind.value!r} ({value.text}) cannot be sent {place}into a session")
    return {"kind": value.kind, "text": value.text}


def _size(kind: Kind, dtype: str, shape: tuple[int, ...], device: str) -> int:
    """Bytes of an array or a tensor. Raises ValueError for a dtype that is not one of numbers."""
    if kind is Kind.TENSOR:
        if dtype not in TENSOR_ITEM_BYTES:
            raise ValueError(f"expected a dtype of PyTorch's such as 'float32', got {dtype!r}")
        return 0 if device == "meta" else math.prod(shape) * TENSOR_ITEM_BYTES[dtype]
    if not NUMBER_DTYPES.fullmatch(dtype):
        raise ValueError(f"expected a little-endian dtype of numbers such as '<f8', got {dtype!r}")
    width = ITEM_BYTES.search(dtype)
    return math.prod(shape) * int(width.group() if width else 0)


# ---- Replies --------------------------------------------------------------------------------------------------------


def parse_header(header: bytes) -> dict[str, Any]:
    """The header as a mapping, nothing in it checked yet. Raises FrameError."""
    try:
        parsed = json.loads(header, parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise FrameError("the header is not JSON") from error
    return _mapping(parsed)


def parse_reply(header: dict[str, Any], body: bytes, nonce: str, call: Call | None, *, tensors: bool) -> Reply:
    """Raises FrameError unless it is a well-formed reply to the request that carried `nonce`.

    `call`: what was asked for; None for loading, which returns no value. `tensors`: whether the session knows them.
    What raised says what it raised.
    """
    if header.get("nonce") != nonce:
        raise FrameError("the reply is not to this request")
    outcome = header.get("outcome")
    if outcome not in REPLIED:
        raise FrameError("unknown outcome")
    returned = call if outcome == Outcome.RETURNED else None
    for name, asked in (
        ("value", returned is not None),
        ("arguments", returned is not None and returned.arguments_back),
        ("gradients", returned is not None and returned.cotangent is not None),
        ("graph", returned is not None and returned.cotangent is not None),
    ):
        if (name in header) is not asked:
            raise FrameError(f"{name}: missing, or not asked for")
    if outcome == Outcome.RAISED and "error" not in header:
        raise FrameError("an error missing")
    buffers = _Buffers(body)
    error = _error(_mapping(header["error"])) if "error" in header else None
    signature = safe_text(header.get("signature", ""), TEXT_CHARACTERS)
    reply = Reply(Outcome(outcome), error=error, signature=signature)
    if returned is not None:
        reply = replace(
            reply,
            value=_result(header["value"], buffers, returned),
            arguments=_arguments(header.get("arguments", []), buffers, returned),
            gradients=_gradients(header.get("gradients", []), buffers, returned),
            graph=_graph(header.get("graph", [])),
        )
    if buffers.left:
        raise FrameError("bytes left over")
    if not tensors and any(map(_has_tensor, filter(None, [reply.value, *reply.arguments]))):
        raise FrameError("a tensor without PyTorch")
    return reply


def _result(described: Any, buffers: _Buffers, call: Call) -> Value:
    value = _value(described, buffers, 0)
    place = () if call.keep_item is None else (call.keep_item,)
    keeps = call.keep and (not place or place[0] < len(value.items))
    if _kept(value) != ({place: call.keep} if keeps else {}):
        raise FrameError("kept something else than what was asked for")
    return value


def _arguments(described: Any, buffers: _Buffers, call: Call) -> tuple[Value, ...]:
    values = tuple(_value(item, buffers, 0) for item in _list(described, len(call.args)))
    if call.arguments_back and len(values) != len(call.args):
        raise FrameError("arguments missing")
    for sent, back in zip(call.args, values, strict=False):
        if _kept(back) != _kept(sent):
            raise FrameError("kept something else than what was sent")
    return values


def _gradients(described: Any, buffers: _Buffers, call: Call) -> tuple[Value, ...]:
    """One for each tensor among the arguments, or none at all where the result was not of the loss's shape."""
    tensors = sum(value.kind is Kind.TENSOR for value in call.args)
    values = tuple(_value(item, buffers, 0) for item in _list(described, tensors))
    if len(values) not in {0, tensors} or any(value.kind not in GRADIENT_KINDS for value in values):
        raise FrameError("no gradients")
    return values


def _graph(described: Any) -> tuple[str, ...]:
    names = [safe_text(name, GRAPH_CHARACTERS) for name in _list(described, GRAPH_NAMES)]
    return tuple(dict.fromkeys(names))


def _kept(value: Value, place: tuple[int, ...] = ()) -> dict[tuple[int, ...], str]:
    """Where in a value something kept stands, and its name."""
    if value.kind is Kind.KEPT:
        return {place: value.text}
    within = [_kept(item, (*place, index)) for index, item in enumerate(value.items)]
    return {where: name for found in within for where, name in found.items()}


def safe_text(text: Any, limit: int) -> str:
    """A string without NUL and lone surrogates, which neither a database nor a page can hold. Raises FrameError."""
    if not isinstance(text, str):
        raise FrameError("expected a text")
    return text[:limit].encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


class _Buffers:
    """Hands out a reply's raw bytes from the front."""

    def __init__(self, body: bytes) -> None:
        self._body, self._position = body, 0

    @property
    def left(self) -> int:
        return len(self._body) - self._position

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise FrameError("bytes missing")
        self._position += size
        return self._body[self._position - size : self._position]


def _value(described: Any, buffers: _Buffers, depth: int) -> Value:
    described = _mapping(described)
    try:
        kind = Kind(described.get("kind"))
    except ValueError as error:
        raise FrameError("unknown kind") from error
    if kind in {Kind.ARRAY, Kind.SCALAR, Kind.TENSOR}:
        return _numbers(kind, described, buffers)
    if kind is Kind.SEQUENCE:
        if depth == SEQUENCE_DEPTH:
            raise FrameError("sequences too deep")
        items = _list(described.get("items"), SEQUENCE_ITEMS)
        return Value(kind, items=tuple(_value(item, buffers, depth + 1) for item in items))
    text = safe_text(described.get("text", ""), TEXT_CHARACTERS)
    if not _VALID_TEXT[kind](text):
        raise FrameError(f"no {kind}")
    return Value(kind, text=text)


def _numbers(kind: Kind, described: dict[str, Any], buffers: _Buffers) -> Value:
    dtype, axes = described.get("dtype"), _list(described.get("shape"), AXES)
    shape = tuple(_integer(axis, 0, AXIS_LENGTH) for axis in axes)
    device = str(described.get("text")) if kind is Kind.TENSOR else ""
    if not isinstance(dtype, str) or (kind is Kind.SCALAR and shape):
        raise FrameError("no array")
    if kind is Kind.TENSOR and device not in DEVICES:
        raise FrameError("unknown device")
    try:
        size = _size(kind, dtype, shape, device)
    except ValueError as error:
        raise FrameError(str(error)) from error
    data = buffers.take(size)
    if dtype in {"|b1", "bool"} and data.translate(None, b"\0\1"):
        raise FrameError("no booleans")
    return Value(kind, dtype=dtype, shape=shape, data=data, text=device)


def _is_float(text: str) -> bool:
    try:
        float.fromhex(text)
    except (ValueError, OverflowError):
        return False
    return True


_VALID_TEXT: dict[Kind, Callable[[str], bool]] = {
    Kind.INT: lambda text: re.fullmatch(r"-?[0-9]{1,1000}", text) is not None,
    Kind.FLOAT: _is_float,
    Kind.BOOL: lambda text: text in {"True", "False"},
    Kind.NONE: lambda text: text == "",
    Kind.TEXT: lambda _: True,
    Kind.KEPT: lambda _: True,
    Kind.OTHER: lambda _: True,
}


def _error(described: dict[str, Any]) -> CodeError:
    name = described.get("type", "")
    line, column = _place(described.get("line")), _place(described.get("column"))
    return CodeError(
        type=name if isinstance(name, str) and name in BUILTIN_EXCEPTIONS else "",
        message=safe_text(described.get("message", ""), MESSAGE_CHARACTERS),
        line=line,
        column=None if line is None else column,
        traceback=safe_text(described.get("traceback", ""), TRACEBACK_CHARACTERS),
    )


def _place(number: Any) -> int | None:
    return None if number is None else _integer(number, 1, LARGEST_LINE)


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FrameError("expected a mapping")
    return value


def _list(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise FrameError(f"expected a list of at most {most}")
    return value


def _integer(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise FrameError(f"expected a whole number from {least} to {most}")
    return value


def _refuse(_: str) -> Any:
    raise ValueError("no such number is written by the guest")
