"""What is killed, and a broker that goes away: every submission is graded in the end, and once. On both brokers."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from tests.grader.exercises import RIGHT, SLOW
from tests.grader.live import Live, gone, kill_tree, live_site, races_are_clean
from tests.support.servers import free_port, redis_server, wait_until

SLEEPER = SLOW.format(seconds=2)


@pytest.fixture(params=["embedded", "redis"])
def live(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Live]:
    with ExitStack() as stack:
        url = stack.enter_context(redis_server(tmp_path)) if request.param == "redis" else ""
        yield stack.enter_context(live_site(tmp_path, url))


def graded_once(live: Live, submission: str, *, attempts: int) -> None:
    """It gets its verdict at the attempt `attempts`, and nothing changes it afterwards."""
    row = live.reaches(submission, "finished")
    assert (row["verdict"], row["attempts"], row["fence"]) == ("passed", attempts, attempts)
    assert live("publish_again", submission)
    time.sleep(SECONDS_FOR_A_LATE_RESULT)
    assert live("row", submission) == row


SECONDS_FOR_A_LATE_RESULT = 2.5


def pool_of(worker: subprocess.Popen[bytes], owner: str) -> psutil.Process:
    """The pool process that holds the claim of `owner`."""
    process = psutil.Process(int(owner.split("/")[-2]))
    assert psutil.Process(worker.pid) in process.parents()
    return process


def test_kill_9_of_the_whole_worker_in_the_middle_of_a_submission(live: Live) -> None:
    first = live.worker()
    submission = live("submit", SLEEPER)["id"]
    live.reaches(submission, "running")
    time.sleep(0.3)
    below = live.tree(first)
    kill_tree(first)
    wait_until(lambda: gone(below), what="the killed worker's jails to end", seconds=5)
    assert live("row", submission)["state"] == "running"
    assert live("workers")["online"] is False
    live.worker()
    graded_once(live, submission, attempts=2)


def test_kill_9_of_the_main_process_leaves_no_orphan_that_records(live: Live) -> None:
    first = live.worker()
    submission = live("submit", SLEEPER)["id"]
    live.reaches(submission, "running")
    below = live.tree(first)
    first.kill()
    first.wait()
    wait_until(lambda: gone(below), what="pool, beat and jails to end with the main process", seconds=5)
    live.worker()
    graded_once(live, submission, attempts=2)


def test_kill_9_of_a_pool_process_is_made_good_by_the_same_worker(live: Live) -> None:
    worker = live.worker()
    submission = live("submit", SLEEPER)["id"]
    row = live.reaches(submission, "running")
    pool_of(worker, row["owner"]).kill()
    graded_once(live, submission, attempts=2)
    assert worker.poll() is None
    assert live.reaches(live("submit", RIGHT)["id"], "finished")["verdict"] == "passed"


def test_what_kills_its_worker_every_time_is_given_up_as_our_fault(live: Live) -> None:
    worker = live.worker()
    submission = live("submit", SLEEPER)["id"]
    for attempt in range(1, 4):
        wait_until(
            lambda attempt=attempt: (  # type: ignore[misc]
                (row := live("row", submission))["state"] == "running" and row["attempts"] == attempt
            ),
            what=f"attempt {attempt}",
        )
        pool_of(worker, live("row", submission)["owner"]).kill()
    row = live.reaches(submission, "faulted")
    assert (row["verdict"], row["report"]) == (None, None)
    assert live.reaches(live("submit", RIGHT)["id"], "finished")["verdict"] == "passed"


def test_many_submissions_survive_repeated_kills(live: Live) -> None:
    """None is lost and none is graded twice, though the worker dies again and again."""
    ids = [live("submit", SLOW.format(seconds=0.15))["id"] for _ in range(12)]
    worker = live.worker()
    for _ in range(3):
        time.sleep(0.8)
        kill_tree(worker)
        worker = live.worker()
    rows = [live.reaches(submission, "finished", seconds=60) for submission in ids]
    assert {row["verdict"] for row in rows} == {"passed"}
    assert all(row["fence"] == row["attempts"] <= 3 for row in rows)


def test_the_same_holds_on_redis_and_postgres(tmp_path: Path, redis_url: str, postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE killed")
    with live_site(tmp_path, redis_url, f"{postgres_url.rpartition('/')[0]}/killed") as live:
        races_are_clean(live)

        first = live.worker()
        submission = live("submit", SLEEPER)["id"]
        live.reaches(submission, "running")
        kill_tree(first)
        live.worker()
        graded_once(live, submission, attempts=2)


# ---- A Redis that goes away ----


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[Live, Callable[[], Any]]]:
    """A site whose Redis is not there yet, and a function that starts it (a context manager)."""
    port = free_port()
    with live_site(tmp_path, f"redis://127.0.0.1:{port}/0") as live:
        yield live, lambda: redis_server(tmp_path, port)


def test_a_submission_is_saved_without_a_redis_and_graded_when_it_is_back(
    redis: tuple[Live, Callable[[], Any]],
) -> None:
    live, start = redis
    submission = live("submit", RIGHT)
    assert submission["seconds"] < 2
    assert live("row", submission["id"])["state"] == "queued"
    live.worker(ready=False)
    time.sleep(1)
    with start():
        row = live.reaches(submission["id"], "finished", seconds=60)
        assert (row["verdict"], row["attempts"]) == ("passed", 1)


def test_a_worker_outlives_its_redis_and_grades_what_came_meanwhile(redis: tuple[Live, Callable[[], Any]]) -> None:
    live, start = redis
    with start():
        worker = live.worker()
        held = live("submit", SLEEPER)["id"]
        waiting = [live("submit", RIGHT)["id"] for _ in range(4)]  # the worker is full when the broker goes
        live.reaches(held, "running")
    meanwhile = live("submit", RIGHT)
    assert meanwhile["seconds"] < 5
    time.sleep(3)
    with start():
        for submission in (held, *waiting, meanwhile["id"]):
            assert live.reaches(submission, "finished", seconds=90)["verdict"] == "passed"
        assert live("row", held)["attempts"] == 1
        assert worker.poll() is None


def test_a_redis_that_does_not_answer_holds_no_request_for_long(redis: tuple[Live, Callable[[], Any]]) -> None:
    live, start = redis
    with start():
        assert live("submit", RIGHT)["seconds"] < 2
        server = next(process for process in psutil.process_iter(["cmdline"]) if _is_redis(process, live))
        os.kill(server.pid, signal.SIGSTOP)
        try:
            assert live("submit", RIGHT)["seconds"] < 7
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert live("states") == ["queued", "queued"]


def _is_redis(process: psutil.Process, live: Live) -> bool:
    port = live.environment["REDIS_URL"].rpartition(":")[2].removesuffix("/0")
    command = process.info["cmdline"] or []
    return "redis-server" in " ".join(command[:1]) and any(port in part for part in command)
