"""Objects that stay in the session between calls: the worker knows their names, never the objects."""

from __future__ import annotations

import pytest

from grader.sandbox import Sandbox, Session
from grader.wire import Call, CallResult, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import doubles, floats, text
from tests.sandbox.test_forgery import FORGER

CACHE = """
class Cache:
    def __init__(self):
        self.seen = []

def start():
    return Cache()

def step(cache, x):
    cache.seen.append(float(x[0]))
    return x * len(cache.seen), cache

def total(cache):
    return sum(cache.seen)
"""


def kept(name: str) -> Value:
    return Value(Kind.KEPT, text=name)


def step(session: Session, name: str, number: float) -> CallResult:
    return session.call(Call("step", (kept(name), floats(number)), keep=name, keep_item=1))


def test_an_object_stays_and_is_given_back(sandbox: Sandbox) -> None:
    with sandbox.open(CACHE, limits=Limits()) as session:
        session.load("start")
        assert session.call(Call("start", keep="cache")).value == kept("cache")
        assert step(session, "cache", 5.0).value == Value(Kind.SEQUENCE, items=(floats(5.0), kept("cache")))
        assert step(session, "cache", 6.0).value == Value(Kind.SEQUENCE, items=(floats(12.0), kept("cache")))
        assert session.call(Call("total", (kept("cache"),))).value == Value(Kind.FLOAT, text=(11.0).hex())
        named = session.call(Call("total", (), {"cache": kept("cache")}))
        assert named.value == Value(Kind.FLOAT, text=(11.0).hex())


def test_two_sequences_are_stepped_in_turn(sandbox: Sandbox) -> None:
    with sandbox.open(CACHE, limits=Limits()) as session:
        session.load("start")
        for name in ("a", "b"):
            session.call(Call("start", keep=name))
        for name, number in (("a", 1.0), ("b", 10.0), ("a", 2.0)):
            step(session, name, number)
        totals = [session.call(Call("total", (kept(name),))).value for name in ("a", "b")]
    assert totals == [Value(Kind.FLOAT, text=number.hex()) for number in (3.0, 10.0)]


@pytest.mark.parametrize("made", ["None", "{}", "(1, [2])", "x", "print", "x.view(np.recarray)", "10 ** 5000"])
def test_anything_can_be_kept(sandbox: Sandbox, made: str) -> None:
    source = f"""
import numpy as np
known = []
def make(x):
    known.append({made})
    return [x, known[0]]
def same(it):
    return it is known[0]
"""
    with sandbox.open(source, limits=Limits()) as session:
        session.load("make")
        made_value = session.call(Call("make", (floats(1.0),), keep="it", keep_item=1)).value
        assert made_value == Value(Kind.SEQUENCE, items=(floats(1.0), kept("it")))
        assert session.call(Call("same", (kept("it"),))).value == Value(Kind.BOOL, text="True")


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        ("x", floats(1.0)),
        ("(x,)", Value(Kind.SEQUENCE, items=(floats(1.0),))),
        ("None", Value(Kind.NONE)),
        ("{1: x}", Value(Kind.OTHER, text="dict")),
        ("[x] * 9", Value(Kind.OTHER, text="list of 9 items")),
    ],
)
def test_a_result_without_that_item_comes_back_as_it_is(sandbox: Sandbox, returned: str, value: Value) -> None:
    with sandbox.open(f"def f(x):\n    return {returned}\n", limits=Limits()) as session:
        session.load("f")
        assert session.call(Call("f", (floats(1.0),), keep="it", keep_item=1)).value == value
        with pytest.raises(ValueError, match="nothing is kept under the name 'it'"):
            session.call(Call("f", (kept("it"),)))


def test_what_is_kept_comes_back_as_an_argument_by_its_name(sandbox: Sandbox) -> None:
    with sandbox.open(CACHE, limits=Limits()) as session:
        session.load("start")
        session.call(Call("start", keep="cache"))
        result = session.call(
            Call("step", (kept("cache"), floats(1.0)), keep="cache", keep_item=1, arguments_back=True)
        )
    assert result.arguments == (kept("cache"), floats(1.0))


def test_what_is_kept_does_not_count_towards_the_reply(sandbox: Sandbox) -> None:
    source = "import numpy as np\ndef f(x):\n    return x, np.zeros(10**6)\n"
    with sandbox.open(source, limits=Limits()) as session:
        session.load("f")
        call = Call("f", (floats(1.0),), keep="zeros", keep_item=1, reply_bytes=8)
        assert session.call(call).outcome is Outcome.RETURNED


