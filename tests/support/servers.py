"""Redis, Postgres and the whole site, each a context manager that yields its address."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(condition: Callable[[], bool], *, what: str, seconds: float = 30.0) -> None:
    """Waits for `condition`; fails naming `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s in vain: {what}")
        time.sleep(0.05)


def accepts_connections(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def stop(process: subprocess.Popen[bytes], *, by: int = signal.SIGTERM, seconds: float = 20.0) -> None:
    if process.poll() is None:
        process.send_signal(by)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)


@contextmanager
def redis_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """A Redis of its own on loopback. Yields its URL."""
    port = port or free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    with (folder / "redis.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until(lambda: accepts_connections(port), what="redis-server to accept connections")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        stop(process)


def _postgres_user() -> dict[str, Any]:
    """Postgres refuses to run as root: then it runs as Debian's user for it."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("postgres")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


@contextmanager
def postgres_server() -> Iterator[str]:
    """A Postgres cluster of its own on loopback. Yields its URL."""
    binaries = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    identity = _postgres_user()
    port = free_port()
    # Not in pytest's folders: those are closed to the user that Postgres runs as.
    with tempfile.TemporaryDirectory(prefix="heed-postgres-") as folder:
        if identity:
            os.chown(folder, identity["user"], identity["group"])
        options: dict[str, Any] = identity | {"cwd": "/", "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}}
        data = Path(folder) / "data"
        initialise = [str(binaries / "initdb"), "-D", str(data), "-U", "heed", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(initialise, check=True, capture_output=True, **options)
        command = [str(binaries / "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", folder, "-F"]
        process: subprocess.Popen[bytes] = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
        )
        try:
            wait_until(lambda: accepts_connections(port), what="postgres to accept connections")
            yield f"postgres://heed@127.0.0.1:{port}/postgres"
        finally:
            stop(process, by=signal.SIGINT)


@dataclass
class Site:
    """A whole site as `make run` starts it."""

    url: str
    var: Path
    process: subprocess.Popen[bytes]
    environment: dict[str, str]
    log: Path

    def manage(self, *arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        """Runs manage.py against this site's data."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            capture_output=True,
            check=False,
        )


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:  # noqa: S310 an address of our own
            return bool(reply.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


@contextmanager
def whole_site(folder: Path, **settings: str) -> Iterator[Site]:
    """`manage.py runsite` on a free port with its data in `folder`; `settings` are environment variables."""
    port = free_port()
    var = folder / "var"
    var.mkdir(exist_ok=True)
    environment = os.environ | {"HEED_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings.dev"} | settings
    log = folder / "site.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "runsite", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
        )
    url = f"http://127.0.0.1:{port}"

    def up() -> bool:
        if process.poll() is not None:
            raise AssertionError(f"runsite ended with {process.returncode}:\n{log.read_text()[-4000:]}")
        return answers(f"{url}/readyz")

    try:
        wait_until(up, what="the site to answer", seconds=280)
        yield Site(url, var, process, environment, log)
    finally:
        stop(process, by=signal.SIGINT)


def chromium() -> str:
    """Debian's and Ubuntu's names for it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "Chromium is missing: run `make services`"
    return found
