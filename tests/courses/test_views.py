"""Pages of the lesson side, through Django's own client: as plain forms and as htmx requests."""

from __future__ import annotations

import re
import uuid
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from courses.models import Answer, CourseRevision, Learner, ReviewLog, SectionDone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]

LESSON = "/courses/tiny/sums/"
QUIZ = f"{LESSON}quizzes/one-plus-one/"
HTMX = {"HX-Request": "true"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "rect", "circle", "line", "path"}


class Structure(HTMLParser):
    """Collects ids, references to ids, style attributes, inline handlers and unbalanced elements."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.references: list[str] = []
        self.forbidden: list[str] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in {"aria-labelledby", "aria-describedby", "for"}:
                self.references += (value or "").split()
            if name == "style" or name.startswith(("on", "hx-on")):
                self.forbidden.append(f"{tag} {name}")
        if tag in {"h1", "h2", "h3", "h4"}:
            self.headings.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)


def structure(response: Any) -> Structure:
    parsed = Structure()
    parsed.feed(response.content.decode())
    return parsed


def text(response: Any) -> str:
    return str(response.content.decode())


def test_home_leads_to_the_course(client: Client) -> None:
    response = client.get("/")
    assert (response.status_code, response["Location"]) == (302, "/courses/tiny/")


def test_home_without_a_course_says_how_to_publish_one(client: Client, published: CourseRevision) -> None:
    course = published.course
    course.current = None
    course.save()
    response = client.get("/")
    assert response.status_code == 200
    assert "publish_course" in text(response)


def test_the_course_shows_all_places_and_links_the_published_ones_only(client: Client) -> None:
    page = text(client.get("/courses/tiny/"))
    assert "Sums" in page
    assert "Products" in page
    assert f'href="{LESSON}"' in page
    assert "/courses/tiny/products/" not in page
    assert page.count("Not published yet") == 1


@pytest.mark.parametrize(
    "path", ["/courses/other/", "/courses/other/sums/", "/courses/tiny/products/", "/courses/tiny/nothing/"]
)
def test_what_is_not_published_is_not_found(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "There is no such page here" in text(response)


@pytest.mark.parametrize("path", ["/courses/tiny/", LESSON, "/accounts/login/", "/accounts/signup/", "/nowhere/"])
def test_pages_are_well_formed_and_keep_to_the_policy(client: Client, path: str) -> None:
    response = client.get(path)
    parsed = structure(response)
    assert parsed.unbalanced == []
    assert parsed.forbidden == []
    assert sorted(set(parsed.ids)) == sorted(parsed.ids)
    assert set(parsed.references) <= set(parsed.ids)
    assert parsed.headings.count("h1") == 1
    assert text(response).count('method="post"') == text(response).count('name="csrfmiddlewaretoken"')
    assert "'unsafe" not in response["Content-Security-Policy"]
    assert "nonce-" in response["Content-Security-Policy"]


def test_the_lesson_shows_every_kind_of_block(client: Client) -> None:
    page = text(client.get(LESSON))
    kinds = ["prose", "map", "ways", "prerequisites", "section", "paper", "worked", "playground", "myths", "quizzes"]
    for kind in [*kinds, "cost", "exercises", "cards", "questions", "resources", "finish"]:
        assert f"block block-{kind}" in page, kind
    assert "Lesson 1 of 2" in page


def test_reading_makes_no_learner(client: Client) -> None:
    client.get(LESSON)
    assert not Learner.objects.exists()


def test_the_page_tells_no_answer_before_it_is_asked(client: Client) -> None:
    page = text(client.get(LESSON))
    answers = ("Yes, one more than one", "one too many", "Count on your fingers", "It does not.", "To know how many")
    explanations = ("half of 2", "Take the root first", "It is 1/√2", "Counting needs both", "Read, count, write")
    others = ("as many as two and one", "how many there are", "Not halved yet", "Nearly", "0.7", "1.41", "correct")
    for hidden in (*answers, *explanations, *others):
        assert hidden not in page, hidden
    order = [page.index(f'name="place-{step}"') for step in ("read", "count", "write")]
    assert order != sorted(order)


def test_a_wrong_choice_is_explained_after_the_redirect_and_the_right_one_not_yet(client: Client) -> None:
    response = client.post(QUIZ, {"response": "three"})
    assert (response.status_code, response["Location"]) == (302, f"{LESSON}#quiz-one-plus-one")
    page = text(client.get(LESSON))
    assert "That is one too many." in page
    assert "Yes, one more than one" not in page
    assert 'value="three" checked' in page


def test_a_right_choice_has_every_choice_explained(client: Client) -> None:
    part = text(client.post(QUIZ, {"response": "two"}, headers=HTMX))
    assert "Yes, one more than one." in part
    assert "That is one too many." in part
    assert "Count on your fingers." in part
    assert "<html" not in part
    assert "data-focus" in part


def test_a_locked_attempt_gives_nothing_more_away_until_asked(client: Client) -> None:
    client.post(QUIZ, {"response": "three", "confidence": "3"})
    for address in (LESSON, f"{LESSON}?show=quiz-half-of-root", f"{LESSON}?show=one-plus-one"):
        page = text(client.get(address))
        assert '<fieldset aria-labelledby="quiz-one-plus-one-prompt" disabled>' in page
        assert "You were certain: this comes back soon." in page
        for hidden in ("Yes, one more than one", "Count on your fingers", "It is 1/√2"):
            assert hidden not in page
    shown = text(client.get(f"{LESSON}?show=quiz-one-plus-one"))
    assert "Count on your fingers" in shown
    assert "The right answer" in shown
    assert Answer.objects.count() == 1


def test_a_fresh_form_gives_nothing_away_and_loses_nothing(client: Client) -> None:
    client.post(QUIZ, {"response": "three"})
    page = text(client.get(f"{LESSON}?again=quiz-one-plus-one"))
    assert "one too many" not in page
    assert 'value="three" checked' not in page
    assert 'prompt" disabled>' not in page
    part = text(client.get(f"{LESSON}items/quiz-one-plus-one/?again=quiz-one-plus-one", headers=HTMX))
    assert 'value="two" data-focus>' in part
    assert "one too many" not in part
    assert "<html" not in part
    assert "That is one too many." in text(client.get(LESSON))


def test_nothing_is_shown_of_what_nobody_tried(client: Client) -> None:
    for anchor in ("quiz-one-plus-one", "quiz-adding-in-order", "quiz-half-of-root", "paper-square-root"):
        for asked in ("show", "again"):
            sent = {asked: anchor}
            page = text(client.get(LESSON, sent)) + text(client.get(f"{LESSON}items/{anchor}/", sent, headers=HTMX))
            assert "The right answer" not in page
            assert "Count on your fingers" not in page
            assert "0.7" not in page


def test_a_part_alone_is_for_htmx_only(client: Client) -> None:
    response = client.get(f"{LESSON}items/quiz-one-plus-one/?again=quiz-one-plus-one")
    assert (response.status_code, response["Location"]) == (302, f"{LESSON}#quiz-one-plus-one")
    for anchor in ("quiz-nothing", "card-sum-card", "quiz", "x"):
        assert client.get(f"{LESSON}items/{anchor}/", headers=HTMX).status_code == 404


def test_a_number_is_explained(client: Client) -> None:
    part = text(client.post(f"{LESSON}quizzes/half-of-root/", {"response": "1", "confidence": "2"}, headers=HTMX))
    assert "That is half of 2." in part
    assert "You were fairly sure: this comes back soon." in part
    assert "It is 1/√2" not in part
    assert 'value="1"' in part
    assert "It is 1/√2" in text(client.post(f"{LESSON}quizzes/half-of-root/", {"response": "√2/2"}, headers=HTMX))


def test_an_order_is_explained_and_a_form_that_is_not_full_is_kept(client: Client) -> None:
    url = f"{LESSON}quizzes/adding-in-order/"
    part = text(client.post(url, {"place-read": "2", "place-count": "", "place-write": "3"}, headers=HTMX))
    assert "a place from 1 to 3; 1 of them have none" in part
    assert part.count(" selected") == 2
    assert not Answer.objects.exists()
    part = text(client.post(url, {"place-read": "1", "place-count": "3", "place-write": "2"}, headers=HTMX))
    assert "The first place that is not right is number 2." in part
    assert "There is nothing to write before the counting." in part
    assert "Counting needs both" not in part
    assert [part.index(words) for words in ("Read both", "Write the sum", "Count on from")] == sorted(
        part.index(words) for words in ("Read both", "Write the sum", "Count on from")
    )
    right = text(client.post(url, {"place-read": "1", "place-count": "2", "place-write": "3"}, headers=HTMX))
    assert "Read, count, write." in right


def test_a_form_that_is_sent_again_counts_once(client: Client) -> None:
    sent = {"response": "three", "token": str(uuid.uuid4()), "confidence": "1"}
    client.post(QUIZ, sent)
    part = text(client.post(QUIZ, {**sent, "response": "two"}, headers=HTMX))  # after going back
    assert "That is one too many." in part
    assert "Yes, one more than one" not in part
    assert Answer.objects.count() == 1
    for path, response in (("myths/order-matters/", "true"), ("paper/five/", "4"), ("questions/why-add/", "To.")):
        token = str(uuid.uuid4())
        for _ in range(2):
            client.post(f"{LESSON}{path}", {"response": response, "token": token})
    assert Answer.objects.count() == 4


def test_a_damaged_token_is_refused(client: Client) -> None:
    page = client.post(QUIZ, {"response": "two", "token": "x"})
    assert (page.status_code, "This form is damaged" in text(page)) == (422, True)
    assert not Answer.objects.exists()


def test_every_form_has_a_token_of_its_own(client: Client) -> None:
    tokens = re.findall(r'name="token" value="([^"]+)"', text(client.get(LESSON)))
    assert len(tokens) == len(set(tokens)) >= 3 + 1 + 2 + 1


def test_a_retry_is_a_new_attempt(client: Client) -> None:
    client.post(QUIZ, {"response": "three"})
    client.post(QUIZ, {"response": "two"})
    assert list(Answer.objects.order_by("created").values_list("correct", flat=True)) == [False, True]


@pytest.mark.parametrize("sent", [{}, {"response": ""}, {"response": "seven"}])
def test_a_choice_that_cannot_be_is_refused_and_locks_nothing(client: Client, sent: dict[str, str]) -> None:
    page = client.post(QUIZ, sent)
    assert page.status_code == 422
    assert 'href="#quiz-one-plus-one"' in text(page)
    part = client.post(QUIZ, sent, headers=HTMX)
    assert part.status_code == 200
    assert 'role="alert"' in text(part)
    assert " disabled" not in text(part)
    assert not Answer.objects.exists()
    assert client.post(QUIZ, {"response": "two"}).status_code == 302


def test_a_myth_is_told_after_the_guess(client: Client) -> None:
    part = text(client.post(f"{LESSON}myths/order-matters/", {"response": "true"}, headers=HTMX))
    assert "It does not." in part
    assert "Not quite: this is a myth" in part
    assert "It does not." in text(client.get(LESSON))
    assert "as many as two and one" in part


@pytest.mark.parametrize(
    ("typed", "said"), [("0.71", "Right"), ("√2/2", "Right"), ("0,7", "Not yet"), ("0.5", "Not yet")]
)
def test_a_box_of_the_paper_work_is_checked(client: Client, typed: str, said: str) -> None:
    part = text(client.post(f"{LESSON}paper/square-root/", {"response": typed}, headers=HTMX))
    assert said in part
    assert f'value="{typed}"' in part


def test_a_slip_is_named_and_the_boxes_that_are_right_are_counted(client: Client) -> None:
    assert "0 of 2 right" in text(client.get(LESSON))
    part = text(client.post(f"{LESSON}paper/square-root/", {"response": "1"}, headers=HTMX))
    assert "That is half of 2." in part
    assert "0 of 2 right" in part
    either = text(client.post(f"{LESSON}paper/square-root/", {"response": "√2"}, headers=HTMX))
    assert "It could be either of these" in either
    part = text(client.post(f"{LESSON}paper/square-root/", {"response": "√2/2"}, headers=HTMX))
    assert '<span id="paper-progress" hx-swap-oob="true">1 of 2 right</span>' in part
    client.post(f"{LESSON}paper/five/", {"response": "5"})
    assert "All 2 right" in text(client.get(LESSON))


def test_what_is_no_number_is_said_and_kept_in_the_box(client: Client) -> None:
    page = client.post(f"{LESSON}paper/square-root/", {"response": '"><b>x'})
    assert page.status_code == 422
    assert 'value="&quot;&gt;&lt;b&gt;x"' in text(page)
    assert "<b>x" not in text(page)


def test_a_question_shows_the_model_answer_beside_the_learners_own(client: Client) -> None:
    client.post(f"{LESSON}questions/why-add/", {"response": "To <count> them"})
    page = text(client.get(LESSON))
    assert "To &lt;count&gt; them" in page
    assert "To know how many." in page


def test_an_answer_is_compared_by_its_rubric(client: Client) -> None:
    url = f"{LESSON}questions/why-add/"
    part = text(client.post(url, {"response": "To count"}, headers=HTMX))
    assert "I said that" in part
    assert " points" not in part.replace("Save my points", "")
    part = text(client.post(url, {"response": "To count", "compared": "1", "point-together": "1"}, headers=HTMX))
    assert "1 of 2 points" in part
    assert 'name="point-together" value="1" checked' in part
    page = text(client.get(LESSON))
    assert "1 of 2 points" in page
    assert ">To count</textarea>" in page
    refused = text(client.post(url, {"response": "", "compared": "1"}, headers=HTMX))
    assert "Write your answer first" in refused
    assert "To know how many." in refused
    assert Answer.objects.count() == 2


def test_an_answer_that_is_too_long_is_refused_and_kept(client: Client) -> None:
    page = client.post(f"{LESSON}questions/why-add/", {"response": "x" * 5001})
    assert page.status_code == 422
    assert "x" * 5001 in text(page)


def test_a_model_answer_may_be_looked_at_without_answering(client: Client) -> None:
    assert "To know how many." in text(client.get(LESSON, {"show": "question-why-add"}))
    assert not Answer.objects.exists()


def token_of(client: Client) -> str:
    page = text(client.get(LESSON))
    return page.partition(f"{LESSON}cards/sum-card/")[2].partition('name="token" value="')[2][:36]


def test_a_card_is_rated_once_and_says_when_it_comes_back(client: Client) -> None:
    sent = {"rating": "3", "token": token_of(client)}
    part = text(client.post(f"{LESSON}cards/sum-card/", sent, headers=HTMX))
    assert "Comes back on" in part
    client.post(f"{LESSON}cards/sum-card/", sent)
    assert ReviewLog.objects.count() == 1
    assert "Comes back on" in text(client.get(LESSON))


@pytest.mark.parametrize("sent", [{}, {"rating": "9"}, {"rating": "x", "token": "y"}])
def test_a_rating_that_cannot_be_is_refused(client: Client, sent: dict[str, str]) -> None:
    sent = {"token": str(uuid.uuid4()), **sent}
    assert client.post(f"{LESSON}cards/sum-card/", sent).status_code == 422
    assert not ReviewLog.objects.exists()


def test_a_section_is_marked_and_unmarked(client: Client) -> None:
    url = f"{LESSON}sections/adding/"
    response = client.post(url, {"done": "1"})
    assert (response.status_code, response["Location"]) == (302, f"{LESSON}#adding")
    assert "1 of 1 sections done" in text(client.get(LESSON))
    part = text(client.post(url, {"done": "0"}, headers=HTMX))
    assert "Mark this section as done" in part
    assert part.count('hx-swap-oob="true"') == 2
    assert not SectionDone.objects.exists()


@pytest.mark.parametrize(
    "path", ["sections/nowhere/", "quizzes/nothing/", "myths/nothing/", "paper/x/", "questions/x/", "cards/x/"]
)
def test_answers_to_what_is_not_there_are_not_found(client: Client, path: str) -> None:
    sent = {"response": "1", "rating": "3", "token": str(uuid.uuid4()), "done": "1"}
    assert client.post(f"{LESSON}{path}", sent).status_code == 404
    assert client.post(f"{LESSON}{path}", {}).status_code == 404


@pytest.mark.parametrize(
    ("path", "page"),
    [
        (f"{LESSON}sections/adding/", f"{LESSON}#adding"),
        (QUIZ, f"{LESSON}#quiz-one-plus-one"),
        (f"{LESSON}cards/sum/", f"{LESSON}#card-sum"),
        ("/theme/", "/"),
    ],
)
def test_what_writes_is_a_post_and_leads_back_otherwise(client: Client, path: str, page: str) -> None:
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (302, page)
    assert client.put(path).status_code == 405
    assert not SectionDone.objects.exists()


def test_every_form_is_safe_from_other_sites(published: CourseRevision) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(QUIZ, {"response": "two"})
    assert response.status_code == 403
    assert "too old to send from" in text(response)
    assert not Answer.objects.exists()


def test_the_theme_is_kept_and_rendered_by_the_server(client: Client) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": LESSON})
    assert response["Location"] == LESSON
    assert 'data-theme="dark"' in text(client.get(LESSON))
    client.post("/theme/", {"theme": "auto"})
    assert "data-theme=" not in text(client.get(LESSON)).partition("<body")[0]


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)", ""])
def test_the_theme_form_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    response = client.post("/theme/", {"theme": "purple", "next": elsewhere})
    assert response["Location"] == "/"
    assert "theme" not in response.cookies


def test_signing_up_keeps_what_the_visitor_did(client: Client) -> None:
    client.post(QUIZ, {"response": "two"})
    client.post(f"{LESSON}sections/adding/", {"done": "1"})
    sent = {"username": "ada", "password1": "quite-a-long-one-7", "password2": "quite-a-long-one-7", "next": LESSON}
    response = client.post("/accounts/signup/", sent)
    assert (response.status_code, response["Location"]) == (302, LESSON)
    page = text(client.get(LESSON))
    assert "Signed in as" in page
    assert "Yes, one more than one." in page
    assert "1 of 1 sections done" in page


def test_the_account_pages_say_what_is_wrong(client: Client) -> None:
    page = text(client.post("/accounts/login/", {"login": "nobody", "password": "wrong"}))
    assert 'role="alert"' in page
    assert 'class="errorlist' in page


def test_a_lesson_costs_few_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    client.post(QUIZ, {"response": "two"})
    with django_assert_max_num_queries(17):
        client.get(LESSON)
