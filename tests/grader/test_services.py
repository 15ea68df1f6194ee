"""From a submission to its verdict: who may claim, whose result counts, what comes back and what is given up."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from grader import selectors, services
from grader.models import Submission, WorkerHeartbeat
from grader.processes import process_name
from grader.services import Claim
from grader.verdicts import Status
from tests.grader.conftest import make_report
from tests.grader.exercises import RIGHT

pytestmark = pytest.mark.django_db

Captured = Callable[..., Any]


def create(learner: Learner, revision: ExerciseRevision, token: uuid.UUID | None = None) -> Submission:
    return services.submission_create(
        learner=learner, exercise_revision=revision, source=RIGHT, token=token or uuid.uuid4()
    )


def expire_lease() -> None:
    Submission.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def a_worker_is_online() -> None:
    services.heartbeat(name=process_name(), grading=True, message="")


# ---- Handing in ----


def test_a_submission_is_sent_by_name_once_it_is_committed(
    learner: Learner,
    revision: ExerciseRevision,
    sent: list[Any],
    django_capture_on_commit_callbacks: Captured,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submission = create(learner, revision)
        assert sent == []
    assert sent == [("grader.grade", [str(submission.pk)])]
    assert submission.state == "queued"
    assert submission.published is not None


def test_the_same_token_gives_the_same_row_and_no_second_run(
    learner: Learner, revision: ExerciseRevision, sent: list[Any], django_capture_on_commit_callbacks: Captured
) -> None:
    token = uuid.uuid4()
    with django_capture_on_commit_callbacks(execute=True):
        first, second = create(learner, revision, token), create(learner, revision, token)
    assert first.pk == second.pk
    assert len(sent) == 1
    assert create(Learner.objects.create(), revision, token).pk != first.pk


def test_seeds_are_of_63_bits_and_differ(learner: Learner, revision: ExerciseRevision, sent: list[Any]) -> None:
    seeds = [create(learner, revision).seed for _ in range(settings.GRADING_WAITING)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert max(seeds) > 2**53


def test_one_learner_may_have_only_so_many_unfinished(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    made = [create(learner, revision) for _ in range(settings.GRADING_WAITING)]
    with pytest.raises(services.TooManyWaiting, match="5 submissions waiting"):
        create(learner, revision)
    assert Submission.objects.count() == len(made)
    create(Learner.objects.create(), revision)  # others are not held up
    taken = services.submission_claim(submission_id=made[0].pk, owner="worker")
    assert taken
    services.submission_record(claim=taken, report=make_report())
    create(learner, revision)


def test_a_press_that_is_repeated_at_the_limit_is_not_refused(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    token = uuid.uuid4()
    for _ in range(settings.GRADING_WAITING - 1):
        create(learner, revision)
    assert create(learner, revision, token).pk == create(learner, revision, token).pk


def test_a_broker_that_fails_does_not_fail_the_request(
    learner: Learner,
    revision: ExerciseRevision,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Captured,
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        submission = create(learner, revision)
    assert Submission.objects.get().pk == submission.pk
    assert services.submission_publish(submission_id=submission.pk) is False


# ---- Claiming ----


def test_a_claim_carries_all_that_grading_needs(queued: Submission) -> None:
    claim = services.submission_claim(submission_id=queued.pk, owner="worker")
    assert claim == Claim(queued.pk, "worker", 1, 1, queued.exercise_revision, RIGHT, queued.seed)
    queued.refresh_from_db()
    assert (queued.state, queued.owner, queued.fence, queued.attempts) == ("running", "worker", 1, 1)
    assert queued.lease_until is not None
    seconds_left = (queued.lease_until - timezone.now()).total_seconds()
    assert settings.GRADING_HARD_LIMIT < seconds_left <= settings.GRADING_LEASE


def test_of_two_claims_one_wins(queued: Submission) -> None:
    assert services.submission_claim(submission_id=queued.pk, owner="first")
    assert services.submission_claim(submission_id=queued.pk, owner="second") is None
    queued.refresh_from_db()
    assert (queued.owner, queued.fence, queued.attempts) == ("first", 1, 1)


def test_nothing_is_claimed_that_is_not_there_or_finished(claim: Claim) -> None:
    assert services.submission_claim(submission_id=uuid.uuid4(), owner="worker") is None
    services.submission_record(claim=claim, report=make_report())
    assert services.submission_claim(submission_id=claim.submission_id, owner="worker") is None


def test_an_expired_lease_may_be_claimed_and_its_holder_records_nothing(claim: Claim) -> None:
    expire_lease()
    second = services.submission_claim(submission_id=claim.submission_id, owner="second")
    assert second
    assert (second.fence, second.attempt) == (2, 2)
    assert services.submission_record(claim=claim, report=make_report()) is False
    assert services.submission_fault(claim=claim, message="late") is False
    assert services.lease_renew(claim=claim) is False
    assert Submission.objects.get().state == "running"
    assert services.submission_record(claim=second, report=make_report(Status.FAILED))
    assert Submission.objects.get().verdict == "failed"


def test_the_fence_counts_even_between_claims_of_one_owner(claim: Claim) -> None:
    expire_lease()
    again = services.submission_claim(submission_id=claim.submission_id, owner=claim.owner)
    assert again
    assert services.submission_record(claim=claim, report=make_report()) is False
    assert services.submission_record(claim=replace(again, owner="other"), report=make_report()) is False
    assert services.submission_record(claim=again, report=make_report())


def test_a_renewed_lease_is_not_taken_over(claim: Claim) -> None:
    expire_lease()
    assert services.lease_renew(claim=claim)
    assert services.submission_claim(submission_id=claim.submission_id, owner="second") is None


def test_a_submission_that_never_comes_back_is_given_up(queued: Submission) -> None:
    for _ in range(settings.GRADING_ATTEMPTS):
        assert services.submission_claim(submission_id=queued.pk, owner="worker")
        expire_lease()
    assert services.submission_claim(submission_id=queued.pk, owner="worker") is None
    queued.refresh_from_db()
    assert (queued.state, queued.attempts, queued.verdict, queued.lease_until) == ("faulted", 3, None, None)
    assert queued.fault


# ---- Recording ----


def test_a_report_becomes_the_verdict(claim: Claim) -> None:
    assert services.submission_record(claim=claim, report=make_report(Status.FAILED, stdout="hi"))
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.points, row.max_points) == ("finished", "failed", Decimal(0), Decimal("1.5"))
    assert row.report
    assert row.report["mistakes"] == ["no-scale"]
    assert row.report["stdout"] == "hi"
    assert row.finished
    assert row.finished >= row.claimed  # type: ignore[operator]


def test_a_result_is_recorded_once(claim: Claim) -> None:
    assert services.submission_record(claim=claim, report=make_report())
    assert services.submission_record(claim=claim, report=make_report(Status.FAILED)) is False
    assert Submission.objects.get().verdict == "passed"


def test_what_no_database_takes_is_made_visible(claim: Claim) -> None:
    report = make_report(Status.ERROR, stdout="a\0b\ud800c", message="ValueError: \0")
    assert services.submission_record(claim=claim, report=report)
    stored = Submission.objects.get().report
    assert stored
    assert stored["stdout"] == "a␀b\\ud800c"
    assert stored["message"] == "ValueError: ␀"


def test_a_fault_of_ours_is_no_verdict(claim: Claim) -> None:
    services.submission_record(claim=claim, report=make_report(Status.FAULT, message="the jail is gone"))
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.points, row.report) == ("queued", None, None, None)
    assert row.fault == "the jail is gone"


def test_a_fault_is_tried_again_after_a_pause_and_final_at_the_limit(queued: Submission) -> None:
    for attempt in range(1, settings.GRADING_ATTEMPTS + 1):
        Submission.objects.update(not_before=None)
        claim = services.submission_claim(submission_id=queued.pk, owner="worker")
        assert claim
        assert services.submission_fault(claim=claim, message=f"fault {attempt}")
        assert services.submission_claim(submission_id=queued.pk, owner="worker") is None
    queued.refresh_from_db()
    assert (queued.state, queued.fault, queued.verdict) == ("faulted", "fault 3", None)


def test_staff_can_have_a_faulted_one_graded_again(queued: Submission) -> None:
    assert services.submission_requeue(submission_id=queued.pk) is False
    Submission.objects.update(state="faulted", attempts=3)
    assert services.submission_requeue(submission_id=queued.pk)
    claim = services.submission_claim(submission_id=queued.pk, owner="worker")
    assert claim
    assert claim.attempt == 1


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "finished"},
        {"state": "finished", "verdict": "passed", "points": 1},
        {"state": "queued", "verdict": "passed"},
        {"state": "running", "points": 1},
        {"state": "faulted", "verdict": "failed", "points": 0, "report": {}},
    ],
)
def test_a_verdict_exists_exactly_when_finished(queued: Submission, columns: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match="submission_verdict_exactly_when_finished"), transaction.atomic():
        Submission.objects.update(**columns)


# ---- Sweeping ----


def test_a_sweep_brings_back_what_an_expired_lease_held(claim: Claim) -> None:
    assert services.sweep().requeued == 0
    expire_lease()
    assert services.sweep() == services.Swept(requeued=1, faulted=0, published=0)
    row = Submission.objects.get()
    assert (row.state, row.owner, row.fence, row.attempts) == ("queued", "", 1, 1)


def test_a_sweep_brings_back_what_a_dead_process_held_before_its_lease_ends(queued: Submission) -> None:
    ours = process_name()
    place, _, started = ours.rpartition("/")
    for owner, requeued in ((ours, 0), (f"{place}/{int(started) - 1}", 1)):
        Submission.objects.update(state="queued", owner="")
        assert services.submission_claim(submission_id=queued.pk, owner=owner)
        assert services.sweep().requeued == requeued


def test_a_sweep_does_not_judge_processes_of_other_machines(queued: Submission) -> None:
    assert services.submission_claim(submission_id=queued.pk, owner="elsewhere/pid:[1]/999999/1")
    assert services.sweep().requeued == 0


def test_a_sweep_gives_up_what_was_tried_too_often(claim: Claim) -> None:
    expire_lease()
    Submission.objects.update(attempts=settings.GRADING_ATTEMPTS)
    assert services.sweep() == services.Swept(requeued=0, faulted=1, published=0)
    assert Submission.objects.get().state == "faulted"


def test_a_sweep_sends_again_what_no_worker_took(queued: Submission, sent: list[Any]) -> None:
    a_worker_is_online()
    assert services.sweep().published == 0  # it was sent a moment ago
    Submission.objects.update(published=timezone.now() - timedelta(seconds=settings.RESEND_SECONDS + 1))
    assert services.sweep().published == 1
    assert services.sweep().published == 0
    assert sent == [("grader.grade", [str(queued.pk)])]


def test_a_sweep_sends_nothing_while_no_worker_can_grade(queued: Submission, sent: list[Any]) -> None:
    services.heartbeat(name=process_name(), grading=False, message="no bubblewrap")
    Submission.objects.update(published=None)
    assert services.sweep().published == 0
    a_worker_is_online()
    WorkerHeartbeat.objects.update(seen=timezone.now() - timedelta(seconds=settings.HEARTBEAT_LOST_SECONDS + 1))
    assert services.sweep().published == 0
    a_worker_is_online()
    assert services.sweep().published == 1


def test_a_sweep_waits_out_the_pause_after_a_fault(claim: Claim, sent: list[Any]) -> None:
    a_worker_is_online()
    services.submission_fault(claim=claim, message="fault")
    assert services.sweep().published == 0
    Submission.objects.update(not_before=timezone.now())
    assert services.sweep().published == 1


def test_a_sweep_stops_sending_at_the_first_failure(
    learner: Learner, revision: ExerciseRevision, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_worker_is_online()
    tries: list[str] = []

    def away(_name: str, args: list[str], **_: Any) -> None:
        tries.append(args[0])
        raise ConnectionError

    monkeypatch.setattr(current_app, "send_task", away)
    for _ in range(3):
        create(learner, revision)
    Submission.objects.update(published=None)
    assert services.sweep().published == 0
    assert len(tries) == 1
    assert Submission.objects.filter(published=None).count() == 3


def test_a_sweep_does_not_take_what_was_renewed_since_it_looked(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    expire_lease()
    stale = Submission.objects.get()
    assert services.lease_renew(claim=claim)
    assert services._bring_back(stale, timezone.now(), 0, 0) == (0, 0)
    assert services.submission_record(claim=claim, report=make_report())


def test_a_queue_stalls_only_when_workers_could_grade_and_take_nothing(claim: Claim) -> None:
    assert not selectors.grading_stalled()
    long_ago = timezone.now() - 2 * selectors.STALLED
    Submission.objects.update(state="queued", created=long_ago, claimed=long_ago, published=long_ago)
    assert not selectors.grading_stalled()  # nobody is online
    a_worker_is_online()
    assert selectors.grading_stalled()
    for not_stalled in (
        {"claimed": timezone.now()},
        {"created": timezone.now()},
        {"not_before": timezone.now() + timedelta(minutes=1)},
        {"state": "running"},
    ):
        with transaction.atomic():
            Submission.objects.update(**not_stalled)
            assert not selectors.grading_stalled(), not_stalled
            transaction.set_rollback(True)
    assert selectors.grading_stalled()


def test_old_heartbeats_are_swept_away() -> None:
    a_worker_is_online()
    WorkerHeartbeat.objects.create(name="old", seen=timezone.now() - timedelta(hours=2))
    services.sweep()
    assert WorkerHeartbeat.objects.count() == 1


# ---- A locked database ----


@pytest.mark.django_db(transaction=True)
def test_a_locked_database_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    calls = []

    @services.retried_when_locked
    def service() -> str:
        calls.append(1)
        if len(calls) < 3:
            raise OperationalError("database is locked")
        return "done"

    assert service() == "done"
    assert len(calls) == 3


@pytest.mark.django_db(transaction=True)
def test_other_errors_of_a_database_are_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    @services.retried_when_locked
    def service() -> None:
        calls.append(1)
        raise OperationalError("disk I/O error")

    with pytest.raises(OperationalError, match="disk"):
        service()
    assert len(calls) == 1


def test_within_a_transaction_nothing_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's transaction is lost with it: only the caller can start again."""
    calls = []

    @services.retried_when_locked
    def service() -> None:
        calls.append(1)
        raise OperationalError("database is locked")

    with pytest.raises(OperationalError), transaction.atomic():
        service()
    assert len(calls) == 1
