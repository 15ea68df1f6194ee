"""Replies as bytes: every field is checked before it is used. No jail needed."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from grader.sandbox.frames import FrameError, parse_header, parse_reply
from grader.wire import CodeError, Kind, Outcome, Value

ARRAY = {"kind": "array", "dtype": "<f8", "shape": [2], "bytes": 16}


def reply(body: bytes = b"", **fields: Any) -> Any:
    """The reply to a call where there is a value, else to loading."""
    header = parse_header(json.dumps({"nonce": "n", "outcome": "returned", **fields}).encode())
    return parse_reply(header, body, "n", of_call="value" in fields)


def test_a_valid_reply() -> None:
    parsed = reply(bytes(16), value=ARRAY, error={"type": "ValueError", "message": "m", "line": 1})
    assert parsed.outcome is Outcome.RETURNED
    assert parsed.value == Value(Kind.ARRAY, "<f8", (2,), bytes(16))
    assert parsed.error == CodeError("ValueError", "m", 1)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "array",
        {},
        {"kind": "file"},
        {"kind": ["array"]},
        {**ARRAY, "dtype": "|O"},
        {**ARRAY, "dtype": "<U4"},
        {**ARRAY, "dtype": ">f8"},
        {**ARRAY, "dtype": "<f8,<f8"},
        {**ARRAY, "dtype": "<f8\n"},
        {**ARRAY, "dtype": None},
        {**ARRAY, "shape": [-2]},
        {**ARRAY, "shape": [2.0]},
        {**ARRAY, "shape": [True, 2]},
        {**ARRAY, "shape": ["2"]},
        {**ARRAY, "shape": 2},
        {**ARRAY, "shape": [3]},
        {**ARRAY, "shape": [1]},
        {**ARRAY, "shape": [2**40, 2**40]},
        {**ARRAY, "shape": [0, 2**62]},
        {**ARRAY, "shape": [1] * 65},
        {**ARRAY, "kind": "scalar"},
        {**ARRAY, "kind": "sequence"},
        {"kind": "sequence", "items": [{"kind": "none"}] * 9},
        {"kind": "sequence", "items": [{"kind": "sequence", "items": [{"kind": "sequence", "items": []}]}]},
        {"kind": "int", "text": "1e3"},
        {"kind": "int", "text": "9" * 1001},
        {"kind": "int", "text": "١"},
        {"kind": "int", "text": 5},
        {"kind": "float", "text": "0x1p99999"},
        {"kind": "float", "text": "one"},
        {"kind": "bool", "text": "yes"},
        {"kind": "none", "text": "none"},
    ],
)
def test_an_invalid_value_is_refused(value: Any) -> None:
    with pytest.raises(FrameError):
        reply(bytes(16), value=value)


def test_booleans_are_zero_or_one() -> None:
    described = {"kind": "array", "dtype": "|b1", "shape": [2]}
    assert reply(b"\0\1", value=described).value.data == b"\0\1"
    with pytest.raises(FrameError):
        reply(b"\0\2", value=described)


@pytest.mark.parametrize(
    "fields",
    [
        {"nonce": "m"},
        {"nonce": None},
        {"outcome": "timeout"},
        {"arguments": {}},
        {"arguments": [{"kind": "none"}] * 65},
        {"signature": 3},
        {"error": []},
        {"error": {"message": 3}},
        {"error": {"line": "1"}},
        {"error": {"line": 0}},
        {"error": {"line": True}},
        {"error": {"line": 10**8}},
        {"error": {"column": -1}},
        {"error": {"traceback": []}},
    ],
)
def test_an_invalid_field_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        reply(**fields)


@pytest.mark.parametrize("of_call", [True, False])
@pytest.mark.parametrize(
    "fields",
    [
        {"outcome": "raised"},
        {"outcome": "raised", "error": {}, "value": {"kind": "none"}},
        {"outcome": "memory", "value": {"kind": "none"}},
        {"outcome": "no-entry", "value": {"kind": "none"}},
    ],
)
def test_a_reply_carries_what_its_outcome_does(fields: dict[str, Any], of_call: bool) -> None:
    with pytest.raises(FrameError):
        parse_reply({"nonce": "n", **fields}, b"", "n", of_call=of_call)


def test_a_call_returns_a_value_and_loading_none() -> None:
    header = {"nonce": "n", "outcome": "returned"}
    assert parse_reply(header, b"", "n", of_call=False).value is None
    with pytest.raises(FrameError):
        parse_reply(header, b"", "n", of_call=True)
    with pytest.raises(FrameError):
        parse_reply({**header, "value": {"kind": "none"}}, b"", "n", of_call=False)


def test_a_column_stands_in_a_line() -> None:
    error = {"type": "SyntaxError", "column": 3}
    assert reply(outcome="raised", error=error).error == CodeError("SyntaxError", "")
    assert reply(outcome="raised", error={**error, "line": 2}).error == CodeError("SyntaxError", "", 2, 3)


@pytest.mark.parametrize(
    "header",
    [b"", b"[]", b"3", b"{", b"\xff", b'{"a": NaN}', b'{"a": 1.5}', b"[" * 10**6, b'{"a": ' + b"9" * 5000 + b"}"],
)
def test_a_header_that_is_no_mapping_is_refused(header: bytes) -> None:
    with pytest.raises(FrameError):
        parse_header(header)


def test_bytes_missing_or_left_over_are_refused() -> None:
    for size in (0, 15, 17):
        with pytest.raises(FrameError):
            reply(bytes(size), value=ARRAY)


def test_texts_are_cut_and_cleaned() -> None:
    parsed = reply(value={"kind": "text", "text": "\ud800\0" + "x" * 2000}, error={"message": "y" * 3000})
    assert parsed.value.text == "?\ufffd" + "x" * 998
    assert len(parsed.error.message) == 2000


def test_mutated_replies_never_raise_anything_else() -> None:
    generator = random.Random(1)
    valid = json.dumps(
        {"nonce": "n", "outcome": "returned", "value": ARRAY, "error": {"type": "E", "line": 3}}
    ).encode()
    refused = 0
    for _ in range(3000):
        mutated = bytearray(valid)
        for _ in range(generator.randint(1, 4)):
            mutated[generator.randrange(len(mutated))] = generator.randrange(256)
        try:
            parse_reply(parse_header(bytes(mutated)), bytes(16), "n", of_call=True)
        except FrameError:
            refused += 1
    assert refused > 1500
