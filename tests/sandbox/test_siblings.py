"""Sessions of one sandbox that are open at once, and one after another: each has its own pipes, requests and names."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import floats, only_the_jail_is_left, run, text

LIMITS, IMPATIENT = Limits(wall_seconds=20.0), Limits(wall_seconds=0.7)
READER = """
import os, threading, time

def wait(descriptor):
    while heard := os.read(descriptor, 1 << 16):
        print("heard", heard, flush=True)

def listen(descriptors):
    for descriptor in range(descriptors):
        try:
            os.set_blocking(descriptor, True)
        except OSError:
            continue
        threading.Thread(target=wait, args=(descriptor,), daemon=True).start()
    return "listening"

def write(descriptors):
    done = []
    for descriptor in range(4, descriptors):
        try:
            os.write(descriptor, b'{"exit": 0}')
        except OSError:
            continue
        done.append(descriptor)
    return len(done)

def reseed():
    import random, numpy as np
    random.seed(7), np.random.seed(7)
    return "reseeded"
"""
HONEST = (
    "import random, numpy as np\ndef f(x):\n    return x\ndef draw():\n    return random.random(), np.random.random()\n"
)
ALL = Value(Kind.INT, text="64")
NONE = Value(Kind.INT, text="0")


@pytest.mark.parametrize("first", ["hostile", "honest"])
def test_nobody_hears_or_answers_a_sibling(sandbox: Sandbox, first: str) -> None:
    """Whichever was opened first: what the parent held for the one is closed in the other."""
    secret = text(secrets.token_hex(16))
    kept = sandbox.open(f"secret = {secret.text!r}\n{HONEST}", limits=LIMITS) if first == "honest" else None
    with sandbox.open(READER, limits=IMPATIENT) as hostile:
        hostile.load("listen")
        assert hostile.call(Call("write", (ALL,))).value == NONE
        with kept or sandbox.open(f"secret = {secret.text!r}\n{HONEST}", limits=LIMITS) as honest:
            # From here on the hostile one's own channel is read by its thread, so nothing more is asked of it.
            assert hostile.call(Call("listen", (ALL,))).value == text("listening")
            assert honest.load("f").outcome is Outcome.RETURNED
            for _ in range(3):
                result = honest.call(Call("f", (secret,)))
                assert (result.outcome, result.value, result.stdout) == (Outcome.RETURNED, secret, b"")
            time.sleep(0.05)
            heard = hostile.call(Call("listen", (ALL,)))
        assert secret.text.encode() not in heard.stdout
        assert honest.usage is not None
    assert only_the_jail_is_left(sandbox)


def test_a_thread_that_waits_for_the_next_request_gets_none_but_its_own(sandbox: Sandbox) -> None:
    """Its own next request it may have: that is its own answer lost. The next session's it never sees."""
    secret = text(secrets.token_hex(16))
    with sandbox.open(READER, limits=IMPATIENT) as hostile:
        hostile.load("listen")
        hostile.call(Call("listen", (ALL,)))
        own = hostile.call(Call("write", (ALL,)))
        assert own.outcome in {Outcome.RETURNED, Outcome.TIMEOUT, Outcome.GARBLED, Outcome.EXITED}
        assert run(sandbox, HONEST, "f", secret).value == secret
        assert secret.text.encode() not in hostile.call(Call("write", (ALL,))).stdout


def test_random_state_is_neither_a_siblings_nor_an_earlier_ones(sandbox: Sandbox) -> None:
    drawn = run(sandbox, HONEST, "draw").value
    with sandbox.open(READER, limits=LIMITS) as hostile:
        hostile.load("reseed")
        assert hostile.call(Call("reseed")).value == text("reseeded")
        assert run(sandbox, HONEST, "draw").value == drawn
    assert run(sandbox, HONEST, "draw").value == drawn
    assert drawn is not None
    assert len({item.text for item in drawn.items}) == 2


@pytest.mark.parametrize(
    "words",
    ["; touch /tmp/heed-left #", "$(touch /tmp/heed-left)", "`touch /tmp/heed-left`", "| touch /tmp/heed-left",
     "\n--bind / /host", "{0.__class__}", "%s%n", "../../../../tmp/heed-left", "f\0g", "__import__('os').getpid()",
     "'; import os; os.getpid(); '", "\ud83d", "é" * 500],
)  # fmt: skip
def test_words_of_a_job_are_words_wherever_they_stand(sandbox: Sandbox, words: str) -> None:
    """As a name of an entry, of a parameter or of a kept object, as a text, and as a type's or an exception's."""
    left = Path("/tmp/heed-left")
    source = f"""
def f(*args, **kwargs):
    return [*args, *kwargs, *kwargs.values()]
def clean(x):
    return x.encode("utf-8", "replace").decode().replace("\\0", "")
def odd(x):
    raise type(clean(x), (Exception,), {{}})(x)
def named(x):
    return type(clean(x), (), {{}})()
globals()[{words!r}] = lambda x: x
"""
    received = text(words.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}"))
    with sandbox.open(source, limits=LIMITS) as session:
        assert session.load(words).outcome is Outcome.RETURNED
        assert session.call(Call(words, (floats(1.0),))).value == floats(1.0)
        assert session.call(Call(f"{words}x", (floats(1.0),))).outcome is Outcome.NO_ENTRY
        named = session.call(Call("f", (text(words),), {words: text(words)})).value
        assert named == Value(Kind.SEQUENCE, items=(received,) * 3)
        assert session.call(Call("f", (text("x"),), keep=received.text)).value == Value(Kind.KEPT, text=received.text)
        raised = session.call(Call("odd", (text(words),)))
        assert raised.error is not None
        assert (raised.error.type, raised.error.message) == ("", received.text)
        other = session.call(Call("named", (text(words),))).value
        assert other is not None
        assert other.kind is Kind.OTHER
    assert not left.exists()
    assert only_the_jail_is_left(sandbox)
