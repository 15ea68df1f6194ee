"""The warm parent of sessions, and the jail around it: bubblewrap's on this machine, or a container that listens.

Both speak alike over `control`: settings, then "ready", then a request for each session. And both end alike: all that
runs there is gone when end() returns.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from grader.sandbox import jail
from grader.sandbox.faults import SandboxUnavailable

END_SECONDS = 2.0  # for a jail to end by itself
CONNECT_SECONDS = 5.0


class Parent(Protocol):
    """Made by a function of this module; a sandbox has at most one."""

    control: socket.socket

    @property
    def pid(self) -> int | None:
        """Of the jail's outermost process; None where it is not this process's to see."""
        ...

    def runs(self) -> bool:
        """As far as can be seen without asking it."""
        ...

    def end(self) -> None:
        """Waits until no process of it is left."""
        ...

    def last_words(self) -> str:
        """What it said of why it did not start. Asked once, when it has started or ended; nothing is read later."""
        ...

    def let_go(self) -> None:
        """In a forked process, whose parent goes on using it."""
        ...


# ---- On this machine ------------------------------------------------------------------------------------------------


class BubblewrapParent:
    """Started by this process, and ended with it."""

    def __init__(self, libraries: Sequence[str], *, gpu: bool) -> None:
        """Raises SandboxUnavailable. In the main thread the kernel ties the jail to this process, see Sandbox.start."""
        command = jail.command(libraries, gpu=gpu)
        if threading.current_thread() is threading.main_thread():
            command.insert(1, "--die-with-parent")
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._process, self._init = _spawn(command, theirs.fileno())
            except OSError as error:
                self.control.close()
                raise SandboxUnavailable(f"bubblewrap does not start: {error}") from error

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def runs(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        self.control.close()  # the parent in the jail ends with it, and takes every process there along
        if self._init is not None:
            _await_end_of_all(self._init)
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def last_words(self) -> str:
        errors = self._process.stderr
        if errors is None or errors.closed:
            return ""
        with errors:
            os.set_blocking(errors.fileno(), False)
            return (errors.read(4000) or b"").decode("utf-8", "replace").strip()

    def let_go(self) -> None:
        self.control.close()
        if self._init is not None:
            os.close(self._init)
        self._process.returncode = 0  # not our child: nothing to wait for


def _spawn(command: list[str], control: int) -> tuple[subprocess.Popen[bytes], int | None]:
    """The process, and a pidfd of the jail's pid 1, which ends last (None if it ended before it was made)."""
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


# ---- In a container -------------------------------------------------------------------------------------------------


class ContainerParent:
    """Forked for this connection by the process that listens in a sandbox container, and ended with the connection."""

    pid = None

    def __init__(self, address: Path) -> None:
        """Raises SandboxUnavailable."""
        self.control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(CONNECT_SECONDS)
        try:
            self.control.connect(str(address))
        except OSError as error:
            self.control.close()
            raise SandboxUnavailable(f"no sandbox container answers at {address}: {error}") from error
        self.control.settimeout(None)

    def runs(self) -> bool:
        """Nothing comes unasked but the connection's end."""
        try:
            return bool(self.control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def end(self) -> None:
        """The other end is held, to the last, by a process that waits for every other one of this connection.

        What hangs there cannot be killed from here: after END_SECONDS it is left to the container.
        """
        with self.control, suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)
            self.control.settimeout(END_SECONDS)
            while self.control.recv(64):
                pass

    def last_words(self) -> str:
        return "see the log of the sandbox container"

    def let_go(self) -> None:
        self.control.close()
