"""Review cards come back when FSRS says; the log is the truth, and a second press of a form records nothing."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory
from django.utils import timezone

from courses.errors import Refused, Unpublished
from courses.models import CourseRevision, Learner, ReviewLog
from courses.selectors import lesson_current
from courses.services.learners import SESSION_KEY, learner_claim
from courses.services.progress import section_mark
from courses.services.reviews import (
    RATINGS,
    CardSchedule,
    Deck,
    card_schedules,
    deck_of,
    review_record,
    review_undo,
)

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def learner(published: CourseRevision) -> Learner:
    return Learner.objects.create()


def rate(learner: Learner, rating: int, now: datetime = NOON, token: uuid.UUID | None = None) -> CardSchedule:
    return review_record(
        learner=learner, lesson="sums", card="sum-card", rating=rating, token=token or uuid.uuid4(), now=now
    )


@pytest.mark.parametrize(("rating", "days"), [(1, 1), (2, 1), (3, 2), (4, 8)])
def test_first_intervals(learner: Learner, rating: int, days: int) -> None:
    assert rate(learner, rating).due == NOON + timedelta(days=days)


def test_a_visitor_has_every_card_due(published: CourseRevision) -> None:
    schedules = card_schedules(None, lesson_current("sums"))
    assert [(each.card, each.is_due, each.due) for each in schedules] == [
        ("sum-card", True, None),
        ("zero-card", True, None),
    ]
    assert schedules[0].item["back_html"] == "<p>What you get by adding.</p>\n"


def test_a_second_press_does_not_advance(learner: Learner) -> None:
    token = uuid.uuid4()
    first = rate(learner, 3, token=token)
    again = rate(learner, 4, NOON + timedelta(seconds=1), token=token)
    assert again.due == first.due
    assert (again.reviews, ReviewLog.objects.get().rating) == (1, 3)


def test_a_token_is_for_one_card_of_one_learner(learner: Learner) -> None:
    token = uuid.uuid4()
    rate(learner, 3, token=token)
    with pytest.raises(Refused):
        rate(Learner.objects.create(), 3, token=token)
    with pytest.raises(Refused):
        review_record(learner=learner, lesson="sums", card="zero-card", rating=3, token=token, now=NOON)
    assert ReviewLog.objects.count() == 1


def test_a_clock_that_goes_back_is_held_at_the_last_review(learner: Learner) -> None:
    rate(learner, 3)
    rate(learner, 3, NOON - timedelta(days=30))
    first, second = ReviewLog.objects.order_by("reviewed")
    assert first.reviewed < second.reviewed < first.reviewed + timedelta(seconds=1)


def test_the_schedule_is_the_replay_of_the_log(learner: Learner) -> None:
    for days, rating in ((0, 3), (2, 3), (9, 1), (10, 4)):
        last = rate(learner, rating, NOON + timedelta(days=days))
    for _ in range(5):
        (schedule, _other) = card_schedules(learner, lesson_current("sums"), now=NOON)
        assert schedule.due == last.due
    assert schedule.reviews == 4
    assert last.due is not None
    assert last.due - (NOON + timedelta(days=10)) > timedelta(days=1)


def deck(learner: Learner | None, now: datetime = NOON) -> Deck:
    return deck_of(learner, CourseRevision.objects.get(), now=now)


def due_at(learner: Learner, moment: datetime) -> list[str]:
    return [each.card for each in deck(learner, moment).due]


def test_a_card_is_due_from_four_in_the_morning_of_its_day(learner: Learner) -> None:
    rate(learner, 3, datetime(2026, 3, 10, 23, tzinfo=UTC))  # due on the 12th at 23:00
    assert due_at(learner, datetime(2026, 3, 12, 3, 59, tzinfo=UTC)) == []
    assert due_at(learner, datetime(2026, 3, 12, 4, 0, tzinfo=UTC)) == ["sum-card"]


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("rated", "early", "due"),
    [
        # The hour from 2 to 3 comes twice on the 25th, and not at all on the 29th: still one day, never two or none.
        (datetime(2026, 10, 24, 4, 30, tzinfo=BERLIN), (2026, 10, 25, 3, 59), (2026, 10, 25, 4, 0)),
        (datetime(2026, 10, 24, 3, 30, tzinfo=BERLIN), (2026, 10, 24, 3, 59), (2026, 10, 24, 4, 0)),
        (datetime(2026, 3, 28, 3, 30, tzinfo=BERLIN), (2026, 3, 28, 3, 59), (2026, 3, 28, 4, 0)),
        (datetime(2026, 3, 28, 23, 30, tzinfo=BERLIN), (2026, 3, 29, 3, 59), (2026, 3, 29, 4, 0)),
    ],
)
def test_a_day_is_the_learners_own_also_where_the_clock_is_set(
    learner: Learner, rated: datetime, early: tuple[int, ...], due: tuple[int, ...]
) -> None:
    with timezone.override(BERLIN):
        assert rate(learner, 1, rated).due_day == date(*due[:3])
        assert due_at(learner, datetime(*early, tzinfo=BERLIN)) == []  # type: ignore[misc, arg-type]
        assert due_at(learner, datetime(*due, tzinfo=BERLIN)) == ["sum-card"]  # type: ignore[misc, arg-type]


def test_the_same_moment_is_another_day_elsewhere(learner: Learner) -> None:
    rate(learner, 1, datetime(2026, 3, 10, 18, tzinfo=UTC))
    moment = datetime(2026, 3, 10, 19, 30, tzinfo=UTC)  # in Auckland half past eight in the morning of the 11th
    assert due_at(learner, moment) == []
    with timezone.override(ZoneInfo("Pacific/Auckland")):
        assert deck(learner, moment).next_day == date(2026, 3, 12)
    with timezone.override(ZoneInfo("America/Los_Angeles")):
        assert deck(learner, moment).next_day == date(2026, 3, 11)


def test_each_rating_tells_when_the_card_would_come_back(learner: Learner) -> None:
    (schedule, _) = card_schedules(learner, lesson_current("sums"), now=NOON)
    assert [(each.name, each.days) for each in schedule.choices] == [
        ("again", 1),
        ("hard", 1),
        ("good", 2),
        ("easy", 8),
    ]
    rate(learner, 3)
    later = NOON + timedelta(days=2)
    for rating in RATINGS:
        (schedule, _) = card_schedules(learner, lesson_current("sums"), now=later)
        said = schedule.choices[rating - 1].days
        rated = rate(learner, rating, later)
        assert rated.due_day == (later + timedelta(days=said)).date()
        assert rated.due is not None
        assert review_undo(learner=learner, review=ReviewLog.objects.latest("reviewed").pk, now=later)


def test_the_lessons_own_cards_are_asked_once_they_are_met(learner: Learner) -> None:
    for nobody in (None, learner):
        nothing = deck(nobody)
        assert (nothing.due, nothing.begun, [each.number for each in nothing.unmet]) == ((), False, [2])
    section_mark(learner=learner, lesson="sums", section="adding", done=True)
    assert due_at(learner, NOON) == ["sum-card", "zero-card"]
    assert deck(learner).unmet == ()


def test_a_card_that_was_turned_in_its_lesson_is_met(learner: Learner) -> None:
    rate(learner, 1)
    met = deck(learner)
    assert (met.due, met.done, met.next_day, met.unmet[0].number) == ((), 1, date(2026, 3, 11), 1)


def test_those_longest_due_come_first_and_new_ones_last(learner: Learner) -> None:
    section_mark(learner=learner, lesson="sums", section="adding", done=True)
    review_record(learner=learner, lesson="sums", card="zero-card", rating=1, token=uuid.uuid4(), now=NOON)
    assert due_at(learner, NOON + timedelta(days=5)) == ["zero-card", "sum-card"]
    rate(learner, 1, NOON - timedelta(days=1))
    assert due_at(learner, NOON + timedelta(days=5)) == ["sum-card", "zero-card"]


def test_progress_counts_cards_and_not_presses(learner: Learner) -> None:
    section_mark(learner=learner, lesson="sums", section="adding", done=True)
    rate(learner, 3)
    rate(learner, 3, NOON + timedelta(minutes=1))
    today = deck(learner, NOON + timedelta(minutes=2))
    assert (today.done, len(today.due)) == (1, 1)
    tomorrow = deck(learner, NOON + timedelta(days=1))
    assert (tomorrow.done, len(tomorrow.due)) == (0, 1)


def test_the_queries_of_a_deck_are_always_as_many(learner: Learner, django_assert_num_queries: Any) -> None:
    section_mark(learner=learner, lesson="sums", section="adding", done=True)
    course = CourseRevision.objects.get()
    for days in range(30):
        rate(learner, 3, NOON + timedelta(days=days))
        rate(Learner.objects.create(), 3, NOON)
    with django_assert_num_queries(5):  # lessons, reviews, sections, answers, submissions
        deck_of(learner, course)


# ---- Taken back ----


def test_a_review_that_was_taken_back_is_kept_and_counts_no_more(learner: Learner) -> None:
    before = rate(learner, 3).due
    rate(learner, 1, NOON + timedelta(days=2))
    last = ReviewLog.objects.latest("reviewed")
    later = NOON + timedelta(days=2, minutes=1)
    assert review_undo(learner=learner, review=last.pk, now=later)
    last.refresh_from_db()
    assert (last.undone, ReviewLog.objects.count()) == (later, 2)
    (schedule, _) = card_schedules(learner, lesson_current("sums"), now=later)
    assert (schedule.due, schedule.reviews, schedule.is_due) == (before, 1, True)
    assert deck(learner, later).done == 0


def test_taking_back_twice_takes_back_once(learner: Learner) -> None:
    rate(learner, 3)
    rate(learner, 3, NOON + timedelta(minutes=1))
    first, last = ReviewLog.objects.order_by("reviewed")
    moments = [NOON + timedelta(minutes=minutes) for minutes in (2, 3)]
    assert [review_undo(learner=learner, review=last.pk, now=moment) for moment in moments] == [True, True]
    last.refresh_from_db()
    assert last.undone == moments[0]
    assert ReviewLog.objects.filter(undone=None).get() == first
    assert deck(learner, moments[1]).last == first


def test_only_ones_last_review_of_the_last_hour_can_be_taken_back(learner: Learner) -> None:
    rate(learner, 3)
    rate(learner, 3, NOON + timedelta(minutes=30))
    first, last = ReviewLog.objects.order_by("reviewed")
    assert not review_undo(learner=learner, review=first.pk, now=NOON + timedelta(minutes=31))
    assert not review_undo(learner=Learner.objects.create(), review=last.pk, now=NOON + timedelta(minutes=31))
    assert not review_undo(learner=learner, review=last.pk, now=NOON + timedelta(minutes=91))
    assert not review_undo(learner=learner, review=uuid.uuid4(), now=NOON + timedelta(minutes=31))
    assert not ReviewLog.objects.filter(undone__isnull=False).exists()
    assert deck(learner, NOON + timedelta(minutes=91)).last is None


def test_the_form_of_a_review_that_was_taken_back_records_nothing(learner: Learner) -> None:
    """Back in the browser, to a page that was left: its token is spent, and the card is still due."""
    token = uuid.uuid4()
    rate(learner, 3, token=token)
    assert review_undo(learner=learner, review=token, now=NOON)
    again = rate(learner, 3, token=token)
    assert (again.is_due, again.reviews, ReviewLog.objects.count()) == (True, 0, 1)


def test_signing_in_replays_both_logs_without_what_was_taken_back(published: CourseRevision) -> None:
    visitor, learner, alone = (Learner.objects.create() for _ in range(3))
    days = [(learner, 0, 3), (visitor, 2, 1), (visitor, 3, 3), (learner, 5, 3)]
    for each, day, rating in days:
        rate(each, rating, NOON + timedelta(days=day))
        rate(alone, rating, NOON + timedelta(days=day))
    rate(visitor, 4, NOON + timedelta(days=6))
    assert review_undo(
        learner=visitor, review=ReviewLog.objects.filter(learner=visitor).latest("reviewed").pk, now=NOON + timedelta(6)
    )
    user = User.objects.create_user("ada")
    Learner.objects.filter(pk=learner.pk).update(user=user)
    request = RequestFactory().get("/")
    request.session = SessionStore()
    request.session[SESSION_KEY] = str(visitor.pk)
    for _ in range(2):
        assert learner_claim(request, user) == learner
        now = NOON + timedelta(days=6)
        (merged, _), (other, _) = (card_schedules(one, lesson_current("sums"), now=now) for one in (learner, alone))
        assert (merged.due, merged.reviews) == (other.due, 4)
    assert ReviewLog.objects.filter(learner=learner).count() == 5


def test_what_cannot_be_rated(learner: Learner) -> None:
    with pytest.raises(Refused, match="A rating is 1"):
        rate(learner, 5)
    with pytest.raises(Unpublished):
        review_record(learner=learner, lesson="sums", card="none", rating=3, token=uuid.uuid4())
    assert ReviewLog.objects.count() == 0
