"""A parent that gets no process for a session: as where a container, or the machine, has none left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, SandboxFault, jail
from grader.wire import Call, Limits, Outcome
from tests.sandbox.conftest import BACKENDS
from tests.sandbox.container import container
from tests.sandbox.sessions import HONEST, floats, run

FORKS, ENDS = "def fork_monitor(", "# ---- The monitor"  # the part of the guest in which the parent forks for a session
REFUSING = """\
def refused_second(fork=os.fork, forked=[]):
    forked.append(1)
    if len(forked) == 2:
        raise BlockingIOError(11, "no process")
    return fork()


"""


def refused_once(folder: Path) -> Path:
    """A guest whose parent is refused its second session's process."""
    before, rest = jail.GUEST.read_text().split(FORKS)
    forking, after = rest.split(ENDS)
    assert forking.count("os.fork()") == 1
    guest = folder / "guest.py"
    guest.write_text(f"{before}{REFUSING}{FORKS}{forking.replace('os.fork()', 'refused_second()')}{ENDS}{after}")
    return guest


@pytest.fixture(params=BACKENDS)
def refusing(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    guest = refused_once(tmp_path)
    if request.param == "container":
        with container(("numpy",), tmp_path / "socket", guest=guest) as sandbox:
            yield sandbox
    else:
        monkeypatch.setattr(jail, "GUEST", guest)
        with Sandbox() as sandbox:
            yield sandbox


def test_no_process_for_a_session_is_our_fault_and_ends_no_other(refusing: Sandbox) -> None:
    with refusing.open("def f():\n    return 1\n", limits=Limits()) as other:
        other.load("f")
        with pytest.raises(SandboxFault, match="no process for a session"):
            refusing.open(HONEST, limits=Limits())
        assert run(refusing, HONEST, "attack", floats(1.0)).outcome is Outcome.RETURNED
        assert other.call(Call("f")).outcome is Outcome.RETURNED
