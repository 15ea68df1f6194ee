"""From a submission to its verdict: every write to it, each one a conditional UPDATE or one short transaction.

The row is the outbox and the truth. A message to the broker is a hint that there is work: it may be lost, late or
delivered twice. Who grades is decided by submission_claim alone, and whose result counts by the fence that it gave.

All of it holds for a submission, graded on the CPU, and for what follows it where the exercise has checks for a GPU:
its GpuGrading, a row under the same key. `on_gpu` says which of the two is meant.
"""

from __future__ import annotations

import logging
import secrets
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from celery import current_app
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from courses.services.learners import learner_lock
from grader.models import GpuGrading, Submission, Work, WorkerHeartbeat, WorkQuerySet
from grader.processes import surely_dead
from grader.reports import report_to_json
from grader.selectors import HEARTBEAT_KEPT, gpu_checks, gpu_status, worker_status
from grader.storable import storable
from grader.verdicts import CheckResult, Report, Status

logger = logging.getLogger(__name__)

GRADE_TASK = "grader.grade"  # by name: the web process must not load what the task loads
GPU_TASK = "grader.grade_on_gpu"
SWEEP_TASK = "grader.sweep"
FAULT_PAUSES = (timedelta(seconds=2), timedelta(seconds=15))  # before the second and third attempt
SWEEP_BATCH = 100

P = ParamSpec("P")
R = TypeVar("R")


