"""One session of ten calls on each backend, beside what a fresh process takes to import the library it needs.

The parents run already, as a worker's do. A session is timed from the asking for it to the end of its last process:
the source sent, ten calls, every result compared with what is expected (which is computed ahead).
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.cases import SLUGS, of_cases
from benchmarks.session import cold_import
from benchmarks.timing import Row, milliseconds, progress, spread
from grader.sandbox import jail
from grader.sandboxes import LIBRARIES
from tests.sandbox.conftest import BACKENDS, started

CALLS = 10
LIMITS = {"numpy": 1 / 4, "torch": 1 / 40}  # of a session, beside the cold import
TOGETHER = 4  # sessions on each backend for each cold start: a cold start of torch takes as long as forty


def measure(repeats: int = 12) -> list[Row]:
    return [row for library in LIMITS for row in _of(library, repeats)]


def _of(library: str, repeats: int) -> list[Row]:
    """Sessions and cold starts in turn, so that a noisy moment meets them alike."""
    submission = of_cases(library, CALLS)
    sessions: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
    bare, jailed = [], []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sandboxes = {backend: stack.enter_context(started(backend, LIBRARIES[library], folder)) for backend in BACKENDS}
        for turn in range(repeats + 1):
            progress(f"sessions beside cold {library}, {turn} of {repeats}")
            taken = {
                backend: [submission.milliseconds_in(sandbox) for _ in range(TOGETHER)]
                for backend, sandbox in sandboxes.items()
            }
            cold, jailed_cold = cold_import(library), _cold_in_bubblewrap(library)
            if turn:  # the first one warms the machine's caches
                for backend, times in taken.items():
                    sessions[backend] += times
                bare.append(cold)
                jailed.append(jailed_cold)
    return [
        *(_session(library, backend, times, bare) for backend, times in sessions.items()),
        Row(f'· floor: cold `python -c "import {library}"`', spread(bare)),
        Row("· the same in bubblewrap", spread(jailed)),
    ]


def _session(library: str, backend: str, times: Sequence[float], floor: Sequence[float]) -> Row:
    ratio = statistics.median(times) / statistics.median(floor)
    return Row(
        f"a session of `{SLUGS[library]}`, {CALLS} calls, all compared, {backend}",
        spread(times),
        f"{ratio:.3f} of the floor; limit: {LIMITS[library]:.3f}",
    )


def _cold_in_bubblewrap(library: str) -> float:
    """In the root that the sandbox's own jail has."""
    *command, _guest = jail.command(LIBRARIES[library])
    program = f"import sys; sys.path.append('/packages'); import {library}"
    return milliseconds(lambda: subprocess.run([*command, "-c", program], env={}, cwd="/", check=True))
