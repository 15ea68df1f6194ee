"""What was missed comes back as a card, derived from what is kept anyway: nothing is written for it."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory

from courses.cards import Source
from courses.errors import Unpublished
from courses.models import Answer, Course, CourseRevision, ExerciseRevision, Learner, LessonRevision, ReviewLog
from courses.services.learners import SESSION_KEY, learner_claim
from courses.services.reviews import CardSchedule, deck_of, review_record
from grader.models import Submission

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
QUIZ, MYTH = ("quiz", "one-plus-one"), ("myth", "order-matters")


@pytest.fixture
def learner(published: CourseRevision) -> Learner:
    return Learner.objects.create()


def answered(
    learner: Learner, of: tuple[str, str], right: bool, at: datetime = NOON, confidence: int | None = None
) -> None:
    row = Answer.objects.create(
        learner=learner,
        course_revision=CourseRevision.objects.latest("number"),
        lesson="sums",
        kind=of[0],
        item=of[1],
        response="three",
        correct=right,
        confidence=confidence,
    )
    Answer.objects.filter(pk=row.pk).update(created=at)


def handed_in(learner: Learner, *mistakes: str, at: datetime = NOON) -> None:
    """A submission whose verdict named these mistakes."""
    row = Submission.objects.create(
        learner=learner,
        exercise_revision=ExerciseRevision.objects.latest("number"),
        source="x",
        seed=1,
        state="finished",
        verdict="failed",
        points=Decimal(0),
        max_points=Decimal(2),
        report={"mistakes": list(mistakes), "checks": [{"id": each, "mistakes": [each]} for each in mistakes]},
    )
    Submission.objects.filter(pk=row.pk).update(created=at)


def course() -> CourseRevision:
    current = Course.objects.get().current
    assert current
    return current


def due(learner: Learner, now: datetime) -> list[tuple[str, str]]:
    return [(card.source, card.card) for card in deck_of(learner, course(), now=now).due]


def only(learner: Learner, now: datetime) -> CardSchedule:
    (card,) = deck_of(learner, course(), now=now).due
    return card


@pytest.mark.parametrize("of", [QUIZ, MYTH])
def test_what_was_missed_is_due_the_next_day(learner: Learner, of: tuple[str, str]) -> None:
    answered(learner, of, False)
    today = deck_of(learner, course(), now=NOON + MINUTE)
    assert (today.due, today.next_day) == ((), date(2026, 3, 11))
    assert due(learner, datetime(2026, 3, 11, 3, 59, tzinfo=UTC)) == []
    assert due(learner, datetime(2026, 3, 11, 4, 0, tzinfo=UTC)) == [of]
    assert only(learner, NOON + DAY).reviews == 0


@pytest.mark.parametrize(("confidence", "days"), [(None, 1), (1, 1), (2, 0), (3, 0)])
def test_what_one_was_sure_of_and_missed_is_due_the_same_day(
    learner: Learner, confidence: int | None, days: int
) -> None:
    answered(learner, QUIZ, False, confidence=confidence)
    deck = deck_of(learner, course(), now=NOON + MINUTE)
    assert [card.due_day for card in deck.due] == [date(2026, 3, 10)] * (1 - days)
    assert deck.next_day == (None if days == 0 else date(2026, 3, 11))


def test_the_misses_one_was_sure_of_come_first(learner: Learner) -> None:
    answered(learner, QUIZ, False)
    answered(learner, MYTH, False, NOON + HOUR, confidence=3)
    assert due(learner, NOON + DAY) == [MYTH, QUIZ]


def test_what_was_always_right_is_no_card(learner: Learner) -> None:
    answered(learner, QUIZ, True)
    answered(learner, MYTH, True, confidence=1)
    assert not deck_of(learner, course(), now=NOON + 9 * DAY).begun


def test_a_retry_shows_nothing_and_a_right_answer_another_day_is_a_review_passed(learner: Learner) -> None:
    answered(learner, QUIZ, False)
    answered(learner, QUIZ, True, NOON + MINUTE)
    assert due(learner, NOON + DAY) == [QUIZ]  # it had just been told
    answered(learner, QUIZ, True, NOON + DAY)
    deck = deck_of(learner, course(), now=NOON + DAY + MINUTE)
    assert (deck.due, deck.next_day) == ((), date(2026, 3, 13))


def test_misses_one_after_another_are_one(learner: Learner) -> None:
    other = Learner.objects.create()
    answered(learner, QUIZ, False)
    answered(other, QUIZ, False)
    for minutes in range(1, 5):
        answered(other, QUIZ, False, NOON + minutes * MINUTE, confidence=3 if minutes == 2 else None)
    assert due(other, NOON + HOUR) == [QUIZ]  # of one of them the learner had been sure
    assert only(other, NOON + DAY).choices == only(learner, NOON + DAY).choices


def test_a_miss_after_reviews_brings_the_card_back(learner: Learner) -> None:
    answered(learner, QUIZ, False)
    for days in (1, 3, 8):
        rate(learner, *QUIZ, rating=4, now=NOON + days * DAY)
    last = NOON + 8 * DAY + HOUR
    assert due(learner, last + 3 * DAY) == []
    answered(learner, QUIZ, False, last + HOUR)
    assert due(learner, last + DAY) == [QUIZ]


def test_a_card_that_is_due_again_is_not_done(learner: Learner) -> None:
    answered(learner, QUIZ, False, confidence=3)
    rate(learner, *QUIZ, now=NOON + MINUTE)
    answered(learner, QUIZ, False, NOON + HOUR, confidence=3)
    deck = deck_of(learner, course(), now=NOON + 2 * HOUR)
    assert (len(deck.due), deck.done) == (1, 0)


def rate(learner: Learner, source: str, card: str, rating: int = 3, now: datetime = NOON) -> CardSchedule:
    return review_record(
        learner=learner, lesson="sums", source=source, card=card, rating=rating, token=uuid.uuid4(), now=now
    )


def test_a_review_of_what_was_missed_is_kept_under_its_source(learner: Learner) -> None:
    answered(learner, QUIZ, False, confidence=3)
    rated = rate(learner, *QUIZ, now=NOON + MINUTE)
    assert (rated.is_due, rated.reviews) == (False, 1)
    log = ReviewLog.objects.get()
    assert (log.source, log.card) == QUIZ
    assert due(learner, NOON + HOUR) == []


def test_nobody_rates_a_card_that_they_have_not(learner: Learner) -> None:
    answered(Learner.objects.create(), QUIZ, False)
    handed_in(learner, "no-scale")
    for source, card in (QUIZ, MYTH, ("mistake", "other"), ("paper", "half"), ("quiz", "nothing")):
        with pytest.raises(Unpublished):
            rate(learner, source, card)
    assert not ReviewLog.objects.exists()


def test_a_mistake_that_a_verdict_named_comes_back_with_the_courses_own_words(learner: Learner) -> None:
    handed_in(learner, "no-scale", "unheard-of")
    assert due(learner, NOON + HOUR) == []
    card = only(learner, NOON + DAY)
    assert (card.lesson, card.source, card.card, card.section) == ("sums", "mistake", "no-scale", "adding")
    assert (card.item["title"], card.item["exercise"]) == ("Not doubled", "double")
    assert card.item["exercise_title"] == ExerciseRevision.objects.get().data["title"]


def test_a_mistake_made_again_brings_the_card_back(learner: Learner) -> None:
    handed_in(learner, "no-scale")
    rate(learner, "mistake", "no-scale", 4, NOON + DAY)
    handed_in(learner, "no-scale", at=NOON + 2 * DAY)
    assert due(learner, NOON + 3 * DAY) == [("mistake", "no-scale")]


def test_cards_whose_source_is_gone_are_left_out(learner: Learner) -> None:
    answered(learner, QUIZ, False)
    answered(learner, ("quiz", "taken-out"), False)
    answered(learner, MYTH, False)
    handed_in(learner, "no-scale")
    now = NOON + DAY
    assert set(due(learner, now)) == {QUIZ, MYTH, ("mistake", "no-scale")}
    old = course()
    bare = {**old.data, "mistakes": {}}
    lesson = old.lessons.get()
    blocks = [block for block in lesson.data["blocks"] if block["kind"] != "myths"]
    anew = LessonRevision.objects.create(
        course=old.course, slug="sums", number=2, digest="2", data={**lesson.data, "blocks": blocks}
    )
    revision = CourseRevision.objects.create(course=old.course, number=2, digest="2", data=bare)
    revision.lessons.add(anew)
    Course.objects.update(current=revision)
    assert due(learner, now) == [QUIZ]


def test_a_mistake_of_an_exercise_that_is_gone_is_left_out(learner: Learner) -> None:
    handed_in(learner, "no-scale")
    course().exercises.clear()
    assert due(learner, NOON + DAY) == []


def test_each_learner_has_their_own(learner: Learner) -> None:
    other = Learner.objects.create()
    answered(other, QUIZ, False)
    handed_in(other, "no-scale")
    assert due(learner, NOON + DAY) == []


def test_signing_in_brings_what_the_visitor_missed_along(learner: Learner) -> None:
    """Its reviews too: rows move as they are, and cards follow from them."""
    visitor = Learner.objects.create()
    answered(learner, QUIZ, False, NOON)
    answered(visitor, QUIZ, False, NOON + MINUTE)
    answered(visitor, MYTH, False, NOON)
    handed_in(visitor, "no-scale")
    rate(visitor, *MYTH, rating=4, now=NOON + DAY)
    user = User.objects.create_user("ada")
    Learner.objects.filter(pk=learner.pk).update(user=user)
    request = RequestFactory().get("/")
    request.session = SessionStore()
    request.session[SESSION_KEY] = str(visitor.pk)
    assert learner_claim(request, user) == learner
    assert due(learner, NOON + DAY + HOUR) == [QUIZ, ("mistake", "no-scale")]


def test_the_queries_are_always_as_many(learner: Learner, django_assert_num_queries: Any) -> None:
    for number in range(12):
        answered(learner, QUIZ, False, NOON + number * DAY)
        handed_in(learner, "no-scale", "unheard-of", at=NOON + number * DAY)
        handed_in(Learner.objects.create(), "no-scale")
        rate(learner, *QUIZ, now=NOON + number * DAY + HOUR)
    current = course()
    with django_assert_num_queries(7):  # two more: what told the mistakes apart, and titles of their exercises
        assert len(deck_of(learner, current, now=NOON + 50 * DAY).due) == 2


def test_steps_to_be_ordered_come_back_in_the_right_order(learner: Learner) -> None:
    answered(learner, ("quiz", "adding-in-order"), False)
    steps = only(learner, NOON + DAY).item["in_order"]
    assert [step["id"] for step in steps] == ["read", "count", "write"]


def test_sources_are_kinds_of_answers() -> None:
    assert {Source.QUIZ, Source.MYTH} <= {*Answer.Kind.values}