def test_a_kept_tensor_is_no_tensor_that_was_sent(torch_sandbox: Sandbox) -> None:
    source = "def first(x):\n    return x\ndef product(kept, x):\n    return kept * x\n"
    with torch_sandbox.open(source, limits=Limits()) as session:
        session.load("first")
        session.call(Call("first", (doubles(3.0),), keep="x"))
        result = session.call(Call("product", (kept("x"), doubles(5.0)), cotangent=doubles(1.0)))
    assert (result.value, result.gradients) == (doubles(15.0), (doubles(3.0),))


def test_nothing_is_kept_beyond_the_session(sandbox: Sandbox) -> None:
    with sandbox.open(CACHE, limits=Limits()) as session:
        session.load("start")
        session.call(Call("start", keep="cache"))
    with sandbox.open(CACHE, limits=Limits()) as session:
        session.load("start")
        with pytest.raises(ValueError, match="nothing is kept under the name 'cache'"):
            session.call(Call("total", (kept("cache"),)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (Call("f", (Value(Kind.SEQUENCE, items=(kept("it"),)),)), "cannot be sent within a sequence"),
        (Call("f", (), keep_item=1), "expected an item from 0 to 7 and a name"),
        (Call("f", (), keep="it", keep_item=-1), "expected an item from 0 to 7 and a name"),
        (Call("f", (), keep="it", keep_item=8), "expected an item from 0 to 7 and a name"),
    ],
)
def test_what_cannot_be_asked_for_is_an_error_of_the_caller(sandbox: Sandbox, call: Call, message: str) -> None:
    with sandbox.open("def f(*_):\n    return 1\n", limits=Limits()) as session:
        session.load("f")
        session.call(Call("f", keep="it"))
        with pytest.raises(ValueError, match=message):
            session.call(call)


NOTHING, IT, OTHER = {"kind": "none"}, {"kind": "kept", "text": "it"}, {"kind": "kept", "text": "other"}


def sequence(*items: object) -> dict[str, object]:
    return {"kind": "sequence", "items": items}


@pytest.mark.parametrize(
    "value",
    [
        IT,
        OTHER,
        sequence(IT, NOTHING),
        sequence(NOTHING, OTHER),
        sequence(NOTHING, NOTHING),
        sequence(NOTHING, IT, IT),
        sequence(NOTHING, sequence(IT)),
    ],
)
def test_a_forged_place_is_garbled(sandbox: Sandbox, value: object) -> None:
    source = (
        FORGER
        + f"""
def claim(x):
    header = json.dumps({{"nonce": nonce(), "outcome": "returned", "value": {value!r}}}).encode()
    os.write(3, struct.pack(">II", len(header), 0) + header)
    time.sleep(60)
"""
    )
    with sandbox.open(source, limits=Limits(wall_seconds=3.0)) as session:
        session.load("claim")
        assert session.call(Call("claim", (floats(1.0),), keep="it", keep_item=1)).outcome is Outcome.GARBLED


def test_claiming_to_have_kept_is_no_fault_of_ours(sandbox: Sandbox) -> None:
    """The worker believes it: the session's own later call is what fails."""
    source = (
        FORGER
        + """
def claim():
    value = {"kind": "kept", "text": "it"}
    header = json.dumps({"nonce": nonce(), "outcome": "returned", "value": value}).encode()
    os.write(3, struct.pack(">II", len(header), 0) + header)
    os._exit(0)
"""
    )
    with sandbox.open(source, limits=Limits(wall_seconds=3.0)) as session:
        session.load("claim")
        assert session.call(Call("claim", keep="it")).value == kept("it")
        assert session.call(Call("honest", (kept("it"),))).outcome in {Outcome.EXITED, Outcome.GARBLED}


def test_a_name_is_only_a_name(sandbox: Sandbox) -> None:
    """Any text will do, and none of it is run or looked up anywhere but among the names."""
    name = "__class__ \N{SNOWMAN} \"'"
    with sandbox.open("def f(x=None):\n    return 'it' if x is None else x\n", limits=Limits()) as session:
        session.load("f")
        assert session.call(Call("f", keep=name)).value == kept(name)
        assert session.call(Call("f", (kept(name),))).value == text("it")
