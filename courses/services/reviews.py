"""Review cards: spaced repetition by FSRS. The log of reviews is the truth, a card's schedule is its replay.

What was missed and comes back as a card (courses/cards.py) has a history before its first review. A miss brings it back
the next day, on the same day where the learner had been sure; FSRS is told of it as of a card rated "again".
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import fsrs
from django.db import transaction
from django.utils import timezone

from courses.cards import Answered, Card, CardKey, Source, missed_cards, own_cards
from courses.days import day_of
from courses.errors import Refused, Unpublished
from courses.models import CourseRevision, Learner, LessonRevision, ReviewLog, SectionDone
from courses.selectors import course_current, lesson_blocks, lesson_current, lesson_sections
from courses.services.learners import learner_lock

# No fuzz: it is random, so that two replays of one log would disagree about when a card is due.
SCHEDULER = fsrs.Scheduler(
    desired_retention=0.9, learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)
RATINGS = {1: "again", 2: "hard", 3: "good", 4: "easy"}
AGAIN, GOOD = 1, 3
RETRY = timedelta(hours=8)  # who answers again before has just been told
UNDO_WITHIN = timedelta(hours=1)
MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """One thing that FSRS is told of a card: a review, or an answer to what it is made of."""

    at: datetime
    key: str  # orders what happened at the same moment, so that every replay is the same
    rating: int
    answer: bool = False
    sure: bool = False

    @property
    def missed(self) -> bool:
        return self.answer and self.rating == AGAIN


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to rate a card, and in how many days it would come back."""

    rating: int
    name: str
    days: int


@dataclass(frozen=True, slots=True)
class CardSchedule:
    """Where one card stands for one learner. `due` and `due_day` are None for a card without any event."""

    lesson: str
    source: str
    card: str
    item: Mapping[str, Any]  # as in courses.cards.Card
    section: str | None
    reviews: int
    due: datetime | None  # orders what is due
    due_day: date | None  # the learner's day on which it comes back
    is_due: bool
    token: uuid.UUID  # for the form that rates this card: a second press of it records nothing
    events: tuple[Event, ...] = ()
    now: datetime = field(default_factory=timezone.now)

    @property
    def key(self) -> CardKey:
        return CardKey(self.lesson, self.source, self.card)

    @property
    def choices(self) -> list[Choice]:
        """What each rating, given now, would lead to."""
        at = _not_before(self.events, self.now)
        card = replay(self.events)
        due = {
            rating: SCHEDULER.review_card(card, fsrs.Rating(rating), at.astimezone(UTC))[0].due for rating in RATINGS
        }
        return [Choice(rating, name, (due[rating] - at).days) for rating, name in RATINGS.items()]


@dataclass(frozen=True, slots=True)
class Unmet:
    """The cards that a lesson wrote and the learner has not met: how many, and in which block they are."""

    lesson: str
    title: str
    block: str
    number: int


@dataclass(frozen=True, slots=True)
class Deck:
    """All the cards of one learner in a course, as one day's review needs them."""

    due: tuple[CardSchedule, ...] = ()  # in the order of the review
    done: int = 0  # cards reviewed today that are not due any more
    next_day: date | None = None  # when the next card comes back, of those that are not due
    unmet: tuple[Unmet, ...] = ()
    last: ReviewLog | None = None  # the review that can be taken back
    last_due_day: date | None = None  # when its card comes back

    @property
    def begun(self) -> bool:
        """Whether there is anything to review, today or later."""
        return bool(self.due) or self.next_day is not None


def card_schedules(
    learner: Learner | None, lesson: LessonRevision, *, now: datetime | None = None
) -> list[CardSchedule]:
    """The cards that a lesson wrote, in its order, each with its schedule. A card never reviewed is due."""
    now = now or timezone.now()
    logs = {} if learner is None else _logs(learner, lesson=lesson.slug, source=Source.CARD)
    return [_schedule(card, logs.get(card.key, []), now) for card in own_cards(lesson)]


