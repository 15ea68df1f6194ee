"""The checks that need a GPU, from the verdict that they follow to their result: claimed, recorded, swept as it was."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from grader import selectors, services
from grader.models import GpuGrading, Submission, WorkerHeartbeat
from grader.processes import process_name
from grader.selectors import GpuStatus
from grader.services import Claim
from grader.verdicts import Report, Status
from tests.grader.exercises import RIGHT
from tests.grader.gpu import cpu_report, gpu_report, publish_gpu_exercise

pytestmark = pytest.mark.django_db

Captured = Callable[..., Any]


@pytest.fixture
def gpu_exercise(db: None) -> ExerciseRevision:
    return publish_gpu_exercise()


def graded(learner: Learner, revision: ExerciseRevision, report: Report | None = None) -> Submission:
    """Handed in, and graded on the CPU."""
    submission = services.submission_create(
        learner=learner, exercise_revision=revision, source=RIGHT, token=uuid.uuid4()
    )
    claim = services.submission_claim(owner="worker")
    assert claim
    assert services.submission_record(claim=claim, report=report or cpu_report())
    return submission


@pytest.fixture
def passed(learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any]) -> Submission:
    return graded(learner, gpu_exercise)


def claimed(submission: Submission, owner: str = "gpu-worker") -> Claim:
    claim = services.submission_claim(owner=owner, on_gpu=True)
    assert claim
    return claim


def beat(name: str = "", *, grading: bool = True, ago: float = 0) -> None:
    services.heartbeat(name=name or process_name(), grading=grading, message="", on_gpu=True)
    WorkerHeartbeat.objects.filter(name=name or process_name()).update(seen=timezone.now() - timedelta(seconds=ago))


# ---- What follows a verdict ----


def test_a_verdict_is_followed_by_the_checks_for_a_gpu(
    learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any], django_capture_on_commit_callbacks: Captured
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submission = graded(learner, gpu_exercise)
        assert GpuGrading.objects.get().state == "queued"
        assert sent == []
    assert sent == [("grader.grade", [str(submission.pk)]), ("grader.grade_on_gpu", [str(submission.pk)])]


def test_the_verdict_stands_on_the_cpus_checks_alone(passed: Submission) -> None:
    passed.refresh_from_db()
    assert (passed.state, passed.verdict) == ("finished", "passed")
    assert (passed.points, passed.max_points) == (Decimal("1.5"), Decimal("1.5"))
    assert GpuGrading.objects.get().points is None


@pytest.mark.parametrize("status", [Status.FAILED, Status.ERROR, Status.TIMEOUT])
def test_what_ran_and_did_not_pass_is_followed_too(
    learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any], status: Status
) -> None:
    graded(learner, gpu_exercise, cpu_report(status))
    assert GpuGrading.objects.count() == 1


@pytest.mark.parametrize("status", [Status.REFUSED, Status.ERROR])
def test_what_could_not_be_run_at_all_is_not(
    learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any], status: Status
) -> None:
    graded(learner, gpu_exercise, cpu_report(status, message="Your code defines no function scaled_scores."))
    assert not GpuGrading.objects.exists()


def test_an_exercise_without_such_checks_has_nothing_to_follow(
    learner: Learner, revision: ExerciseRevision, sent: list[Any]
) -> None:
    graded(learner, revision)
    assert not GpuGrading.objects.exists()


def test_a_result_that_comes_too_late_has_nothing_follow(
    learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any]
) -> None:
    services.submission_create(learner=learner, exercise_revision=gpu_exercise, source=RIGHT, token=uuid.uuid4())
    claim = services.submission_claim(owner="worker")
    assert claim
    Submission.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert services.submission_claim(owner="second")
    assert services.submission_record(claim=claim, report=cpu_report()) is False
    assert not GpuGrading.objects.exists()


def waiting() -> set[uuid.UUID]:
    return set(GpuGrading.objects.filter(state="queued").values_list("pk", flat=True))


def test_a_later_attempt_takes_the_place_of_one_that_waits(
    learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any]
) -> None:
    other = graded(Learner.objects.create(), gpu_exercise)
    graded(learner, gpu_exercise)
    last = graded(learner, gpu_exercise)
    assert waiting() == {other.pk, last.pk}


def test_what_is_being_run_keeps_its_place(learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any]) -> None:
    first = graded(learner, gpu_exercise)
    claim = claimed(first)
    graded(learner, gpu_exercise)
    assert services.submission_record(claim=claim, report=gpu_report())


def test_an_attempt_that_passed_gives_way_to_one_that_passed_alone(
    learner: Learner, gpu_exercise: ExerciseRevision, sent: list[Any]
) -> None:
    graded(learner, gpu_exercise, cpu_report(Status.FAILED))
    right = graded(learner, gpu_exercise)
    wrong = graded(learner, gpu_exercise, cpu_report(Status.FAILED))
    assert waiting() == {right.pk, wrong.pk}
    right = graded(learner, gpu_exercise)
    assert waiting() == {right.pk}


# ---- Claimed, recorded, given up ----


def test_a_claim_is_of_the_gpus_checks_alone(passed: Submission) -> None:
    claim = claimed(passed)
    assert (claim.fence, claim.attempt, claim.source, claim.seed, claim.on_gpu) == (1, 1, RIGHT, passed.seed, True)
    assert services.submission_claim(owner="second", on_gpu=True) is None
    assert services.submission_claim(owner="second") is None  # it has its verdict
    passed.refresh_from_db()
    assert (passed.state, passed.owner, passed.fence) == ("finished", "worker", 1)


def test_a_result_adds_points_and_leaves_the_verdict(passed: Submission, learner: Learner) -> None:
    assert services.submission_record(claim=claimed(passed), report=gpu_report())
    row = GpuGrading.objects.get()
    assert (row.state, row.verdict, row.points, row.max_points) == ("finished", "passed", Decimal(2), Decimal(2))
    passed.refresh_from_db()
    assert (passed.verdict, passed.points, passed.max_points) == ("passed", Decimal("1.5"), Decimal("1.5"))
    standing = selectors.exercise_standings(learner, ["scaled-scores"])["scaled-scores"]
    assert (standing["passed"], standing["points"], standing["max_points"]) == (True, Decimal("3.5"), Decimal("3.5"))
    attempt = selectors.attempts_of(learner, "scaled-scores")[0]
    assert (attempt.verdict, attempt.points, attempt.max_points) == ("passed", Decimal("3.5"), Decimal("3.5"))


def test_checks_that_fail_on_the_gpu_give_no_points_and_leave_the_verdict(passed: Submission, learner: Learner) -> None:
    assert services.submission_record(claim=claimed(passed), report=gpu_report(Status.FAILED))
    standing = selectors.exercise_standings(learner, ["scaled-scores"])["scaled-scores"]
    assert (standing["passed"], standing["points"], standing["max_points"]) == (True, Decimal("1.5"), Decimal("3.5"))


def test_what_was_not_run_on_a_gpu_counts_neither_way(passed: Submission, learner: Learner) -> None:
    standing = selectors.exercise_standings(learner, ["scaled-scores"])["scaled-scores"]
    assert (standing["passed"], standing["points"], standing["max_points"]) == (True, Decimal("1.5"), Decimal("1.5"))


def test_only_the_current_claim_records(passed: Submission) -> None:
    first = claimed(passed)
    GpuGrading.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = claimed(passed, "second")
    assert (second.fence, second.attempt) == (2, 2)
    assert services.submission_record(claim=first, report=gpu_report(Status.FAILED)) is False
    assert services.lease_renew(claim=first) is False
    assert services.lease_renew(claim=second)
    assert services.submission_record(claim=second, report=gpu_report())
    assert GpuGrading.objects.get().verdict == "passed"


def test_faults_of_ours_are_tried_again_and_given_up_at_the_third(passed: Submission) -> None:
    for attempt in range(1, settings.GRADING_ATTEMPTS + 1):
        GpuGrading.objects.update(not_before=None)
        assert services.submission_fault(claim=claimed(passed), message=f"fault {attempt}")
        assert services.submission_claim(owner="other", on_gpu=True) is None
    row = GpuGrading.objects.get()
    assert (row.state, row.fault, row.verdict, row.points) == ("faulted", "fault 3", None, None)
    passed.refresh_from_db()
    assert (passed.state, passed.verdict) == ("finished", "passed")
    assert services.submission_requeue(submission_id=passed.pk, on_gpu=True)
    assert claimed(passed).attempt == 1


def test_a_result_exists_exactly_when_finished(passed: Submission) -> None:
    with pytest.raises(IntegrityError, match="gpugrading_verdict_exactly_when_finished"), transaction.atomic():
        GpuGrading.objects.update(verdict="passed")


# ---- Swept ----


def test_a_sweep_brings_back_what_a_dead_gpu_worker_held(passed: Submission) -> None:
    place, _, started = process_name().rpartition("/")
    claimed(passed, f"{place}/{int(started) - 1}")
    assert services.sweep() == services.Swept(requeued=1, faulted=0, published=0)
    claimed(passed, process_name())
    assert services.sweep().requeued == 0
    GpuGrading.objects.update(lease_until=timezone.now() - timedelta(seconds=1), attempts=settings.GRADING_ATTEMPTS)
    assert services.sweep() == services.Swept(requeued=0, faulted=1, published=0)


def test_a_sweep_sends_again_only_where_a_gpu_worker_is_online(passed: Submission, sent: list[Any]) -> None:
    GpuGrading.objects.update(published=None)
    services.heartbeat(name=process_name(), grading=True, message="")  # of the CPU's
    assert services.sweep().published == 0
    beat("elsewhere/1/1/1", grading=False)
    assert services.sweep().published == 0
    beat("elsewhere/1/1/1")
    assert services.sweep().published == 1
    assert services.sweep().published == 0
    assert sent == [("grader.grade_on_gpu", [str(passed.pk)])]


# ---- Whether there is a GPU worker ----


def test_whether_a_gpu_worker_is_there() -> None:
    assert selectors.gpu_status() == GpuStatus(configured=False, online=False)
    beat()
    assert selectors.gpu_status() == GpuStatus(configured=True, online=True)
    beat(grading=False)
    assert selectors.gpu_status() == GpuStatus(configured=True, online=False)
    beat(ago=settings.HEARTBEAT_LOST_SECONDS + 1)
    assert selectors.gpu_status() == GpuStatus(configured=True, online=False)
    beat(ago=selectors.HEARTBEAT_KEPT.total_seconds() + 1)
    assert selectors.gpu_status() == GpuStatus(configured=False, online=False)


def test_a_gpu_worker_that_is_known_to_be_dead_is_not_online() -> None:
    place, _, started = process_name().rpartition("/")
    beat(f"{place}/{int(started) - 1}")
    assert selectors.gpu_status() == GpuStatus(configured=True, online=False)


def test_a_gpu_worker_that_stopped_may_come_back_for_an_hour() -> None:
    beat()
    services.heartbeat_end(name=process_name())
    assert selectors.gpu_status() == GpuStatus(configured=True, online=False)


def test_a_gpu_worker_grades_nothing_on_the_cpu() -> None:
    beat()
    assert selectors.worker_status() == selectors.WorkerStatus(online=False, grading=False)


# ---- Staff ----


def test_staff_have_given_up_gradings_run_again(client: Client, passed: Submission, sent: list[Any]) -> None:
    GpuGrading.objects.update(state="faulted", attempts=3)
    client.force_login(User.objects.create_superuser("staff"))
    form = {"action": "grade_again", "_selected_action": [str(passed.pk)]}
    response = client.post("/admin/grader/gpugrading/", form)
    assert response.status_code == 302
    assert [str(message) for message in get_messages(response.wsgi_request)] == ["1 submissions are graded again."]
    assert GpuGrading.objects.get().state == "queued"
    assert sent == [("grader.grade_on_gpu", [str(passed.pk)])]


def test_nobody_types_a_result(rf: Any) -> None:
    request = rf.get("/")
    request.user = User.objects.create_superuser("staff")
    admin = site.get_model_admin(GpuGrading)
    assert not admin.has_add_permission(request)
    assert not admin.has_change_permission(request)
    assert not admin.has_delete_permission(request)
