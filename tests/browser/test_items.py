"""Quizzes, myths, boxes of paper work and open questions in a real Chromium, by keyboard and without JavaScript."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.test_accessibility import LOOKS, is_too_wide, violations
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
CHOICE, ORDERING, NUMERIC = "#quiz-row-sum", "#quiz-steps-in-order", "#quiz-share-of-three"
STEPS = ["project", "score", "divide", "mask", "softmax", "blend"]
# Of every quiz, myth and question something that nobody may read before answering.
HIDDEN = (
    *("Softmax makes shares of whatever", "All the weights together sum to T", "Each row sums to 1."),
    *("linear layers double", "A loss that is too good", "Every other step works on", "Project, score, divide"),
    "That is the share without the mask",
    *("each has a third", "That is the growth of the text", "proves no cause", "figure-same-output", "figure-doubling"),
    *("have the same query", "I said that", "On paper, yes", "exponential itself", "rounded too early", "0.333"),
)


@pytest.fixture
def lesson(page: Page) -> Page:
    page.goto(LESSON)
    return page


@pytest.fixture
def plain(browser: Browser, site: Site) -> Iterator[Page]:
    """The lesson without JavaScript."""
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(LESSON)
    yield page
    context.close()


def attempts(site: Site, item: str) -> int:
    with closing(sqlite3.connect(site.var / "heed.sqlite3", timeout=30)) as database:
        return int(database.execute("SELECT count(*) FROM courses_answer WHERE item = ?", [item]).fetchone()[0])


def check(item: Locator) -> None:
    item.get_by_role("button", name="Check").click()


def test_a_choice_is_made_explained_and_tried_again_by_keyboard_alone(lesson: Page) -> None:
    quiz, press = lesson.locator(CHOICE), lesson.keyboard.press
    quiz.get_by_label("To 1, always.").focus()
    press("ArrowDown")
    expect(quiz.get_by_label("To less than 1")).to_be_checked()
    press("Tab")
    press("ArrowDown")
    press("ArrowDown")
    expect(quiz.get_by_label("Certain")).to_be_checked()
    press("Enter")
    expect(quiz.get_by_role("heading", name="Not yet")).to_be_focused()
    expect(quiz).to_contain_text("You were certain: this comes back soon.")
    expect(quiz.get_by_role("radio", name="To less than 1")).to_be_disabled()
    expect(quiz.locator(".choice-why")).to_have_count(1)
    press("Tab")
    press("Tab")
    expect(quiz.get_by_role("button", name="Try again")).to_be_focused()
    press("Space")
    expect(quiz.get_by_label("To 1, always.")).to_be_focused()
    expect(quiz.get_by_role("radio", checked=True)).to_have_count(0)
    expect(quiz.locator(".choice-why, .feedback")).to_have_count(0)
    press("Space")
    press("Enter")
    expect(quiz.get_by_role("heading", name="Right")).to_be_focused()
    expect(quiz.locator(".choice-why")).to_have_count(4)


def test_nothing_is_given_away_before_answering(lesson: Page) -> None:
    source = lesson.content()
    assert [text for text in HIDDEN if text in source] == []
    for name in (ORDERING, NUMERIC):
        inside = lesson.locator(name).inner_html()
        assert "is-right" not in inside
        assert "data-answer" not in inside
    order = lesson.locator(f"{ORDERING} select").evaluate_all("selects => selects.map(each => each.name.slice(6))")
    assert sorted(order) == sorted(STEPS)
    assert order != STEPS


def test_a_locked_attempt_stays_and_a_reload_reveals_nothing_more(lesson: Page) -> None:
    quiz = lesson.locator(CHOICE)
    quiz.get_by_label("It depends on the scores.").check()
    check(quiz)
    expect(quiz.get_by_role("heading", name="Not yet")).to_be_visible()
    lesson.reload()
    expect(quiz.get_by_role("radio", name="It depends on the scores.")).to_be_checked()
    expect(quiz.get_by_role("radio", name="It depends on the scores.")).to_be_disabled()
    expect(quiz.get_by_role("button", name="Check")).to_have_count(0)
    source = lesson.content()
    assert "The scores themselves sum to anything." in source
    assert "Softmax makes shares of whatever" not in source
    assert "Each row sums to 1." not in source
    quiz.get_by_role("button", name="Show the answer").click()
    expect(quiz.get_by_role("heading", name="The right answer")).to_be_focused()
    expect(quiz).to_contain_text("Each row sums to 1.")
    expect(quiz.get_by_role("button", name="Show the answer")).to_have_count(0)


def test_a_check_with_nothing_chosen_records_and_locks_nothing(lesson: Page, site: Site) -> None:
    for item, said in ((CHOICE, "Choose one"), (ORDERING, "Put the steps in order"), (NUMERIC, "the box is empty")):
        quiz, before = lesson.locator(item), attempts(site, item.removeprefix("#quiz-"))
        quiz.get_by_label("Certain").check()
        check(quiz)
        expect(quiz.get_by_role("alert")).to_contain_text(said)
        expect(quiz.get_by_label("Certain")).to_be_checked()
        expect(quiz.get_by_role("button", name="Check")).to_be_enabled()
        assert attempts(site, item.removeprefix("#quiz-")) == before


def test_a_double_press_is_one_attempt(lesson: Page, site: Site) -> None:
    quiz, before = lesson.locator(CHOICE), attempts(site, "row-sum")
    quiz.get_by_label("To 1, always.").check()
    quiz.get_by_role("button", name="Check").dblclick()
    expect(quiz.get_by_role("heading", name="Right")).to_be_visible()
    assert attempts(site, "row-sum") == before + 1


def test_going_back_and_sending_again_counts_once(plain: Page, site: Site) -> None:
    quiz, before = plain.locator(CHOICE), attempts(site, "row-sum")
    token = quiz.locator("input[name=token]").input_value()
    quiz.get_by_label("It depends on the scores.").check()
    check(quiz)
    expect(quiz.get_by_role("heading", name="Not yet")).to_be_visible()
    csrf = next(each["value"] for each in plain.context.cookies() if each["name"] == "csrftoken")
    sent: dict[str, str | float | bool] = {"response": "row-sum-one", "token": token, "csrfmiddlewaretoken": csrf}
    again = plain.request.post(f"{LESSON}quizzes/row-sum/", form=sent, headers={"Referer": plain.url})
    assert again.ok
    plain.reload()
    expect(quiz.get_by_role("heading", name="Not yet")).to_be_visible()
    assert attempts(site, "row-sum") == before + 1


def test_steps_are_put_in_order_by_keyboard_alone(lesson: Page) -> None:
    quiz = lesson.locator(ORDERING)
    expect(quiz.get_by_role("combobox")).to_have_count(0)
    first = quiz.locator("[data-move=up]").first
    first.focus()
    lesson.keyboard.press("Enter")  # there is nothing above it, and nothing happens
    expect(first).to_be_focused()
    for place, step in enumerate(STEPS):
        row = quiz.locator(f"li:has(select[name=place-{step}])")
        up = row.locator("[data-move=up]")
        up.focus()
        while (at := row.evaluate("row => [...row.parentElement.children].indexOf(row)")) > place:
            lesson.keyboard.press("Enter")
            expect(up).to_be_focused()
            expect(quiz.get_by_role("status")).to_have_text(f"In place {at} of 6")
    expect(quiz.locator(".ordering-number")).to_have_text(list("123456"))
    check(quiz)
    expect(quiz.get_by_role("heading", name="Right")).to_be_focused()
    expect(quiz.locator(".ordering-step.is-right")).to_have_count(6)


def test_the_first_wrong_place_is_named(plain: Page) -> None:
    quiz = plain.locator(ORDERING)
    for place, step in enumerate(["project", "score", "divide", "softmax", "mask", "blend"], start=1):
        quiz.locator(f"select[name=place-{step}]").select_option(str(place))
    check(quiz)
    assert plain.url.endswith(ORDERING)
    expect(quiz).to_contain_text("The first place that is not right is number 4.")
    expect(quiz).to_contain_text("Softmax shares out everything, once and for all.")
    expect(quiz.locator(".ordering-step.is-right")).to_have_count(3)
    quiz.get_by_role("button", name="Try again").click()
    expect(quiz.locator("select")).to_have_count(6)
    for step in STEPS:
        quiz.locator(f"select[name=place-{step}]").select_option("1")
    check(quiz)
    expect(quiz.get_by_role("alert")).to_contain_text("Two steps have place 1")
    assert quiz.locator("select[name=place-mask]").input_value() == "1"


def test_a_number_may_be_a_fraction_and_a_wrong_one_has_an_explanation_of_its_own(lesson: Page) -> None:
    quiz = lesson.locator(NUMERIC)
    quiz.get_by_label("Your answer").fill("1/4")
    lesson.keyboard.press("Enter")
    expect(quiz).to_contain_text("That is the share without the mask")
    expect(quiz.get_by_label("Your answer")).to_be_disabled()
    quiz.get_by_role("button", name="Try again").click()
    expect(quiz.get_by_label("Your answer")).to_be_focused()
    assert quiz.get_by_label("Your answer").input_value() == ""
    lesson.keyboard.type("1/3")
    lesson.keyboard.press("Enter")
    expect(quiz.get_by_role("heading", name="Right")).to_be_focused()


def test_enter_leads_from_a_right_box_to_the_next_open_one(lesson: Page) -> None:
    box = lesson.locator("#paper-score-cat input[name=response]")
    box.fill("1")
    box.press("Enter")
    expect(lesson.locator("#paper-score-sat-value")).to_be_focused()
    lesson.locator("#paper-score-the-value").focus()
    for typed, then in (("0", "score-sat"), ("2", "score-down"), ("1", "scaled-the")):
        lesson.keyboard.type(typed)
        lesson.keyboard.press("Enter")
        expect(lesson.locator(f"#paper-{then}-value")).to_be_focused()
    expect(lesson.locator(".paper-progress")).to_have_text("4 of 14 right")
    wrong = lesson.locator("#paper-scaled-cat")
    wrong.locator("input[name=response]").fill("1")
    lesson.keyboard.press("Enter")
    expect(wrong).to_contain_text("This comes out when nothing is divided by √2.")
    expect(wrong.locator("input[name=response]")).to_be_focused()
    lesson.reload()
    expect(lesson.locator(".paper-progress")).to_have_text("4 of 14 right")


def test_a_myth_is_told_with_its_evidence_after_the_guess(lesson: Page) -> None:
    myth = lesson.locator("#myth-map-explains")
    expect(myth.locator("svg.fig")).to_have_count(0)
    myth.get_by_role("button", name="It holds").click()
    expect(myth.get_by_role("heading", name="Not quite")).to_be_focused()
    expect(myth.locator(".evidence svg.fig")).to_be_visible()
    expect(myth.locator(".evidence figcaption")).to_contain_text("[0.75, 1.38] and [0.75, 1.38]")


def test_an_open_question_is_compared_point_by_point(lesson: Page) -> None:
    question = lesson.locator("#question-equal-rows")
    box = question.get_by_role("textbox")
    box.fill("They ask the same.")
    question.get_by_role("button", name="Show it without answering").click()
    expect(question.get_by_role("heading", name="A model answer")).to_be_focused()
    assert box.input_value() == "They ask the same."  # to look loses nothing
    expect(question.get_by_role("checkbox")).to_have_count(0)
    question.get_by_role("button", name="Compare with the model answer").click()
    expect(question.get_by_role("heading", name="A model answer")).to_be_focused()
    question.get_by_label("have the same query").check()
    question.get_by_label("The same query meets the same keys").check()
    question.get_by_role("button", name="Save my points").click()
    expect(question.locator(".rubric-result")).to_be_focused()
    expect(question.locator(".rubric-result")).to_have_text("2 of 3 points")
    lesson.reload()
    expect(question.locator(".rubric-result")).to_have_text("2 of 3 points")
    assert box.input_value() == "They ask the same."


def test_everything_is_answered_without_javascript(plain: Page) -> None:
    plain.locator("#paper-scaled-sat input[name=response]").fill("2")
    check(plain.locator("#paper-scaled-sat"))
    expect(plain.locator("#paper-scaled-sat")).to_contain_text("This comes out when nothing is divided by √2.")
    plain.locator("#myth-root-d-cosmetic").get_by_role("button", name="A myth").click()
    expect(plain.locator("#myth-root-d-cosmetic .evidence svg.fig")).to_be_visible()
    question = plain.locator("#question-least-attention")
    question.get_by_role("button", name="Show it without answering").click()
    expect(question.get_by_role("heading", name="A model answer")).to_be_visible()
    question.get_by_role("textbox").fill("Zero.")
    question.get_by_role("button", name="Compare").click()
    question.get_by_label("have a product of 0").check()
    question.get_by_role("button", name="Save my points").click()
    expect(question.locator(".rubric-result")).to_have_text("1 of 3 points")
    quiz = plain.locator(CHOICE)
    quiz.get_by_label("To T, the number of words.").check()
    check(quiz)
    quiz.get_by_role("button", name="Show the answer").click()
    expect(quiz.get_by_role("heading", name="The right answer")).to_be_visible()
    quiz.get_by_role("button", name="Try again").click()
    expect(quiz.get_by_role("radio", checked=True)).to_have_count(0)
    quiz.get_by_label("To 1, always.").check()
    check(quiz)
    expect(quiz.get_by_role("heading", name="Right")).to_be_visible()
    assert "again=" not in plain.url


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site.url, **LOOKS[request.param])
    yield context
    context.close()


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_no_state_of_an_item_has_a_violation(look: BrowserContext, direction: str) -> None:
    page = look.new_page()
    page.goto(LESSON)
    page.evaluate("direction => (document.documentElement.dir = direction)", direction)
    choice, ordering, numeric = (page.locator(each) for each in (CHOICE, ORDERING, NUMERIC))
    choice.get_by_label("To T, the number of words.").check()
    choice.get_by_label("Certain").check()
    check(choice)
    expect(choice.get_by_role("heading", name="Not yet")).to_be_visible()  # from here on the visitor has a session
    ordering.locator("[data-move=down]").first.click()
    check(ordering)
    check(numeric)
    page.locator("#myth-longer-in-proportion").get_by_role("button", name="A myth").click()
    slip = page.locator("#paper-score-cat")
    slip.locator("input[name=response]").fill("2")
    check(slip)
    question = page.locator("#question-forgotten-mask")
    question.get_by_role("textbox").fill("No.")
    question.get_by_role("button", name="Compare").click()
    expect(question.get_by_role("checkbox")).to_have_count(3)
    expect(slip.locator(".slip li")).to_have_count(2)
    assert violations(page) == []
    assert not is_too_wide(page)
    choice.get_by_role("button", name="Show the answer").click()
    expect(choice.get_by_role("heading", name="The right answer")).to_be_visible()
    ordering.get_by_role("button", name="Try again").click()
    expect(ordering.locator("[data-move]")).to_have_count(12)
    numeric.get_by_label("Your answer").fill("1/3")
    check(numeric)
    expect(numeric.get_by_role("heading", name="Right")).to_be_visible()
    question.get_by_role("button", name="Save my points").click()
    expect(question.locator(".rubric-result")).to_have_text("0 of 3 points")
    page.locator("#question-equal-rows").get_by_role("button", name="Show it").click()
    expect(page.locator("#question-equal-rows .feedback")).to_be_visible()
    assert violations(page) == []
    assert not is_too_wide(page)
