"""Submissions, drafts, and the workers that grade. The database is the truth; the queue is a hint."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Count, Q

from courses.models import Exercise, ExerciseRevision, Learner
from grader.verdicts import Status

W = TypeVar("W", bound="Work", covariant=True)


class WorkQuerySet(models.QuerySet[W]):
    """The states that claiming, sweeping and limits ask for."""

    def unfinished(self) -> Self:
        return self.filter(state__in=[Work.State.QUEUED, Work.State.RUNNING])

    def claimable(self, now: datetime) -> Self:
        """Due and waiting, or claimed by someone whose lease ran out."""
        due = Q(state=Work.State.QUEUED) & (Q(not_before__isnull=True) | Q(not_before__lte=now))
        return self.filter(due | Q(state=Work.State.RUNNING, lease_until__lte=now))

    def of(self, learner_id: uuid.UUID) -> Self:
        return self.filter(**{self.model.learner_path: learner_id})

    def takeable(self, now: datetime) -> Self:
        """Claimable, and of no learner who has as many running as one may have."""
        path = self.model.learner_path
        running = self.model._base_manager.filter(state=Work.State.RUNNING, lease_until__gt=now).order_by()
        counted = running.values(path).annotate(running=Count("pk"))
        return self.claimable(now).exclude(
            **{f"{path}__in": counted.filter(running__gte=settings.GRADING_RUNNING).values(path)}
        )

    def in_turn(self) -> Self:
        return self.order_by("turn", "created")

    def unsent(self, now: datetime, sent_before: datetime) -> Self:
        """Due and waiting, and not sent to the broker since `sent_before`; in turn."""
        queued = self.claimable(now).filter(state=Work.State.QUEUED)
        return queued.filter(Q(published__isnull=True) | Q(published__lt=sent_before)).in_turn()


WorkManager = models.Manager.from_queryset(WorkQuerySet)


class HandedInManager(WorkManager["Submission"]):
    """Submissions that count: no prechecks. The default one, so that who forgets of those does not count them."""

    def get_queryset(self) -> WorkQuerySet[Submission]:
        return WorkQuerySet[Submission](self.model, using=self._db).filter(precheck=False)


class Work(models.Model):
    """What one worker at a time may take, and what came of it. Its primary key is a submission's."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        FAULTED = "faulted"  # given up after repeated faults of ours; no verdict, never a zero
        REPLACED = "replaced"  # by a later attempt at the same exercise, before it was claimed; no verdict

    learner_path: ClassVar[str]  # from a row to whom it is of

    VERDICTS = [(status.value, status.value) for status in Status if status not in {Status.FAULT, Status.SKIPPED}]

    created = models.DateTimeField(auto_now_add=True)

    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    turn = models.PositiveBigIntegerField(
        default=0, db_default=0
    )  # the least is claimed first; services.py says how it is given
    owner = models.CharField(max_length=200, blank=True)
    fence = models.PositiveIntegerField(default=0)  # grows with each claim; a record must name the current one
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)  # claims so far
    not_before = models.DateTimeField(null=True, blank=True)  # of a queued one: a pause after a fault of ours
    published = models.DateTimeField(null=True, blank=True)  # when it was last handed to the broker, or tried to be
    fault = models.TextField(blank=True)  # the last fault of ours, for staff

    verdict = models.CharField(max_length=10, choices=VERDICTS, null=True, blank=True)  # noqa: DJ001 absent is not empty
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    max_points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    report = models.JSONField(null=True, blank=True)  # as `manage.py grade --json` prints it
    claimed = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    # What courses/services/account.py tells those who take their data away, and what it keeps back and why.
    exported: ClassVar = {
        "created": "When it was made.",
        "state": "queued, running, finished, faulted (our fault, no verdict) or replaced (by a later attempt).",
        "turn": "Its place in the queue.",
        "attempts": "How often it was taken to be graded.",
        "not_before": "Not graded before then, after a fault of ours.",
        "published": "When the graders were last told of it.",
        "verdict": "What came of it; null while nothing did.",
        "points": "Points it got.",
        "max_points": "Points there were.",
        "report": "The report, check by check, as it is shown with the verdict.",
        "claimed": "When grading began.",
        "finished": "When it ended.",
    }
    kept_back: ClassVar = {
        "owner": "Which process of the site graded it: not about you.",
        "fence": "Which claim of that process counts: not about you.",
        "lease_until": "How long that process had: not about you.",
        "fault": "What went wrong on the site's side, for those who run it.",
    }

    class Meta:
        abstract = True
        indexes = [models.Index(fields=["state", "turn", "created"]), models.Index(fields=["turn"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="finished", verdict__isnull=False, points__isnull=False, report__isnull=False)
                | (~Q(state="finished") & Q(verdict__isnull=True, points__isnull=True, report__isnull=True)),
                name="%(class)s_verdict_exactly_when_finished",
            ),
        ]


