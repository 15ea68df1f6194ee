"""Review cards: spaced repetition by FSRS. The log of reviews is the truth, a card's schedule is its replay."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone
from fsrs import Card, Rating, Scheduler

from courses.errors import Refused, Unpublished
from courses.models import Learner, LessonRevision, ReviewLog
from courses.selectors import lesson_cards, lesson_current
from courses.services.learners import learner_lock

# No fuzz: it is random, so that two replays of one log would disagree about when a card is due.
SCHEDULER = Scheduler(
    desired_retention=0.9, learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)
ROLLOVER = timedelta(hours=4)  # a day of reviews ends at 04:00, not while one is still up
RATINGS = {1: "again", 2: "hard", 3: "good", 4: "easy"}


@dataclass(frozen=True, slots=True)
class CardSchedule:
    """Where one card of a lesson stands for one learner. `due` is None for a card never reviewed."""

    lesson: str
    card: str
    front_html: str
    back_html: str
    section: str | None
    reviews: int
    due: datetime | None
    is_due: bool
    token: uuid.UUID  # for the form that rates this card: a second press of it records nothing


def card_schedules(
    learner: Learner | None, lesson: LessonRevision, *, now: datetime | None = None
) -> list[CardSchedule]:
    """All cards of a lesson in its order, each with its schedule. A card never reviewed is due."""
    now = now or timezone.now()
    logs: dict[str, list[ReviewLog]] = {}
    if learner is not None:
        for log in ReviewLog.objects.filter(learner=learner, lesson=lesson.slug):
            logs.setdefault(log.card, []).append(log)
    return [_schedule(lesson.slug, item, logs.get(item["id"], []), now) for item in lesson_cards(lesson).values()]


def cards_due(learner: Learner | None, lesson: LessonRevision, *, now: datetime | None = None) -> list[CardSchedule]:
    """The cards to review today: those longest due first, then those never seen."""
    due = [each for each in card_schedules(learner, lesson, now=now) if each.is_due]
    return sorted(due, key=lambda each: (each.due is None, each.due or datetime.max.replace(tzinfo=UTC)))


def review_record(
    *, learner: Learner, lesson: str, card: str, rating: int, token: uuid.UUID, now: datetime | None = None
) -> CardSchedule:
    """Record one review and return the card's new schedule; the same `token` again records nothing.

    Raises Unpublished for a card that is not in the lesson, Refused for a rating or a token that cannot be.
    """
    revision = lesson_current(lesson)
    item = lesson_cards(revision).get(card)
    if item is None:
        raise Unpublished(f"lesson {lesson!r} has no card {card!r}")
    if rating not in RATINGS:
        raise Refused(f"A rating is 1 (again), 2 (hard), 3 (good) or 4 (easy), not {rating!r}.")
    now = now or timezone.now()
    with transaction.atomic():
        learner_lock(learner)  # two presses at once: one after the other
        logs = list(ReviewLog.objects.filter(learner=learner, lesson=lesson, card=card))
        fields = {"learner": learner, "lesson": lesson, "card": card}
        log, created = ReviewLog.objects.get_or_create(
            uuid=token, defaults={**fields, "rating": rating, "reviewed": _not_before(logs, now)}
        )
        if created:
            logs.append(log)
        elif any(getattr(log, name) != value for name, value in fields.items()):
            raise Refused("This form belongs to another card: load the page again.")
    return _schedule(lesson, item, logs, now)


def _not_before(logs: Iterable[ReviewLog], now: datetime) -> datetime:
    """`now`, but always after the last review: a clock set back must not give FSRS a negative interval."""
    last = max((log.reviewed for log in logs), default=None)
    return now if last is None or now > last else last + timedelta(microseconds=1)


def replay(logs: Iterable[ReviewLog]) -> Card:
    """The FSRS card that a log of reviews (of one card, in any order) leads to."""
    card = Card(card_id=0)
    for log in sorted(logs, key=lambda each: (each.reviewed, each.uuid)):
        card, _ = SCHEDULER.review_card(card, Rating(log.rating), log.reviewed.astimezone(UTC))
    return card


def _schedule(lesson: str, item: dict[str, str], logs: list[ReviewLog], now: datetime) -> CardSchedule:
    due = replay(logs).due if logs else None
    return CardSchedule(
        lesson=lesson,
        card=item["id"],
        front_html=item["front_html"],
        back_html=item["back_html"],
        section=item.get("section"),
        reviews=len(logs),
        due=due,
        is_due=due is None or _day(due) <= _day(now),
        token=uuid.uuid4(),
    )


def _day(moment: datetime) -> datetime:
    """The start of the local calendar day that `moment` counts for."""
    local = timezone.localtime(moment) - ROLLOVER
    return local.replace(hour=0, minute=0, second=0, microsecond=0)
