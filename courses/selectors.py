"""Reading what is published, and what one learner did with it. Nothing here writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from courses.errors import Unpublished
from courses.models import (
    Answer,
    Course,
    CourseRevision,
    ExerciseRevision,
    Learner,
    LessonRevision,
    ReadingPosition,
    SectionDone,
)

# The blocks of a lesson that hold items, and the kind of answer that an item takes.
ITEM_BLOCKS: dict[str, tuple[str, str]] = {
    Answer.Kind.QUIZ.value: ("quizzes", "items"),
    Answer.Kind.MYTH.value: ("myths", "items"),
    Answer.Kind.PAPER.value: ("paper", "boxes"),
    Answer.Kind.QUESTION.value: ("questions", "items"),
}


def course_current() -> CourseRevision | None:
    """The published state of the site's course (the first one published, should there be several)."""
    course = Course.objects.filter(current__isnull=False).select_related("current__course").order_by("pk").first()
    return course.current if course else None


def lesson_current(slug: str) -> LessonRevision:
    """The published revision of a lesson. Raises Unpublished."""
    course = course_current()
    found = course.lessons.filter(slug=slug).first() if course else None
    if found is None:
        raise Unpublished(f"the lesson {slug!r} is not published")
    return found


def exercise_current(slug: str) -> ExerciseRevision:
    """The published revision of an exercise. Raises Unpublished."""
    found = exercises_current([slug])
    if not found:
        raise Unpublished(f"the exercise {slug!r} is not published")
    return found[0]


def exercises_current(slugs: Iterable[str]) -> list[ExerciseRevision]:
    """The published revisions of several exercises, in the order asked for; unpublished ones are left out."""
    course = course_current()
    if course is None:
        return []
    wanted = list(slugs)
    found = course.exercises.filter(exercise__slug__in=wanted).select_related("exercise")
    by_slug = {revision.exercise.slug: revision for revision in found}
    return [by_slug[slug] for slug in wanted if slug in by_slug]


def lesson_blocks(lesson: LessonRevision, kind: str) -> list[dict[str, Any]]:
    """The blocks of one kind, in the order of the page."""
    return [block for block in lesson.data["blocks"] if block["kind"] == kind]


def lesson_items(lesson: LessonRevision, kind: str) -> dict[str, dict[str, Any]]:
    """All items of a lesson that take this kind of answer (an Answer.Kind), by id. Raises Unpublished."""
    if kind not in ITEM_BLOCKS:
        raise Unpublished(f"no kind of answer is called {kind!r}")
    block_kind, key = ITEM_BLOCKS[kind]
    return {item["id"]: item for block in lesson_blocks(lesson, block_kind) for item in block[key]}


def lesson_cards(lesson: LessonRevision) -> dict[str, dict[str, Any]]:
    """All review cards of a lesson, by id."""
    return {item["id"]: item for block in lesson_blocks(lesson, "cards") for item in block["items"]}


def lesson_sections(lesson: LessonRevision) -> list[str]:
    """Ids of the sections that a learner can mark as done, in order."""
    return [block["id"] for block in lesson_blocks(lesson, "section")]


@dataclass(frozen=True, slots=True)
class ItemProgress:
    """What one learner did with one item. `ever_correct` is None where answers are not marked."""

    attempts: int
    ever_correct: bool | None
    last_response: Any
    last_correct: bool | None
    last_confidence: int | None  # an Answer.Confidence; None: not said
    last_answered: datetime
    missed: int = 0  # wrong answers


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """One learner's progress in one lesson; empty for a visitor who has not done anything yet."""

    lesson: str
    sections_done: frozenset[str] = frozenset()
    sections_total: int = 0
    quizzes: Mapping[str, ItemProgress] = field(default_factory=dict)
    myths: Mapping[str, ItemProgress] = field(default_factory=dict)
    papers: Mapping[str, ItemProgress] = field(default_factory=dict)
    questions: Mapping[str, ItemProgress] = field(default_factory=dict)

    @property
    def percent(self) -> int:
        """Sections done, in whole per cent, rounded down: 100 only when all are done."""
        return 100 * len(self.sections_done) // self.sections_total if self.sections_total else 0

    def items(self, kind: str) -> Mapping[str, ItemProgress]:
        """What was done with the items of one Answer.Kind, by their ids."""
        return {
            Answer.Kind.QUIZ.value: self.quizzes,
            Answer.Kind.MYTH.value: self.myths,
            Answer.Kind.PAPER.value: self.papers,
            Answer.Kind.QUESTION.value: self.questions,
        }[kind]


def lesson_progress(learner: Learner | None, lesson: LessonRevision) -> LessonProgress:
    """What `learner` did in `lesson`; of sections, only those that are still in it."""
    return lessons_progress(learner, [lesson])[lesson.slug]


def lessons_progress(learner: Learner | None, lessons: Iterable[LessonRevision]) -> dict[str, LessonProgress]:
    """The same of several lessons, by slug, with two queries however many there are."""
    by_slug = {lesson.slug: lesson for lesson in lessons}
    marks: dict[str, set[str]] = {slug: set() for slug in by_slug}
    answers: dict[str, list[Answer]] = {slug: [] for slug in by_slug}
    if learner is not None and by_slug:
        done = SectionDone.objects.filter(learner=learner, lesson__in=by_slug)
        for slug, section in done.values_list("lesson", "section"):
            marks[slug].add(section)
        for answer in Answer.objects.filter(learner=learner, lesson__in=by_slug):
            answers[answer.lesson].append(answer)
    return {slug: _progress(lesson, marks[slug], answers[slug]) for slug, lesson in by_slug.items()}


def _progress(lesson: LessonRevision, marks: set[str], given: list[Answer]) -> LessonProgress:
    sections = lesson_sections(lesson)
    answers = _items_progress(given)
    return LessonProgress(
        lesson=lesson.slug,
        sections_done=frozenset(marks & {*sections}),
        sections_total=len(sections),
        quizzes=answers[Answer.Kind.QUIZ],
        myths=answers[Answer.Kind.MYTH],
        papers=answers[Answer.Kind.PAPER],
        questions=answers[Answer.Kind.QUESTION],
    )


def reading_positions(learner: Learner | None) -> dict[str, ReadingPosition]:
    """Where a learner read last, by lesson."""
    if learner is None:
        return {}
    return {position.lesson: position for position in ReadingPosition.objects.filter(learner=learner)}


def _items_progress(answers: Iterable[Answer]) -> dict[str, dict[str, ItemProgress]]:
    progress: dict[str, dict[str, ItemProgress]] = {kind: {} for kind in Answer.Kind}
    for answer in sorted(answers, key=lambda each: each.created):
        before = progress[answer.kind].get(answer.item)
        earlier = before.ever_correct if before else None
        progress[answer.kind][answer.item] = ItemProgress(
            attempts=(before.attempts if before else 0) + 1,
            ever_correct=None if answer.correct is None else bool(earlier) or answer.correct,
            last_response=answer.response,
            last_correct=answer.correct,
            last_confidence=answer.confidence,
            last_answered=answer.created,
            missed=(before.missed if before else 0) + (answer.correct is False),
        )
    return progress