class TooManyWaiting(Exception):  # noqa: N818  a refusal, not an error
    """The learner has as many unfinished submissions as one may have; the message is for the learner."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to grade one submission until the lease ends, and all that is needed to do it."""

    submission_id: uuid.UUID
    owner: str
    fence: int
    attempt: int
    exercise_revision: ExerciseRevision
    source: str
    seed: int
    on_gpu: bool = False


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did."""

    requeued: int
    faulted: int
    published: int


def retried_when_locked(service: Callable[P, R]) -> Callable[P, R]:
    """Try again where SQLite says that the database is locked, which it hardly ever does in immediate mode."""

    @wraps(service)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        for pause in (0.05, 0.2, 0.5):
            try:
                return service(*args, **kwargs)
            except OperationalError as error:
                # Within a caller's transaction only the caller can start again.
                if "locked" not in str(error) or connection.in_atomic_block:
                    raise
                time.sleep(pause)
        return service(*args, **kwargs)

    return wrapper


@retried_when_locked
def submission_create(
    *, learner: Learner, exercise_revision: ExerciseRevision, source: str, token: uuid.UUID
) -> Submission:
    """Hand in `source` and have it graded. The same token again gives the same row and no second run.

    Raises TooManyWaiting; then nothing was written.
    """
    with transaction.atomic():
        learner_lock(learner)  # two presses at once: one after the other
        existing = Submission.objects.filter(learner=learner, token=token).first()
        if existing is not None:
            return existing
        waiting = Submission.objects.unfinished().filter(learner=learner).count()
        if waiting >= settings.GRADING_WAITING:
            raise TooManyWaiting(
                f"You have {waiting} submissions waiting for their verdict, the most that is accepted at a time: "
                "send this one when the first of them is graded."
            )
        submission = Submission.objects.create(
            learner=learner,
            exercise_revision=exercise_revision,
            source=source,
            token=token,
            seed=secrets.randbits(63),
            published=timezone.now(),
        )
        transaction.on_commit(partial(submission_publish, submission_id=submission.pk))
    return submission


def submission_publish(*, submission_id: uuid.UUID, on_gpu: bool = False) -> bool:
    """Tell the workers that a submission waits. Whatever happens to the broker, this returns; False if it failed."""
    task = GPU_TASK if on_gpu else GRADE_TASK
    try:
        current_app.send_task(task, args=[str(submission_id)], retry=False, ignore_result=True)
    except Exception as error:  # noqa: BLE001  whatever a broker's client raises: the sweeper tries again
        logger.warning("submission %s waits for the sweeper, the broker is away: %r", submission_id, error)
        return False
    return True


@retried_when_locked
def submission_claim(*, submission_id: uuid.UUID, owner: str, on_gpu: bool = False) -> Claim | None:
    """Take a submission that waits, or whose lease ran out; None if there is nothing to take.

    One that was taken as often as is allowed, and never came back, becomes a final fault instead.
    """
    now = timezone.now()
    with transaction.atomic():
        rows = _rows(on_gpu=on_gpu)
        claimable = rows.claimable(now).filter(pk=submission_id)
        if claimable.filter(attempts__gte=settings.GRADING_ATTEMPTS).update(**_faulted(now, "the attempts ran out")):
            return None
        taken = claimable.update(
            state=Submission.State.RUNNING,
            owner=owner,
            fence=F("fence") + 1,
            attempts=F("attempts") + 1,
            lease_until=now + timedelta(seconds=settings.GRADING_LEASE),
            not_before=None,
            claimed=now,
        )
        if not taken:
            return None
        fence, attempt = rows.values_list("fence", "attempts").get(pk=submission_id)
        row = Submission.objects.select_related("exercise_revision__exercise").get(pk=submission_id)
    return Claim(row.pk, owner, fence, attempt, row.exercise_revision, row.source, row.seed, on_gpu)


@retried_when_locked
def lease_renew(*, claim: Claim) -> bool:
    """Prolong a claim; False if it is no longer the current one."""
    until = timezone.now() + timedelta(seconds=settings.GRADING_LEASE)
    return bool(_held(claim).update(lease_until=until))


@retried_when_locked
def submission_record(*, claim: Claim, report: Report) -> bool:
    """Record the verdict, if the claim is still the current one. A fault of ours is no verdict: it is tried again."""
    if report.status is Status.FAULT:
        return submission_fault(claim=claim, message=report.message or "judging reported a fault")
    run = _run_here(claim, report)
    with transaction.atomic():
        recorded = _held(claim).update(
            state=Work.State.FINISHED,
            verdict=report.status.value,
            points=sum((check.points for check in run), Decimal(0)),
            max_points=sum((check.max_points for check in run), Decimal(0)),
            report=storable(report_to_json(report)),
            finished=timezone.now(),
            lease_until=None,
            fault="",
        )
        if recorded and not claim.on_gpu:
            _gpu_grading_create(claim, report)
    if not recorded:
        logger.warning("submission %s: a result came after its claim %d had ended", claim.submission_id, claim.fence)
    return bool(recorded)


def _run_here(claim: Claim, report: Report) -> list[CheckResult]:
    """The checks that this grading is about: on the CPU, those that need no GPU. No others count in its points."""
    on_gpu = gpu_checks(claim.exercise_revision)
    return [check for check in report.checks if (check.id in on_gpu) == claim.on_gpu]


def _gpu_grading_create(claim: Claim, report: Report) -> None:
    """Have the checks that need a GPU follow, if the exercise has any and the code could be run at all.

    They take the place of those that still wait for earlier attempts of the same learner at the exercise: a GPU is
    scarce. But what waits for an attempt that passed gives way to one that passed alone.
    """
    if report.message or not gpu_checks(claim.exercise_revision):
        return
    submission = Submission.objects.get(pk=claim.submission_id)
    earlier = GpuGrading.objects.filter(
        state=Work.State.QUEUED,
        submission__learner=submission.learner_id,
        submission__exercise_revision__exercise=claim.exercise_revision.exercise_id,
        submission__created__lt=submission.created,
    )
    if not report.passed:
        earlier = earlier.exclude(submission__verdict=Status.PASSED.value)
    earlier.delete()
    GpuGrading.objects.create(submission=submission, published=timezone.now())
    transaction.on_commit(partial(submission_publish, submission_id=claim.submission_id, on_gpu=True))


@retried_when_locked
def submission_fault(*, claim: Claim, message: str) -> bool:
    """Give a submission back after a fault of ours: queued with a pause, or faulted for good at the last attempt."""
    logger.error("submission %s, attempt %d: fault: %s", claim.submission_id, claim.attempt, message)
    now = timezone.now()
    if claim.attempt >= settings.GRADING_ATTEMPTS:
        return bool(_held(claim).update(**_faulted(now, message)))
    pause = FAULT_PAUSES[min(claim.attempt, len(FAULT_PAUSES)) - 1]
    return bool(_held(claim).update(**_queued(message), not_before=now + pause))


@retried_when_locked
def submission_requeue(*, submission_id: uuid.UUID, on_gpu: bool = False) -> bool:
    """Have a submission that was given up graded after all, as if it were new. For staff, once the cause is mended."""
    given_up = _rows(on_gpu=on_gpu).filter(pk=submission_id, state=Work.State.FAULTED)
    return bool(given_up.update(**_queued(""), attempts=0, finished=None))


def sweep() -> Swept:
    """Bring back what a dead worker held, give up what was tried too often, and send again what no worker took."""
    now = timezone.now()
    done = [_sweep(now, on_gpu=False), _sweep(now, on_gpu=True)]
    WorkerHeartbeat.objects.filter(seen__lt=now - HEARTBEAT_KEPT).delete()
    return Swept(*(sum(counts) for counts in zip(*done, strict=True)))


def _sweep(now: datetime, *, on_gpu: bool) -> tuple[int, int, int]:
    """How many were brought back, given up, and sent again."""
    requeued = faulted = 0
    for row in _rows(on_gpu=on_gpu).filter(state=Work.State.RUNNING):
        if row.lease_until is None or row.lease_until <= now or surely_dead(row.owner):
            requeued, faulted = _bring_back(row, now, requeued, faulted)
    return requeued, faulted, _publish_again(now, on_gpu=on_gpu)


def _bring_back(row: Work, now: datetime, requeued: int, faulted: int) -> tuple[int, int]:
    # Not if it was claimed again, recorded, or its lease renewed, since it was read.
    running = _rows(on_gpu=isinstance(row, GpuGrading)).filter(state=Work.State.RUNNING)
    held = running.filter(pk=row.pk, fence=row.fence, lease_until=row.lease_until)
    message = f"the worker {row.owner} did not finish"
    if row.attempts >= settings.GRADING_ATTEMPTS:
        return requeued, faulted + _update(held, _faulted(now, message))
    return requeued + _update(held, _queued(message)), faulted


def _publish_again(now: datetime, *, on_gpu: bool) -> int:
    """Send what waits to the broker, if any worker could grade it. Stops at the first failure: the broker is away."""
    if not (gpu_status(now).online if on_gpu else worker_status(now).grading):
        return 0
    sent_before = now - timedelta(seconds=settings.RESEND_SECONDS)
    rows = _rows(on_gpu=on_gpu)
    unsent = list(rows.unsent(now, sent_before).values_list("pk", flat=True)[:SWEEP_BATCH])
    sent = []
    for submission_id in unsent:
        if not submission_publish(submission_id=submission_id, on_gpu=on_gpu):
            break
        sent.append(submission_id)
    _update(rows.filter(pk__in=sent), {"published": now})
    return len(sent)


@retried_when_locked
def _update(rows: WorkQuerySet[Any], values: dict[str, Any]) -> int:
    return rows.update(**values)


@retried_when_locked
def heartbeat(*, name: str, grading: bool, message: str, on_gpu: bool = False) -> None:
    """Note that the worker process `name` lives, whether it can grade, and if not, what is missing."""
    values = {"seen": timezone.now(), "grading": grading, "message": message, "on_gpu": on_gpu}
    WorkerHeartbeat.objects.update_or_create(name=name, defaults=values)


@retried_when_locked
def heartbeat_end(*, name: str) -> None:
    """The worker process `name` stops, as it was asked to. Of a GPU's a trace is kept: it may well come back."""
    WorkerHeartbeat.objects.filter(name=name, on_gpu=False).delete()
    WorkerHeartbeat.objects.filter(name=name).update(grading=False, message="stopped")


def _rows(*, on_gpu: bool) -> WorkQuerySet[Any]:
    return GpuGrading.objects.all() if on_gpu else Submission.objects.all()


def _held(claim: Claim) -> WorkQuerySet[Any]:
    """The claimed row, as long as the claim is the current one."""
    running = _rows(on_gpu=claim.on_gpu).filter(state=Work.State.RUNNING)
    return running.filter(pk=claim.submission_id, owner=claim.owner, fence=claim.fence)


def _queued(message: str) -> dict[str, Any]:
    """The columns of a row that goes back to the queue, never sent."""
    return {"state": Submission.State.QUEUED, "owner": "", "lease_until": None, "published": None, "fault": message}


def _faulted(now: datetime, message: str) -> dict[str, Any]:
    """The columns of a row that is given up. Not a verdict: it counts for nothing."""
    return {**_queued(message), "state": Submission.State.FAULTED, "finished": now}
