"""One process of the worker's pool: its warm jails, its sign of life, and the lease of what it is grading.

The jails belong to the process and start with it, so that no submission waits for NumPy or PyTorch. Where they cannot
start, the process stays up, says so in its heartbeat, claims nothing (no attempt of anyone is burnt), and tries again.

A process grades on the CPU, with a jail for NumPy and one for PyTorch, or it runs checks for a GPU, with a jail whose
sessions may use that; never both.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from grader.gpu import checks_for_gpu, device_name, gpu_sandbox
from grader.judging import framework_of, judge
from grader.processes import process_name
from grader.sandbox import Sandbox, SandboxFault, SandboxUnavailable, audit
from grader.sandboxes import Sandboxes
from grader.services import Claim, heartbeat, heartbeat_end, lease_renew, submission_fault, submission_record
from grader.specs import exercise_spec, shown_only
from grader.verdicts import Job, Report, Status

logger = logging.getLogger(__name__)

TICK = 1.0  # seconds between looks at whether the worker's main process still lives
REOPEN_SECONDS = 30.0


def machine_findings(*, on_gpu: bool = False) -> str:
    """What keeps the sandbox's promises from holding here, and what to do about it; empty if all hold.

    `on_gpu`: of a worker whose jail has a GPU, which it always makes itself.
    """
    with Sandboxes(None if on_gpu else settings.SANDBOX_SOCKETS) as sandboxes:
        return _missed(sandboxes.of("numpy"))


def _missed(sandbox: Sandbox) -> str:
    missing = [finding for finding in audit(sandbox) if not finding.ok]
    return "\n".join(f"{each.name}: no ({each.detail}). {each.remedy}".strip() for each in missing)


class Jails(Protocol):
    """What a process runs code in. One object may be opened and closed again and again."""

    def open(self) -> None: ...  # raises SandboxFault where nothing can be graded
    def of(self, framework: str) -> Sandbox: ...
    def reopen(self, framework: str) -> None: ...
    def close(self) -> None: ...


class CpuJails:
    """One for NumPy, without which nothing is graded, and one for PyTorch, without which only its exercises are not."""

    def __init__(self) -> None:
        self._sandboxes = Sandboxes(settings.SANDBOX_SOCKETS)
        self._opening = threading.RLock()
        self._torch_missing: str | None = None  # what its audit missed, once there was one

    def open(self) -> None:
        self.of("numpy").start()
        # PyTorch takes seconds to import: nobody's first submission waits for it, nor does what needs NumPy alone.
        threading.Thread(target=self._open_torch, name="torch", daemon=True).start()

    def _open_torch(self) -> None:
        try:
            self.of("torch").start()
        except SandboxFault as error:
            logger.error("exercises of PyTorch cannot be graded here: %s", error)

    def of(self, framework: str) -> Sandbox:
        """Raises SandboxUnavailable for PyTorch where its jail cannot be, or does not hold."""
        sandbox = self._sandboxes.of(framework)
        if framework == "torch":
            if self._sandboxes.lacks(framework):
                raise SandboxUnavailable("PyTorch is missing on this worker")
            with self._opening:
                if self._torch_missing is None:
                    self._torch_missing = _missed(sandbox)
            if self._torch_missing:
                raise SandboxUnavailable(self._torch_missing)
        return sandbox

    def reopen(self, framework: str) -> None:
        self._sandboxes.of(framework).stop()
        if framework == "torch":
            if self._torch_missing:
                self._torch_missing = None  # it may be there by now
            self._open_torch()
        else:
            self.of(framework).start()

    def close(self) -> None:
        self._sandboxes.stop()


class GpuJails:
    """One for all, opened only where a session of it has computed on the device."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._sandbox = gpu_sandbox(device)

    def open(self) -> None:
        try:
            self._sandbox.start()
            logger.warning("checks for a GPU run on: %s", device_name(self._sandbox, self._device))
        except SandboxFault:
            self.close()
            raise

    def of(self, framework: str) -> Sandbox:  # noqa: ARG002 it has the libraries of every framework
        return self._sandbox

    def reopen(self, framework: str) -> None:  # noqa: ARG002 likewise
        self.close()
        self.open()

    def close(self) -> None:
        self._sandbox.stop()


