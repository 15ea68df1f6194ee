"""What a learner missed, and put right since: by concept, and by the mistakes that the grader named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from courses.models import Answer, CourseRevision, Learner, LessonRevision
from courses.selectors import ITEM_BLOCKS, LessonProgress, lesson_blocks

MARKED = (Answer.Kind.QUIZ.value, Answer.Kind.MYTH.value, Answer.Kind.PAPER.value)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that verdicts named to the learner at one exercise. `passed_since` they last did."""

    title: str
    meaning_html: str
    lesson: str  # slug of the lesson to read again; with `section`, empty where the course no longer tells
    section: str
    exercise: str  # slug
    exercise_title: str
    times: int
    last_seen: datetime
    passed_since: bool


@dataclass(frozen=True, slots=True)
class Missed:
    """One thing that was missed: an item of the lesson, the `number`th of its kind, or a mistake at an exercise."""

    kind: str  # an Answer.Kind, or "mistake"
    url: str
    righted: bool  # since it was missed last
    number: int = 0
    mistake: Mistake | None = None


@dataclass(frozen=True, slots=True)
class Concept:
    """A part of a lesson, and what was missed of it. Each thing counts once, however often it was missed."""

    title: str
    url: str
    things: tuple[Missed, ...]

    @property
    def missed(self) -> int:
        return len(self.things)

    @property
    def righted(self) -> int:
        return sum(thing.righted for thing in self.things)

    @property
    def still_open(self) -> list[Missed]:
        return [thing for thing in self.things if not thing.righted]


def mistakes_seen(
    learner: Learner | None, course: CourseRevision, exercises: Mapping[str, Mapping[str, Any]]
) -> list[Mistake]:
    """What the grader named, the latest first. `exercises`: by slug, as lesson_page.exercise_entries gives them.

    Submissions belong to the grader, of which this app knows nothing: settings.EXERCISE_MISTAKES names the function.
    """
    seen = import_string(settings.EXERCISE_MISTAKES)(learner) if learner else []
    found = [
        _mistake(course, exercises[exercise], mistake, last_seen, times)
        for exercise, mistake, _first_seen, last_seen, times in seen
        if exercise in exercises
    ]
    return sorted(found, key=lambda each: each.last_seen, reverse=True)


def _mistake(
    course: CourseRevision, entry: Mapping[str, Any], mistake: str, last_seen: datetime, times: int
) -> Mistake:
    """A mistake that the course no longer describes keeps its id for a title."""
    told = course.data["mistakes"].get(mistake, {})
    passed = (entry["standing"] or {}).get("passed_last")
    return Mistake(
        title=told.get("title", mistake),
        meaning_html=told.get("meaning_html", ""),
        lesson=told.get("lesson", ""),
        section=told.get("section", ""),
        exercise=entry["slug"],
        exercise_title=entry["data"]["title"],
        times=times,
        last_seen=last_seen,
        passed_since=passed is not None and passed > last_seen,
    )


def weak_concepts(
    course: CourseRevision,
    lessons: Iterable[tuple[LessonRevision, LessonProgress]],
    mistakes: Iterable[Mistake],
) -> list[Concept]:
    """Parts of lessons of which anything was missed; those with most still open first, then in the lessons' order."""
    mistakes = list(mistakes)
    concepts = []
    for lesson, progress in lessons:
        address = reverse("lesson", args=[course.course.slug, lesson.slug])
        missed: dict[str, list[Missed]] = {}
        for section, thing in _missed_items(lesson, progress, address):
            missed.setdefault(section, []).append(thing)
        for mistake in mistakes:
            if mistake.lesson == lesson.slug:
                url = reverse("exercise", args=[mistake.exercise])
                thing = Missed("mistake", url, mistake.passed_since, mistake=mistake)
                missed.setdefault(mistake.section, []).append(thing)
        concepts += [
            Concept(block["title"], f"{address}#{block['id']}", tuple(missed[block["id"]]))
            for block in lesson.data["blocks"]
            if block["id"] in missed
        ]
    return sorted(concepts, key=lambda concept: -len(concept.still_open))


def _missed_items(lesson: LessonRevision, progress: LessonProgress, address: str) -> Iterator[tuple[str, Missed]]:
    """Every item that was ever answered wrongly, with the part of the lesson it is about: its own, if it names none."""
    for kind in MARKED:
        block_kind, key = ITEM_BLOCKS[kind]
        told = progress.items(kind)
        items = [(block, item) for block in lesson_blocks(lesson, block_kind) for item in block[key]]
        for number, (block, item) in enumerate(items, start=1):
            answered = told.get(item["id"])
            if answered and answered.missed:
                url = f"{address}#{kind}-{item['id']}"
                yield item.get("section") or block["id"], Missed(kind, url, bool(answered.last_correct), number)
