"""The page of the day's review, as plain forms and as htmx requests."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses.days import day_of
from courses.models import Answer, Course, CourseRevision, Learner, ReviewLog
from courses.services.learners import SESSION_KEY
from tests.courses.test_views import HTMX, LESSON, structure, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]

REVIEW = "/review/"
UNDO = "/review/undo/"


@pytest.fixture
def learner(client: Client) -> Learner:
    """Who has marked the one section as done, so that the lesson's two cards are due."""
    client.post(f"{LESSON}sections/adding/", {"done": "1"})
    return Learner.objects.get()


def missed(learner: Learner, kind: str, item: str, confidence: int | None = 3) -> None:
    Answer.objects.create(
        learner=learner,
        course_revision=CourseRevision.objects.get(),
        lesson="sums",
        kind=kind,
        item=item,
        response="three",
        correct=False,
        confidence=confidence,
    )


def form(client: Client, **changes: str) -> dict[str, str]:
    """The fields of the form on the page, as a browser would send them with the third button."""
    page = text(client.get(REVIEW))
    part = page.partition('<form method="post" action="/review/"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(lesson|source|card|token)" value="([^"]*)"', part))
    return {**fields, "rating": "3", **changes}


def shown(client: Client) -> str:
    """The address of nothing but the card: its kind and id."""
    fields = form(client)
    return f"{fields['source']} {fields['card']}" if "card" in fields else ""


def test_a_visitor_is_told_what_will_come(client: Client) -> None:
    page = text(client.get(REVIEW))
    assert "Nothing to review yet" in page
    assert "2 cards of “Sums” that you have not met yet" in page
    assert f'{LESSON}#cards"' in page
    assert "Sign up" in page
    assert "nav-count" not in page
    assert not Learner.objects.exists()


def test_one_card_at_a_time_with_what_each_rating_leads_to(client: Client, learner: Learner) -> None:
    page = text(client.get(REVIEW))
    assert "1 of 2" in page
    assert "What is a sum?" in page
    assert "What does adding 0 do?" not in page
    for said in ("Again", "1 day<", "Good", "2 days<", "Easy", "8 days<"):
        assert said in page
    assert page.index("<details>") < page.index("What you get by adding.")
    assert f'href="{LESSON}#adding"' in page


def test_pages_are_well_formed_and_keep_to_the_policy(client: Client, learner: Learner) -> None:
    missed(learner, "quiz", "one-plus-one")
    for _ in range(4):
        found = structure(client.get(REVIEW))
        assert (found.forbidden, found.unbalanced, found.open) == ([], [], [])
        assert len(found.ids) == len({*found.ids})
        assert {*found.references} <= {*found.ids}
        client.post(REVIEW, form(client))
    assert "Nothing is due" in text(client.get(REVIEW))


def test_rating_leads_to_the_next_card_and_to_the_end(client: Client, learner: Learner) -> None:
    response = client.post(REVIEW, form(client))
    assert (response.status_code, response["Location"]) == (302, REVIEW)
    page = text(client.get(REVIEW))
    assert "2 of 2" in page
    assert "What does adding 0 do?" in page
    assert "Rated “good”: that card comes back on" in page
    part = text(client.post(REVIEW, form(client, rating="1"), headers=HTMX))
    assert part.lstrip().startswith('<div id="review"')
    tomorrow = day_of(timezone.now()) + timedelta(days=1)
    assert re.search(
        rf"Nothing is due\..*The next card comes back on <time[^>]*>{tomorrow.day} {tomorrow:%B}<", part, re.S
    )
    assert "You have reviewed 2 cards today." in part
    assert 'id="review-count" hx-swap-oob="true"></span>' in part


def test_a_part_that_is_swapped_in_takes_the_focus_and_is_announced(client: Client, learner: Learner) -> None:
    part = text(client.post(REVIEW, form(client), headers=HTMX))
    assert re.search(r'class="review-front"[^>]* data-focus>', part)
    assert re.search(r"<p data-announce>Rated “good”", part)
    page = text(client.get(REVIEW))
    assert "data-focus" not in page
    assert "data-announce" not in page


