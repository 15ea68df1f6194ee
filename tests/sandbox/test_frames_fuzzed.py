"""Anything at all as a session's reply: it is an outcome, never another exception, and never takes more than it may.

No jail needed: the other end of a session's channel is held by the test.
"""

from __future__ import annotations

import json
import math
import os
import socket
import struct
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox import Session, frames
from grader.sandbox.session import Ends
from grader.wire import Call, CallResult, Kind, Limits, Outcome, Value

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
often = settings(max_examples=150, deadline=None, derandomize=True, database=None)
seldom = settings(often, max_examples=40)

SENT = Value(Kind.TENSOR, "float64", (1,), bytes(8), text="cpu")
CALLS = (
    None,
    Call("f", (Value(Kind.NONE),), arguments_back=True),
    Call("f", keep="it", keep_item=1),
    Call("f", (SENT, SENT), cotangent=SENT),
)
REPLY_BYTES = 100_000
CALL = Call("f", reply_bytes=REPLY_BYTES)
ENDED = json.dumps({"exit": 0, "peak_kb": 1, "cpu_ms": 0.0}).encode()  # what a monitor says
RECEIVED_AT_ONCE = 1 << 18
Reply = Callable[[str], Iterator[bytes]]


# ---- A session without a jail ---------------------------------------------------------------------------------------


@contextmanager
def session_that_gets(reply: Reply) -> Iterator[Session]:
    """Its first request is answered by what `reply`, given the nonce, yields; then the channel is closed."""
    lifeline, monitor = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    output, printed = os.pipe()
    theirs.sendall(frame({"ready": True}))
    monitor.send(ENDED)

    def answer() -> None:
        with theirs, suppress(OSError):
            header, body = frames.PREFIX.unpack(theirs.recv(frames.PREFIX.size, socket.MSG_WAITALL))
            nonce = json.loads(theirs.recv(header, socket.MSG_WAITALL))["nonce"]
            theirs.recv(body, socket.MSG_WAITALL)
            for part in reply(nonce):
                theirs.sendall(part)

    answering = threading.Thread(target=answer)
    answering.start()
    ends, limits = Ends(lifeline, channel, output), Limits(wall_seconds=5.0)
    try:
        with Session(ends, "", limits, lambda: None, time.monotonic(), tensors=True) as session:
            yield session
    finally:
        theirs.shutdown(socket.SHUT_RDWR) if theirs.fileno() != -1 else None
        answering.join()
        monitor.close()
        os.close(printed)


def result_of(*parts: bytes, call: Call = CALL) -> CallResult:
    with session_that_gets(lambda _: iter(parts)) as session:
        return session.call(call)


