"""The steps before a site starts. Each is quick where nothing changed."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from grader.processes import die_with_parent
from grader.runsite import SiteError

Say = Callable[[str], None]


def prepare(say: Say, *, publish: bool = True) -> None:
    """Migrate, collect the static files, publish the shipped course unless told not to. Raises SiteError.

    In a process of its own: the figures of a course need NumPy, which the supervisor would hold as long as it runs.
    """
    process = multiprocessing.get_context("fork").Process(target=_steps, args=(say, os.getpid(), publish))
    process.start()
    try:
        process.join()
    except KeyboardInterrupt:
        process.kill()
        raise SiteError("Stopped before the site had started.") from None
    if process.exitcode != 0:
        raise SiteError("The site was not started, for the reason above.")


def _steps(say: Say, parent: int, publish: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once; a step that was begun is begun anew
    die_with_parent(parent)
    steps = {"Database migrated": _migrate, "Static files collected": _collect_static}
    if publish:
        steps["Course published"] = _publish
    for title, step in steps.items():
        started = time.monotonic()
        try:
            step()
        except Exception as error:  # noqa: BLE001  the boundary of this process: told to the person who started it
            print(f"Not done: {title}: {error}", file=sys.stderr)
            sys.exit(1)
        say(f"{title} ({time.monotonic() - started:.1f} s).")


def _migrate() -> None:
    call_command("migrate", interactive=False, verbosity=0)


def _publish() -> None:
    call_command("publish_course")


def _collect_static() -> None:
    """Hashing and compressing takes seconds, looking at the files does not: skipped if they are those of last time."""
    stamp = settings.VAR_DIR / "static.stamp"
    now = _static_fingerprint()
    if Path(settings.STATIC_ROOT).is_dir() and stamp.is_file() and stamp.read_text() == now:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0, stdout=io.StringIO())
    stamp.write_text(now)


def _static_fingerprint() -> str:
    return hashlib.sha256("\n".join(sorted(_static_files())).encode()).hexdigest()


def _static_files() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            path = Path(storage.path(name))
            stat = path.stat()
            yield f"{path} {stat.st_size} {stat.st_mtime_ns}"
