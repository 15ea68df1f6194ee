"""Reading submissions, always for one learner, and the state of the workers. Nothing here writes."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from courses.selectors import exercises_current
from grader.models import GpuGrading, Submission, WorkerHeartbeat, WorkQuerySet
from grader.processes import surely_dead
from grader.verdicts import Status, Visibility

ATTEMPTS_SHOWN = 50
STALLED = timedelta(seconds=30)
HEARTBEAT_KEPT = timedelta(hours=1)  # so long a GPU worker that is away counts as one that may come back


class NoSubmission(LookupError):  # noqa: N818  like DoesNotExist: what is the case, not what went wrong
    """There is no such submission, or it is another learner's: nobody can tell which."""


def submission_of(learner: Learner | None, submission_id: uuid.UUID) -> Submission:
    """A learner's own submission, or precheck. The only way to one by its id. Raises NoSubmission."""
    rows = _runs_of(learner).select_related("exercise_revision__exercise", "gpu")
    found = rows.filter(pk=submission_id).first()
    if found is None:
        raise NoSubmission(f"no submission {submission_id}")
    return found


def _of(learner: Learner | None) -> WorkQuerySet[Submission]:
    return Submission.objects.none() if learner is None else Submission.objects.filter(learner=learner)


def _runs_of(learner: Learner | None) -> WorkQuerySet[Submission]:
    """With prechecks."""
    return Submission.runs.none() if learner is None else Submission.runs.filter(learner=learner)


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
    return _last(_of(learner), exercise)


def run_last(learner: Learner | None, exercise: str) -> Submission | None:
    """What the learner handed in or had run last for an exercise: a precheck too."""
    return _last(_runs_of(learner), exercise)


def _last(of_learner: WorkQuerySet[Submission], exercise: str) -> Submission | None:
    rows = of_learner.filter(exercise_revision__exercise__slug=exercise).order_by("-created", "-pk")
    return rows.select_related("exercise_revision__exercise", "gpu").first()


def was_handed_in(learner_id: uuid.UUID, exercise_id: int, source: str) -> bool:
    """Whether this very text is among a learner's attempts at an exercise."""
    rows = Submission.objects.filter(learner=learner_id, exercise_revision__exercise=exercise_id)
    return rows.filter(source=source).exists()


def attempt_before(submission: Submission) -> Submission | None:
    """The learner's attempt at the same exercise before this one."""
    earlier = Q(created__lt=submission.created) | Q(created=submission.created, pk__lt=submission.pk)
    rows = Submission.objects.filter(earlier, learner=submission.learner_id)
    of_exercise = rows.filter(exercise_revision__exercise=submission.exercise_revision.exercise_id)
    return of_exercise.order_by("-created", "-pk").first()


def attempt_number(submission: Submission) -> int:
    """Counted from the learner's first attempt at the exercise, as in the history."""
    rows = Submission.objects.filter(learner=submission.learner_id)
    of_exercise = rows.filter(exercise_revision__exercise=submission.exercise_revision.exercise_id)
    later = Q(created__gt=submission.created) | Q(created=submission.created, pk__gt=submission.pk)
    return of_exercise.exclude(later).count()


def before_in_line(submission: Submission) -> int:
    """How many unfinished submissions (and prechecks) of all learners have an earlier turn than one that waits."""
    earlier = Q(turn__lt=submission.turn) | Q(turn=submission.turn, created__lt=submission.created)
    return Submission.runs.unfinished().filter(earlier).count()


