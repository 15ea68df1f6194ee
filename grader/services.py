"""From a submission to its verdict: every write to it, each one a conditional UPDATE or one short transaction.

The row is the outbox and the truth. A message to the broker is a hint that there is work: it may be lost, late or
delivered twice. Whose turn it is and who grades is decided by submission_claim alone, whatever submission a message
names, and whose result counts by the fence that it gave. So there must be a message for each row that waits; one too
many finds nothing. Where one may have been spent on another row, another is sent; what is missed, the sweep sends.

Turns go round between learners (start-time fair queueing): see _next_turn.

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
PRECHECK_KEPT = timedelta(days=40)  # nothing hangs on one but that its day was practised, which is told for a month
CLAIM_TRIES = 20  # each that is in vain is another worker's claim

P = ParamSpec("P")
R = TypeVar("R")


class TooManyWaiting(Exception):  # noqa: N818  a refusal, not an error
    """The learner, or the visitors of an address, have as many unfinished ones as may be; the message is for them."""


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
    precheck: bool = False


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
    *,
    learner: Learner,
    exercise_revision: ExerciseRevision,
    source: str,
    token: uuid.UUID,
    origin: str = "",
    precheck: bool = False,
) -> Submission:
    """Hand in `source` and have it graded. The same token again gives the same row and no second run.

    It replaces what the learner has waiting at the same exercise, and has its turn. `origin` (origins.py) counts for
    visitors alone. `precheck`: it is run against the shown cases and is not handed in; it replaces an earlier precheck
    only. Raises TooManyWaiting; then nothing was written.
    """
    with transaction.atomic():
        learner_lock(learner)  # two presses at once: one after the other
        existing = Submission.runs.filter(learner=learner, token=token).first()
        if existing is not None:
            return existing
        turns = _replace_queued(learner, exercise_revision, prechecks_only=precheck)
        origin = origin if learner.user_id is None else ""
        _refuse_too_many(learner, origin)
        submission = Submission.objects.create(
            learner=learner,
            exercise_revision=exercise_revision,
            source=source,
            precheck=precheck,
            token=token,
            seed=secrets.randbits(63),
            turn=min(turns) if turns else _next_turn(Submission.runs.all(), learner.pk),
            origin=origin,
            published=timezone.now(),
        )
        transaction.on_commit(partial(submission_publish, submission_id=submission.pk))
    return submission


def _replace_queued(learner: Learner, exercise_revision: ExerciseRevision, *, prechecks_only: bool) -> list[int]:
    """Take out of the queue what waits there of the learner's at the exercise; its turns (of one, as a rule).

    A worker that claims it at the same moment gets it or does not: each is a conditional UPDATE of the row itself.
    """
    queued = Submission.runs.filter(state=Work.State.QUEUED, learner=learner)
    if prechecks_only:
        queued = queued.filter(precheck=True)
    of_exercise = queued.filter(exercise_revision__exercise=exercise_revision.exercise_id)
    replaced = {"state": Work.State.REPLACED, "finished": timezone.now(), "origin": ""}
    return [
        turn
        for pk, turn in of_exercise.values_list("pk", "turn")
        # Its form may send the same text again, later: that is to be graded.
        if queued.filter(pk=pk).update(**replaced, token=uuid.uuid4())
    ]


def _refuse_too_many(learner: Learner, origin: str) -> None:
    """Raises TooManyWaiting. Of one address a few that come at the same moment may slip through."""
    minute = Submission.runs.filter(learner=learner, created__gt=timezone.now() - timedelta(minutes=1))
    if minute.count() >= settings.GRADING_PER_MINUTE:  # what is replaced waits for nobody, but is kept
        raise TooManyWaiting(
            f"You have sent code {settings.GRADING_PER_MINUTE} times within a minute, the most that is accepted: "
            "send this one in a moment."
        )
    waiting = Submission.runs.unfinished().filter(learner=learner).count()
    if waiting >= settings.GRADING_WAITING:
        raise TooManyWaiting(
            f"You have {waiting} submissions waiting for their verdict, the most that is accepted at a time: "
            "send this one when the first of them is graded."
        )
    if origin and Submission.runs.unfinished().filter(origin=origin).count() >= settings.GRADING_WAITING_BY_ADDRESS:
        raise TooManyWaiting(
            f"{settings.GRADING_WAITING_BY_ADDRESS} submissions of visitors with your internet address are waiting for "
            "their verdict, the most that is accepted at a time: send this one again in a moment, or sign in."
        )


def _next_turn(rows: WorkQuerySet[Any], learner_id: uuid.UUID) -> int:
    """The turn of a new row: the one after that of the last one claimed, or after the learner's own last, if that is
    later.

    So who has several waiting is served once in each round, and who comes is served in the next one, behind those of it
    who came before: newcomers without end cannot keep others' second ones waiting. Turns of finished rows count too:
    who sends the next when the last is graded is no newcomer.
    """
    current = rows.filter(claimed__isnull=False).order_by("-turn").values_list("turn", flat=True).first()
    own = rows.of(learner_id).order_by("-turn").values_list("turn", flat=True).first()
    return max(0 if last is None else last + 1 for last in (current, own))


def submission_publish(*, submission_id: uuid.UUID, on_gpu: bool = False) -> bool:
    """Tell the workers that a submission waits. Whatever happens to the broker, this returns; False if it failed.

    They claim whose turn it is, whichever is named; a worker of an earlier version claims the one named.
    """
    task = GPU_TASK if on_gpu else GRADE_TASK
    try:
        current_app.send_task(task, args=[str(submission_id)], retry=False, ignore_result=True)
    except Exception as error:  # noqa: BLE001  whatever a broker's client raises: the sweeper tries again
        logger.warning("submission %s waits for the sweeper, the broker is away: %r", submission_id, error)
        return False
    return True


@retried_when_locked
def submission_claim(*, owner: str, on_gpu: bool = False) -> Claim | None:
    """Take the submission whose turn it is, of those that wait or whose lease ran out; None if there is none to take.

    One that was taken as often as is allowed, and never came back, becomes a final fault instead.
    """
    for _ in range(CLAIM_TRIES):
        # All who come at the same moment choose the same row, so that no two take one too many of a learner's (but
        # for one whose pause ends that moment).
        takeable = _rows(on_gpu=on_gpu).takeable(timezone.now())
        chosen = takeable.in_turn().values_list("pk", flat=True).first()
        if chosen is None:
            return None
        claim = _claim(chosen, owner=owner, on_gpu=on_gpu)
        if claim is not None:
            return claim
    return None


def _claim(submission_id: uuid.UUID, *, owner: str, on_gpu: bool) -> Claim | None:
    """Take this one; None if it is no longer to be had, or was given up."""
    now = timezone.now()
    rows = _rows(on_gpu=on_gpu)
    with transaction.atomic():
        claimable = rows.claimable(now).filter(pk=submission_id)  # no other table in it: the database looks again
        has_message = claimable.filter(state=Work.State.QUEUED, published__isnull=False).exists()
        if claimable.filter(attempts__gte=settings.GRADING_ATTEMPTS).update(
            **_faulted(now, "the attempts ran out", on_gpu=on_gpu)
        ):
            return None
        taken = claimable.update(
            state=Work.State.RUNNING,
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
        row = Submission.runs.select_related("exercise_revision__exercise").get(pk=submission_id)
        if not has_message:
            # It was taken back from a dead worker, and is not sent again yet: the message that led here was another's.
            transaction.on_commit(partial(submission_publish, submission_id=submission_id, on_gpu=on_gpu))
    return Claim(row.pk, owner, fence, attempt, row.exercise_revision, row.source, row.seed, on_gpu, row.precheck)


def passed_over_publish(*, claim: Claim) -> None:
    """After a claim has ended: send a message for what its learner has waiting, if anything.

    While it ran, that may have been passed over as one too many, and its message spent.
    """
    rows = _rows(on_gpu=claim.on_gpu)
    learner = Submission.runs.filter(pk=claim.submission_id).values("learner")
    of_learner = rows.claimable(timezone.now()).filter(**{f"{rows.model.learner_path}__in": learner})
    waiting = of_learner.in_turn().values_list("pk", flat=True).first()
    if waiting is not None:
        submission_publish(submission_id=waiting, on_gpu=claim.on_gpu)


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
            **_forgotten(on_gpu=claim.on_gpu),
        )
        if recorded and not claim.on_gpu and not claim.precheck:
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
    turn = _next_turn(GpuGrading.objects.all(), submission.learner_id)
    GpuGrading.objects.create(submission=submission, turn=turn, published=timezone.now())
    transaction.on_commit(partial(submission_publish, submission_id=claim.submission_id, on_gpu=True))


@retried_when_locked
def submission_fault(*, claim: Claim, message: str) -> bool:
    """Give a submission back after a fault of ours: queued with a pause, or faulted for good at the last attempt."""
    logger.error("submission %s, attempt %d: fault: %s", claim.submission_id, claim.attempt, message)
    now = timezone.now()
    if claim.attempt >= settings.GRADING_ATTEMPTS:
        return bool(_held(claim).update(**_faulted(now, message, on_gpu=claim.on_gpu)))
    pause = FAULT_PAUSES[min(claim.attempt, len(FAULT_PAUSES)) - 1]
    return bool(_held(claim).update(**_queued(message), not_before=now + pause))


@retried_when_locked
def submission_requeue(*, submission_id: uuid.UUID, on_gpu: bool = False) -> bool:
    """Have a submission that was given up graded after all, as if it were new. For staff, once the cause is mended."""
    rows = _rows(on_gpu=on_gpu)
    given_up = rows.filter(pk=submission_id, state=Work.State.FAULTED)
    learner_id = given_up.values_list(rows.model.learner_path, flat=True).first()
    if learner_id is None:
        return False
    turn = _next_turn(rows, learner_id)  # its old one would put it, and who comes meanwhile, before all others
    return bool(given_up.update(**_queued(""), turn=turn, attempts=0, finished=None))


def sweep() -> Swept:
    """Bring back what a dead worker held, give up what was tried too often, and send again what no worker took."""
    now = timezone.now()
    done = [_sweep(now, on_gpu=False), _sweep(now, on_gpu=True)]
    WorkerHeartbeat.objects.filter(seen__lt=now - HEARTBEAT_KEPT).delete()
    Submission.runs.filter(precheck=True, finished__lt=now - PRECHECK_KEPT).delete()
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
    on_gpu = isinstance(row, GpuGrading)
    running = _rows(on_gpu=on_gpu).filter(state=Work.State.RUNNING)
    held = running.filter(pk=row.pk, fence=row.fence, lease_until=row.lease_until)
    message = f"the worker {row.owner} did not finish"
    if row.attempts >= settings.GRADING_ATTEMPTS:
        return requeued, faulted + _update(held, _faulted(now, message, on_gpu=on_gpu))
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
    return GpuGrading.objects.all() if on_gpu else Submission.runs.all()


def _held(claim: Claim) -> WorkQuerySet[Any]:
    """The claimed row, as long as the claim is the current one."""
    running = _rows(on_gpu=claim.on_gpu).filter(state=Work.State.RUNNING)
    return running.filter(pk=claim.submission_id, owner=claim.owner, fence=claim.fence)


def _queued(message: str) -> dict[str, Any]:
    """The columns of a row that goes back to the queue, never sent."""
    return {"state": Submission.State.QUEUED, "owner": "", "lease_until": None, "published": None, "fault": message}


def _faulted(now: datetime, message: str, *, on_gpu: bool) -> dict[str, Any]:
    """The columns of a row that is given up. Not a verdict: it counts for nothing."""
    return {**_queued(message), "state": Work.State.FAULTED, "finished": now, **_forgotten(on_gpu=on_gpu)}


def _forgotten(*, on_gpu: bool) -> dict[str, Any]:
    """The columns of a row that has ended which hold nothing from then on: where a visitor came from."""
    return {} if on_gpu else {"origin": ""}
