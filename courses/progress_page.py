"""What the course's page and the page of one's own progress print.

All of it is read with the same number of queries, however many learners and rows there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from courses.lesson_page import exercise_entries
from courses.models import Answer, CourseRevision, Learner, LessonRevision, ReadingPosition
from courses.practice import practised_month
from courses.selectors import (
    ITEM_BLOCKS,
    ItemProgress,
    LessonProgress,
    lesson_blocks,
    lessons_progress,
    reading_positions,
)
from courses.services.reviews import CardSchedule, Deck, deck_of
from courses.weaknesses import mistakes_seen, weak_concepts


@dataclass(frozen=True, slots=True)
class Count:
    """How much of one kind is done: sections, an Answer.Kind, exercises or points."""

    kind: str
    done: int | Decimal
    total: int | Decimal

    @property
    def percent(self) -> int:
        """In whole per cent, rounded down: 100 only when all is done."""
        return int(100 * self.done / self.total) if self.total else 0


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the course, with what the learner did there."""

    place: Mapping[str, Any]  # number, slug, title, summary_html, published
    lesson: LessonRevision | None = None
    progress: LessonProgress | None = None
    exercises: list[dict[str, Any]] = field(default_factory=list)
    due: list[CardSchedule] = field(default_factory=list)
    reading: Mapping[str, Any] | None = None  # the block that was read last

    @property
    def counts(self) -> dict[str, Count]:
        """By kind, in the order of the page; only kinds that the lesson has any of."""
        if self.lesson is None or self.progress is None:
            return {}
        points = [_points(entry) for entry in self.exercises]
        counts = [
            Count("sections", len(self.progress.sections_done), self.progress.sections_total),
            *(_count(kind, _items(self.lesson, self.progress, kind)) for kind in ITEM_BLOCKS),
            Count("exercises", sum(_passed(entry) for entry in self.exercises), len(self.exercises)),
            Count("points", _sum(got for got, _ in points), _sum(most for _, most in points)),
        ]
        return {count.kind: count for count in counts if count.total}

    @property
    def is_begun(self) -> bool:
        attempted = any(entry["standing"] for entry in self.exercises)
        return self.reading is not None or attempted or any(count.done for count in self.counts.values())


def course_context(learner: Learner | None, course: CourseRevision) -> dict[str, Any]:
    """The context of templates/courses/course.html."""
    deck = deck_of(learner, course)
    return {"course": course.data, "places": _places(learner, course, deck), **_known(learner, deck)}


def progress_context(learner: Learner | None, course: CourseRevision) -> dict[str, Any]:
    """The context of templates/courses/progress.html."""
    deck = deck_of(learner, course)
    places = [place for place in _places(learner, course, deck) if place.lesson]
    exercises = {entry["slug"]: entry for place in places for entry in place.exercises}
    mistakes = mistakes_seen(learner, course, exercises)
    lessons = [(place.lesson, place.progress) for place in places if place.lesson and place.progress]
    return {
        "course": course.data,
        "places": places,
        "concepts": weak_concepts(course, lessons, mistakes),
        "mistakes": mistakes,
        "deck": deck,
        "month": practised_month(learner),
        "is_begun": any(place.is_begun for place in places),
        **_known(learner, deck),
    }


def _known(learner: Learner | None, deck: Deck) -> dict[str, Any]:
    """What courses.context.site would read from the database again for the frame of the page."""
    return {"learner": learner, "reviews_due": len(deck.due)}


def _places(learner: Learner | None, course: CourseRevision, deck: Deck) -> list[Place]:
    """The places of the course in order. Those not published have their text and nothing else."""
    lessons = {lesson.slug: lesson for lesson in course.lessons.all()}
    progress = lessons_progress(learner, lessons.values())
    positions = reading_positions(learner)
    slugs = {slug: _exercise_slugs(lesson) for slug, lesson in lessons.items()}
    entries = exercise_entries(learner, [each for of in slugs.values() for each in of])
    exercises = {entry["slug"]: entry for entry in entries}
    places = []
    for place in course.data["places"]:
        lesson = lessons.get(place["slug"])
        if lesson is None:
            places.append(Place(place))
            continue
        own = [exercises[slug] for slug in slugs[lesson.slug] if slug in exercises]
        reading = _block_read(lesson, positions.get(lesson.slug))
        cards = [card for card in deck.due if card.lesson == lesson.slug]
        places.append(Place(place, lesson, progress[lesson.slug], own, cards, reading))
    return places


def _exercise_slugs(lesson: LessonRevision) -> list[str]:
    return [slug for block in lesson_blocks(lesson, "exercises") for slug in block["slugs"]]


def _block_read(lesson: LessonRevision, position: ReadingPosition | None) -> Mapping[str, Any] | None:
    """None too where that part has been taken out of the lesson since."""
    blocks = lesson.data["blocks"] if position else []
    return next((block for block in blocks if position and block["id"] == position.block), None)


def _items(lesson: LessonRevision, progress: LessonProgress, kind: str) -> Iterator[ItemProgress | None]:
    """What the learner did with each item of one kind."""
    block_kind, key = ITEM_BLOCKS[kind]
    told = progress.items(kind)
    return (told.get(item["id"]) for block in lesson_blocks(lesson, block_kind) for item in block[key])


def _count(kind: str, items: Iterable[ItemProgress | None]) -> Count:
    """A quiz or a box is done once it was right; a myth once it was guessed; a question once it was answered."""
    told = list(items)
    by_answering = kind in (Answer.Kind.MYTH, Answer.Kind.QUESTION)
    return Count(kind, sum(each is not None and (by_answering or bool(each.ever_correct)) for each in told), len(told))


def _passed(entry: Mapping[str, Any]) -> bool:
    return bool((entry["standing"] or {}).get("passed"))


def _sum(points: Iterable[Decimal]) -> Decimal:
    return sum(points, Decimal(0)).normalize()


def _points(entry: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    """Of one exercise: what the best attempt has, and what there is. An earlier revision may have had more."""
    most = Decimal(entry["data"]["max_points"])
    return min((entry["standing"] or {}).get("points") or Decimal(0), most), most
