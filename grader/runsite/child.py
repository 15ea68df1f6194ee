"""One process of the site: started, started again when it ends by itself, and stopped with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from grader.processes import die_with_parent
from grader.runsite import SiteError

LONG_ENOUGH = 30.0  # seconds of life after which an end counts as the first failure again
LONGEST_PAUSE = 30.0


class Child:
    """A command that is kept running. Its output is this process's own."""

    def __init__(
        self, name: str, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], descriptors: Sequence[int] = ()
    ) -> None:
        self.name = name
        self._start = partial(
            subprocess.Popen,
            command,
            cwd=cwd,
            env=env,
            pass_fds=descriptors,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal reaches the supervisor alone, which stops them in order
            preexec_fn=partial(die_with_parent, os.getpid()),  # safe: no other thread runs here
        )
        self._process: subprocess.Popen[str] | None = None
        self._started = 0.0
        self._failures = 0
        self._restart_at = 0.0

    @property
    def pid(self) -> int | None:
        """Of the running process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it. Raises SiteError if the command cannot be run at all."""
        try:
            self._process = self._start()
        except OSError as error:
            raise SiteError(f"The {self.name} could not be started: {error}") from error
        self._started = time.monotonic()

    def look_after(self) -> str:
        """Start it again if it has ended and its pause is over; what there is to tell of it, or an empty text."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._restart_at:
                self.start()
            return ""
        code = self._process.poll()
        if code is None:
            return ""
        self.kill()
        self._failures = 1 if now - self._started > LONG_ENOUGH else self._failures + 1
        pause = min(LONGEST_PAUSE, 0.5 * 2 ** (self._failures - 1))
        self._restart_at = now + pause
        return f"The {self.name} ended ({_how(code)}); it is started again in {pause:g} s."

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process itself, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def ended(self) -> bool:
        """Whether it does not run."""
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """End whatever is left of it and of what it started, and reap it."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):  # nothing is left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def _how(code: int) -> str:
    return f"exit status {code}" if code >= 0 else signal.Signals(-code).name


def stop_all(children: Sequence[Child], patience: Mapping[signal.Signals, float]) -> None:
    """Ask all to stop, ever less politely: `patience` is for how many seconds after each signal; then kill."""
    for number, seconds in patience.items():
        for child in children:
            child.signal(number)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not all(child.ended() for child in children):
            time.sleep(0.02)
    for child in children:
        child.kill()
