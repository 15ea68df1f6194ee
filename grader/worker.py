"""One process of the worker's pool: its warm sandbox, its sign of life, and the lease of what it is grading.

The sandbox belongs to the process and starts with it, so that no submission waits for NumPy. Where it cannot start,
the process stays up, says so in its heartbeat, claims nothing (no attempt of anyone is burnt), and tries again.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from grader.judging import judge
from grader.processes import process_name
from grader.sandbox import Sandbox, SandboxFault, audit
from grader.services import Claim, heartbeat, heartbeat_end, lease_renew, submission_fault, submission_record
from grader.specs import exercise_spec
from grader.verdicts import Job, Report, Status

logger = logging.getLogger(__name__)

TICK = 1.0  # seconds between looks at whether the worker's main process still lives
REOPEN_SECONDS = 30.0


def machine_findings() -> str:
    """What keeps the sandbox's promises from holding on this machine, and what to do about it; empty if all hold."""
    missing = [finding for finding in audit() if not finding.ok]
    return "\n".join(f"{each.name}: no ({each.detail}). {each.remedy}".strip() for each in missing)


class Bench:
    """The sandbox of this process, and a thread that keeps its promises while the main thread grades.

    `missing`: machine_findings() of the worker's main process; nothing is started where they are not empty.
    """

    def __init__(self, missing: str) -> None:
        self.name = process_name()
        self._parent = os.getppid()
        self._sandbox: Sandbox | None = None
        self._missing = missing
        self._opening = threading.Lock()
        self._claim: Claim | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="bench", daemon=True)

    def start(self) -> None:
        """Start the sandbox and the thread. Never raises for a sandbox that does not start."""
        if not self._missing:
            self.open()
        self._thread.start()

    def stop(self) -> None:
        """End the sandbox, and the heartbeat with it."""
        self._stopped.set()
        self._thread.join(timeout=5)
        self._close()
        try:
            heartbeat_end(name=self.name)
        except DatabaseError as error:
            logger.warning("the heartbeat of %s stays: %r", self.name, error)

    @property
    def ready(self) -> bool:
        """Whether this process can grade."""
        return self._sandbox is not None

    def open(self) -> None:
        """Start the sandbox anew, ending the one before."""
        with self._opening:
            self._close()
            sandbox = Sandbox()
            try:
                sandbox.start()
            except SandboxFault as error:
                self._missing = str(error)
                logger.error("this process grades nothing: %s", error)
            else:
                self._sandbox, self._missing = sandbox, ""

    def _close(self) -> None:
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.stop()

    def grade(self, claim: Claim) -> None:
        """Judge a claimed submission, with no transaction open, and record what came of it."""
        with self._holding(claim):
            report = self._judge(claim)
        if report is not None:
            submission_record(claim=claim, report=report)
        if report is None or report.status is Status.FAULT:
            self.open()  # after a fault, nothing is known of the sandbox's state

    def _judge(self, claim: Claim) -> Report | None:
        """The report; None after an exception, which is ours whatever it is, and then the submission is given back."""
        if self._sandbox is None:
            raise RuntimeError("nothing may be claimed while the sandbox is away")
        try:
            revision = claim.exercise_revision
            spec = exercise_spec(revision.data["spec"], revision=revision.number)
            return judge(Job(spec=spec, source=claim.source.encode(), seed=claim.seed), self._sandbox)
        except Exception as error:
            logger.exception("judging submission %s failed", claim.submission_id)
            submission_fault(claim=claim, message=f"{type(error).__name__}: {error}")
            return None

    @contextmanager
    def _holding(self, claim: Claim) -> Iterator[None]:
        """Have the thread renew the claim's lease."""
        self._claim = claim
        try:
            yield
        finally:
            self._claim = None

    def _keep(self) -> None:
        chores = (
            Chore(self._beat, settings.HEARTBEAT_SECONDS),
            Chore(self._renew, settings.GRADING_LEASE / 4),
            Chore(self._reopen, REOPEN_SECONDS),
        )
        for chore in chores:
            chore.run_if_due()
        while not self._stopped.wait(TICK):
            if os.getppid() != self._parent:
                # The worker's main process was killed. Its next one must not share the machine with this one.
                os.kill(os.getpid(), signal.SIGKILL)
            for chore in chores:
                chore.run_if_due()
        connection.close()  # this thread's own

    def _beat(self) -> None:
        heartbeat(name=self.name, grading=self.ready, message=self._missing)

    def _renew(self) -> None:
        claim = self._claim
        if claim is not None:
            lease_renew(claim=claim)

    def _reopen(self) -> None:
        if not self.ready:
            self._missing = machine_findings()
            if not self._missing:
                self.open()


class Chore:
    """Something to do again every so many seconds, of which no failure may end the thread that does it."""

    def __init__(self, work: Callable[[], None], seconds: float) -> None:
        self._work = work
        self._seconds = seconds
        self._due = time.monotonic()

    def run_if_due(self) -> None:
        """Do it, if it is time to."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + self._seconds
        close_old_connections()
        try:
            self._work()
        except Exception:
            logger.exception("%s failed, and is tried again", self._work.__name__)
