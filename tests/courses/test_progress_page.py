"""One's own progress: what is done, weak and due, the days practised, and where one reads."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from courses.lesson_page import concepts, contents, lesson_state
from courses.models import (
    Answer,
    CourseRevision,
    ExerciseRevision,
    Learner,
    LessonRevision,
    ReadingPosition,
    ReviewLog,
    SectionDone,
)
from courses.practice import Month, practised_month
from courses.progress_page import progress_context
from courses.selectors import lesson_current
from courses.services.learners import SESSION_KEY
from courses.weaknesses import Concept
from grader.models import Submission

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]

LESSON = "/courses/tiny/sums/"
READING = f"{LESSON}reading/"
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
QUIZ, MYTH, BOX, QUESTION = "one-plus-one", "order-matters", "square-root", "why-add"


@pytest.fixture
def learner() -> Learner:
    return Learner.objects.create()


@pytest.fixture
def client(client: Client, learner: Learner) -> Client:
    """A browser whose visitor has done something before."""
    session = client.session
    session[SESSION_KEY] = str(learner.pk)
    session.save()
    return client


def course() -> CourseRevision:
    return CourseRevision.objects.latest("number")


def answered(learner: Learner, kind: str, item: str, correct: bool | None, at: datetime = NOON) -> None:
    row = Answer.objects.create(
        learner=learner, course_revision=course(), lesson="sums", kind=kind, item=item, response="x", correct=correct
    )
    Answer.objects.filter(pk=row.pk).update(created=at)


def handed_in(learner: Learner, points: str, *mistakes: str, at: datetime = NOON) -> None:
    """A graded submission; with all points it passed."""
    checks = [{"id": each, "mistakes": [each]} for each in mistakes]
    row = Submission.objects.create(
        learner=learner,
        exercise_revision=ExerciseRevision.objects.latest("number"),
        source="x",
        seed=1,
        state="finished",
        verdict="passed" if points == "2.5" else "failed",
        points=Decimal(points),
        max_points=Decimal("2.5"),
        report={"mistakes": list(mistakes), "checks": checks},
    )
    Submission.objects.filter(pk=row.pk).update(created=at)


def text(client: Client, path: str = "/progress/") -> str:
    response = client.get(path)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def weak(learner: Learner) -> list[tuple[str, int, int]]:
    found: list[Concept] = progress_context(learner, course())["concepts"]
    return [(concept.title, concept.missed, concept.righted) for concept in found]


def done(learner: Learner) -> dict[str, tuple[int | Decimal, int | Decimal]]:
    (place,) = progress_context(learner, course())["places"]
    return {kind: (count.done, count.total) for kind, count in place.counts.items()}


# What is done


def test_a_visitor_who_did_nothing_sees_where_to_begin_and_nobody_is_made() -> None:
    page = text(Client())
    assert "You have not done anything yet" in page
    assert "Start: Sums" in page
    assert "kept in this browser. Sign up" in page
    assert "Nothing is kept of you yet." in page
    assert "/progress/data/" not in page
    assert not Learner.objects.filter(submissions=None).exists()


def test_everything_done_is_counted_by_its_kind(learner: Learner) -> None:
    SectionDone.objects.create(learner=learner, lesson="sums", section="adding")
    for correct in (False, True):
        answered(learner, "quiz", QUIZ, correct)
    answered(learner, "quiz", "half-of-root", False)
    answered(learner, "myth", MYTH, False)
    answered(learner, "paper", BOX, False)
    answered(learner, "question", QUESTION, None)
    for points in ("0.5", "2", "1"):
        handed_in(learner, points)
    assert done(learner) == {
        "sections": (1, 1),
        "quiz": (1, 3),
        "myth": (1, 1),  # guessing is all there is to a myth
        "paper": (0, 2),
        "question": (1, 1),
        "exercises": (0, 1),
        "points": (Decimal(2), Decimal("2.5")),
    }


def test_another_learners_rows_count_for_nothing(learner: Learner) -> None:
    other = Learner.objects.create()
    SectionDone.objects.create(learner=other, lesson="sums", section="adding")
    answered(other, "quiz", QUIZ, True)
    handed_in(other, "2.5", "no-scale")
    assert {kind: got for kind, (got, _) in done(learner).items() if got} == {}
    assert weak(learner) == []
    assert practised_month(learner, now=NOON).practised == []


def test_the_page_says_it(client: Client, learner: Learner) -> None:
    SectionDone.objects.create(learner=learner, lesson="sums", section="adding")
    answered(learner, "quiz", QUIZ, False)
    handed_in(learner, "1", "no-scale")
    page = text(client)
    assert re.search(r"Sections marked as done</th> <td[^>]*>1 of 1<", page)
    assert re.search(r"Points in exercises</th> <td[^>]*>1 of 2.5<", page)
    assert f'<a href="{LESSON}#adding">Adding</a>: 2 missed' in page
    assert f'href="{LESSON}#quiz-{QUIZ}">Quiz 1</a>' in page
    assert "named once, on 10 March" in page
    assert "not passed since" in page
    assert "You return <code>x</code> as it is. Double it." in page
    assert "/progress/data/" in page


def test_a_signed_in_learner_is_asked_for_no_account() -> None:
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    page = text(client)
    assert "kept in this browser" not in page
    assert "You are signed in as <strong>ada</strong>" in page


def test_without_a_course_it_says_how_to_publish_one(client: Client) -> None:
    of = course().course
    of.current = None
    of.save()
    assert "publish_course" in text(client)


# What is weak


def test_what_was_missed_counts_once_and_is_put_right_by_a_later_right_answer(learner: Learner) -> None:
    for hours in (0, 1, 2):
        answered(learner, "quiz", QUIZ, False, NOON + timedelta(hours=hours))
    answered(learner, "myth", MYTH, False)
    assert weak(learner) == [("Adding", 2, 0)]
    answered(learner, "quiz", QUIZ, True, NOON + DAY)
    assert weak(learner) == [("Adding", 2, 1)]
    answered(learner, "quiz", QUIZ, False, NOON + 2 * DAY)
    assert weak(learner) == [("Adding", 2, 0)]


def test_what_was_never_missed_is_not_weak(learner: Learner) -> None:
    answered(learner, "quiz", QUIZ, True)
    answered(learner, "question", QUESTION, None)
    handed_in(learner, "0")
    assert weak(learner) == []


def test_what_names_no_section_belongs_to_its_own_part_of_the_lesson(learner: Learner) -> None:
    answered(learner, "paper", BOX, False)
    assert weak(learner) == [("On paper", 1, 0)]


def test_what_is_still_open_comes_first(learner: Learner) -> None:
    answered(learner, "quiz", QUIZ, False)
    answered(learner, "quiz", QUIZ, True, NOON + DAY)
    answered(learner, "paper", BOX, False)
    assert [title for title, *_ in weak(learner)] == ["On paper", "Adding"]


def test_a_mistake_is_put_right_by_passing_after_it(learner: Learner) -> None:
    handed_in(learner, "2.5", at=NOON - DAY)
    for hours in (0, 1):
        handed_in(learner, "1", "no-scale", at=NOON + timedelta(hours=hours))
    assert weak(learner) == [("Adding", 1, 0)]
    (mistake,) = progress_context(learner, course())["mistakes"]
    assert (mistake.title, mistake.times, mistake.passed_since) == ("Not doubled", 2, False)
    assert mistake.last_seen == NOON + timedelta(hours=1)
    handed_in(learner, "2.5", at=NOON + DAY)
    assert weak(learner) == [("Adding", 1, 1)]
    assert progress_context(learner, course())["mistakes"][0].passed_since


def test_a_mistake_that_the_course_no_longer_describes_keeps_its_name(client: Client, learner: Learner) -> None:
    handed_in(learner, "1", "long-gone")
    assert weak(learner) == []
    assert "<h3>long-gone</h3>" in text(client)


# Days


def days(month: Month) -> list[int]:
    return [day.day for day in month.practised]


def test_every_kind_of_work_makes_a_day(learner: Learner) -> None:
    answered(learner, "quiz", QUIZ, True, NOON)
    handed_in(learner, "1", at=NOON + DAY)
    ReviewLog.objects.create(learner=learner, lesson="sums", card="sum-card", rating=3, reviewed=NOON + 2 * DAY)
    row = SectionDone.objects.create(learner=learner, lesson="sums", section="adding")
    SectionDone.objects.filter(pk=row.pk).update(created=NOON + 3 * DAY)
    assert days(practised_month(learner, now=NOON)) == [10, 11, 12, 13]


def test_a_day_ends_at_four_in_the_morning_where_the_learner_is(learner: Learner) -> None:
    answered(learner, "quiz", QUIZ, True, datetime(2026, 3, 11, 3, 59, tzinfo=UTC))
    answered(learner, "quiz", QUIZ, True, datetime(2026, 3, 12, 4, 0, tzinfo=UTC))
    assert days(practised_month(learner, now=NOON)) == [10, 12]
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert days(practised_month(learner, now=NOON)) == [11, 12]


def test_a_month_begins_with_the_fourth_hour_of_its_first_day(learner: Learner) -> None:
    answered(learner, "quiz", QUIZ, True, datetime(2026, 3, 1, 3, 59, tzinfo=UTC))
    answered(learner, "quiz", QUIZ, True, datetime(2026, 4, 1, 3, 59, tzinfo=UTC))
    assert days(practised_month(learner, now=NOON)) == [31]
    assert days(practised_month(learner, now=datetime(2026, 4, 1, 3, tzinfo=UTC))) == [31]


def test_the_month_is_a_calendar_of_whole_weeks(learner: Learner) -> None:
    month = practised_month(learner, now=NOON)
    shown = [day for week in month.weeks for day in week if day]
    assert {len(week) for week in month.weeks} == {7}
    assert [day.day for day in shown] == [date(2026, 3, number) for number in range(1, 32)]
    assert [day.day.day for day in shown if day.is_today] == [10]
    assert [day.day.day for day in shown if day.is_future] == list(range(11, 32))


@pytest.mark.parametrize(("language", "first"), [("en", "Sunday"), ("de", "Montag")])
def test_a_week_begins_where_the_language_says(learner: Learner, language: str, first: str) -> None:
    with translation.override(language):
        month = practised_month(learner, now=NOON)
    assert month.weekdays[0][1] == first
    (monday,) = [week.index(day) for week in month.weeks for day in week if day and day.day == date(2026, 3, 9)]
    assert month.weekdays[monday][1] in {"Monday", "Montag"}


def test_the_calendar_is_said_in_words_too(client: Client, learner: Learner) -> None:
    answered(learner, "quiz", QUIZ, True, timezone.now())
    page = text(client)
    assert ": 1 day so far</caption>" in page
    assert page.count('<span class="visually-hidden">, practised</span>') == 1
    assert "streak" not in page.lower()


# Where one reads


def read(client: Client, block: str) -> int:
    return client.post(READING, {"block": block}).status_code


def test_where_one_reads_is_kept_once_and_offered(client: Client, learner: Learner) -> None:
    assert "Start with: Opening" in text(client, LESSON)
    assert [read(client, block) for block in ("opening", "adding", "paper")] == [204, 204, 204]
    assert ReadingPosition.objects.get().block == "paper"
    assert f'<a href="{LESSON}#paper">' not in text(client, LESSON)
    assert '<a href="#paper">Continue at: On paper</a>' in text(client, LESSON)
    assert f'href="{LESSON}#paper">Continue at: On paper</a>' in text(client)
    assert f'href="{LESSON}#paper">Continue at: On paper</a>' in text(client, "/courses/tiny/")


def test_reading_makes_no_learner() -> None:
    before = Learner.objects.count()
    client = Client()
    assert read(client, "adding") == 204
    assert (Learner.objects.count(), ReadingPosition.objects.count()) == (before, 0)
    assert SESSION_KEY not in client.session


@pytest.mark.parametrize("block", ["", "nowhere", "x" * 60])
def test_there_is_no_reading_what_is_not_there(client: Client, block: str) -> None:
    assert read(client, block) == 404
    assert client.post("/courses/tiny/products/reading/", {"block": "adding"}).status_code == 404
    assert client.post("/courses/other/sums/reading/", {"block": "adding"}).status_code == 404
    assert client.get(READING)["Location"] == LESSON


def test_a_part_taken_out_since_is_not_offered(client: Client, learner: Learner) -> None:
    ReadingPosition.objects.create(learner=learner, lesson="sums", block="gone", read=NOON)
    assert "Start with: Opening" in text(client, LESSON)
    assert "Continue at" not in text(client)


@pytest.mark.parametrize(("visitors", "users", "kept"), [(1, 0, "opening"), (0, 1, "adding")])
def test_at_sign_in_the_later_position_stays(visitors: int, users: int, kept: str) -> None:
    client = Client()
    client.post(f"{LESSON}sections/adding/", {"done": "1"})
    visitor = Learner.objects.latest("created")
    user = User.objects.create_user("ada", password="a-long-password")
    own = Learner.objects.create(user=user)
    ReadingPosition.objects.create(learner=visitor, lesson="sums", block="opening", read=NOON + visitors * DAY)
    ReadingPosition.objects.create(learner=own, lesson="sums", block="adding", read=NOON + users * DAY)
    client.post("/accounts/login/", {"login": "ada", "password": "a-long-password"})
    position = ReadingPosition.objects.get()
    assert (position.learner, position.block) == (own, kept)


# The map


def lesson_with(entries: list[dict[str, str | None]]) -> LessonRevision:
    lesson = lesson_current("sums")
    blocks = [{"kind": "section", "id": each["id"], "title": each["id"]} for each in entries]
    blocks.insert(2, {"kind": "prose", "id": "between", "title": "Between"})
    lesson.data = lesson.data | {"blocks": [*blocks, {"kind": "map", "id": "m", "title": "M", "entries": entries}]}
    return lesson


TREE: list[dict[str, str | None]] = [
    {"id": "a", "from": None, "link_html": ""},
    {"id": "b", "from": "a", "link_html": "to b"},
    {"id": "c", "from": "b", "link_html": "to c"},
    {"id": "d", "from": "b", "link_html": "to d"},
    {"id": "e", "from": None, "link_html": ""},
]


@pytest.mark.parametrize(("block", "here"), [("", []), ("a", ["a"]), ("b", ["b"]), ("between", ["b"]), ("d", ["d"])])
def test_the_map_shows_what_leads_to_what_and_where_one_is(learner: Learner, block: str, here: list[str]) -> None:
    ReadingPosition.objects.create(learner=learner, lesson="sums", block=block, read=NOON)
    SectionDone.objects.create(learner=learner, lesson="sums", section="c")
    state = lesson_state(lesson_with(TREE), learner)
    first, alone = concepts(state, contents(state))
    (b,) = first["leads_to"]
    assert (first["id"], alone["id"], b["id"]) == ("a", "e", "b")
    assert [(each["id"], each["number"], each["done"], each["link_html"]) for each in b["leads_to"]] == [
        ("c", 3, True, "to c"),
        ("d", 4, False, "to d"),
    ]
    assert [each["id"] for each in (first, alone, b, *b["leads_to"]) if each["here"]] == here


def test_the_map_is_a_list_that_says_it_in_words(client: Client, learner: Learner) -> None:
    client.post(f"{LESSON}sections/adding/", {"done": "1"})
    read(client, "paper")
    page = text(client, LESSON)
    plan = page.partition('id="concept-map"')[2].partition("</section>")[0]
    assert '<a href="#adding" aria-current="location">' in plan
    assert 'Adding<span class="visually-hidden"> (done)</span>' in plan
    assert "You are here" in plan


# How much the database is asked


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        text(client, path)
    return len(asked)


@pytest.mark.parametrize("path", ["/progress/", "/courses/tiny/", LESSON])
def test_queries_do_not_grow_with_rows_or_learners(client: Client, learner: Learner, path: str) -> None:
    def much(of: Learner, times: int) -> None:
        for number in range(times):
            answered(of, "quiz", QUIZ, number % 2 == 1)
            answered(of, "myth", MYTH, False)
            handed_in(of, "1", "no-scale")
            ReviewLog.objects.create(learner=of, lesson="sums", card="sum-card", rating=1, reviewed=NOON)

    SectionDone.objects.create(learner=learner, lesson="sums", section="adding")
    read(client, "adding")
    much(learner, 1)
    before = queries(client, path)
    much(learner, 15)
    for _ in range(5):
        much(Learner.objects.create(), 3)
    assert queries(client, path) == before
    assert before <= 24
