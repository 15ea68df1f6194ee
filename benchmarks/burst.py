"""Many submissions of `torch-attention` at once, through judge(), beside a fresh process with torch for each.

As many processes as a worker's pool has by default, each with a warm parent of its own, and as many fresh ones at a
time. Judging alone: no database and no broker, which would cost both the same. Every submission is right; its whole
set of checks is run. Of the fresh ones, which judge nothing, a few are measured: their rate does not hang on how many.
"""

from __future__ import annotations

import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

from benchmarks.cases import SLUGS
from benchmarks.session import EXERCISES
from benchmarks.timing import Row, progress
from courses.package.exercises import load_exercise
from grader.judging import judge
from grader.sandbox import Sandbox
from grader.sandboxes import LIBRARIES
from grader.specs import exercise_spec
from grader.verdicts import Job
from tests.sandbox.conftest import BACKENDS
from tests.sandbox.container import SOCKET, container

SLUG = SLUGS["torch"]
LEARNERS = 50
PROCESSES = 2  # as HEED_WORKER_CONCURRENCY
FRESH = 6
START_SECONDS = 120.0
TIMES = 20  # the limit: as many times the floor
# The least that a fresh process must do: no check, no comparison.
FRESH_PROGRAM = """
import runpy, sys, torch
runpy.run_path(sys.argv[1])["attention"](*torch.ones(3, 1, 2, 5, 4))
"""

_sandbox: Sandbox | None = None  # of this process of the pool


def measure(submissions: int = 200) -> list[Row]:
    """`submissions`: in all, of every learner as many."""
    jobs = _jobs(submissions)
    floors = [_fresh_a_minute()]
    rates = {}
    for backend in BACKENDS:
        progress(f"a burst of {len(jobs)} submissions, {backend}")
        rates[backend] = _judged_a_minute(jobs, backend)
        floors.append(_fresh_a_minute())  # in turn with the bursts, so that a noisy moment meets both alike
    floor = statistics.median(floors)
    what = f"a burst of {len(jobs)} `{SLUG}` from {LEARNERS} learners, {PROCESSES} processes"
    beside = f"the median of {len(floors)} times {FRESH}; neither has a database or a queue"
    return [
        *(
            Row(f"{what}, {backend}", f"{rate:,.0f} a minute", f"{rate / floor:.1f} times the floor; limit: {TIMES}")
            for backend, rate in rates.items()
        ),
        Row(f"· floor: a fresh process with torch for each, {PROCESSES} at a time", f"{floor:,.0f} a minute", beside),
    ]


def _jobs(submissions: int) -> list[Job]:
    """Learner after learner, again and again: no two sources and no two seeds are alike."""
    exercise = load_exercise(EXERCISES / SLUG)
    spec = exercise_spec(exercise.compiled["spec"], revision=0)
    return [
        Job(spec, exercise.solution + f"\n# {turn} of learner {learner}\n".encode(), seed=turn * LEARNERS + learner)
        for turn in range(submissions // LEARNERS)
        for learner in range(LEARNERS)
    ]


def _judged_a_minute(jobs: list[Job], backend: str) -> float:
    spawning = multiprocessing.get_context("spawn")  # a forked process would hold this one's descriptors
    ready = spawning.Barrier(PROCESSES + 1)
    with _address(backend) as address, spawning.Pool(PROCESSES, _start, (address, ready)) as pool:
        ready.wait(START_SECONDS)
        start = time.perf_counter()
        passed = list(pool.imap_unordered(_passes, jobs))
        seconds = time.perf_counter() - start
        pool.close()
        pool.join()
    assert passed == [True] * len(jobs), "a right submission did not pass"
    return len(jobs) / seconds * 60


@contextmanager
def _address(backend: str) -> Iterator[Path | None]:
    """Of a sandbox container's socket, where the backend is one."""
    if backend == "bubblewrap":
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "socket"
        with container(LIBRARIES["torch"], place, warm=False):
            yield place / SOCKET


def _start(address: Path | None, ready: Barrier) -> None:
    """In each process of the pool, before its first job: as a worker's, it has its parent warm."""
    global _sandbox
    _sandbox = Sandbox(libraries=LIBRARIES["torch"], address=address)
    _sandbox.start()
    ready.wait(START_SECONDS)


def _passes(job: Job) -> bool:
    assert _sandbox is not None
    return judge(job, _sandbox).passed


def _fresh_a_minute() -> float:
    solution = EXERCISES / SLUG / "solution.py"
    command = [sys.executable, "-c", FRESH_PROGRAM, str(solution)]
    progress(f"{FRESH} fresh processes with torch")
    subprocess.run(command, check=True)  # this one warms the machine's caches
    start = time.perf_counter()
    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(lambda _: subprocess.run(command, check=True), range(FRESH)))
    return FRESH / (time.perf_counter() - start) * 60
