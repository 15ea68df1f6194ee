"""Courses as published, and what learners did with them.

A published revision never changes: the models refuse to update or delete one.
The package of files is the truth; `data` holds its compiled form (see
docs/package-format.md), HTML and numbers included, so that a page needs no
computation.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models


class RevisionImmutableError(Exception):
    """A published revision was about to be changed or deleted."""


class RevisionQuerySet(models.QuerySet[Any]):
    def update(self, **kwargs: Any) -> int:  # noqa: ARG002 Django's signature
        raise RevisionImmutableError("a published revision is never changed: publish a new one")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise RevisionImmutableError("a published revision is never deleted: retire it in the package")


class Revision(models.Model):
    """What the three kinds of revision share: a digest of their content, their data, immutability."""

    digest = models.CharField(max_length=64, db_index=True)
    data = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise RevisionImmutableError("a published revision is never changed: publish a new one")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:  # noqa: ARG002
        raise RevisionImmutableError("a published revision is never deleted: retire it in the package")


class Course(models.Model):
    uuid = models.UUIDField(unique=True)
    slug = models.SlugField(unique=True)
    current = models.ForeignKey("CourseRevision", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    # Of the files last published and the code that compiled them: where it is the same, there is nothing to do.
    source_digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return self.slug


class CourseRevision(Revision):
    """One published state of a whole course; names the lesson and exercise revisions it is made of."""

    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    lessons: models.ManyToManyField[LessonRevision, models.Model] = models.ManyToManyField(
        "LessonRevision", related_name="course_revisions"
    )
    exercises: models.ManyToManyField[ExerciseRevision, models.Model] = models.ManyToManyField(
        "ExerciseRevision", related_name="course_revisions"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "number"], name="course_revision_number_unique")]

    def __str__(self) -> str:
        return f"{self.course.slug} r{self.number}"


class LessonRevision(Revision):
    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="lesson_revisions")
    slug = models.SlugField()
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["course", "slug", "number"], name="lesson_revision_number_unique")
        ]

    def __str__(self) -> str:
        return f"{self.slug} r{self.number}"


class Exercise(models.Model):
    uuid = models.UUIDField(unique=True)
    slug = models.SlugField(unique=True)
    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="exercises")
    # Of what last passed the whole gate: exercise and known submissions.
    gate_digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return self.slug


class ExerciseRevision(Revision):
    exercise = models.ForeignKey(Exercise, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["exercise", "number"], name="exercise_revision_number_unique")]

    def __str__(self) -> str:
        return f"{self.exercise.slug} r{self.number}"


class Learner(models.Model):
    """Whoever learns: a visitor (no user yet) or a signed-in user. Keyed by a UUID kept in the session."""

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="learner"
    )
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.user) if self.user else f"visitor {self.uuid}"


class SectionDone(models.Model):
    """A learner marked a section of a lesson as done."""

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="sections_done")
    lesson = models.SlugField()
    section = models.SlugField()
    created = models.DateTimeField(auto_now_add=True)

    # `exported`, here and below: what services/account.py says of a field to those who take their data away.
    exported: ClassVar = {
        "id": "Number of the row.",
        "lesson": "The lesson.",
        "section": "The section of it.",
        "created": "When you marked it.",
    }

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["learner", "lesson", "section"], name="section_done_once_per_learner")
        ]

    def __str__(self) -> str:
        return f"{self.lesson}#{self.section}"


class ReadingPosition(models.Model):
    """Where a learner read last in a lesson: the block that was in view for some seconds."""

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="reading_positions")
    lesson = models.SlugField()
    block = models.SlugField()
    read = models.DateTimeField()

    merged_latest_by: ClassVar = "read"  # learner_claim: of two for one lesson the later one stays
    exported: ClassVar = {
        "id": "Number of the row.",
        "lesson": "The lesson.",
        "block": "The part of it that you read last.",
        "read": "When that was.",
    }

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "lesson"], name="reading_position_one_per_lesson")]

    def __str__(self) -> str:
        return f"{self.lesson}#{self.block}"


class Answer(models.Model):
    """One answer of a learner to a quiz, myth card, paper box or open question. Never changed: a retry is a new one."""

    class Kind(models.TextChoices):
        QUIZ = "quiz"
        MYTH = "myth"
        PAPER = "paper"
        QUESTION = "question"

    class Confidence(models.IntegerChoices):
        GUESS = 1, "a guess"
        FAIRLY_SURE = 2, "fairly sure"
        CERTAIN = 3, "certain"

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="answers")
    course_revision = models.ForeignKey(CourseRevision, on_delete=models.PROTECT, related_name="+")
    lesson = models.SlugField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    item = models.SlugField()
    response = models.JSONField()
    correct = models.BooleanField(null=True)  # null: not marked (open questions)
    confidence = models.PositiveSmallIntegerField(choices=Confidence.choices, null=True)  # null: not said
    created = models.DateTimeField(auto_now_add=True)

    exported: ClassVar = {
        "uuid": "Name of the row.",
        "course_revision": "The state of the course that you answered.",
        "lesson": "The lesson.",
        "kind": "What you answered: quiz, myth, paper (a box of work on paper) or question (an open one).",
        "item": "Which of them.",
        "response": "Your answer: the choice, the number, the order, true or false, or the text and its points.",
        "correct": "Whether it was right; null where nobody marks it.",
        "confidence": "How sure you said you were: 1 a guess, 2 fairly sure, 3 certain; null if you did not say.",
        "created": "When you answered.",
    }

    class Meta:
        indexes = [models.Index(fields=["learner", "lesson", "kind", "item"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.lesson}#{self.item}"


class ReviewLog(models.Model):
    """One review of one card, never deleted: one taken back is marked. The log is the truth, a schedule its replay."""

    class Source(models.TextChoices):
        """What a card is made of: one that the lesson wrote, or what the learner missed."""

        CARD = "card"
        QUIZ = "quiz"
        MYTH = "myth"
        MISTAKE = "mistake"

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="reviews")
    lesson = models.SlugField()
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.CARD, db_default="card")
    card = models.SlugField()  # id of the card, the quiz, the myth or the mistake
    rating = models.PositiveSmallIntegerField()  # FSRS: 1 again, 2 hard, 3 good, 4 easy
    reviewed = models.DateTimeField()
    undone = models.DateTimeField(null=True, blank=True)  # when it was taken back: a replay leaves it out

    exported: ClassVar = {
        "uuid": "Name of the row.",
        "lesson": "The lesson.",
        "source": "What the card was made of: card (one of the lesson's), or a quiz, myth or mistake that you missed.",
        "card": "Which card.",
        "rating": "How well you knew it: 1 again, 2 hard, 3 good, 4 easy.",
        "reviewed": "When that was.",
        "undone": "When you took it back; null if you did not.",
    }

    class Meta:
        indexes = [models.Index(fields=["learner", "card", "reviewed"])]

    def __str__(self) -> str:
        return f"{self.lesson}#{self.source}-{self.card}: {self.rating}"