def frame(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return frames.PREFIX.pack(len(text), len(body)) + text + body


def only(text: str, nonce: str) -> Iterator[bytes]:
    yield frame(text.replace("@", nonce).encode())


def valid(nonce: str, size: int = 2) -> bytes:
    value = {"kind": "array", "dtype": "<f8", "shape": [size]}
    return frame({"nonce": nonce, "outcome": "returned", "value": value}, bytes(8 * size))


# ---- Bytes ----------------------------------------------------------------------------------------------------------


@seldom
@given(st.binary(max_size=5000))
def test_random_bytes_are_no_result(data: bytes) -> None:
    assert result_of(data).outcome in {Outcome.GARBLED, Outcome.TOO_LARGE, Outcome.EXITED}


around = st.one_of(
    st.integers(0, 2**32 - 1),
    st.builds(int.__add__, st.sampled_from([frames.HEADER_BYTES, REPLY_BYTES, 2**31]), st.integers(-1, 1)),
)


@seldom
@given(around, around, st.binary(max_size=40))
def test_lengths_are_believed_only_below_the_caps(header: int, body: int, rest: bytes) -> None:
    expected = Outcome.EXITED if header + body > len(rest) else Outcome.GARBLED
    if header > frames.HEADER_BYTES:
        expected = Outcome.GARBLED
    elif body > REPLY_BYTES:
        expected = Outcome.TOO_LARGE
    assert result_of(frames.PREFIX.pack(header, body) + rest).outcome is expected


@seldom
@given(st.integers(0, len(valid("0" * 32)) - 1))
def test_a_truncated_frame_is_no_result(size: int) -> None:
    with session_that_gets(lambda nonce: iter([valid(nonce)[:size]])) as session:
        assert session.call(CALL).outcome is Outcome.EXITED


@seldom
@given(st.binary(min_size=1, max_size=100), st.integers(1, 30))
def test_what_follows_a_frame_is_no_part_of_it(rest: bytes, piece: int) -> None:
    """Sent in pieces: a frame is one however it arrives."""

    def reply(nonce: str) -> Iterator[bytes]:
        data = valid(nonce) + rest
        yield from (data[start : start + piece] for start in range(0, len(data), piece))
        all_sent.set()

    all_sent = threading.Event()
    with session_that_gets(reply) as session:
        assert session.call(CALL).value == Value(Kind.ARRAY, "<f8", (2,), bytes(16))
        all_sent.wait()
        assert session.call(CALL).outcome is Outcome.GARBLED


@seldom
@given(st.data())
def test_a_frame_with_some_bytes_changed_is_a_result_or_garbled(data: st.DataObject) -> None:
    places = data.draw(st.dictionaries(st.integers(0, len(valid("0" * 32)) - 1), st.integers(0, 255), min_size=1))

    def reply(nonce: str) -> Iterator[bytes]:
        changed = bytearray(valid(nonce))
        for place, byte in places.items():
            changed[place] = byte
        yield bytes(changed)

    with session_that_gets(reply) as session:
        result = session.call(CALL)
    assert result.outcome in {*frames.REPLIED, Outcome.GARBLED}
    if result.value is not None:
        assert_sound(result.value)


@pytest.mark.parametrize("place", ["kind", "text", "dtype", "shape", "outcome", "signature", "error"])
def test_no_depth_of_a_header_is_more_than_garbled(place: str) -> None:
    """Where Python's own limit is met depends on who looks: reading it, comparing it, putting it into words."""
    value = {"kind": "tensor", "dtype": "float64", "shape": [], "text": "cpu"}
    outcomes = set()
    for depth in (1, 10, *range(860, 1010), 10_000):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            hole = json.dumps({"nonce": "@", "outcome": "returned", "value": {**value, place: "?"}, place: "?"})
            deep = hole.replace('"?"', opening * depth + ("" if opening == "[" else "1") + closing * depth)
            with session_that_gets(partial(only, deep)) as session:
                outcomes.add(session.call(CALL).outcome)
    assert outcomes == {Outcome.GARBLED}


# ---- Headers --------------------------------------------------------------------------------------------------------

texts = st.one_of(
    st.text(max_size=20), st.sampled_from(["\ud800", "\0", "x" * 1100, "nan", "-1", "0x1p3", "True", "it"])
)
whole = st.one_of(st.integers(-3, 9), st.integers(), st.sampled_from([2**31, 2**63, 10**9, 10**1010]))
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), whole, st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)
numbers = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["array", "scalar", "tensor"]),
        "dtype": st.sampled_from(
            ["<f8", "|b1", "|u1", "<c32", "<f12", "float64", "bool", "bfloat16", ">f8", "|O", "<f7"]
        ),
        "shape": st.one_of(st.lists(st.integers(0, 4), max_size=3), st.lists(whole, max_size=70), anything),
    },
    optional={"text": st.one_of(st.sampled_from(["cpu", "cuda", "meta"]), anything), "bytes": whole},
)
words = st.fixed_dictionaries(
    {"kind": st.sampled_from([*(kind.value for kind in Kind), "file", ""])},
    optional={"text": st.one_of(texts, anything)},
)


def nested(value: Any, depth: int) -> Any:
    return {"kind": "sequence", "items": [nested(value, depth - 1)]} if depth else value


