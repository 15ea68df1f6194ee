"""Memory of a warm parent, of an idle session beside it, and of the parent again after hundreds of sessions.

A parent's is its resident set (RSS): all that it has in memory, shared or not. A session's own is what a few idle
ones, each with its source loaded and one call made, add to the whole jail, monitors included, divided by their number:
anonymous pages and those of tmpfs (PSS: each counted once among those that share it) and page tables. Pages of files
are left out: they are there once for the whole machine, which drops them when it runs short.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import psutil

from benchmarks.cases import SLUGS, Submission, of_cases
from benchmarks.timing import Row, progress
from grader.sandbox import Sandbox, Session
from grader.sandboxes import LIBRARIES
from grader.wire import Outcome
from tests.sandbox.conftest import BACKENDS, started
from tests.sandbox.sessions import family, only_the_jail_is_left

IDLE = 8  # sessions side by side
PARENT_LIMIT, SESSION_LIMIT = 300, 30  # MB
GROWTH_LIMIT = 1  # MB, for "none": some pages come and go
OWN = ("Pss_Anon", "Pss_Shmem", "VmPTE")
COLD = "import {}; print(open('/proc/self/smaps_rollup').read())"


def measure(sessions: int = 500) -> list[Row]:
    rows = []
    for library in SLUGS:
        submission = of_cases(library, 1)
        for backend in BACKENDS:
            with tempfile.TemporaryDirectory() as folder, started(backend, LIBRARIES[library], Path(folder)) as sandbox:
                rows += _of(sandbox, submission, f"{library}, {backend}", sessions)
        rows.append(Row(f'· floor: cold `python -c "import {library}"`', _megabytes(_cold(library)), "RSS"))
    return rows


def _of(sandbox: Sandbox, submission: Submission, name: str, sessions: int) -> list[Row]:
    progress(f"memory of sessions, {name}")
    submission.judge_in(sandbox)
    parent = _parent(sandbox)
    largest = max(_resident(pid) for pid in family(sandbox.pid))
    own = _own_of_a_session(sandbox, submission)
    first = _resident(parent)
    for number in range(1, sessions + 1):
        if number % 100 == 0:
            progress(f"memory of the parent, {name}: session {number} of {sessions}")
        submission.judge_in(sandbox)
    assert _parent(sandbox) == parent, "the parent was replaced meanwhile"
    last = _resident(parent)
    return [
        Row(f"memory of the parent, {name}", _megabytes(largest), f"RSS; limit: {PARENT_LIMIT} MB"),
        Row(f"· of an idle session beside it, one of {IDLE}", _megabytes(own), f"its own; limit: {SESSION_LIMIT} MB"),
        Row(
            f"· of the process that forks sessions, {sessions} later",
            f"{_megabytes(first)}, then {_megabytes(last)}",
            f"{(last - first) / 1e6:+.2f} MB; limit: +{GROWTH_LIMIT} MB",
        ),
    ]


def _own_of_a_session(sandbox: Sandbox, submission: Submission) -> float:
    """Bytes, of sessions that wait for their next call."""
    before = _own_of_all(sandbox)
    with ExitStack() as stack:
        for _ in range(IDLE):
            spec = submission.job.spec
            session = stack.enter_context(sandbox.open(submission.job.source.decode(), limits=spec.limits))
            _call_once(session, submission)
        return (_own_of_all(sandbox) - before) / IDLE


def _call_once(session: Session, submission: Submission) -> None:
    entry, call = submission.job.spec.entry, submission.plans[0].cases[0].call
    assert session.load(entry).outcome is Outcome.RETURNED
    assert session.call(call).outcome is Outcome.RETURNED


def _parent(sandbox: Sandbox) -> int:
    """The process that forks the sessions: the innermost of the jail, once there are none."""
    assert only_the_jail_is_left(sandbox)
    process = psutil.Process(sandbox.pid)
    while children := process.children():
        (process,) = children
    return process.pid


def _own_of_all(sandbox: Sandbox) -> int:
    memory = [_memory(pid) for pid in family(sandbox.pid)]
    return sum(each[name] for each in memory for name in OWN)


def _resident(pid: int) -> int:
    return _memory(pid)["Rss"]


def _memory(pid: int) -> dict[str, int]:
    """Bytes of each kind that the kernel counts exactly, and of the page tables."""
    return _sizes(Path(f"/proc/{pid}/smaps_rollup").read_text() + Path(f"/proc/{pid}/status").read_text())


def _sizes(text: str) -> dict[str, int]:
    """Of its lines such as "Rss:   1024 kB", in bytes."""
    words = (line.split() for line in text.splitlines())
    return {parts[0].rstrip(":"): int(parts[1]) * 1024 for parts in words if len(parts) == 3 and parts[2] == "kB"}


def _cold(library: str) -> int:
    """Resident bytes of a process that has imported the library and done nothing else."""
    run = subprocess.run([sys.executable, "-c", COLD.format(library)], capture_output=True, text=True, check=True)
    return _sizes(run.stdout)["Rss"]


def _megabytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB"
