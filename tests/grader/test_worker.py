"""A pool process: what becomes of faults, what its thread promises, and that nothing is judged within a transaction."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from courses.models import ExerciseRevision, Learner
from grader import worker
from grader.models import Submission, WorkerHeartbeat
from grader.sandbox import Finding, SandboxUnavailable
from grader.services import Claim
from grader.verdicts import Job, Report, Status
from grader.worker import Bench, Chore
from tests.grader.conftest import make_report
from tests.grader.exercises import RIGHT

pytestmark = pytest.mark.django_db(transaction=True)


class FakeSandbox:
    """Counts its starts; refuses to, where told so."""

    started: list[FakeSandbox] = []
    refusal = ""

    def __init__(self) -> None:
        self.stopped = False

    def start(self) -> None:
        if FakeSandbox.refusal:
            raise SandboxUnavailable(FakeSandbox.refusal)
        FakeSandbox.started.append(self)

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture(autouse=True)
def fake_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "Sandbox", FakeSandbox)
    FakeSandbox.started, FakeSandbox.refusal = [], ""


@pytest.fixture
def bench() -> Bench:
    """Without its thread, which would write into the test's database."""
    made = Bench("")
    made.open()
    return made


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], list[Job]]:
    """Have judging give a report or raise; returns the jobs it was asked to judge."""

    def _judged(outcome: Report | Exception) -> list[Job]:
        jobs: list[Job] = []

        def judge(job: Job, sandbox: FakeSandbox) -> Report:
            assert sandbox is FakeSandbox.started[-1]
            assert not connection.in_atomic_block
            jobs.append(job)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        monkeypatch.setattr(worker, "judge", judge)
        return jobs

    return _judged


def test_a_report_is_recorded(bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]]) -> None:
    jobs = judged(make_report())
    bench.grade(claim)
    assert [(job.source, job.seed, job.spec.slug, job.spec.revision) for job in jobs] == [
        (RIGHT.encode(), claim.seed, "scaled-scores", 1)
    ]
    assert Submission.objects.get().verdict == "passed"
    assert len(FakeSandbox.started) == 1


@pytest.mark.parametrize("error", [RuntimeError("a bug of ours"), SandboxUnavailable("the jail is gone")])
def test_an_exception_is_our_fault_and_the_sandbox_starts_anew(
    bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]], error: Exception
) -> None:
    judged(error)
    bench.grade(claim)
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.attempts) == ("queued", None, 1)
    assert row.fault == f"{type(error).__name__}: {error}"
    assert [sandbox.stopped for sandbox in FakeSandbox.started] == [True, False]


def test_a_report_of_a_fault_is_one_too(bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]]) -> None:
    judged(make_report(Status.FAULT, message="no answer from the jail"))
    bench.grade(claim)
    assert Submission.objects.get().fault == "no answer from the jail"
    assert len(FakeSandbox.started) == 2


def test_a_spec_that_cannot_be_read_is_our_fault(
    bench: Bench, learner: Learner, revision: ExerciseRevision, claim: Claim
) -> None:
    claim.exercise_revision.data["spec"] = {"slug": "broken"}
    bench.grade(claim)
    assert "SpecError" in Submission.objects.get().fault


def test_a_sandbox_that_does_not_start_again_makes_the_process_refuse(
    bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]]
) -> None:
    judged(RuntimeError("fault"))
    FakeSandbox.refusal = "namespaces are not allowed"
    bench.grade(claim)
    assert not bench.ready
    bench._beat()
    beat = WorkerHeartbeat.objects.get()
    assert (beat.name, beat.grading, beat.message) == (bench.name, False, "namespaces are not allowed")


def test_where_the_audit_failed_nothing_is_started_until_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Finding("a session opens no socket", False, "it did", "do not grade here")
    findings = [Finding("bubblewrap is there", True, ""), broken]
    monkeypatch.setattr(worker, "audit", lambda: findings)
    missing = worker.machine_findings()
    assert missing == "a session opens no socket: no (it did). do not grade here"
    refusing = Bench(missing)
    refusing._reopen()
    assert not refusing.ready
    assert FakeSandbox.started == []
    findings.remove(broken)
    refusing._reopen()
    assert refusing.ready
    refusing._beat()
    assert WorkerHeartbeat.objects.get().grading is True


def test_the_lease_is_renewed_while_grading_and_only_then(
    bench: Bench, claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = [Submission.objects.get().lease_until]

    def judge(_job: Job, _sandbox: FakeSandbox) -> Report:
        bench._renew()
        leases.append(Submission.objects.get().lease_until)
        return make_report()

    monkeypatch.setattr(worker, "judge", judge)
    bench.grade(claim)
    before, after = leases
    assert before
    assert after
    assert after > before
    bench._renew()
    assert Submission.objects.get().lease_until is None


def test_the_thread_beats_and_ends_with_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[bool] = []
    ended: list[str] = []
    monkeypatch.setattr(worker, "heartbeat", lambda **beat: beats.append(beat["grading"]))
    monkeypatch.setattr(worker, "heartbeat_end", lambda *, name: ended.append(name))
    running = Bench("")
    running.start()
    deadline = time.monotonic() + 5
    while not beats and time.monotonic() < deadline:
        time.sleep(0.01)
    running.stop()
    assert beats == [True]
    assert ended == [running.name]
    assert FakeSandbox.started[0].stopped


def test_a_process_whose_main_process_was_killed_kills_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    running = Bench("")

    def kill(pid: int, number: int) -> None:
        sent.append((pid, number))
        running._stopped.set()

    monkeypatch.setattr(worker, "TICK", 0.01)
    monkeypatch.setattr(worker, "heartbeat", lambda **_: None)
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(os, "kill", kill)
    running._parent = 999_999
    running._keep()
    assert sent == [(os.getpid(), signal.SIGKILL)]


def test_a_chore_is_done_when_it_is_due_and_its_failure_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    done: list[float] = []

    def work() -> None:
        done.append(clock[0])
        raise RuntimeError("the database is away")

    chore = Chore(work, 5)
    for seconds in (0, 1, 4, 1, 3, 4):
        clock[0] += seconds
        chore.run_if_due()
    assert done == [100, 105, 113]
