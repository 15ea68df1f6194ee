"""A sandbox container's life: workers come and go, containers too. What sessions can do there, the other tests ask."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, SandboxFault, SandboxUnavailable, jail
from grader.sandboxes import Sandboxes
from grader.wire import Call, Limits, Outcome
from tests.sandbox.container import ROOT, SOCKET, ContainerSandbox, container, jail_command
from tests.sandbox.sessions import HONEST, family, floats, gone, run

SPIN = "def f():\n    while True: pass\n"
WORKER = """
import sys
from pathlib import Path
from grader.sandbox import Sandbox
from grader.wire import Call, Limits
with Sandbox(address=Path(sys.argv[1])) as sandbox:
    with sandbox.open(sys.argv[2], limits=Limits(wall_seconds=60)) as session:
        session.load("f")
        print("running", flush=True)
        session.call(Call("f"))
"""


@pytest.fixture
def contained(tmp_path: Path) -> Iterator[ContainerSandbox]:
    with container(("numpy",), tmp_path / "socket") as sandbox:
        yield sandbox


def another(tmp_path: Path) -> Sandbox:
    return Sandbox(address=tmp_path / "socket" / SOCKET)


def honest(sandbox: Sandbox) -> Outcome:
    return run(sandbox, HONEST, "attack", floats(1.0)).outcome


def test_stopping_ends_all_of_a_worker_and_nothing_of_another(contained: ContainerSandbox, tmp_path: Path) -> None:
    alone = family(contained.pid)
    other = another(tmp_path)
    with contained.open(SPIN, limits=Limits()) as kept:
        kept.load("f")
        its_own = family(contained.pid) - alone
        assert len(its_own) == 2  # a monitor and a learner's process
        ended = other.open(SPIN, limits=Limits())
        ended.load("f")
        others = family(contained.pid) - alone - its_own
        assert len(others) == 4  # a keeper and a parent too
        other.stop()
        keeper = min(others)  # which lets go of the connection when it ends itself
        assert gone(others - {keeper}, seconds=0)
        assert gone({keeper})
        assert family(contained.pid) - alone == its_own
        with pytest.raises(SandboxFault):
            ended.load("f")
        ended.close()
        assert kept.load("f").outcome is Outcome.RETURNED
    assert honest(contained) is Outcome.RETURNED


def test_all_of_a_killed_worker_is_gone_within_a_second(contained: ContainerSandbox, tmp_path: Path) -> None:
    alone = family(contained.pid)
    command = [sys.executable, "-c", WORKER, str(tmp_path / "socket" / SOCKET), SPIN]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "running\n"
        its = family(contained.pid) - alone
        assert len(its) == 4
        worker.kill()
        assert gone(its)
    assert honest(contained) is Outcome.RETURNED


def test_a_container_that_was_started_anew_is_found(tmp_path: Path) -> None:
    sandbox = another(tmp_path)
    try:
        for _ in range(2):
            with container(("numpy",), tmp_path / "socket"):
                assert honest(sandbox) is Outcome.RETURNED
            with pytest.raises(SandboxUnavailable, match=r"no sandbox container answers at |the jail did not start"):
                honest(sandbox)
            (tmp_path / "socket" / SOCKET).unlink()
            (tmp_path / "socket").rmdir()
    finally:
        sandbox.stop()


def test_a_parent_that_dies_is_replaced(contained: ContainerSandbox) -> None:
    parent = max(family(contained.pid))
    os.kill(parent, signal.SIGKILL)
    assert gone({parent})
    assert honest(contained) is Outcome.RETURNED
    assert parent not in family(contained.pid)


def test_one_that_has_become_unhealthy_leaves_no_process_that_still_runs(contained: ContainerSandbox) -> None:
    alone = family(contained.pid)
    with contained.open(SPIN, limits=Limits()) as session:
        session.load("f")
        inside = family(contained.pid) - alone
        contained._mark_unhealthy()
        contained.stop()
        assert gone(inside, seconds=0)


def test_where_no_process_is_left_for_a_worker_others_go_on(tmp_path: Path) -> None:
    """The process that listens may have no more children than two: those of the first worker."""
    weak = tmp_path / "guest.py"
    line = "                try:\n                    child = os.fork()\n"
    text = jail.GUEST.read_text()
    assert text.count(line) == 1
    limited = (
        f"                os.fork = no_process if codec.kept else os.fork\n                codec.kept[1] = 1\n{line}"
    )
    refusing = "def no_process():\n    raise BlockingIOError(11, 'no process')\n\n\ndef listen("
    weak.write_text(text.replace(line, limited).replace("def listen(", refusing, 1))
    with container(("numpy",), tmp_path / "socket", guest=weak) as first:
        assert honest(first) is Outcome.RETURNED
        refused = another(tmp_path)
        with pytest.raises(SandboxUnavailable):
            refused.start()
        refused.stop()
        assert honest(first) is Outcome.RETURNED


def test_a_library_that_it_has_not_is_named(contained: ContainerSandbox, tmp_path: Path) -> None:
    lacking = Sandbox(libraries=("numpy", "torch"), address=tmp_path / "socket" / SOCKET)
    try:
        with pytest.raises(SandboxUnavailable, match="the sandbox has no torch"):
            lacking.start()
    finally:
        lacking.stop()


def test_the_sandboxes_of_a_worker_are_where_the_setting_says(tmp_path: Path) -> None:
    folder = tmp_path / "socket"
    with container(("numpy",), folder):
        (folder / "numpy.sock").symlink_to(SOCKET)
        with Sandboxes(folder) as sandboxes:
            assert not sandboxes.lacks("torch")  # whether it has it is for the container to say
            assert honest(sandboxes.of("numpy")) is Outcome.RETURNED
            with pytest.raises(SandboxUnavailable, match=r"no sandbox container answers at .*torch\.sock"):
                sandboxes.of("torch").start()
        (folder / "numpy.sock").unlink()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["/nowhere/at/all.sock"], "cannot listen at /nowhere/at/all.sock"),
        (["x.sock", "--libraries", "numpy", "no_such_library"], "no_such_library is not installed"),
        ([], "the following arguments are required: socket"),
    ],
)
def test_a_container_that_cannot_listen_says_why(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    *command, _ = jail_command(tmp_path, jail.GUEST)
    ended = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=100)
    assert ended.returncode != 0
    assert sentence in ended.stderr


def test_a_session_is_called_and_ends_as_anywhere(contained: ContainerSandbox) -> None:
    with contained.open(SPIN, limits=Limits(wall_seconds=0.3)) as session:
        session.load("f")
        assert session.call(Call("f")).outcome is Outcome.TIMEOUT
    assert session.usage is not None
    assert session.usage.cpu_ms > 100