def in_sequences(value: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    within = st.builds(lambda items: {"kind": "sequence", "items": items}, st.lists(value, max_size=9))
    return st.one_of(value, within, st.builds(nested, value, st.integers(0, 4)))


plain = st.one_of(
    st.sampled_from(
        [{"kind": "none"}, {"kind": "text", "text": "x" * 1100}, {"kind": "array", "dtype": "|b1", "shape": [2]}]
    ),
    st.builds(
        lambda kind, text: {"kind": kind, "text": text}, st.sampled_from(["text", "int", "bool", "float"]), texts
    ),
    st.builds(
        lambda text: {"kind": "float", "text": text}, st.sampled_from(["nan", "0x1p3", "0x1p99999", "-inf", "x"])
    ),
    st.builds(lambda number: {"kind": "int", "text": str(number)}, st.integers()),
)
values = st.one_of(in_sequences(plain), in_sequences(numbers), in_sequences(st.one_of(numbers, words, anything)))
errors = st.fixed_dictionaries(
    {},
    optional={
        "type": st.one_of(st.sampled_from(["ValueError", "Odd"]), anything),
        "message": st.one_of(texts, anything),
        "traceback": st.one_of(texts, anything),
        "line": st.one_of(whole, anything),
        "column": st.one_of(whole, anything),
    },
)
headers = st.fixed_dictionaries(
    {"nonce": st.one_of(st.just("n"), anything)},
    optional={
        "outcome": st.one_of(st.sampled_from([*Outcome]), st.just(Outcome.RETURNED), anything),
        "value": values,
        "arguments": st.one_of(st.lists(values, max_size=3), anything),
        "gradients": st.one_of(st.lists(values, max_size=3), anything),
        "graph": st.one_of(st.lists(texts, max_size=3), anything),
        "error": st.one_of(errors, anything),
        "signature": st.one_of(texts, anything),
    },
)
bodies = st.one_of(st.just(b""), st.sampled_from([1, 2, 4, 8, 16, 32]).map(bytes), st.binary(max_size=200))


def assert_sound(value: Value, depth: int = 0) -> int:
    """The bytes of data within: as many as its shape needs, whoever asks."""
    assert depth <= frames.SEQUENCE_DEPTH
    assert len(value.items) <= frames.SEQUENCE_ITEMS
    assert len(value.text) <= frames.TEXT_CHARACTERS
    assert "\0" not in value.text
    value.text.encode()  # no lone surrogate
    if value.kind is Kind.INT:
        int(value.text)
    if value.kind is Kind.FLOAT:
        float.fromhex(value.text)
    if value.dtype in {"|b1", "bool"}:
        assert set(value.data) <= {0, 1}
    if value.kind in {Kind.ARRAY, Kind.SCALAR}:
        width = int("".join(filter(str.isdigit, value.dtype)))
        count = 1
        for axis in value.shape:
            assert 0 <= axis <= 10**9
            count *= axis
        assert len(value.data) == count * width
    elif value.kind is not Kind.TENSOR:
        assert value.data == b""
    return len(value.data) + sum(assert_sound(item, depth + 1) for item in value.items)


def parsed(header: Any, body: bytes, call: Call | None, *, tensors: bool = True) -> frames.Reply | None:
    """None where it is refused. Whatever it is, it is sound, and took no more than some dozen times its bytes."""
    text = json.dumps(header).encode()
    tracemalloc.start()
    try:
        reply = frames.parse_reply(frames.parse_header(text), body, "n", call, tensors=tensors)
    except frames.FrameError:
        return None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 50_000 + 40 * (len(text) + len(body))
    found = [*filter(None, [reply.value]), *reply.arguments, *reply.gradients]
    assert sum(map(assert_sound, found)) == len(body)
    assert (reply.value is not None) is (reply.outcome is Outcome.RETURNED and call is not None)
    assert len(reply.signature) <= frames.TEXT_CHARACTERS
    for each in (reply.signature, *reply.graph, *([reply.error.message, reply.error.traceback] if reply.error else [])):
        assert "\0" not in each.encode().decode()
    return reply


@often
@given(headers, bodies, st.sampled_from(CALLS), st.booleans())
def test_any_header_is_a_sound_reply_or_refused(header: Any, body: bytes, call: Call | None, tensors: bool) -> None:
    parsed(header, body, call, tensors=tensors)


def bytes_of(value: Any) -> int:
    """How many belong to it, as far as that can be told. At most so many that they can be made here."""
    if not isinstance(value, dict):
        return 0
    width = {"<f8": 8, "float64": 8, "|b1": 1, "|u1": 1, "bool": 1, "bfloat16": 2}.get(str(value.get("dtype")), 0)
    with suppress(TypeError, KeyError):
        return max(0, min(math.prod(value["shape"]) * width, 1000)) if width else sum(map(bytes_of, value["items"]))
    return 0


def test_any_value_is_sound_or_refused() -> None:
    seen = set()

    @often
    @given(values, st.one_of(bodies, st.integers(0, 3)))
    def look(value: Any, body: bytes | int) -> None:
        data = bytes([body]) * bytes_of(value) if isinstance(body, int) else body
        seen.add(parsed({"nonce": "n", "outcome": "returned", "value": value}, data, CALL) is None)

    look()
    assert seen == {True, False}, "nothing was tried beyond the first check"


def test_any_error_is_sound_or_refused() -> None:
    seen = set()

    @often
    @given(errors)
    def look(error: Any) -> None:
        seen.add(parsed({"nonce": "n", "outcome": "raised", "error": error}, b"", CALL) is None)

    look()
    assert seen == {True, False}, "nothing was tried beyond the first check"


@often
@given(st.binary(max_size=400))
def test_any_bytes_as_a_header_are_a_mapping_or_refused(text: bytes) -> None:
    with suppress(frames.FrameError):
        assert isinstance(frames.parse_header(text), dict)


# ---- Memory ---------------------------------------------------------------------------------------------------------


def peak_of(reply: Reply) -> tuple[int, Outcome]:
    """The most that the whole process took at once while the session worked on it, its own sending aside."""
    with session_that_gets(reply) as session:
        tracemalloc.start()
        outcome = session.call(CALL).outcome
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak, outcome


ZEROS = bytes(1 << 16)
FULL = frames.HEADER_BYTES


def endless(start: bytes) -> Reply:
    def reply(_: str) -> Iterator[bytes]:
        yield start
        while True:
            yield ZEROS

    return reply


@pytest.mark.parametrize(
    ("lengths", "outcome"),
    [
        ((0, 0), Outcome.GARBLED),
        ((2**32 - 1, 0), Outcome.GARBLED),
        ((0, 2**32 - 1), Outcome.TOO_LARGE),
        ((FULL + 1, 0), Outcome.GARBLED),
        ((0, REPLY_BYTES + 1), Outcome.TOO_LARGE),
        ((FULL, REPLY_BYTES), Outcome.GARBLED),
    ],
)
def test_endless_bytes_take_no_more_than_the_caps(lengths: tuple[int, int], outcome: Outcome) -> None:
    peak, found = peak_of(endless(struct.pack(">II", *lengths)))
    assert found is outcome
    believed = sum(lengths) if lengths[0] <= FULL and lengths[1] <= REPLY_BYTES else 0
    assert peak < 4 * (believed + 2 * RECEIVED_AT_ONCE)


@pytest.mark.parametrize(
    "part", [b"[],", b"{},", b'"",', b'"ab",', b"[0],", b'{"a":0},', b"1,", b"12345678901,", '"\u2603",'.encode()]
)
def test_a_header_full_of_small_things_takes_a_few_dozen_times_its_bytes(part: bytes) -> None:
    text = b'{"a":[' + part * ((FULL - 10) // len(part)) + b"0]}"
    assert len(text) <= FULL
    data = frame(text)
    peak, outcome = peak_of(lambda _: iter([data]))
    assert outcome is Outcome.GARBLED
    assert peak < 50 * FULL


def test_a_result_is_held_three_times_at_most() -> None:
    peak, outcome = peak_of(lambda nonce: iter([valid(nonce, REPLY_BYTES // 8)]))
    assert outcome is Outcome.RETURNED
    assert peak < 5 * REPLY_BYTES + 4 * RECEIVED_AT_ONCE
