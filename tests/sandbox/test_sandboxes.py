"""One sandbox for each framework, started when it is first needed, ended together."""

from __future__ import annotations

import pytest

from grader.sandboxes import Sandboxes
from grader.wire import Kind, Value
from tests.sandbox.sessions import doubles, family, floats, gone, run

SAME = "def same(x):\n    return x\n"


def test_each_framework_has_its_own_started_when_needed() -> None:
    with Sandboxes() as sandboxes:
        plain, torch = sandboxes.of("numpy"), sandboxes.of("torch")
        assert (plain.pid, torch.pid) == (None, None)
        assert run(plain, SAME, "same", floats(1.0)).value == floats(1.0)
        assert torch.pid is None  # PyTorch takes seconds to import: not before someone needs it
        assert run(torch, SAME, "same", doubles(1.0)).value == doubles(1.0)
        assert sandboxes.of("numpy") is plain
        assert sandboxes.of("torch") is torch
        everyone = family(plain.pid) | family(torch.pid)
    assert (plain.pid, torch.pid) == (None, None)
    assert gone(everyone)


def test_one_may_be_started_ahead_and_all_stopped_twice() -> None:
    sandboxes = Sandboxes()
    plain = sandboxes.of("numpy")
    plain.start()
    started = plain.pid
    assert run(plain, SAME, "same", Value(Kind.NONE)).value == Value(Kind.NONE)
    assert plain.pid == started
    sandboxes.stop()
    sandboxes.stop()
    assert plain.pid is None


def test_an_unknown_framework_is_named() -> None:
    with pytest.raises(KeyError, match="jax"):
        Sandboxes().of("jax")