class Bench:
    """The jails of this process, and a thread that keeps its promises while the main thread grades.

    `missing`: machine_findings() of the worker's main process; nothing is started where they are not empty.
    """

    def __init__(self, missing: str, *, on_gpu: bool = False) -> None:
        self.name = process_name()
        self.on_gpu = on_gpu
        self._parent = os.getppid()
        self._jails: Jails = GpuJails(settings.GPU_DEVICE) if on_gpu else CpuJails()
        self._ready = False
        self._missing = missing
        self._opening = threading.Lock()
        self._claim: Claim | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="bench", daemon=True)

    def start(self) -> None:
        """Start the jails and the thread. Never raises for a jail that does not start."""
        if not self._missing:
            self.open()
        self._thread.start()

    def stop(self) -> None:
        """End the jails, and the heartbeat with them."""
        self._stopped.set()
        self._thread.join(timeout=5)
        self._jails.close()
        try:
            heartbeat_end(name=self.name)
        except DatabaseError as error:
            logger.warning("the heartbeat of %s stays: %r", self.name, error)

    @property
    def ready(self) -> bool:
        """Whether this process can grade."""
        return self._ready

    def open(self) -> None:
        """Start the jails, ending those before."""
        self._try(self._jails.close, self._jails.open)

    def _try(self, *steps: Callable[[], None]) -> None:
        """Ready if all steps succeed; if not, what is missing is told by the heartbeat."""
        with self._opening:
            self._ready = False
            try:
                for step in steps:
                    step()
            except SandboxFault as error:
                self._missing = str(error)
                logger.error("this process grades nothing: %s", error)
            else:
                self._ready, self._missing = True, ""

    def grade(self, claim: Claim) -> None:
        """Judge a claimed submission, with no transaction open, and record what came of it."""
        try:
            job = _job(claim)
            framework = framework_of(job.spec)
        except Exception as error:  # noqa: BLE001 ours, whatever it is
            self._give_back(claim, error)
            return
        with self._holding(claim):
            report = self._judge(claim, job, framework)
        if report is not None:
            submission_record(claim=claim, report=report)
        if report is None or report.status is Status.FAULT:
            # Nothing is known of the state of that jail; the other one is as good as it was.
            self._try(partial(self._jails.reopen, framework))

    def _judge(self, claim: Claim, job: Job, framework: str) -> Report | None:
        """The report; None after an exception, which is ours whatever it is, and then the submission is given back."""
        if not self._ready:
            raise RuntimeError("nothing may be claimed while the sandbox is away")
        try:
            return judge(job, self._jails.of(framework))
        except Exception as error:  # noqa: BLE001 ours, whatever it is
            self._give_back(claim, error)
            return None

    def _give_back(self, claim: Claim, error: Exception) -> None:
        logger.error("judging submission %s failed", claim.submission_id, exc_info=error)
        submission_fault(claim=claim, message=f"{type(error).__name__}: {error}")

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
        heartbeat(name=self.name, grading=self.ready, message=self._missing, on_gpu=self.on_gpu)

    def _renew(self) -> None:
        claim = self._claim
        if claim is not None:
            lease_renew(claim=claim)

    def _reopen(self) -> None:
        if not self.ready:
            self._missing = machine_findings(on_gpu=self.on_gpu)
            if not self._missing:
                self.open()


def _job(claim: Claim) -> Job:
    """Raises SpecError."""
    revision = claim.exercise_revision
    spec, device = exercise_spec(revision.data["spec"], revision=revision.number), "cpu"
    if claim.precheck:
        spec = shown_only(spec)
    if claim.on_gpu:
        spec, device = checks_for_gpu(spec, settings.GPU_DEVICE), settings.GPU_DEVICE
    return Job(spec, claim.source.encode(), claim.seed, device)


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
