"""Review cards come back when FSRS says; the log is the truth, and a second press of a form records nothing."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from courses.errors import Refused, Unpublished
from courses.models import CourseRevision, Learner, ReviewLog
from courses.selectors import lesson_current
from courses.services.reviews import CardSchedule, card_schedules, cards_due, review_record

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
    assert schedules[0].back_html == "<p>What you get by adding.</p>\n"


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


def test_a_card_is_due_from_four_in_the_morning_of_its_day(learner: Learner) -> None:
    rate(learner, 3, datetime(2026, 3, 10, 23, tzinfo=UTC))  # due on the 12th at 23:00
    lesson = lesson_current("sums")

    def due_at(moment: datetime) -> list[str]:
        return [each.card for each in cards_due(learner, lesson, now=moment)]

    assert due_at(datetime(2026, 3, 12, 3, 59, tzinfo=UTC)) == ["zero-card"]
    assert due_at(datetime(2026, 3, 12, 4, 0, tzinfo=UTC)) == ["sum-card", "zero-card"]


def test_what_cannot_be_rated(learner: Learner) -> None:
    with pytest.raises(Refused, match="A rating is 1"):
        rate(learner, 5)
    with pytest.raises(Unpublished):
        review_record(learner=learner, lesson="sums", card="none", rating=3, token=uuid.uuid4())
    assert ReviewLog.objects.count() == 0
