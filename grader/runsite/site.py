"""The supervisor: one lock and one socket, a web server and a worker, and what it tells the person who started it."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.db import DatabaseError, connection

from grader.runsite import SiteError
from grader.runsite.child import Child, stop_all
from grader.selectors import WorkerStatus, grading_stalled, worker_status

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# TERM lets requests and a short grading end; QUIT lets a worker give back what it holds.
PATIENCE = {signal.SIGTERM: 4.0, signal.SIGQUIT: 1.5}
TICK = 0.3
LOOK_SECONDS = 5.0  # between looks into the database
STALLED_LOOKS = 12  # in a row, before a worker that takes nothing is ended
ANSWER_SECONDS = 60.0
WEB_THREADS = 8


class Site:
    """A site on one machine, in the folder settings.VAR_DIR."""

    def __init__(self, *, host: str, port: int, say: Callable[[str], None]) -> None:
        self.host = host
        self.port = port
        self._say = say
        self._stopping = threading.Event()
        self._socket: socket.socket | None = None
        self._status: WorkerStatus | None = None
        self._stalled_looks = 0

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Hold the folder and the port. Raises SiteError if either is someone else's."""
        with _locked(Path(settings.VAR_DIR) / "runsite.lock"), _listening(self.host, self.port) as listener:
            self._socket = listener
            self.port = listener.getsockname()[1]
            yield

    def run(self) -> None:
        """Start everything, tell the address, and keep it running until a signal says stop."""
        before = {number: signal.signal(number, self._stop) for number in STOP_SIGNALS}
        web, worker = self._children()
        try:
            web.start()
            worker.start()
            self._wait_for_answer(web)
            self._look_after(web, worker)
        finally:
            if self._stopping.is_set():
                self._say("Stopping.")
            stop_all([web, worker], PATIENCE)
            for number, handler in before.items():
                signal.signal(number, handler)
        self._say("Stopped.")

    def _stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  what signal handlers get
        self._stopping.set()

    def _children(self) -> tuple[Child, Child]:
        if self._socket is None:
            raise SiteError("The port has to be reserved first.")
        env = {**os.environ, "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"], "MALLOC_ARENA_MAX": "2"}
        cwd = Path(settings.BASE_DIR)
        descriptor = self._socket.fileno()
        web = Child("web server", web_command(descriptor), cwd=cwd, env=env, descriptors=[descriptor])
        return web, Child("worker", worker_command(), cwd=cwd, env=env)

    def _wait_for_answer(self, web: Child) -> None:
        until = time.monotonic() + ANSWER_SECONDS
        while not self._stopping.is_set():
            if self._answers():
                self._say(f"\n  Heed is at {self.url}   (Ctrl-C stops it)\n")
                return
            if web.ended() or time.monotonic() > until:
                raise SiteError("The web server did not start; what it said is above.")
            self._stopping.wait(0.05)

    @property
    def url(self) -> str:
        """Where the site answers, for a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104  compared, not bound
        return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{self.port}/"

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}livez", timeout=2):  # noqa: S310  our own address
                return True
        except urllib.error.HTTPError:
            return True  # it answers, if only that it does not know this name of itself
        except OSError:
            return False

    def _look_after(self, web: Child, worker: Child) -> None:
        look = time.monotonic()
        while not self._stopping.wait(TICK):
            for child in (web, worker):
                told = child.look_after()
                if told:
                    self._say(told)
            if time.monotonic() >= look:
                look = time.monotonic() + (LOOK_SECONDS if self._status else 1.0)
                self._look_at_grading(worker)

    def _look_at_grading(self, worker: Child) -> None:
        """Tell when grading begins or ceases to work, and end a worker that no longer takes what waits."""
        try:
            status, stalled = worker_status(), grading_stalled()
        except DatabaseError as error:
            self._say(f"The database could not be asked: {error}")
            return
        finally:
            connection.close()
        if status.online and status != self._status:
            self._status = status
            self._say("Grading works." if status.grading else _not_grading(status))
        self._stalled_looks = self._stalled_looks + 1 if stalled else 0
        if self._stalled_looks == STALLED_LOOKS:
            self._stalled_looks = 0
            self._say("Submissions wait, but the worker takes none: it is started again.")
            worker.kill()


def _not_grading(status: WorkerStatus) -> str:
    findings = "\n".join(f"  {line}" for finding in status.findings for line in finding.splitlines())
    return f"The site runs, but nothing is graded: code cannot be run safely on this machine yet.\n{findings}"


def web_command(descriptor: int) -> list[str]:
    """Gunicorn on a socket that is already listening: the port is kept while it starts again."""
    options = ["--workers", "1", "--worker-class", "gthread", "--threads", str(WEB_THREADS), "--graceful-timeout", "3"]
    options += ["--log-level", "warning", "--no-control-socket", "--bind", f"fd://{descriptor}"]
    return [sys.executable, "-m", "gunicorn", "config.wsgi:application", *options]


def worker_command() -> list[str]:
    """A prefork worker with the beat inside."""
    return [sys.executable, "-m", "celery", "-q", "-A", "config", "worker", "-B", "--loglevel", "WARNING"]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise SiteError(
                f"A site already runs in {path.parent} (process {file.read().strip() or 'unknown'}). "
                "Stop it first, or choose another folder with HEED_VAR."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise SiteError(f"Cannot listen on {host}: {error.strerror or error}.") from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as error:
            raise SiteError(_bind_sentence(error, host, port)) from error
        listener.listen(128)
        yield listener


def _bind_sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use by another program. Choose another, such as HEED_PORT=8001 make run."
    return f"Cannot listen on port {port} of {host}: {error.strerror}. Choose another, such as HEED_PORT=8001 make run."
