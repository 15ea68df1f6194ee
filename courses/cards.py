"""What a learner can review: the cards that lessons wrote, and what the learner missed, which comes back as a card.

A card of the second sort is stored nowhere. It is there from the first miss on, because rows that are kept anyway say
so: answers to quizzes and myths, and verdicts that named a mistake. Its text is the published lesson's or the course's,
so a card whose quiz, myth or mistake is gone is gone too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string

from courses.models import Answer, CourseRevision, Learner, LessonRevision, ReviewLog
from courses.selectors import lesson_cards, lesson_items

Source = ReviewLog.Source
SOURCES = {Answer.Kind.QUIZ.value: Source.QUIZ.value, Answer.Kind.MYTH.value: Source.MYTH.value}


class CardKey(NamedTuple):
    """Which card: the same for ever, whatever becomes of its text."""

    lesson: str
    source: str
    id: str


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to what a card is made of, from the first miss on. A verdict that names a mistake is a wrong one."""

    at: datetime
    right: bool = False
    sure: bool = False  # wrong, though the learner had said to be fairly sure of it, or certain


@dataclass(frozen=True, slots=True)
class Card:
    """`item` is the card, quiz or myth as the lesson has it compiled; of a mistake what the course tells of it, with
    "exercise" and "exercise_title" of where it was named last."""

    key: CardKey
    item: Mapping[str, Any]
    answered: tuple[Answered, ...] = ()

    @property
    def section(self) -> str | None:
        """The section that explains it."""
        return self.item.get("section") or None


def own_cards(lesson: LessonRevision) -> list[Card]:
    """The cards that a lesson wrote, in its order."""
    return [Card(CardKey(lesson.slug, Source.CARD.value, each), item) for each, item in lesson_cards(lesson).items()]


def missed_cards(learner: Learner, course: CourseRevision, lessons: Iterable[LessonRevision]) -> list[Card]:
    """What a learner missed in the course's `lessons`; a constant number of queries."""
    by_slug = {lesson.slug: lesson for lesson in lessons}
    return [*_missed_items(learner, by_slug), *_mistakes_made(learner, course, by_slug)]


def _missed_items(learner: Learner, lessons: Mapping[str, LessonRevision]) -> Iterable[Card]:
    answers: dict[CardKey, list[Answered]] = {}
    rows = Answer.objects.filter(learner=learner, lesson__in=lessons, kind__in=SOURCES, correct__isnull=False)
    fields = ("lesson", "kind", "item", "created", "correct", "confidence")
    for lesson, kind, item, created, right, confidence in rows.order_by("created", "pk").values_list(*fields):
        given = answers.setdefault(CardKey(lesson, SOURCES[kind], item), [])
        sure = not right and (confidence or 0) >= Answer.Confidence.FAIRLY_SURE
        if given or not right:  # what was right from the beginning is no card
            given.append(Answered(created, right, sure))
    kinds = {source: kind for kind, source in SOURCES.items()}
    for key, given in answers.items():
        found = lesson_items(lessons[key.lesson], kinds[key.source]).get(key.id)
        if found is not None and given:
            yield Card(key, _with_answer(found), tuple(given))


def _with_answer(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Steps to be put in order also `in_order`; all other answers stand in the item as they are printed."""
    if "order" not in item:
        return item
    steps = {step["id"]: step for step in item["steps"]}
    return {**item, "in_order": [steps[each] for each in item["order"]]}


def _mistakes_made(learner: Learner, course: CourseRevision, lessons: Mapping[str, LessonRevision]) -> Iterable[Card]:
    """One card a mistake, in whichever exercises it was made.

    Submissions belong to the grader, of which this app knows nothing: settings.EXERCISE_MISTAKES names the function.
    """
    made: list[tuple[str, str, datetime, datetime, int]] = import_string(settings.EXERCISE_MISTAKES)(learner)
    if not made:
        return
    published = course.exercises.filter(exercise__slug__in={exercise for exercise, *_ in made})
    titles = dict(published.values_list("exercise__slug", "data__title"))
    named: dict[str, list[tuple[datetime, str]]] = {}
    for exercise, mistake, first, last, _ in made:
        if exercise in titles:
            named.setdefault(mistake, []).extend((at, exercise) for at in {first, last})
    for mistake, times in named.items():
        told = course.data["mistakes"].get(mistake)
        if told is not None and told["lesson"] in lessons:
            times.sort()
            _, exercise = times[-1]
            item = {**told, "exercise": exercise, "exercise_title": titles[exercise]}
            key = CardKey(told["lesson"], Source.MISTAKE.value, mistake)
            yield Card(key, item, tuple(Answered(at) for at, _ in times))