def deck_of(learner: Learner | None, course: CourseRevision, *, now: datetime | None = None) -> Deck:
    """What a learner reviews today: what comes back, the longest due first, then what is new.

    A lesson's own card is met when it is rated in its lesson, or when its section has been marked as done: nobody is
    asked what they have not read. A constant number of queries, however many cards and learners there are.
    """
    now = now or timezone.now()
    lessons = _in_order(course)
    logs: dict[CardKey, list[ReviewLog]] = _logs(learner) if learner else {}
    done = _sections_done(learner) if learner else {}
    missed = missed_cards(learner, course, lessons) if learner else []
    schedules: list[CardSchedule] = []
    unmet: list[Unmet] = []
    for lesson in lessons:
        own = [_schedule(card, logs.get(card.key, []), now) for card in own_cards(lesson)]
        met = [each for each in own if each.events or _is_read(each.section, lesson, done.get(lesson.slug, set()))]
        schedules += met
        if len(met) < len(own):
            block = lesson_blocks(lesson, "cards")[0]
            unmet.append(Unmet(lesson.slug, lesson.data["title"], block["id"], len(own) - len(met)))
    schedules += [_schedule(card, logs.get(card.key, []), now) for card in missed]
    last = _undoable((log for each in logs.values() for log in each), now)
    return Deck(
        due=tuple(_by_due(each for each in schedules if each.is_due)),
        done=sum(not each.is_due and _reviewed_on(each, day_of(now)) for each in schedules),
        next_day=min((each.due_day for each in schedules if each.due_day and not each.is_due), default=None),
        unmet=tuple(unmet),
        last=last,
        last_due_day=next((each.due_day for each in schedules if last and each.key == _key(last)), None),
    )


def due_count(learner: Learner | None, course: CourseRevision) -> int:
    """How many cards are due; nothing is asked of the database for a visitor who did nothing yet."""
    return len(deck_of(learner, course).due) if learner else 0


def review_record(
    *,
    learner: Learner,
    lesson: str,
    card: str,
    rating: int,
    token: uuid.UUID,
    source: str = Source.CARD.value,
    now: datetime | None = None,
) -> CardSchedule:
    """Record one review and return the card's new schedule; the same `token` again records nothing.

    Raises Unpublished for a card that the learner has not, Refused for a rating or a token that cannot be.
    """
    if rating not in RATINGS:
        raise Refused(f"A rating is 1 (again), 2 (hard), 3 (good) or 4 (easy), not {rating!r}.")
    found = _card(learner, CardKey(lesson, source, card))
    now = now or timezone.now()
    with transaction.atomic():
        learner_lock(learner)  # two presses at once: one after the other
        fields = {"learner": learner, "lesson": lesson, "source": source, "card": card}
        logs = list(ReviewLog.objects.filter(**fields))
        reviewed = _not_before(_history(logs, found.answered), now)
        log, created = ReviewLog.objects.get_or_create(
            uuid=token, defaults={**fields, "rating": rating, "reviewed": reviewed}
        )
        if created:
            logs.append(log)
        elif any(getattr(log, name) != value for name, value in fields.items()):
            raise Refused("This form belongs to another card: load the page again.")
    return _schedule(found, logs, now)


def review_undo(*, learner: Learner, review: uuid.UUID, now: datetime | None = None) -> bool:
    """Take back a review, if it is the learner's last one and not over an hour old; whether it is taken back.

    It stays in the log, marked, and every replay leaves it out. Once it is marked, the same again does nothing.
    """
    now = now or timezone.now()
    with transaction.atomic():
        learner_lock(learner)
        if ReviewLog.objects.filter(pk=review, learner=learner, undone__isnull=False).exists():
            return True
        last = _undoable(ReviewLog.objects.filter(learner=learner), now)
        if last is None or last.pk != review:
            return False
        last.undone = now
        last.save(update_fields=["undone"])
    return True


def _undoable(logs: Iterable[ReviewLog], now: datetime) -> ReviewLog | None:
    counted = (log for log in logs if log.undone is None)
    last = max(counted, key=lambda log: (log.reviewed, str(log.pk)), default=None)
    return last if last is not None and last.reviewed >= now - UNDO_WITHIN else None


def replay(events: Iterable[Event]) -> fsrs.Card:
    """The FSRS card that a history leads to."""
    card = fsrs.Card(card_id=0)
    for event in events:
        card, _ = SCHEDULER.review_card(card, fsrs.Rating(event.rating), event.at.astimezone(UTC))
    return card


