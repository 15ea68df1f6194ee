"""Forged frames, on every descriptor: at most they are a wrong answer to the call that they were written in."""

from __future__ import annotations

import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import floats

FORGER = """
import json, os, struct, sys, time

def nonce():
    frame = sys._getframe()
    while "nonce" not in (frame.f_locals.get("request") or ()):
        frame = frame.f_back
    return frame.f_locals["request"]["nonce"]

def frame(which, numbers):
    body = struct.pack(f"<{len(numbers)}d", *numbers)
    value = {"kind": "array", "dtype": "<f8", "shape": [len(numbers)], "bytes": len(body)}
    header = json.dumps({"nonce": which, "outcome": "returned", "value": value}).encode()
    return struct.pack(">II", len(header), len(body)) + header + body

def honest(x):
    return x

def write_everywhere(x):
    forged = frame(nonce(), [666.0])
    for descriptor in range(64):
        for attempt in (forged, b'{"exit": 0}', b'{"ready": true}', b"ready"):
            try:
                os.write(descriptor, attempt)
            except OSError:
                break
    return x

def answer_the_next_too(x):
    os.write(3, frame(nonce(), list(x)) + frame(nonce(), [666.0]))
    return x

def answer_the_next_first(x):
    os.write(3, frame("0" * 32, [666.0]))
    return x

def write_reply_and_more(x):
    os.write(3, frame(nonce(), [1.0]) + b"\\0\\0\\xff\\xff\\0\\0\\0\\0")
    time.sleep(60)

def write_reply_and_leave(x):
    os.write(3, frame(nonce(), [1.0]))
    os._exit(0)
"""
ONE = floats(1.0)


def results(sandbox: Sandbox, *entries: str) -> list[tuple[Outcome, Value | None]]:
    with sandbox.open(FORGER, limits=Limits(wall_seconds=3.0)) as session:
        assert session.load("honest").outcome is Outcome.RETURNED
        called = [session.call(Call(entry, (ONE,))) for entry in entries]
    return [(result.outcome, result.value) for result in called]


def test_an_honest_function_of_the_forger_returns(sandbox: Sandbox) -> None:
    assert results(sandbox, "honest", "honest") == [(Outcome.RETURNED, ONE)] * 2


def test_frames_on_every_descriptor_answer_no_other_call(sandbox: Sandbox) -> None:
    first, second = results(sandbox, "write_everywhere", "honest")
    # The first frame is the answer to the call that it was written in: the learner's own answer, wrong or right.
    assert first == (Outcome.RETURNED, floats(666.0)) or first == (Outcome.GARBLED, None)
    assert second == (Outcome.GARBLED, None)


def test_a_second_frame_does_not_answer_the_next_call(sandbox: Sandbox) -> None:
    first, second = results(sandbox, "answer_the_next_too", "honest")
    assert first in {(Outcome.RETURNED, ONE), (Outcome.GARBLED, None)}
    assert second == (Outcome.GARBLED, None)


def test_a_frame_for_a_call_not_made_is_garbled(sandbox: Sandbox) -> None:
    assert results(sandbox, "answer_the_next_first", "honest") == [(Outcome.GARBLED, None)] * 2


def test_bytes_that_answer_nothing_are_garbled_and_not_waited_for(sandbox: Sandbox) -> None:
    first, second = results(sandbox, "write_reply_and_more", "honest")
    assert first == (Outcome.RETURNED, ONE)
    assert second == (Outcome.GARBLED, None)


def test_a_reply_that_arrived_counts_though_the_process_ended(sandbox: Sandbox) -> None:
    first, second = results(sandbox, "write_reply_and_leave", "honest")
    assert first == (Outcome.RETURNED, ONE)
    assert second[0] in {Outcome.EXITED, Outcome.GARBLED}


@pytest.mark.parametrize("outcome", ["timeout", "crashed", "output", "garbled", "passed", "", None, 3, ["returned"]])
def test_a_session_cannot_claim_what_the_worker_finds(sandbox: Sandbox, outcome: object) -> None:
    source = (
        FORGER
        + f"""
def claim(x):
    header = json.dumps({{"nonce": nonce(), "outcome": {outcome!r}}}).encode()
    os.write(3, struct.pack(">II", len(header), 0) + header)
    return x
"""
    )
    with sandbox.open(source, limits=Limits(wall_seconds=3.0)) as session:
        session.load("claim")
        assert session.call(Call("claim", (ONE,))).outcome is Outcome.GARBLED


def test_a_session_cannot_claim_a_fault_of_ours(sandbox: Sandbox) -> None:
    source = (
        FORGER
        + """
def claim(x):
    header = b'{"fault": "the sandbox broke"}'
    os.write(3, struct.pack(">II", len(header), 0) + header)
    os._exit(71)
"""
    )
    with sandbox.open(source, limits=Limits(wall_seconds=3.0)) as session:
        session.load("claim")
        assert session.call(Call("claim", (ONE,))).outcome is Outcome.GARBLED


@pytest.mark.parametrize("outcome", ["returned", "raised"])
def test_a_reply_that_lacks_what_belongs_to_it_is_no_fault_of_ours(sandbox: Sandbox, outcome: str) -> None:
    source = (
        FORGER
        + f"""
def claim(x):
    header = json.dumps({{"nonce": nonce(), "outcome": {outcome!r}}}).encode()
    os.write(3, struct.pack(">II", len(header), 0) + header)
    time.sleep(60)
"""
    )
    with sandbox.open(source, limits=Limits(wall_seconds=3.0)) as session:
        session.load("claim")
        assert session.call(Call("claim", (ONE,))).outcome is Outcome.GARBLED


def test_values_are_compared_by_nobody_in_the_session(sandbox: Sandbox) -> None:
    source = """
import numpy as np
class Equal(np.ndarray):
    def __eq__(self, other): return True
    def __array__(self, *_, **__): return np.ones(1)
    def __array_ufunc__(self, *_, **__): return True
def subclass():
    return np.zeros(1).view(Equal)
def pretender():
    class Pretender:
        __class__ = np.ndarray
        dtype, shape, ndim = np.dtype("f8"), (1,), 1
        def __array__(self, *_, **__): return np.ones(1)
    return Pretender()
"""
    with sandbox.open(source, limits=Limits()) as session:
        session.load("subclass")
        assert session.call(Call("subclass")).value == Value(Kind.OTHER, text="Equal")
        pretender = session.call(Call("pretender")).value
    assert pretender is not None
    assert (pretender.kind, pretender.text) == (Kind.OTHER, "pretender.<locals>.Pretender")