class Submission(Work):
    """One piece of source that a learner handed in, and what became of it on the CPU, which is its verdict.

    Or a precheck: run against the shown cases alone, on the same queue. It is no attempt, and counts nowhere.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="submissions")
    exercise_revision = models.ForeignKey(ExerciseRevision, on_delete=models.PROTECT, related_name="submissions")
    source = models.TextField()
    precheck = models.BooleanField(default=False, db_default=False)
    token = models.UUIDField(default=uuid.uuid4)  # of the form that sent it: a second press makes no second row
    seed = models.BigIntegerField()  # draws the hidden cases; kept so that it can be graded again alike
    origin = models.CharField(max_length=32, blank=True, db_default="")  # of a visitor's, while unfinished: origins.py

    learner_path = "learner"
    exported: ClassVar = Work.exported | {
        "id": "Name of the submission, as in its address.",
        "exercise_revision": "The exercise, and which revision of it.",
        "source": "Your code.",
        "token": "Of the form that sent it, so that a second press sends nothing twice.",
        "precheck": "Whether it was only run against the shown cases, and is no attempt.",
        "origin": "While a visitor's waits: a digest of the internet address it came from. Empty afterwards.",
    }
    kept_back: ClassVar = Work.kept_back | {"seed": "It draws the hidden cases."}
    objects = HandedInManager()
    runs: WorkManager[Submission] = WorkManager()  # all that workers run: prechecks too

    class Meta(Work.Meta):
        ordering = ["-created"]
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(fields=["learner", "token"], name="submission_once_per_form"),
        ]
        indexes = [
            *Work.Meta.indexes,
            models.Index(fields=["learner", "exercise_revision", "created"]),
            models.Index(fields=["learner", "turn"]),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"


class GpuGrading(Work):
    """The checks of a submission that need a GPU: they follow its verdict and never change it."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, primary_key=True, related_name="gpu")

    learner_path = "submission__learner"
    exported: ClassVar = Work.exported | {"submission": "The submission whose checks for a GPU these are."}
    objects: WorkManager[GpuGrading] = WorkManager()

    def __str__(self) -> str:
        return f"{self.pk} ({self.state})"


class Draft(models.Model):
    """What a learner is writing for one exercise, as it was last saved. Not handed in: nothing is run of it."""

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="drafts")
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="drafts")
    text = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=1)  # grows with each text; one is saved over the one it names only
    saved = models.DateTimeField()

    exported: ClassVar = {
        "id": "Number of the row.",
        "exercise": "The exercise.",
        "text": "Your text, as it was last saved.",
        "revision": "How often it was saved.",
        "saved": "When that was.",
    }

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "exercise"], name="draft_once_per_exercise")]

    def __str__(self) -> str:
        return f"{self.exercise}: draft {self.revision}"


class WorkerHeartbeat(models.Model):
    """The last sign of life of a worker process, and whether its sandbox works."""

    name = models.CharField(max_length=200, unique=True)
    seen = models.DateTimeField()
    grading = models.BooleanField(default=False)  # the sandbox's audit passed; of a GPU's, CUDA works in a session too
    on_gpu = models.BooleanField(default=False)  # whether it serves the queue of GPU checks, or the other one
    message = models.TextField(blank=True)  # what is missing, and how to allow it

    def __str__(self) -> str:
        return self.name