def exercise_standings(learner: Learner | None, slugs: Iterable[str]) -> Mapping[str, dict[str, Any]]:
    """A learner's best result by exercise.

    {slug: {"passed", "status", "points", "max_points", "attempts", "passed_last"}}, the last of them the time at which
    the last attempt that passed was handed in, or None. An exercise without an attempt is left out, and an attempt that
    was replaced counts for nothing. `status` is of the best attempt, or of the latest while none has a verdict
    ("queued", "running", "faulted").
    """
    standings: dict[str, dict[str, Any]] = {}
    fields = ("exercise_revision__exercise__slug", "state", "verdict", "created", *IN_ALL)
    rows = _of(learner).filter(exercise_revision__exercise__slug__in=list(slugs)).order_by("created")
    rows = rows.exclude(state=Submission.State.REPLACED)
    for slug, state, verdict, created, points, max_points in _in_all(rows).values_list(*fields):
        passed = verdict == Status.PASSED
        entry = {"passed": passed, "status": verdict or state, "points": points, "max_points": max_points}
        best = standings.get(slug)
        attempts = best["attempts"] + 1 if best else 1
        told = {"attempts": attempts, "passed_last": created if passed else best and best["passed_last"]}
        standings[slug] = {**(entry if best is None or _rank(entry) >= _rank(best) else best), **told}
    return standings


def _rank(entry: Mapping[str, Any]) -> tuple[bool, bool, Decimal]:
    return entry["passed"], entry["points"] is not None, entry["points"] or Decimal(0)


class MistakeMade(NamedTuple):
    """A known mistake that verdicts named to one learner at one exercise. Times are those of handing in."""

    exercise: str  # slug
    mistake: str  # id in the course's mistakes
    first_seen: datetime
    last_seen: datetime
    times: int  # submissions that it was named to


def exercise_mistakes(learner: Learner | None) -> list[MistakeMade]:
    """The mistakes that verdicts named to a learner, over all exercises and revisions, the first made first.

    One that on every case does the same as the first of its verdict is left out: nobody can tell whether it was made.
    """
    rows = _of(learner).filter(state=Submission.State.FINISHED).order_by("created", "pk")
    fields = ("pk", "exercise_revision__exercise__slug", "created", "report__mistakes", "gpu__report__mistakes")
    found = [row for row in rows.values_list(*fields) if row[3] or row[4]]
    several = [pk for pk, _, _, named, on_gpu in found if len(named or ()) > 1 or len(on_gpu or ()) > 1]
    # The checks of a report hold cases, which are large: they are read only where they decide something.
    checks = {
        pk: of for pk, *of in rows.filter(pk__in=several).values_list("pk", "report__checks", "gpu__report__checks")
    }
    made: dict[tuple[str, str], MistakeMade] = {}
    for pk, exercise, created, *reports in found:
        told = [_told_apart(named or [], of or []) for named, of in zip(reports, checks.get(pk, ((), ())), strict=True)]
        for mistake in dict.fromkeys(each for names in told for each in names):
            before = made.get((exercise, mistake))
            first, times = (before.first_seen, before.times) if before else (created, 0)
            made[exercise, mistake] = MistakeMade(exercise, mistake, first, created, times + 1)
    return list(made.values())


def _told_apart(named: list[str], checks: Iterable[Mapping[str, Any]]) -> list[str]:
    """Of the mistakes of one report, the first, and those that explain other checks than the first does."""
    explains = {each: [check["id"] for check in checks if each in check["mistakes"]] for each in named}
    return [each for place, each in enumerate(named) if place == 0 or explains[each] != explains[named[0]]]


def gpu_grading(submission: Submission) -> GpuGrading | None:
    """What became of its checks for a GPU. None where the exercise has none, none could be run, or a later attempt's
    took their place."""
    found: GpuGrading | None = getattr(submission, "gpu", None)
    return found


def gpu_checks(revision: ExerciseRevision) -> frozenset[str]:
    """Ids of the exercise's checks that need a GPU."""
    checks = revision.data["spec"].get("checks", [])
    return frozenset(check["id"] for check in checks if check.get("device", "cpu") == "cuda")


def has_precheck(revision: ExerciseRevision) -> bool:
    """Whether the exercise has shown cases that can be run before handing in: on a GPU none are."""
    checks = revision.data["spec"].get("checks", [])
    return any(check["visibility"] == Visibility.SHOWN and check.get("device", "cpu") == "cpu" for check in checks)


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
    if not Submission.runs.unsent(now, now).filter(created__lt=since).exists():
        return False
    busy = Submission.runs.filter(state=Submission.State.RUNNING).exists()
    return not busy and not Submission.runs.filter(claimed__gte=since).exists() and worker_status(now).grading
