"""From a submission to its verdict: every write to it, each one a conditional UPDATE or one short transaction.

The row is the outbox and the truth. A message to the broker is a hint that there is work: it may be lost, late or
delivered twice. Who grades is decided by submission_claim alone, and whose result counts by the fence that it gave.
"""

from __future__ import annotations

import logging
import secrets
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from celery import current_app
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from courses.services.learners import learner_lock
from grader.models import Submission, SubmissionQuerySet, WorkerHeartbeat
from grader.processes import surely_dead
from grader.reports import report_to_json
from grader.storable import storable
from grader.verdicts import Report, Status

logger = logging.getLogger(__name__)

GRADE_TASK = "grader.grade"  # by name: the web process must not load what the task loads
SWEEP_TASK = "grader.sweep"
FAULT_PAUSES = (timedelta(seconds=2), timedelta(seconds=15))  # before the second and third attempt
SWEEP_BATCH = 100
HEARTBEAT_KEPT = timedelta(hours=1)

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


def submission_publish(*, submission_id: uuid.UUID) -> bool:
    """Tell the workers that a submission waits. Whatever happens to the broker, this returns; False if it failed."""
    try:
        current_app.send_task(GRADE_TASK, args=[str(submission_id)], retry=False, ignore_result=True)
    except Exception as error:  # noqa: BLE001  whatever a broker's client raises: the sweeper tries again
        logger.warning("submission %s waits for the sweeper, the broker is away: %r", submission_id, error)
        return False
    return True


@retried_when_locked
def submission_claim(*, submission_id: uuid.UUID, owner: str) -> Claim | None:
    """Take a submission that waits, or whose lease ran out; None if there is nothing to take.

    One that was taken as often as is allowed, and never came back, becomes a final fault instead.
    """
    now = timezone.now()
    with transaction.atomic():
        claimable = Submission.objects.claimable(now).filter(pk=submission_id)
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
        row = Submission.objects.select_related("exercise_revision__exercise").get(pk=submission_id)
    return Claim(row.pk, owner, row.fence, row.attempts, row.exercise_revision, row.source, row.seed)


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
    recorded = _held(claim).update(
        state=Submission.State.FINISHED,
        verdict=report.status.value,
        points=report.points,
        max_points=report.max_points,
        report=storable(report_to_json(report)),
        finished=timezone.now(),
        lease_until=None,
        fault="",
    )
    if not recorded:
        logger.warning("submission %s: a result came after its claim %d had ended", claim.submission_id, claim.fence)
    return bool(recorded)


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
def submission_requeue(*, submission_id: uuid.UUID) -> bool:
    """Have a submission that was given up graded after all, as if it were new. For staff, once the cause is mended."""
    given_up = Submission.objects.filter(pk=submission_id, state=Submission.State.FAULTED)
    return bool(given_up.update(**_queued(""), attempts=0, finished=None))


def sweep() -> Swept:
    """Bring back what a dead worker held, give up what was tried too often, and send again what no worker took."""
    now = timezone.now()
    requeued = faulted = 0
    for row in Submission.objects.filter(state=Submission.State.RUNNING):
        if row.lease_until is None or row.lease_until <= now or surely_dead(row.owner):
            requeued, faulted = _bring_back(row, now, requeued, faulted)
    WorkerHeartbeat.objects.filter(seen__lt=now - HEARTBEAT_KEPT).delete()
    return Swept(requeued, faulted, _publish_again(now))


def _bring_back(row: Submission, now: datetime, requeued: int, faulted: int) -> tuple[int, int]:
    # Not if it was claimed again, recorded, or its lease renewed, since it was read.
    running = Submission.objects.filter(state=Submission.State.RUNNING)
    held = running.filter(pk=row.pk, fence=row.fence, lease_until=row.lease_until)
    message = f"the worker {row.owner} did not finish"
    if row.attempts >= settings.GRADING_ATTEMPTS:
        return requeued, faulted + _update(held, _faulted(now, message))
    return requeued + _update(held, _queued(message)), faulted


def _publish_again(now: datetime) -> int:
    """Send what waits to the broker, if any worker could grade it. Stops at the first failure: the broker is away."""
    alive = now - timedelta(seconds=settings.HEARTBEAT_LOST_SECONDS)
    if not WorkerHeartbeat.objects.filter(seen__gte=alive, grading=True).exists():
        return 0
    sent_before = now - timedelta(seconds=settings.RESEND_SECONDS)
    unsent = list(Submission.objects.unsent(now, sent_before).values_list("pk", flat=True)[:SWEEP_BATCH])
    sent = []
    for submission_id in unsent:
        if not submission_publish(submission_id=submission_id):
            break
        sent.append(submission_id)
    _mark_published(sent, now)
    return len(sent)


@retried_when_locked
def _mark_published(submission_ids: Iterable[uuid.UUID], now: datetime) -> None:
    Submission.objects.filter(pk__in=submission_ids).update(published=now)


@retried_when_locked
def _update(rows: SubmissionQuerySet, values: dict[str, Any]) -> int:
    return rows.update(**values)


@retried_when_locked
def heartbeat(*, name: str, grading: bool, message: str) -> None:
    """Note that the worker process `name` lives, whether its sandbox works, and if not, what is missing."""
    values = {"seen": timezone.now(), "grading": grading, "message": message}
    WorkerHeartbeat.objects.update_or_create(name=name, defaults=values)


@retried_when_locked
def heartbeat_end(*, name: str) -> None:
    """The worker process `name` stops, as it was asked to."""
    WorkerHeartbeat.objects.filter(name=name).delete()


def _held(claim: Claim) -> SubmissionQuerySet:
    """The claimed row, as long as the claim is the current one."""
    running = Submission.objects.filter(state=Submission.State.RUNNING)
    return running.filter(pk=claim.submission_id, owner=claim.owner, fence=claim.fence)


def _queued(message: str) -> dict[str, Any]:
    """The columns of a row that goes back to the queue, never sent."""
    return {"state": Submission.State.QUEUED, "owner": "", "lease_until": None, "published": None, "fault": message}


def _faulted(now: datetime, message: str) -> dict[str, Any]:
    """The columns of a row that is given up. Not a verdict: it counts for nothing."""
    return {**_queued(message), "state": Submission.State.FAULTED, "finished": now}
