"""The day's review in a real Chromium: by keys alone, by presses too many, without JavaScript, and for axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.test_accessibility import LOOKS, is_too_wide, violations
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
REVIEW = "/review/"
SETTLED = 400  # ms: a press within so long after a change was meant for what was there before


def read(page: Page, *sections: str) -> None:
    """Marks sections as done, so that their cards are due: two with the first one, then one each."""
    page.goto(LESSON)
    for section in sections:
        page.locator(f"#{section}").get_by_role("button", name="Mark this section as done").click()
        expect(page.locator(f"#{section} .mark")).to_contain_text("Not yet")
    page.goto(REVIEW)


@pytest.fixture
def review(page: Page) -> Page:
    """Three cards are due."""
    read(page, "why-root-d", "causal-mask")
    expect(position(page)).to_have_text("Card 1 of 3")
    return page


def position(page: Page) -> Locator:
    return page.locator("#review-position")


def turn(page: Page) -> None:
    page.wait_for_timeout(SETTLED)
    page.locator(".review-card summary").click()
    expect(page.locator(".review-back")).to_be_visible()
    page.wait_for_timeout(SETTLED)


def rate(page: Page, name: str) -> None:
    turn(page)
    page.get_by_role("button", name=name).click()


def test_by_keys_alone_from_the_first_card_to_the_end(review: Page) -> None:
    review.keyboard.press("Space")
    expect(review.locator(".review-back")).to_be_focused()
    review.wait_for_timeout(SETTLED)
    review.keyboard.press("3")
    expect(position(review)).to_have_text("Card 2 of 3")
    expect(review.locator(".review-front")).to_be_focused()
    expect(review.locator("#status")).to_contain_text(re.compile(r"Rated “good”: that card comes back on \d+ \w+\."))
    review.wait_for_timeout(SETTLED)
    review.keyboard.press("Enter")
    expect(review.locator(".review-back")).to_be_visible()
    review.wait_for_timeout(SETTLED)
    review.keyboard.press("1")
    expect(position(review)).to_have_text("Card 3 of 3")
    review.wait_for_timeout(SETTLED)
    review.keyboard.press("u")
    expect(position(review)).to_have_text("Card 2 of 3")
    expect(review.locator("#status")).to_contain_text("that rating does not count any more")
    for following in ("Card 3 of 3", "Nothing is due."):
        review.wait_for_timeout(SETTLED)
        review.keyboard.press("Space")
        expect(review.locator(".review-back")).to_be_visible()
        review.wait_for_timeout(SETTLED)
        review.keyboard.press("4")
        expect(review.get_by_role("heading", name=following)).to_be_visible()
    expect(review.get_by_role("heading", name="Nothing is due.")).to_be_focused()
    expect(review.locator(".review-end")).to_contain_text(re.compile(r"The next card comes back on \d+ \w+\."))
    expect(review.get_by_role("link", name="Review", exact=True)).to_be_visible()  # no number due beside it any more


def test_by_tab_and_enter_without_any_key_of_its_own(review: Page) -> None:
    review.get_by_label("Use these keys").uncheck()
    review.locator(".review-card summary").focus()
    review.keyboard.press("Enter")
    expect(review.locator(".review-back")).to_be_focused()
    review.wait_for_timeout(SETTLED)
    button = review.get_by_role("button", name="Good")
    for _ in range(8):
        review.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    review.keyboard.press("Enter")
    expect(position(review)).to_have_text("Card 2 of 3")


def test_keys_can_be_switched_off_for_good(review: Page) -> None:
    review.get_by_label("Use these keys").uncheck()
    review.reload()
    expect(review.get_by_label("Use these keys")).not_to_be_checked()
    review.locator("h1").click()
    review.keyboard.press("Space")
    review.wait_for_timeout(200)
    expect(review.locator(".review-back")).to_be_hidden()
    review.get_by_label("Use these keys").check()
    review.locator("h1").click()
    review.keyboard.press("Space")
    expect(review.locator(".review-back")).to_be_visible()


def rated(page: Page) -> list[str]:
    """The forms that are sent from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
    return sent


@pytest.mark.parametrize("combined", ["Control+3", "Alt+3", "Meta+3", "Shift+Digit3"])
def test_keys_with_modifiers_are_the_browsers(review: Page, combined: str) -> None:
    turn(review)
    sent = rated(review)
    review.keyboard.press(combined)
    review.wait_for_timeout(300)
    assert sent == []
    expect(position(review)).to_have_text("Card 1 of 3")


