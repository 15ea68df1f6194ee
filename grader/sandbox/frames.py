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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.wire import Call, CodeError, Kind, Outcome, Value

PREFIX = struct.Struct(">II")
HEADER_BYTES = 1 << 20  # 72 texts of 1,000 characters, an error, and room
NUMBER_DTYPES = re.compile(r"\|b1|\|[iu]1|<[iu][248]|<f(2|4|8|12|16)|<c(8|16|24|32)")
ITEM_BYTES = re.compile(r"\d+$")
AXES, AXIS_LENGTH = 64, 10**9
SEQUENCE_ITEMS, SEQUENCE_DEPTH, ARGUMENTS = 8, 2, 64
TEXT_CHARACTERS, MESSAGE_CHARACTERS, TRACEBACK_CHARACTERS = 1_000, 2_000, 4_100
LARGEST_LINE = 10**7
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


# ---- Requests -------------------------------------------------------------------------------------------------------


def load_request(source: str, entry: str, nonce: str) -> bytes:
    data = source.encode()
    return _frame({"op": "load", "nonce": nonce, "entry": entry, "size": len(data)}, [data])


def call_request(call: Call, nonce: str) -> bytes:
    """Raises ValueError for an argument that cannot be sent."""
    buffers: list[bytes] = []
    header = {
        "op": "call",
        "nonce": nonce,
        "entry": call.entry,
        "args": [_describe(value, buffers) for value in call.args],
        "kwargs": {name: _describe(value, buffers) for name, value in call.kwargs.items()},
        "arguments_back": call.arguments_back,
        "reply_bytes": call.reply_bytes,
    }
    return _frame(header, buffers)


def _frame(header: Mapping[str, Any], buffers: list[bytes]) -> bytes:
    text = json.dumps(header).encode()
    return b"".join([PREFIX.pack(len(text), sum(map(len, buffers))), text, *buffers])


def _describe(value: Value, buffers: list[bytes]) -> dict[str, Any]:
    if value.kind in {Kind.ARRAY, Kind.SCALAR}:
        if _size(value.dtype, value.shape) != len(value.data):
            raise ValueError(
                f"{value.dtype} {value.shape} is {_size(value.dtype, value.shape)} bytes, got {len(value.data)}"
            )
        buffers.append(value.data)
        return {"kind": value.kind, "dtype": value.dtype, "shape": value.shape}
    if value.kind is Kind.SEQUENCE:
        return {"kind": value.kind, "items": [_describe(item, buffers) for item in value.items]}
    if value.kind is Kind.OTHER:
        raise ValueError(f"a value of kind 'other' ({value.text}) cannot be sent into a session")
    return {"kind": value.kind, "text": value.text}


def _size(dtype: str, shape: tuple[int, ...]) -> int:
    """Bytes of an array. Raises ValueError for a dtype that is not one of numbers."""
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


def parse_reply(header: dict[str, Any], body: bytes, nonce: str, *, of_call: bool) -> Reply:
    """Raises FrameError unless it is a well-formed reply to the request that carried `nonce`.

    `of_call`: a call returns a value, loading does not. What raised says what it raised.
    """
    if header.get("nonce") != nonce:
        raise FrameError("the reply is not to this request")
    outcome = header.get("outcome")
    if outcome not in REPLIED:
        raise FrameError("unknown outcome")
    if ("value" in header) is not (of_call and outcome == Outcome.RETURNED):
        raise FrameError("a value missing, or one too many")
    if outcome == Outcome.RAISED and "error" not in header:
        raise FrameError("an error missing")
    buffers = _Buffers(body)
    value = _value(header["value"], buffers, 0) if "value" in header else None
    arguments = tuple(_value(item, buffers, 0) for item in _list(header.get("arguments", []), ARGUMENTS))
    if buffers.left:
        raise FrameError("bytes left over")
    error = _error(_mapping(header["error"])) if "error" in header else None
    signature = safe_text(header.get("signature", ""), TEXT_CHARACTERS)
    return Reply(Outcome(outcome), value, arguments, error, signature)


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
    if kind in {Kind.ARRAY, Kind.SCALAR}:
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
    if not isinstance(dtype, str) or (kind is Kind.SCALAR and shape):
        raise FrameError("no array")
    try:
        size = _size(dtype, shape)
    except ValueError as error:
        raise FrameError(str(error)) from error
    data = buffers.take(size)
    if dtype == "|b1" and data.translate(None, b"\0\1"):
        raise FrameError("no booleans")
    return Value(kind, dtype=dtype, shape=shape, data=data)


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
