"""A site's processes for tests: a driver in place of the web, and real prefork workers with the beat inside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import psutil

from grader.runsite.site import worker_command
from tests.grader.exercises import RIGHT
from tests.support.servers import ROOT, wait_until

# Seconds in place of minutes, so that a test sees a lease end and a sweep come.
QUICK = {"HEED_TEST_SWEEP_SECONDS": "1", "HEED_TEST_RESEND_SECONDS": "2"}


class Live:
    """One folder of data, one driver, and workers on demand."""

    def __init__(self, folder: Path, redis_url: str, database_url: str, prepare: str) -> None:
        self.folder, self.prepare = folder, prepare
        (folder / "var").mkdir()
        self.environment = {
            **os.environ,
            **QUICK,
            "HEED_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "REDIS_URL": redis_url,
            "DATABASE_URL": database_url,
            "HEED_WORKER_CONCURRENCY": "1",
        }
        self._workers: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "worker.log").open("ab")
        self._driver = subprocess.Popen(
            [sys.executable, "-m", "tests.grader.driver"],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        self(self.prepare)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            kill_tree(worker)
        if self._driver.stdin:
            self._driver.stdin.close()
        self._driver.wait(10)
        if self._driver.stdout:
            self._driver.stdout.close()
        self._log.close()

    def __call__(self, command: str, *arguments: Any) -> Any:
        """Have the driver do something."""
        assert self._driver.stdin
        assert self._driver.stdout
        self._driver.stdin.write(json.dumps([command, arguments]) + "\n")
        self._driver.stdin.flush()
        answer = self._driver.stdout.readline()
        assert answer, f"the driver ended in {command}"
        return json.loads(answer)

    def worker(self, *, ready: bool = True, **environment: str) -> subprocess.Popen[bytes]:
        """A worker as `make run` starts it; ready to grade, unless told not to wait for that."""
        worker = self._start(worker_command(), environment)
        if ready:
            wait_until(lambda: bool(self("workers")["grading"]), what=f"a worker to grade\n{self.log()}")
        return worker

    def gpu_worker(self, device: str, *, ready: bool = True) -> subprocess.Popen[bytes]:
        """A worker of the queue for a GPU, as docs/architecture.md has it; on the CPU where `device` says so."""
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", "gpu", "--concurrency", "1"]
        worker = self._start([*command, "--loglevel", "WARNING"], {"HEED_TEST_GPU_DEVICE": device})
        if ready:
            wait_until(lambda: bool(self("gpu_workers")["online"]), what=f"a worker for a GPU\n{self.log()}")
        return worker

    def _start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        worker = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**self.environment, **environment},
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self._workers.append(worker)
        return worker

    def log(self) -> str:
        """What the workers said so far."""
        return (self.folder / "worker.log").read_text()

    def reaches(self, submission_id: str, state: str, *, seconds: float = 30.0, of: str = "row") -> dict[str, Any]:
        """The row, once it is in `state`; with `of="gpu_row"` what follows it on a GPU."""
        wait_until(
            lambda: self(of, submission_id)["state"] == state,
            what=f"submission to be {state}; it is {self(of, submission_id)}",
            seconds=seconds,
        )
        found: dict[str, Any] = self(of, submission_id)
        return found

    def tree(self, worker: subprocess.Popen[bytes]) -> list[psutil.Process]:
        """Everything below a worker: the pool, the beat, the jails."""
        return list(psutil.Process(worker.pid).children(recursive=True))


def gone(processes: list[psutil.Process]) -> bool:
    """Whether all have ended."""
    return not any(map(_runs, processes))


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it ended between the two questions
        return False


def kill_tree(worker: subprocess.Popen[bytes]) -> None:
    """Kill -9, the whole of it at once, as a machine that loses its power does."""
    try:
        tree = [psutil.Process(worker.pid), *psutil.Process(worker.pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        tree = []
    for process in tree:
        try:
            process.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
    worker.wait(10)


def races_are_clean(live: Live) -> None:
    """No worker is needed: the driver's threads claim, and hand in again, at the same moment."""
    for _ in range(5):  # one submission, eight that claim
        submission = live("submit", RIGHT)["id"]
        winners = live("race", 8)
        assert list(winners.values()) == [submission]
        row = live("row", submission)
        assert (row["owner"], row["fence"], row["attempts"]) == (next(iter(winners)), 1, 1)
    for _ in range(5):  # four of one learner, of which two may run
        submissions = live("submit_several", [RIGHT] * 4)
        other = live("submit", RIGHT)["id"]
        assert sorted(live("race", 8).values()) == sorted([*submissions[:2], other])
        live("end_all")
    for _ in range(10):  # one that is claimed and replaced: it is one of the two
        submission = live("submit", RIGHT)["id"]
        claimed = live("race_to_replace", submission).get("racer", "")
        row = live("row", submission)
        assert (row["state"], row["owner"], row["fence"]) in [("running", "racer", 1), ("replaced", "", 0)]
        assert (claimed == submission) is (row["state"] == "running")
        live("end_all")


@contextmanager
def live_site(folder: Path, redis_url: str = "", database_url: str = "", *, prepare: str = "prepare") -> Iterator[Live]:
    """On the embedded broker and SQLite, or on the Redis and the Postgres that are named.

    `prepare`: the driver's command that publishes something.
    """
    with Live(folder, redis_url, database_url, prepare) as running:
        yield running