def _history(logs: Iterable[ReviewLog], answered: Iterable[Answered]) -> list[Event]:
    """All that counts, in the order of time.

    Misses one after another are one, and a right answer counts only when some hours have gone by: before that it shows
    that one can read, as the right answer has just been told. Later it is a review passed, and the card learned once.
    """
    reviews = [Event(log.reviewed, str(log.pk), log.rating) for log in logs if log.undone is None]
    answers = [Event(each.at, "", GOOD if each.right else AGAIN, answer=True, sure=each.sure) for each in answered]
    history: list[Event] = []
    for event in sorted(reviews + answers):
        last = history[-1] if history else None
        if event.answer and last and event.at - last.at < RETRY and (last.missed or not event.missed):
            history[-1] = replace(last, sure=last.sure or event.sure)
        else:
            history.append(event)
    return history


def _not_before(events: Iterable[Event], now: datetime) -> datetime:
    """`now`, but always after the last event: a clock set back must not give FSRS a negative interval."""
    last = max((event.at for event in events), default=None)
    return now if last is None or now > last else last + MOMENT


def _schedule(card: Card, logs: list[ReviewLog], now: datetime) -> CardSchedule:
    events = _history(logs, card.answered)
    due = due_day = None
    if events:
        last = events[-1]
        interval = (replay(events).due - last.at.astimezone(UTC)).days
        days = timedelta(days=interval if not last.missed else 0 if last.sure else 1)
        # Whole days from the day of the last event: by hours, a night of 25 hours would have a card back a day early.
        due, due_day = last.at + days, day_of(last.at) + days
    return CardSchedule(
        lesson=card.key.lesson,
        source=card.key.source,
        card=card.key.id,
        item=card.item,
        section=card.section,
        reviews=sum(not event.answer for event in events),
        due=due,
        due_day=due_day,
        is_due=due_day is None or due_day <= day_of(now),
        token=uuid.uuid4(),
        events=tuple(events),
        now=now,
    )


def _by_due(schedules: Iterable[CardSchedule]) -> list[CardSchedule]:
    """What comes back, the longest due first, then what is new."""
    return sorted(schedules, key=lambda each: (each.due is None, each.due or datetime.max.replace(tzinfo=UTC)))


def _reviewed_on(schedule: CardSchedule, day: date) -> bool:
    return any(not event.answer and day_of(event.at) == day for event in schedule.events)


def _is_read(section: str | None, lesson: LessonRevision, done: set[str]) -> bool:
    """A card whose section cannot be marked as done is met with the lesson's first section."""
    return section in done if section in lesson_sections(lesson) else bool(done)


def _in_order(course: CourseRevision) -> list[LessonRevision]:
    lessons = {lesson.slug: lesson for lesson in course.lessons.all()}
    return [lessons[place["slug"]] for place in course.data["places"] if place["slug"] in lessons]


def _sections_done(learner: Learner) -> dict[str, set[str]]:
    done: dict[str, set[str]] = {}
    for lesson, section in SectionDone.objects.filter(learner=learner).values_list("lesson", "section"):
        done.setdefault(lesson, set()).add(section)
    return done


def _logs(learner: Learner, **of: str) -> dict[CardKey, list[ReviewLog]]:
    logs: dict[CardKey, list[ReviewLog]] = {}
    for log in ReviewLog.objects.filter(learner=learner, **of):
        logs.setdefault(_key(log), []).append(log)
    return logs


def _key(log: ReviewLog) -> CardKey:
    return CardKey(log.lesson, log.source, log.card)


def _card(learner: Learner, key: CardKey) -> Card:
    """A card that the learner has. Raises Unpublished."""
    lesson = lesson_current(key.lesson)
    if key.source == Source.CARD:
        cards = own_cards(lesson)
    else:
        course = course_current()
        cards = missed_cards(learner, course, [lesson]) if course else []
    found = next((card for card in cards if card.key == key), None)
    if found is None:
        raise Unpublished(f"lesson {key.lesson!r} has no {key.source} {key.id!r} to review")
    return found