def test_a_second_press_skips_no_card(client: Client, learner: Learner) -> None:
    sent = form(client)
    for _ in range(2):
        client.post(REVIEW, sent)
    client.post(REVIEW, {**sent, "rating": "1"}, headers=HTMX)
    assert ReviewLog.objects.get().rating == 3
    assert shown(client) == "card zero-card"


def test_undo_brings_the_card_back_and_keeps_the_log(client: Client, learner: Learner) -> None:
    client.post(REVIEW, form(client))
    client.post(REVIEW, form(client))
    last = ReviewLog.objects.latest("reviewed")
    page = text(client.get(REVIEW))
    assert f'name="review" value="{last.pk}"' in page
    response = client.post(UNDO, {"review": str(last.pk)})
    assert (response.status_code, response["Location"]) == (302, REVIEW)
    page = text(client.get(REVIEW))
    assert "that rating does not count any more" in page
    assert shown(client) == "card zero-card"
    part = text(client.post(UNDO, {"review": str(last.pk)}, headers=HTMX))  # a second press of the same button
    assert "that rating does not count any more" in part
    assert ReviewLog.objects.filter(undone=None).count() == 1
    assert ReviewLog.objects.count() == 2


@pytest.mark.parametrize("sent", [{}, {"review": "x"}, {"review": str(uuid.uuid4())}])
def test_nothing_else_can_be_taken_back(client: Client, learner: Learner, sent: dict[str, str]) -> None:
    client.post(REVIEW, form(client))
    assert "Nothing was taken back" in text(client.post(UNDO, sent, headers=HTMX))
    assert not ReviewLog.objects.filter(undone__isnull=False).exists()


def test_an_hour_later_there_is_no_undo(client: Client, learner: Learner) -> None:
    client.post(REVIEW, form(client))
    ReviewLog.objects.update(reviewed=timezone.now() - timedelta(minutes=61))
    assert "data-undo" not in text(client.get(REVIEW))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rating": ""}, "Choose how well you knew it"),
        ({"rating": "5"}, "A rating is 1 (again), 2 (hard), 3 (good) or 4 (easy), not 5."),
        ({"token": "x"}, "Choose how well you knew it"),
        ({"card": "gone"}, "not in the course any more"),
        ({"lesson": "gone\x00"}, "not in the course any more"),
        ({"source": "quiz"}, "not in the course any more"),
    ],
)
def test_what_cannot_be_is_refused_and_told(
    client: Client, learner: Learner, changes: dict[str, str], said: str
) -> None:
    sent = form(client, **changes)
    response = client.post(REVIEW, sent)
    assert response.status_code == 422
    assert said in text(response)
    response = client.post(REVIEW, sent, headers=HTMX)
    assert response.status_code == 200
    assert said in text(response)
    assert not ReviewLog.objects.exists()
    assert shown(client) == "card sum-card"


def test_a_refused_card_is_shown_again_with_its_answer_open(client: Client, learner: Learner) -> None:
    page = text(client.post(REVIEW, form(client, card="zero-card", rating="")))
    assert "What does adding 0 do?" in page
    assert "<details open>" in page
    assert 'role="alert"' in page


def test_every_kind_of_miss_is_a_card_of_its_own(client: Client, learner: Learner) -> None:
    for kind, item in (
        ("quiz", "one-plus-one"), ("quiz", "half-of-root"), ("quiz", "adding-in-order"), ("myth", "order-matters"),
    ):  # fmt: skip
        missed(learner, kind, item)
    pages = []
    for _ in range(4):
        pages.append(text(client.get(REVIEW)))
        client.post(REVIEW, form(client))
    choice, number, order, myth = (page.partition('<article class="review-card"')[2] for page in pages)
    front, _, back = choice.partition("<details>")
    assert "A question that you missed" in front
    assert "What is one and one?" in front
    assert re.search(r"<li>Two</li>\s*<li>Three</li>", front)
    assert re.search(r'card-answer">Two</p>\s*<p>Count on your fingers.', back)
    assert f'href="{LESSON}#quiz-one-plus-one"' in back
    assert "0.71" not in number.partition("<details>")[0]
    assert 'dir="ltr">0.71</p>' in number.partition("<details>")[2]
    steps = [order.partition("<details>")[2].index(each) for each in ("Read both", "Count on from", "Write the")]
    assert steps == sorted(steps)
    assert "The order of a sum matters." in myth.partition("<details>")[0]
    assert "It is a myth." in myth.partition("<details>")[2]


