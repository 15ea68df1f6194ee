"""Reading submissions, always for one learner, and the state of the workers. Nothing here writes."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from courses.selectors import exercises_current
from grader.models import GpuGrading, Submission, WorkerHeartbeat, WorkQuerySet
from grader.processes import surely_dead
from grader.verdicts import Status

ATTEMPTS_SHOWN = 50
STALLED = timedelta(seconds=30)
HEARTBEAT_KEPT = timedelta(hours=1)  # so long a GPU worker that is away counts as one that may come back


class NoSubmission(LookupError):  # noqa: N818  like DoesNotExist: what is the case, not what went wrong
    """There is no such submission, or it is another learner's: nobody can tell which."""


def submission_of(learner: Learner | None, submission_id: uuid.UUID) -> Submission:
    """A learner's own submission. The only way to one by its id. Raises NoSubmission."""
    found = _of(learner).select_related("exercise_revision__exercise", "gpu").filter(pk=submission_id).first()
    if found is None:
        raise NoSubmission(f"no submission {submission_id}")
    return found


def _of(learner: Learner | None) -> WorkQuerySet[Submission]:
    return Submission.objects.none() if learner is None else Submission.objects.filter(learner=learner)


IN_ALL = ("points_in_all", "max_points_in_all")


def _in_all(rows: WorkQuerySet[Submission]) -> WorkQuerySet[Submission]:
    """With the points on the CPU and on a GPU together, as far as the checks there have been run."""
    return rows.annotate(
        points_in_all=F("points") + Coalesce(F("gpu__points"), Decimal(0)),
        max_points_in_all=F("max_points") + Coalesce(F("gpu__max_points"), Decimal(0)),
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """One line of the history of attempts at an exercise."""

    number: int  # counted from the learner's first
    id: uuid.UUID
    created: datetime
    state: str
    verdict: str | None
    points: Decimal | None
    max_points: Decimal | None


def attempts_of(learner: Learner | None, exercise: str) -> list[Attempt]:
    """A learner's attempts at the exercise `exercise` (its slug), over all its revisions, the newest first."""
    rows = _of(learner).filter(exercise_revision__exercise__slug=exercise).order_by("-created", "-pk")
    total = rows.count()
    fields = ("id", "created", "state", "verdict", *IN_ALL)
    shown = _in_all(rows).values_list(*fields)[:ATTEMPTS_SHOWN]
    return [Attempt(total - place, *row) for place, row in enumerate(shown)]


def submission_last(learner: Learner | None, exercise: str) -> Submission | None:
    """What the learner handed in last for an exercise, of whichever revision."""
    rows = _of(learner).filter(exercise_revision__exercise__slug=exercise).order_by("-created", "-pk")
    return rows.select_related("exercise_revision__exercise", "gpu").first()


def before_in_line(submission: Submission) -> int:
    """How many unfinished submissions of all learners have an earlier turn than one that waits."""
    earlier = Q(turn__lt=submission.turn) | Q(turn=submission.turn, created__lt=submission.created)
    return Submission.objects.unfinished().filter(earlier).count()


def exercise_standings(learner: Learner | None, slugs: Iterable[str]) -> Mapping[str, dict[str, Any]]:
    """A learner's best result by exercise: {slug: {"passed", "status", "points", "max_points", "attempts"}}.

    An exercise without an attempt is left out, and an attempt that was replaced counts for nothing. `status` is of the
    best attempt, or of the latest while none has a verdict ("queued", "running", "faulted").
    """
    standings: dict[str, dict[str, Any]] = {}
    fields = ("exercise_revision__exercise__slug", "state", "verdict", *IN_ALL)
    rows = _of(learner).filter(exercise_revision__exercise__slug__in=list(slugs)).order_by("created")
    rows = rows.exclude(state=Submission.State.REPLACED)
    for slug, state, verdict, points, max_points in _in_all(rows).values_list(*fields):
        passed = verdict == Status.PASSED
        entry = {"passed": passed, "status": verdict or state, "points": points, "max_points": max_points}
        best = standings.get(slug)
        attempts = best["attempts"] + 1 if best else 1
        standings[slug] = {**(entry if best is None or _rank(entry) >= _rank(best) else best), "attempts": attempts}
    return standings


def _rank(entry: Mapping[str, Any]) -> tuple[bool, bool, Decimal]:
    return entry["passed"], entry["points"] is not None, entry["points"] or Decimal(0)


def gpu_grading(submission: Submission) -> GpuGrading | None:
    """What became of its checks for a GPU. None where the exercise has none, none could be run, or a later attempt's
    took their place."""
    found: GpuGrading | None = getattr(submission, "gpu", None)
    return found


def gpu_checks(revision: ExerciseRevision) -> frozenset[str]:
    """Ids of the exercise's checks that need a GPU."""
    checks = revision.data["spec"].get("checks", [])
    return frozenset(check["id"] for check in checks if check.get("device", "cpu") == "cuda")


def exercise_titles(slugs: Iterable[str]) -> dict[str, str]:
    """Titles of the published ones among `slugs`, in their order."""
    return {revision.exercise.slug: revision.data["title"] for revision in exercises_current(slugs)}


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """Whether anyone grades at the moment. `findings`: what keeps the sandbox of the workers from working."""

    online: bool
    grading: bool
    findings: tuple[str, ...] = ()


def worker_status(now: datetime | None = None) -> WorkerStatus:
    """From the heartbeats of the worker processes; one whose process is known to have died does not count."""
    alive = _alive(WorkerHeartbeat.objects.filter(on_gpu=False), now or timezone.now())
    findings = dict.fromkeys(row.message for row in alive if row.message and not row.grading)
    return WorkerStatus(bool(alive), any(row.grading for row in alive), tuple(findings))


@dataclass(frozen=True, slots=True)
class GpuStatus:
    """Whether checks for a GPU can be run. `configured`: a worker for them was there within the last hour."""

    configured: bool
    online: bool


def gpu_status(now: datetime | None = None) -> GpuStatus:
    """From the heartbeats of the processes that serve the queue of GPU checks."""
    now = now or timezone.now()
    rows = WorkerHeartbeat.objects.filter(on_gpu=True, seen__gte=now - HEARTBEAT_KEPT)
    return GpuStatus(rows.exists(), any(row.grading for row in _alive(rows, now)))


def _alive(rows: models.QuerySet[WorkerHeartbeat], now: datetime) -> list[WorkerHeartbeat]:
    seen_after = now - timedelta(seconds=settings.HEARTBEAT_LOST_SECONDS)
    return [row for row in rows.filter(seen__gte=seen_after) if not surely_dead(row.name)]


def grading_stalled(now: datetime | None = None) -> bool:
    """Whether submissions wait, workers say that they can grade, and yet none has claimed anything for long."""
    now = now or timezone.now()
    since = now - STALLED
    if not Submission.objects.unsent(now, now).filter(created__lt=since).exists():
        return False
    busy = Submission.objects.filter(state=Submission.State.RUNNING).exists()
    return not busy and not Submission.objects.filter(claimed__gte=since).exists() and worker_status(now).grading
