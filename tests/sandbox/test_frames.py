"""Replies as bytes: every field is checked before it is used. No jail needed."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from grader.sandbox.frames import FrameError, parse_header, parse_reply
from grader.wire import Call, CodeError, Kind, Outcome, Value

ARRAY = {"kind": "array", "dtype": "<f8", "shape": [2], "bytes": 16}
TENSOR = {"kind": "tensor", "dtype": "bfloat16", "shape": [2], "text": "cpu"}
CALL = Call("f")
SENT = Value(Kind.TENSOR, "float64", (1,), bytes(8), text="cpu")
DIFFERENTIATED = Call("f", (SENT, Value(Kind.NONE), SENT), cotangent=SENT)


def reply(body: bytes = b"", call: Call = CALL, tensors: bool = True, **fields: Any) -> Any:
    """The reply to a call where there is a value, else to loading."""
    header = parse_header(json.dumps({"nonce": "n", "outcome": "returned", **fields}).encode())
    return parse_reply(header, body, "n", call if "value" in fields else None, tensors=tensors)


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
        {**TENSOR, "shape": [8], "dtype": "<f2"},
        {**TENSOR, "shape": [8], "dtype": "float8_e4m3fn"},
        {**TENSOR, "shape": [8], "dtype": ["bfloat16"]},
        {**TENSOR, "shape": [8], "text": ""},
        {**TENSOR, "shape": [8], "text": "cuda:0"},
        {**TENSOR, "shape": [8], "text": "<b>"},
        {**TENSOR, "shape": [8], "text": ["cpu"]},
        {**TENSOR, "shape": [7]},
        {**TENSOR, "shape": [9]},
        {**TENSOR, "shape": [-8]},
        {**TENSOR, "shape": [8] + [1] * 64},
        {**TENSOR, "shape": [8], "text": "meta"},
        {"kind": "tensor", "dtype": "float64", "text": "cpu"},
        {"kind": "kept", "text": "it"},
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


@pytest.mark.parametrize("described", [{**ARRAY, "dtype": "|b1"}, {**TENSOR, "dtype": "bool"}])
def test_booleans_are_zero_or_one(described: dict[str, Any]) -> None:
    assert reply(b"\0\1", value=described).value.data == b"\0\1"
    with pytest.raises(FrameError):
        reply(b"\0\2", value=described)


@pytest.mark.parametrize(("device", "size"), [("cpu", 4), ("cuda", 4), ("meta", 0)])
def test_a_tensor_says_where_it_was_and_on_meta_it_has_no_bytes(device: str, size: int) -> None:
    parsed = reply(bytes(size), value={**TENSOR, "text": device})
    assert parsed.value == Value(Kind.TENSOR, "bfloat16", (2,), bytes(size), text=device)


def test_a_session_without_pytorch_returns_no_tensor() -> None:
    nested = {"kind": "sequence", "items": [TENSOR]}
    for value in (TENSOR, nested):
        assert reply(bytes(4), value=value).outcome is Outcome.RETURNED
        with pytest.raises(FrameError):
            reply(bytes(4), value=value, tensors=False)
    call = Call("f", (Value(Kind.NONE),), arguments_back=True)
    with pytest.raises(FrameError):
        reply(bytes(4), call, tensors=False, value={"kind": "none"}, arguments=[TENSOR])


def test_gradients_and_graph() -> None:
    gradients = [TENSOR, {"kind": "none"}]
    parsed = reply(bytes(4), DIFFERENTIATED, value={"kind": "none"}, gradients=gradients, graph=["Mul", "Add", "Mul"])
    assert parsed.gradients == (Value(Kind.TENSOR, "bfloat16", (2,), bytes(4), text="cpu"), Value(Kind.NONE))
    assert parsed.graph == ("Mul", "Add")
    none = reply(b"", DIFFERENTIATED, value={"kind": "none"}, gradients=[], graph=[])
    assert (none.gradients, none.graph) == ((), ())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"gradients": []},
        {"graph": []},
        {"gradients": None, "graph": []},
        {"gradients": {}, "graph": []},
        {"gradients": [{"kind": "none"}], "graph": []},
        {"gradients": [{"kind": "none"}] * 3, "graph": []},
        {"gradients": [{"kind": "none"}, {"kind": "int", "text": "1"}], "graph": []},
        {"gradients": [{"kind": "none"}, {"kind": "sequence", "items": []}], "graph": []},
        {"gradients": [{"kind": "none"}, TENSOR], "graph": []},
        {"gradients": [], "graph": "Mul"},
        {"gradients": [], "graph": [1]},
        {"gradients": [], "graph": ["Mul"] * 201},
    ],
)
def test_invalid_gradients_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        reply(b"", DIFFERENTIATED, value={"kind": "none"}, **fields)


@pytest.mark.parametrize(
    "fields",
    [{"gradients": []}, {"graph": []}, {"arguments": []}, {"gradients": [], "graph": []}],
)
def test_what_was_not_asked_for_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        reply(value={"kind": "none"}, **fields)
    with pytest.raises(FrameError):
        reply(outcome="memory", **fields)


def test_as_many_arguments_come_back_as_were_sent() -> None:
    call = Call("f", (Value(Kind.NONE),) * 2, arguments_back=True)
    for count in range(4):
        if count == 2:
            assert reply(b"", call, value={"kind": "none"}, arguments=[{"kind": "none"}] * 2).arguments == call.args
            continue
        with pytest.raises(FrameError):
            reply(b"", call, value={"kind": "none"}, arguments=[{"kind": "none"}] * count)


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


@pytest.mark.parametrize("call", [CALL, None])
@pytest.mark.parametrize(
    "fields",
    [
        {"outcome": "raised"},
        {"outcome": "raised", "error": {}, "value": {"kind": "none"}},
        {"outcome": "memory", "value": {"kind": "none"}},
        {"outcome": "no-entry", "value": {"kind": "none"}},
    ],
)
def test_a_reply_carries_what_its_outcome_does(fields: dict[str, Any], call: Call | None) -> None:
    with pytest.raises(FrameError):
        parse_reply({"nonce": "n", **fields}, b"", "n", call, tensors=True)


def test_a_call_returns_a_value_and_loading_none() -> None:
    header = {"nonce": "n", "outcome": "returned"}
    assert parse_reply(header, b"", "n", None, tensors=True).value is None
    with pytest.raises(FrameError):
        parse_reply(header, b"", "n", CALL, tensors=True)
    with pytest.raises(FrameError):
        parse_reply({**header, "value": {"kind": "none"}}, b"", "n", None, tensors=True)


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


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        (CALL, {"value": ARRAY}),
        (
            Call("f", keep="it", keep_item=1),
            {"value": {"kind": "sequence", "items": [ARRAY, {"kind": "kept", "text": "it"}]}},
        ),
        (
            DIFFERENTIATED,
            {"value": {"kind": "none"}, "gradients": [{**TENSOR, "shape": [8]}, {"kind": "none"}], "graph": ["Mul"]},
        ),
    ],
)
def test_mutated_replies_never_raise_anything_else(call: Call, fields: dict[str, Any]) -> None:
    generator = random.Random(1)
    valid = json.dumps({"nonce": "n", "outcome": "returned", "error": {"type": "E", "line": 3}, **fields}).encode()
    assert parse_reply(parse_header(valid), bytes(16), "n", call, tensors=True).outcome is Outcome.RETURNED
    refused = 0
    for _ in range(3000):
        mutated = bytearray(valid)
        for _ in range(generator.randint(1, 4)):
            mutated[generator.randrange(len(mutated))] = generator.randrange(256)
        try:
            parse_reply(parse_header(bytes(mutated)), bytes(16), "n", call, tensors=True)
        except FrameError:
            refused += 1
    assert refused > 1500
