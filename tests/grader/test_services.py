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
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from grader import selectors, services
from grader.models import Submission, WorkerHeartbeat
from grader.processes import process_name
from grader.services import Claim
from grader.verdicts import Status
from tests.grader.conftest import make_report
from tests.grader.exercises import RIGHT, more

pytestmark = pytest.mark.django_db

Captured = Callable[..., Any]


def create(
    learner: Learner, revision: ExerciseRevision, token: uuid.UUID | None = None, origin: str = ""
) -> Submission:
    return services.submission_create(
        learner=learner, exercise_revision=revision, source=RIGHT, token=token or uuid.uuid4(), origin=origin
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
    *exercises, another = more(revision, settings.GRADING_WAITING + 1)
    made = [create(learner, exercise) for exercise in exercises]
    with pytest.raises(services.TooManyWaiting, match="5 submissions waiting"):
        create(learner, another)
    assert Submission.objects.count() == len(made)
    create(Learner.objects.create(), another)  # others are not held up
    taken = services.submission_claim(owner="worker")
    assert taken
    services.submission_record(claim=taken, report=make_report())
    create(learner, another)


def test_a_press_that_is_repeated_at_the_limit_is_not_refused(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    token = uuid.uuid4()
    *exercises, last = more(revision, settings.GRADING_WAITING)
    for exercise in exercises:
        create(learner, exercise)
    assert create(learner, last, token).pk == create(learner, last, token).pk


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
    claim = services.submission_claim(owner="worker")
    assert claim == Claim(queued.pk, "worker", 1, 1, queued.exercise_revision, RIGHT, queued.seed)
    queued.refresh_from_db()
    assert (queued.state, queued.owner, queued.fence, queued.attempts) == ("running", "worker", 1, 1)
    assert queued.lease_until is not None
    seconds_left = (queued.lease_until - timezone.now()).total_seconds()
    assert settings.GRADING_HARD_LIMIT < seconds_left <= settings.GRADING_LEASE


def test_of_two_claims_one_wins(queued: Submission) -> None:
    assert services.submission_claim(owner="first")
    assert services.submission_claim(owner="second") is None
    queued.refresh_from_db()
    assert (queued.owner, queued.fence, queued.attempts) == ("first", 1, 1)


def test_nothing_is_claimed_that_is_not_there_or_finished(claim: Claim) -> None:
    assert services.submission_claim(owner="worker") is None
    services.submission_record(claim=claim, report=make_report())
    assert services.submission_claim(owner="worker") is None


def test_an_expired_lease_may_be_claimed_and_its_holder_records_nothing(claim: Claim) -> None:
    expire_lease()
    second = services.submission_claim(owner="second")
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
    again = services.submission_claim(owner=claim.owner)
    assert again
    assert services.submission_record(claim=claim, report=make_report()) is False
    assert services.submission_record(claim=replace(again, owner="other"), report=make_report()) is False
    assert services.submission_record(claim=again, report=make_report())


def test_a_renewed_lease_is_not_taken_over(claim: Claim) -> None:
    expire_lease()
    assert services.lease_renew(claim=claim)
    assert services.submission_claim(owner="second") is None


def test_a_submission_that_never_comes_back_is_given_up(queued: Submission) -> None:
    for _ in range(settings.GRADING_ATTEMPTS):
        assert services.submission_claim(owner="worker")
        expire_lease()
    assert services.submission_claim(owner="worker") is None
    queued.refresh_from_db()
    assert (queued.state, queued.attempts, queued.verdict, queued.lease_until) == ("faulted", 3, None, None)
    assert queued.fault


def test_what_is_given_up_does_not_cost_the_next_its_turn(claim: Claim, revision: ExerciseRevision) -> None:
    other = create(Learner.objects.create(), revision)
    Submission.objects.filter(pk=claim.submission_id).update(attempts=settings.GRADING_ATTEMPTS)
    expire_lease()
    taken = services.submission_claim(owner="worker")
    assert taken
    assert taken.submission_id == other.pk
    assert Submission.objects.get(pk=claim.submission_id).state == "faulted"


# ---- Whose turn it is ----


class Queue:
    """Learners by letters, their submissions by a letter and a number: a1, a2, b1. The number is of the exercise."""

    def __init__(self, revision: ExerciseRevision) -> None:
        self._exercises = more(revision, 6)
        self._learners: dict[str, Learner] = {}
        self._names: dict[uuid.UUID, str] = {}
        self.claims: dict[str, Claim] = {}

    def send(self, *names: str) -> None:
        for name in names:
            learner = self._learners.get(name[0]) or Learner.objects.create()
            self._learners[name[0]] = learner
            self._names[create(learner, self._exercises[int(name[1:]) - 1]).pk] = name

    def row(self, name: str) -> Submission:
        """What was sent last under a name."""
        return Submission.objects.get(pk=[pk for pk, each in self._names.items() if each == name][-1])

    def turns(self, *names: str) -> list[int]:
        return [self.row(name).turn for name in names]

    def claim(self) -> str:
        """Empty if there was nothing to take."""
        taken = services.submission_claim(owner="worker")
        if taken is None:
            return ""
        name = self._names[taken.submission_id]
        self.claims[name] = taken
        return name

    def grade(self) -> str:
        name = self.claim()
        if name:
            self.finish(name)
        return name

    def finish(self, name: str) -> None:
        assert services.submission_record(claim=self.claims[name], report=make_report())


@pytest.fixture
def queue(revision: ExerciseRevision, sent: list[Any]) -> Queue:
    return Queue(revision)


def test_learners_are_served_in_rounds(queue: Queue) -> None:
    queue.send("a1", "a2", "a3", "b1", "b2", "c1")
    assert queue.turns("a1", "a2", "a3", "b1", "b2", "c1") == [0, 1, 2, 0, 1, 0]
    assert [queue.grade() for _ in range(7)] == ["a1", "b1", "c1", "a2", "b2", "a3", ""]


def test_whoever_comes_is_served_in_the_next_round(queue: Queue) -> None:
    queue.send("a1", "a2", "a3", "a4", "b1", "b2")
    assert [queue.grade() for _ in range(3)] == ["a1", "b1", "a2"]  # the second round has begun
    queue.send("c1", "c2")
    assert queue.turns("c1", "c2") == [2, 3]
    assert [queue.grade() for _ in range(5)] == ["b2", "a3", "c1", "a4", "c2"]


def test_newcomers_without_end_keep_nobody_waiting(queue: Queue) -> None:
    """As of visitors who send no cookie back, each of whom is a new learner."""
    queue.send("a1", "b1", "b2", "c1")
    served = []
    for newcomer in "defghi":
        served.append(queue.grade())
        queue.send(f"{newcomer}1")
    assert served == ["a1", "b1", "c1", "b2", "d1", "e1"]


def test_who_sends_the_next_when_the_last_is_graded_is_no_newcomer(queue: Queue) -> None:
    """Two who take turns in being always there would keep the second of another waiting, as long as a1 runs."""
    queue.send("a1", "b1", "b2", "c1")
    assert queue.claim() == "a1"
    assert [queue.grade(), queue.grade()] == ["b1", "c1"]
    queue.send("d1", "c2")
    assert [queue.grade() for _ in range(3)] == ["b2", "d1", "c2"]


def test_what_one_sent_while_nobody_waited_is_no_burden(queue: Queue) -> None:
    for name in ("a1", "a2", "a3", "a4"):
        queue.send(name)
        assert queue.grade() == name
    queue.send("a5", "a6", "b1", "b2")
    assert [queue.grade() for _ in range(4)] == ["a5", "b1", "a6", "b2"]


def test_after_a_fault_it_has_its_old_turn(queue: Queue) -> None:
    queue.send("a1", "b1", "b2", "c1")
    assert queue.claim() == "a1"
    services.submission_fault(claim=queue.claims["a1"], message="fault")
    assert queue.grade() == "b1"  # it pauses
    Submission.objects.update(not_before=None)
    assert [queue.grade() for _ in range(3)] == ["a1", "c1", "b2"]


def test_what_staff_have_graded_again_comes_in_the_next_round(queue: Queue) -> None:
    queue.send("a1", "b1", "b2", "b3", "b4")
    Submission.objects.filter(pk=queue.row("a1").pk).update(state="faulted")
    assert [queue.grade() for _ in range(3)] == ["b1", "b2", "b3"]
    assert services.submission_requeue(submission_id=queue.row("a1").pk)
    queue.send("c1")
    assert queue.turns("a1", "b4", "c1") == [3, 3, 3]


def test_of_one_learner_only_so_many_run_at_a_time(queue: Queue) -> None:
    queue.send("a1", "a2", "a3", "b1")
    assert [queue.claim() for _ in range(4)] == ["a1", "b1", "a2", ""]  # though a worker is free
    queue.finish("a1")
    assert [queue.claim(), queue.claim()] == ["a3", ""]


def test_what_a_dead_worker_holds_keeps_nobody_waiting(queue: Queue) -> None:
    queue.send("a1", "a2", "a3")
    assert [queue.claim() for _ in range(3)] == ["a1", "a2", ""]
    expire_lease()
    assert [queue.claim() for _ in range(3)] == ["a1", "a2", ""]


def test_how_many_are_before_one_in_line(queue: Queue) -> None:
    queue.send("a1", "a2", "b1", "c1", "c2")
    names = ("a1", "b1", "c1", "a2", "c2")
    assert [selectors.before_in_line(queue.row(name)) for name in names] == [0, 1, 2, 3, 4]
    assert queue.claim() == "a1"
    assert selectors.before_in_line(queue.row("c1")) == 2  # what runs is before it too
    queue.finish("a1")
    assert selectors.before_in_line(queue.row("c1")) == 1


# ---- A message for each row that waits ----


def test_what_was_passed_over_is_sent_when_one_of_the_learners_has_ended(queue: Queue, sent: list[Any]) -> None:
    queue.send("a1", "a2", "a3", "b1")
    assert [queue.claim() for _ in range(4)] == ["a1", "b1", "a2", ""]
    queue.finish("b1")
    services.passed_over_publish(claim=queue.claims["b1"])
    assert sent == []  # b has nothing waiting, and a has as many running as one may
    queue.finish("a1")
    services.passed_over_publish(claim=queue.claims["a1"])
    assert sent == [("grader.grade", [str(queue.row("a3").pk)])]
    assert queue.claim() == "a3"
    services.submission_fault(claim=queue.claims["a2"], message="fault")
    services.passed_over_publish(claim=queue.claims["a2"])
    assert len(sent) == 1  # it pauses, and is the sweep's to send


def test_a_message_that_is_spent_on_a_row_without_one_is_replaced(
    queue: Queue, sent: list[Any], django_capture_on_commit_callbacks: Captured
) -> None:
    queue.send("a1", "b1", "c1")
    with django_capture_on_commit_callbacks(execute=True):
        assert queue.claim() == "a1"
    assert sent == []
    expire_lease()
    with django_capture_on_commit_callbacks(execute=True):
        assert queue.claim() == "a1"  # by the message of b1
    assert sent == [("grader.grade", [str(queue.row("a1").pk)])]
    services.submission_fault(claim=queue.claims["a1"], message="fault")
    Submission.objects.update(not_before=None)
    with django_capture_on_commit_callbacks(execute=True):
        assert [queue.claim() for _ in range(3)] == ["a1", "b1", "c1"]
    assert len(sent) == 2


# ---- Handing in again ----


def test_a_later_attempt_replaces_what_waits_and_has_its_turn(queue: Queue) -> None:
    queue.send("a1", "a2", "b1", "b2")
    first = queue.row("a2")
    queue.send("a2")
    first.refresh_from_db()
    assert (first.state, first.verdict, first.report, first.fence) == ("replaced", None, None, 0)
    assert first.finished
    assert first.source == RIGHT
    assert queue.turns("a1", "a2", "b1", "b2") == [0, 1, 0, 1]
    assert [queue.grade() for _ in range(5)] == ["a1", "b1", "b2", "a2", ""]
    first.refresh_from_db()
    assert first.state == "replaced"


def test_only_what_waits_of_this_learner_at_this_exercise_is_replaced(queue: Queue) -> None:
    queue.send("a1", "a2", "b1")
    assert queue.claim() == "a1"
    queue.send("a1")
    states = Submission.objects.order_by("created").values_list("state", flat=True)
    assert list(states) == ["running", "queued", "queued", "queued"]
    queue.finish("a1")
    assert list(states.all()) == ["finished", "queued", "queued", "queued"]


def test_an_attempt_at_a_newer_revision_replaces_too(queued: Submission) -> None:
    revision = queued.exercise_revision
    newer = ExerciseRevision.objects.create(exercise=revision.exercise, number=2, data=revision.data, digest="2")
    create(queued.learner, newer)
    queued.refresh_from_db()
    assert queued.state == "replaced"


def test_what_was_replaced_is_claimed_by_nobody_who_had_chosen_it(queued: Submission) -> None:
    create(queued.learner, queued.exercise_revision)
    assert services._claim(queued.pk, owner="worker", on_gpu=False) is None
    queued.refresh_from_db()
    assert (queued.state, queued.attempts) == ("replaced", 0)


def test_what_was_replaced_is_neither_swept_nor_graded_again(queued: Submission, sent: list[Any]) -> None:
    a_worker_is_online()
    create(queued.learner, queued.exercise_revision)
    Submission.objects.filter(pk=queued.pk).update(published=None)
    assert services.sweep() == services.Swept(0, 0, 0)
    assert services.submission_requeue(submission_id=queued.pk) is False


def test_what_was_replaced_counts_neither_as_waiting_nor_as_an_attempt(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    for _ in range(2 * settings.GRADING_WAITING):
        create(learner, revision)
    standing = selectors.exercise_standings(learner, ["scaled-scores"])["scaled-scores"]
    assert (standing["attempts"], standing["status"]) == (1, "queued")


def test_the_form_of_one_that_was_replaced_hands_in_anew(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    """Back in the browser to an earlier text: it is to be graded, and not what took its place."""
    token = uuid.uuid4()
    first, _ = create(learner, revision, token), create(learner, revision)
    again = create(learner, revision, token)
    assert again.pk != first.pk
    assert list(Submission.objects.unfinished()) == [again]


def test_one_learner_may_hand_in_only_so_often_within_a_minute(
    learner: Learner, revision: ExerciseRevision, sent: list[Any], settings: Any
) -> None:
    """What is replaced waits for nobody, but is kept."""
    settings.GRADING_PER_MINUTE = 3
    for _ in range(3):
        create(learner, revision)
    with pytest.raises(services.TooManyWaiting, match="3 times within a minute"):
        create(learner, revision)
    assert Submission.objects.unfinished().count() == 1  # and nothing was replaced by what was refused
    create(Learner.objects.create(), revision)
    Submission.objects.filter(learner=learner).update(created=timezone.now() - timedelta(seconds=61))
    create(learner, revision)


# ---- Visitors, by address ----

ORIGIN, OTHER_ORIGIN = "a" * 32, "b" * 32


def test_visitors_of_one_address_may_have_only_so_many_unfinished(
    revision: ExerciseRevision, sent: list[Any], settings: Any
) -> None:
    settings.GRADING_WAITING_BY_ADDRESS = 3
    for _ in range(3):
        create(Learner.objects.create(), revision, origin=ORIGIN)
    with pytest.raises(services.TooManyWaiting, match=r"3 submissions of visitors .* in a moment, or sign in"):
        create(Learner.objects.create(), revision, origin=ORIGIN)
    assert Submission.objects.count() == 3
    create(Learner.objects.create(), revision, origin=OTHER_ORIGIN)
    create(Learner.objects.create(user=User.objects.create_user("ada")), revision, origin=ORIGIN)
    taken = services.submission_claim(owner="worker")
    assert taken
    with pytest.raises(services.TooManyWaiting):
        create(Learner.objects.create(), revision, origin=ORIGIN)
    services.submission_record(claim=taken, report=make_report())
    create(Learner.objects.create(), revision, origin=ORIGIN)


def test_what_is_refused_replaces_nothing(
    learner: Learner, revision: ExerciseRevision, sent: list[Any], settings: Any
) -> None:
    mine = create(learner, revision, origin=ORIGIN)
    create(Learner.objects.create(), revision, origin=ORIGIN)
    settings.GRADING_WAITING_BY_ADDRESS = 1
    with pytest.raises(services.TooManyWaiting):
        create(learner, revision, origin=ORIGIN)
    mine.refresh_from_db()
    assert (mine.state, mine.finished) == ("queued", None)


def test_of_a_user_no_origin_is_kept(revision: ExerciseRevision, sent: list[Any]) -> None:
    user = User.objects.create_user("ada")
    assert create(Learner.objects.create(user=user), revision, origin=ORIGIN).origin == ""


def finished(claim: Claim) -> None:
    services.submission_record(claim=claim, report=make_report())


def given_up(claim: Claim) -> None:
    services.submission_fault(claim=replace(claim, attempt=settings.GRADING_ATTEMPTS), message="fault")


def given_up_by_a_sweep(_: Claim) -> None:
    Submission.objects.update(attempts=settings.GRADING_ATTEMPTS)
    expire_lease()
    services.sweep()


def given_up_by_a_claim(_: Claim) -> None:
    Submission.objects.update(attempts=settings.GRADING_ATTEMPTS)
    expire_lease()
    assert services.submission_claim(owner="worker") is None


@pytest.mark.parametrize("end", [finished, given_up, given_up_by_a_sweep, given_up_by_a_claim])
def test_where_a_visitor_came_from_is_forgotten_at_the_end(
    learner: Learner, revision: ExerciseRevision, sent: list[Any], end: Callable[[Claim], None]
) -> None:
    create(learner, revision, origin=ORIGIN)
    claim = services.submission_claim(owner="worker")
    assert claim
    services.submission_fault(claim=claim, message="fault")
    Submission.objects.update(not_before=None)
    claim = services.submission_claim(owner="worker")
    assert claim
    assert Submission.objects.get().origin == ORIGIN
    end(claim)
    row = Submission.objects.get()
    assert row.state in {"finished", "faulted"}
    assert row.origin == ""


def test_where_a_visitor_came_from_is_forgotten_when_it_is_replaced(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    first, last = (create(learner, revision, origin=ORIGIN) for _ in range(2))
    first.refresh_from_db()
    assert (first.origin, last.origin) == ("", ORIGIN)


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
        claim = services.submission_claim(owner="worker")
        assert claim
        assert services.submission_fault(claim=claim, message=f"fault {attempt}")
        assert services.submission_claim(owner="worker") is None
    queued.refresh_from_db()
    assert (queued.state, queued.fault, queued.verdict) == ("faulted", "fault 3", None)


def test_staff_can_have_a_faulted_one_graded_again(queued: Submission) -> None:
    assert services.submission_requeue(submission_id=queued.pk) is False
    Submission.objects.update(state="faulted", attempts=3)
    assert services.submission_requeue(submission_id=queued.pk)
    claim = services.submission_claim(owner="worker")
    assert claim
    assert claim.attempt == 1


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "finished"},
        {"state": "finished", "verdict": "passed", "points": 1},
        {"state": "queued", "verdict": "passed"},
        {"state": "running", "points": 1},
        {"state": "replaced", "verdict": "failed", "points": 0, "report": {}},
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
        assert services.submission_claim(owner=owner)
        assert services.sweep().requeued == requeued


def test_a_sweep_does_not_judge_processes_of_other_machines(queued: Submission) -> None:
    assert services.submission_claim(owner="elsewhere/pid:[1]/999999/1")
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
    for exercise in more(revision, 3):
        create(learner, exercise)
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