def test_keys_while_typing_composing_or_held_down_are_not_for_the_card(review: Page) -> None:
    turn(review)
    sent = rated(review)
    review.evaluate(
        """() => {
            const field = document.body.appendChild(document.createElement("textarea"));
            field.setAttribute("aria-label", "Notes");
            field.focus();
        }"""
    )
    review.keyboard.type("3u1")
    expect(review.get_by_label("Notes")).to_have_value("3u1")
    for press in ({"isComposing": True}, {"repeat": True}, {"keyCode": 229}):
        review.evaluate(
            "press => document.querySelector('h1').dispatchEvent("
            "new KeyboardEvent('keydown', { key: '3', code: 'Digit3', bubbles: true, cancelable: true, ...press }))",
            press,
        )
    review.wait_for_timeout(300)
    assert sent == []
    review.evaluate(  # the same press without any of that rates the card: what was tried above could have
        "document.querySelector('h1').dispatchEvent("
        "new KeyboardEvent('keydown', { key: '3', code: 'Digit3', bubbles: true, cancelable: true }))"
    )
    expect(position(review)).to_have_text("Card 2 of 3")


def test_a_card_cannot_be_rated_before_its_answer_is_shown(review: Page) -> None:
    sent = rated(review)
    review.keyboard.press("3")
    review.wait_for_timeout(300)
    assert sent == []


def test_where_digits_are_written_otherwise_the_place_of_the_key_counts(review: Page) -> None:
    turn(review)
    review.evaluate(  # the third key of the upper row of a French and of an Arabic keyboard
        "document.body.dispatchEvent("
        "new KeyboardEvent('keydown', { key: '\"', code: 'Digit3', bubbles: true, cancelable: true }))"
    )
    expect(position(review)).to_have_text("Card 2 of 3")


def test_a_double_press_skips_no_card_and_shows_no_answer_unasked(review: Page) -> None:
    turn(review)
    sent = rated(review)
    review.get_by_role("button", name="Good").dblclick()
    expect(position(review)).to_have_text("Card 2 of 3")
    assert len(sent) == 1
    box = review.locator(".review-card summary").bounding_box()
    assert box
    review.wait_for_timeout(SETTLED)
    review.mouse.dblclick(box["x"] + 5, box["y"] + 5)
    expect(review.locator(".review-back")).to_be_visible()
    review.wait_for_timeout(SETTLED)
    for _ in range(5):  # as fast as it goes: one is meant, and the others find a card that is not turned
        review.keyboard.press("3")
    expect(position(review)).to_have_text("Card 3 of 3")
    expect(review.locator(".review-back")).to_be_hidden()
    assert len(sent) == 2


def test_a_press_right_after_a_change_was_meant_for_what_was_there_before(review: Page) -> None:
    turn(review)
    review.evaluate(
        """() => document.addEventListener("htmx:afterSwap", () =>
            document.querySelector("#review summary").click(), { once: true })"""
    )
    review.get_by_role("button", name="Good").click()
    expect(position(review)).to_have_text("Card 2 of 3")
    expect(review.locator(".review-back")).to_be_hidden()
    review.wait_for_timeout(SETTLED)
    review.locator(".review-card summary").click()
    expect(review.locator(".review-back")).to_be_visible()


def test_undo_pressed_twice_takes_back_one(review: Page) -> None:
    rate(review, "Good")
    expect(position(review)).to_have_text("Card 2 of 3")
    rate(review, "Good")
    expect(position(review)).to_have_text("Card 3 of 3")
    review.wait_for_timeout(SETTLED)
    review.get_by_role("button", name="Undo").dblclick()
    expect(position(review)).to_have_text("Card 2 of 3")
    review.wait_for_timeout(500)
    expect(position(review)).to_have_text("Card 2 of 3")


@pytest.mark.parametrize("script", [True, False])
def test_going_back_leads_to_the_card_that_is_due_and_to_no_old_form(
    browser: Browser, site: Site, script: bool
) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=script)
    page = context.new_page()
    read(page, "why-root-d", "causal-mask")
    token = page.locator("[name=token]").input_value()
    page.locator(".review-card summary").click()
    page.wait_for_timeout(SETTLED)
    page.get_by_role("button", name="Good").click()
    expect(position(page)).to_have_text("Card 2 of 3")
    page.goto(LESSON)
    page.go_back()
    expect(position(page)).to_have_text("Card 2 of 3")
    assert page.locator("[name=token]").input_value() != token
    context.close()


