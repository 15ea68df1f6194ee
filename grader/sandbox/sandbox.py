"""The sandbox: keeps one jail with a warm parent process in it, and opens sessions there."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Literal, Self

from grader.sandbox import jail, seccomp
from grader.sandbox.faults import SandboxFault, SandboxUnavailable
from grader.sandbox.session import Ends, Session
from grader.wire import Limits

START_SECONDS = 90.0  # importing NumPy and PyTorch on a slow and busy machine
SESSIONS_PER_PARENT = 1_000  # a jail with PyTorch takes seconds to start, and a submission may open a dozen sessions
THREADS = 32  # of one session
END_SECONDS = 2.0  # for a jail to end by itself


class Sandbox:
    """One jail. Safe to make before a fork: each process that uses it starts a jail of its own."""

    def __init__(self, *, libraries: Sequence[str] = ("numpy",), device: Literal["cpu", "cuda"] = "cpu") -> None:
        """`libraries` are what a session can import beside the standard library; values need NumPy among them.

        With "torch" too, tensors can be sent, and sessions start with PyTorch imported and warm. `device`: with
        "cuda" sessions may use the machine's GPUs, and start with CUDA up; where it does not come up, none opens.
        """
        if "numpy" not in libraries:
            raise ValueError(f"expected numpy among the libraries, got {list(libraries)}")
        if device == "cuda" and "torch" not in libraries:
            raise ValueError(f"expected torch among the libraries for the device cuda, got {list(libraries)}")
        self._libraries = tuple(libraries)
        self._gpu = device == "cuda"
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._init: int | None = None  # pidfd of the jail's pid 1: it ends after every other process there
        self._owner = 0  # the process that started the jail
        self._opened = 0  # sessions of this jail so far
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()
        self._healthy = False

    @property
    def pid(self) -> int | None:
        """Of the jail's outermost process, while there is one."""
        return None if self._process is None else self._process.pid

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
        control = self._control
        if control is not None and not self._healthy and self._owner == os.getpid():
            with suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)  # who waits for "ready" need not, and holds the lock
        with self._lock:
            self._forget_inherited()
            control, process, init = self._control, self._process, self._init
            self._control = self._process = self._init = None
            self._healthy = False
            if control is not None:
                control.close()  # the parent in the jail ends with it, and takes every process there along
            if init is not None:
                _await_end_of_all(init)
            if process is not None:
                _await_end(process)

    def open(self, source: str, *, limits: Limits) -> Session:
        """A session that holds `source`, not yet run. Raises SandboxFault."""
        opened = time.monotonic()
        with self._lock:
            if self._opened >= SESSIONS_PER_PARENT and not any(session.is_open for session in self._sessions):
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

    def _running(self) -> bool:
        return self._healthy and self._process is not None and self._process.poll() is None

    def _forget_inherited(self) -> None:
        """After a fork the jail is the other process's: let go of it without ending it."""
        if self._owner not in {0, os.getpid()}:
            if self._control is not None:
                self._control.close()
            if self._init is not None:
                os.close(self._init)
            if self._process is not None:
                self._process.returncode = 0  # not our child: nothing to wait for
            self._control = self._process = self._init = None
            self._healthy = False
        self._owner = os.getpid()

    def _launch(self) -> None:
        command = jail.command(self._libraries, gpu=self._gpu)
        try:
            program = seccomp.program(gpu=self._gpu)
        except KeyError as error:
            raise SandboxUnavailable(f"no system call filter for this architecture ({error})") from error
        if threading.current_thread() is threading.main_thread():
            command.insert(1, "--die-with-parent")
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._opened = 0
        with theirs:
            try:
                self._process, self._init = _spawn(command, theirs.fileno())
            except OSError as error:
                self.stop()
                raise SandboxUnavailable(f"bubblewrap does not start: {error}") from error
        settings = json.dumps({"libraries": self._libraries, "filter": program.hex()}).encode()
        self._await_parent(self._process, self._control, settings)

    def _await_parent(self, process: subprocess.Popen[bytes], control: socket.socket, settings: bytes) -> None:
        poller = select.poll()
        poller.register(control, select.POLLIN)
        with suppress(ConnectionError):  # it has ended already; it says why on its standard error
            control.send(settings)
            self._healthy = bool(poller.poll(START_SECONDS * 1000)) and control.recv(64) == b"ready"
        if not self._healthy:
            self.stop()
        with process.stderr or open(os.devnull, "rb") as errors:  # of a jail that runs nothing more is read
            os.set_blocking(errors.fileno(), False)
            said = (errors.read(4000) or b"").decode("utf-8", "replace").strip() if not self._healthy else ""
        if not self._healthy:
            raise SandboxUnavailable(f"the jail did not start: {said or 'no answer'}")

    def _open(self, source: str, limits: Limits, opened: float) -> Session:
        lifeline, their_lifeline = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        channel, their_channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        output, their_output = os.pipe()
        request = {"memory": limits.memory_bytes, "scratch": limits.scratch_bytes, "threads": THREADS}
        request["gpu"] = int(self._gpu)
        given = [their_lifeline.fileno(), their_channel.fileno(), their_output]
        control = self._control
        try:
            if control is None:
                raise SandboxFault("the jail is not running")
            socket.send_fds(control, [json.dumps(request).encode()], given)
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
        return session

    def _mark_unhealthy(self) -> None:
        self._healthy = False


def _spawn(command: list[str], control: int) -> tuple[subprocess.Popen[bytes], int | None]:
    """The process, and a pidfd of the jail's pid 1 (None if it ended before it was made)."""
    told, tell = os.pipe()
    try:
        process = subprocess.Popen(
            [command[0], "--info-fd", str(tell), *command[1:], str(control)],
            env={},  # with --clearenv alone, /proc/1/environ in the jail would still show the worker's
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[control, tell],
            cwd="/",
            start_new_session=True,  # Ctrl-C in the worker's terminal is for the worker to act on
        )
    except OSError:
        os.close(told)
        raise
    finally:
        os.close(tell)
    with open(told, "rb") as info:
        said = info.read()
    try:
        return process, os.pidfd_open(json.loads(said)["child-pid"])
    except (ValueError, KeyError, ProcessLookupError):
        return process, None


def _await_end_of_all(init: int) -> None:
    """Waits for the jail's pid 1, and so for every process in there: bubblewrap's own may end before them."""
    ended = select.poll()
    ended.register(init, select.POLLIN)
    try:
        if not ended.poll(END_SECONDS * 1000):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(init, signal.SIGKILL)
            ended.poll(END_SECONDS * 1000)
    finally:
        os.close(init)


def _await_end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.wait()
