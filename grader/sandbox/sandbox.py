"""The sandbox: keeps one jail with a warm parent process in it, and opens sessions there."""

from __future__ import annotations

import json
import os
import select
import socket
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from grader.sandbox import seccomp
from grader.sandbox.faults import SandboxFault, SandboxUnavailable
from grader.sandbox.parents import BubblewrapParent, ContainerParent, Parent
from grader.sandbox.session import Ends, Session
from grader.wire import Limits

START_SECONDS = 90.0  # importing NumPy and PyTorch on a slow and busy machine
SESSIONS_PER_PARENT = 1_000  # a jail with PyTorch takes seconds to start, and a submission may open a dozen sessions
GROWTH_BYTES = 64 << 20  # of a parent, which runs no learner's code and has nothing to grow by: then it is replaced too
THREADS = 32  # of one session


class Sandbox:
    """One jail. Safe to make before a fork: each process that uses it starts a jail of its own."""

    def __init__(
        self,
        *,
        libraries: Sequence[str] = ("numpy",),
        device: Literal["cpu", "cuda"] = "cpu",
        address: Path | None = None,
    ) -> None:
        """`libraries` are what a session can import beside the standard library; values need NumPy among them.

        With "torch" too, tensors can be sent, and sessions start with PyTorch imported and warm. `device`: with
        "cuda" sessions may use the machine's GPUs, and start with CUDA up; where it does not come up, none opens.
        `address`: the socket of a sandbox container that has these libraries, in whose sessions the code is then run.
        Without one the jail is made here, by bubblewrap.
        """
        if "numpy" not in libraries:
            raise ValueError(f"expected numpy among the libraries, got {list(libraries)}")
        if device == "cuda" and "torch" not in libraries:
            raise ValueError(f"expected torch among the libraries for the device cuda, got {list(libraries)}")
        self._libraries = tuple(libraries)
        self._gpu = device == "cuda"
        self._lock = threading.RLock()
        self._address = address
        self._parent: Parent | None = None
        self._owner = 0  # the process that started the jail
        self._opened = 0  # sessions of this jail so far
        self._first: Session | None = None  # of this jail
        self._last: Session | None = None
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()
        self._healthy = False

    @property
    def in_container(self) -> bool:
        """Whether its jail is a container, and not made here."""
        return self._address is not None

    @property
    def pid(self) -> int | None:
        """Of the jail's outermost process, while there is one on this machine's side."""
        return None if self._parent is None else self._parent.pid

    def start(self) -> None:
        """Starts the jail unless it runs. Raises SandboxUnavailable, saying what is missing.

        In the main thread the jail is also tied to this process by the kernel (its parent-death signal). That signal
        follows the *thread*, so from another thread only the control socket ties it: the jail ends when that closes.
        """
        with self._lock:
            self._forget_inherited()
            if self._running():
                return
            self.stop()
            self._launch()

    def stop(self) -> None:
        """Ends the jail with all that runs in it. May be called again. A start in another thread fails then."""
        if not self._lock.acquire(blocking=False):  # by one who waits for "ready", which need not come any more
            starting = self._parent
            if starting is not None and not self._healthy and self._owner == os.getpid():
                with suppress(OSError):
                    starting.control.shutdown(socket.SHUT_RDWR)
            self._lock.acquire()
        try:
            self._forget_inherited()
            parent, self._parent, self._healthy = self._parent, None, False
            if parent is not None:
                parent.end()
        finally:
            self._lock.release()

    def open(self, source: str, *, limits: Limits) -> Session:
        """A session that holds `source`, not yet run. Raises SandboxFault."""
        opened = time.monotonic()
        with self._lock:
            if self._is_used_up() and not any(session.is_open for session in self._sessions):
                self.stop()
            self.start()
            try:
                return self._open(source, limits, opened)
            except SandboxFault:
                if self._running():
                    raise
            self.start()  # the parent was dead, or died just now: once more in a new one
            return self._open(source, limits, opened)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _is_used_up(self) -> bool:
        if self._opened >= SESSIONS_PER_PARENT:
            return True
        first, last = (session.parent_bytes if session else None for session in (self._first, self._last))
        return first is not None and last is not None and last - first > GROWTH_BYTES

    def _running(self) -> bool:
        return self._healthy and self._parent is not None and self._parent.runs()

    def _forget_inherited(self) -> None:
        """After a fork the jail is the other process's: let go of it without ending it."""
        if self._owner not in {0, os.getpid()}:
            if self._parent is not None:
                self._parent.let_go()
            self._parent, self._healthy = None, False
        self._owner = os.getpid()

    def _launch(self) -> None:
        try:
            program = seccomp.program(gpu=self._gpu)
        except KeyError as error:
            raise SandboxUnavailable(f"no system call filter for this architecture ({error})") from error
        self._opened, self._first, self._last = 0, None, None
        parent = self._parent = (
            ContainerParent(self._address) if self._address else BubblewrapParent(self._libraries, gpu=self._gpu)
        )
        settings = json.dumps({"libraries": self._libraries, "filter": program.hex()}).encode()
        poller = select.poll()
        poller.register(parent.control, select.POLLIN)
        told = b""
        with suppress(ConnectionError):  # it has ended already
            parent.control.send(settings)
            told = parent.control.recv(4096) if poller.poll(START_SECONDS * 1000) else b""
        self._healthy = told == b"ready"
        if not self._healthy:
            self.stop()
        words = parent.last_words()
        why = told.decode("utf-8", "replace") or words or "no answer"
        if not self._healthy:
            raise SandboxUnavailable(f"the jail did not start: {why}")

    def _open(self, source: str, limits: Limits, opened: float) -> Session:
        lifeline, their_lifeline = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        channel, their_channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        output, their_output = os.pipe()
        request = {"memory": limits.memory_bytes, "scratch": limits.scratch_bytes, "threads": THREADS}
        request["gpu"] = int(self._gpu)
        given = [their_lifeline.fileno(), their_channel.fileno(), their_output]
        try:
            if self._parent is None:
                raise SandboxFault("the jail is not running")
            socket.send_fds(self._parent.control, [json.dumps(request).encode()], given)
        except (OSError, SandboxFault) as error:
            self._healthy = False
            lifeline.close()
            channel.close()
            os.close(output)
            raise SandboxFault(f"the jail takes no request: {error}") from error
        finally:
            their_lifeline.close()
            their_channel.close()
            os.close(their_output)
        self._opened += 1
        ends, tensors = Ends(lifeline, channel, output), "torch" in self._libraries
        session = Session(ends, source, limits, self._mark_unhealthy, opened, tensors=tensors, gpu=self._gpu)
        self._sessions.add(session)
        self._first, self._last = self._first or session, session
        return session

    def _mark_unhealthy(self) -> None:
        self._healthy = False