def test_everything_works_without_javascript(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(REVIEW)
    expect(page.get_by_role("heading", name="Nothing to review yet")).to_be_visible()
    expect(page.locator("[data-review-keys]")).to_be_hidden()
    read(page, "why-root-d")
    expect(position(page)).to_have_text("Card 1 of 2")
    expect(page.locator(".review-back")).to_be_hidden()
    for name in ("Good", "Again"):
        page.locator("summary").click()
        page.get_by_role("button", name=name).click()
        assert page.url.endswith(REVIEW)
    expect(page.get_by_role("heading", name="Nothing is due.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("that rating does not count any more")).to_be_visible()
    expect(position(page)).to_have_text("Card 2 of 2")
    context.close()


def test_a_wrong_answer_that_one_was_certain_of_comes_back_the_same_day(page: Page) -> None:
    page.goto(LESSON)
    quiz = page.locator("#quiz-row-sum")
    quiz.get_by_label("To T, the number of words.").check()
    quiz.get_by_label("Certain").check()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("heading", name="Not yet")).to_be_visible()
    page.goto(REVIEW)
    card = page.locator(".review-card")
    expect(card).to_contain_text("A question that you missed")
    expect(card.locator(".review-front li")).to_have_count(4)
    rate(page, "Good")
    expect(page.get_by_role("heading", name="Nothing is due.")).to_be_visible()


def test_a_mistake_in_code_comes_back_the_next_day_with_its_explanation(page: Page, site: Site) -> None:
    page.goto("/exercises/scaled-scores/")
    page.locator(".cm-content").fill("def scaled_scores(Q, K):\n    return Q @ K.T / Q.shape[-1]\n")
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_contain_text("Divided by d, not √d")
    page.goto(REVIEW)
    expect(page.locator(".review-end")).to_contain_text("Nothing is due.")
    a_day_passes = (
        "from grader.models import Submission; from django.db.models import F; from datetime import timedelta\n"
        "Submission.objects.update(created=F('created') - timedelta(days=1))\n"
    )
    assert site.manage("shell", stdin=a_day_passes.encode()).returncode == 0
    page.reload()
    card = page.locator(".review-card")
    expect(card.locator(".review-front")).to_contain_text("Divided by d, not √d")
    turn(page)
    expect(card.locator(".review-back")).to_contain_text("not by its root")
    expect(card.get_by_role("link", name="To the exercise")).to_have_attribute("href", "/exercises/scaled-scores/")
    expect(card.get_by_role("link", name="Read the section again")).to_have_attribute("href", f"{LESSON}#why-root-d")


def test_the_number_due_follows_what_is_rated_in_the_lesson_too(review: Page) -> None:
    expect(review.locator("#review-count")).to_contain_text("3 due today")
    rate(review, "Good")
    expect(review.locator("#review-count")).to_contain_text("2 due today")
    review.goto(LESSON)
    card = review.locator(".card", has=review.locator("form"), has_text="How does the causal mask work?")
    card.locator("summary").click()
    card.get_by_role("button", name="Easy 8 days").click()
    expect(review.locator(".card-due:focus")).to_contain_text("Comes back on")
    expect(review.locator("#review-count")).to_contain_text("1 due today")
    review.get_by_role("link", name="Review what is due today: 1 card").or_(
        review.get_by_role("link", name="Review what is due today: 2 cards")  # as the page had it when it was loaded
    ).click()
    expect(position(review)).to_have_text("Card 3 of 3")


@pytest.mark.parametrize(("zone", "shift"), [("Pacific/Kiritimati", 14), ("Pacific/Pago_Pago", -11)])
def test_days_are_those_of_the_browsers_zone(browser: Browser, site: Site, zone: str, shift: int) -> None:
    context = browser.new_context(base_url=site.url, timezone_id=zone)
    page = context.new_page()
    read(page, "why-root-d")
    rate(page, "Again")
    expect(position(page)).to_have_text("Card 2 of 2")
    told = page.locator(".review-last time").get_attribute("datetime")
    tomorrow = page.evaluate(
        "shift => new Date(Date.now() + (shift - 4 + 24) * 3600e3).toISOString().slice(0, 10)", shift
    )
    assert told == tomorrow
    context.close()


@pytest.fixture(params=LOOKS)
def looked_at(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    look: dict[str, Any] = LOOKS[request.param]
    context: BrowserContext = browser.new_context(base_url=site.url, **look)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_no_state_of_the_page_has_a_violation(looked_at: Page, direction: str) -> None:
    page = looked_at
    found: dict[str, Any] = {}

    def look(state: str) -> None:
        page.evaluate("direction => document.documentElement.dir = direction", direction)
        found[state] = violations(page) + (["too wide"] if is_too_wide(page) else [])

    page.goto(REVIEW)
    look("empty")
    read(page, "why-root-d")
    look("front")
    turn(page)
    look("back")
    page.evaluate("document.querySelector('#review [name=token]').value = 'x'")
    page.get_by_role("button", name="Good").click()
    expect(page.get_by_role("alert")).to_be_focused()
    look("refused")
    page.wait_for_timeout(SETTLED)
    page.get_by_role("button", name="Good").click()
    expect(position(page)).to_have_text("Card 2 of 2")
    look("next")
    page.wait_for_timeout(SETTLED)
    page.get_by_role("button", name="Undo").click()
    expect(position(page)).to_have_text("Card 1 of 2")
    look("undone")
    for _ in range(2):
        rate(page, "Easy")
        page.wait_for_timeout(SETTLED)
    expect(page.get_by_role("heading", name="Nothing is due.")).to_be_visible()
    look("end")
    assert not any(found.values()), found