def test_a_mistake_made_in_code_links_its_section_and_exercise(
    client: Client, learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = timezone.now() - timedelta(days=3)
    made = [("double", "no-scale", long_ago, long_ago, 1)]
    monkeypatch.setattr("grader.selectors.exercise_mistakes", lambda _learner: made)
    page = text(client.get(REVIEW)).partition('<article class="review-card"')[2]
    front, _, back = page.partition("<details>")
    assert "A mistake in your code" in front
    assert "Your code for “Double it” once did this:" in front
    assert "Not doubled" in front
    assert "Double it.</p>" not in front
    assert "You return <code>x</code> as it is." in back
    assert f'href="{LESSON}#adding"' in back
    assert 'href="/exercises/double/"' in back


def test_the_number_due_stands_in_the_navigation_of_every_page(client: Client, learner: Learner) -> None:
    for path in (REVIEW, LESSON, "/courses/tiny/", "/nowhere/"):
        assert re.search(r'class="nav-count">2<', text(client.get(path))), path
    client.post(REVIEW, form(client))
    assert re.search(r'class="nav-count">1<', text(client.get(LESSON)))
    assert "Review what is due today: 1 card<" in text(client.get(LESSON))


def test_rating_a_card_in_its_lesson_tells_the_navigation(client: Client, learner: Learner) -> None:
    page = text(client.get(LESSON))
    token = page.partition(f"{LESSON}cards/sum-card/")[2].partition('name="token" value="')[2][:36]
    part = text(client.post(f"{LESSON}cards/sum-card/", {"rating": "3", "token": token}, headers=HTMX))
    assert re.search(r'id="review-count" hx-swap-oob="true"><span class="nav-count">1<', part)


def test_the_number_due_costs_the_same_few_queries(
    client: Client, learner: Learner, django_assert_num_queries: Any
) -> None:
    missed(learner, "quiz", "one-plus-one")
    with django_assert_num_queries(8):  # the session, the learner, the course, and five of the deck
        client.get(REVIEW)
    for _ in range(20):
        missed(learner, "myth", "order-matters", None)
        other = Learner.objects.create()
        missed(other, "quiz", "one-plus-one")
    with django_assert_num_queries(8):
        client.get(REVIEW)


def test_days_are_those_of_the_browsers_time_zone(client: Client, learner: Learner) -> None:
    client.post(REVIEW, form(client, rating="1"))
    days = set()
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # 25 hours apart: never the same day
        client.cookies["timezone"] = zone
        days.add(re.findall(r"comes back on <time datetime=\"([^\"]*)\"", text(client.get(REVIEW)))[0])
    assert len(days) == 2


def test_signing_up_keeps_the_review(client: Client, learner: Learner) -> None:
    client.post(REVIEW, form(client))
    client.post(REVIEW, form(client))
    last = ReviewLog.objects.latest("reviewed")
    client.post(UNDO, {"review": str(last.pk)})
    missed(learner, "quiz", "one-plus-one")
    sent = {"username": "ada", "password1": "quite-a-long-one-7", "password2": "quite-a-long-one-7", "next": REVIEW}
    assert client.post("/accounts/signup/", sent).status_code == 302
    assert SESSION_KEY not in client.session
    page = text(client.get(REVIEW))
    assert User.objects.get().learner.reviews.count() == 2
    assert "2 of 3" in page
    assert shown(client) == "quiz one-plus-one"


def test_get_of_what_only_takes_forms_leads_to_the_page(client: Client) -> None:
    assert client.get(UNDO)["Location"] == REVIEW == reverse("review")
    assert client.put(REVIEW).status_code == 405


def test_forms_are_safe_from_other_sites(published: CourseRevision) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(REVIEW, {}).status_code == 403
    assert strict.post(UNDO, {}).status_code == 403


def test_without_a_course_the_page_says_so(client: Client, learner: Learner) -> None:
    Course.objects.update(current=None)
    assert "No course is published" in text(client.get(REVIEW))
    assert "No course is published" in text(client.post(UNDO, {}))
