"""The lesson's interactions in a real Chromium, with JavaScript and without."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
QUIZ = "#quiz-row-sum"


@pytest.fixture
def lesson(page: Page) -> Page:
    page.goto(LESSON)
    return page


def check(quiz: Locator, choice: str) -> None:
    quiz.get_by_label(choice).check()
    quiz.get_by_role("button", name=re.compile("^Check")).click()


def test_a_quiz_explains_and_moves_the_focus_to_its_feedback(lesson: Page) -> None:
    quiz = lesson.locator(QUIZ)
    check(quiz, "To T, the number of words.")
    heading = quiz.get_by_role("heading", name="Not yet")
    expect(heading).to_be_focused()
    expect(lesson.locator("#status")).to_have_text("Not yet")
    quiz.get_by_role("button", name="Try again").click()
    check(quiz, "To 1, always.")
    expect(quiz.get_by_role("heading", name="Right")).to_be_focused()
    lesson.reload()
    expect(quiz.get_by_role("heading", name="Right")).to_be_visible()


def test_a_quiz_without_a_choice_is_not_locked(lesson: Page) -> None:
    quiz = lesson.locator(QUIZ)
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("alert")).to_be_focused()
    check(quiz, "To 1, always.")
    expect(quiz.get_by_role("heading", name="Right")).to_be_visible()


def test_a_section_marked_as_done_is_marked_in_the_map_and_the_contents(lesson: Page) -> None:
    lesson.locator("#why-root-d").get_by_role("button", name="Mark this section as done").click()
    expect(lesson.locator("#concept-map .done")).to_have_count(1)
    expect(lesson.locator("#lesson-contents summary")).to_contain_text("1 of 5")
    expect(lesson.locator("#why-root-d").get_by_role("button", name="Not yet")).to_be_focused()


def test_the_two_ways_in_are_a_switch(lesson: Page) -> None:
    expect(lesson.locator(".way-formal")).to_be_hidden()
    lesson.get_by_text("A formal way").click()
    expect(lesson.locator(".way-formal")).to_be_visible()
    expect(lesson.locator(".way-everyday")).to_be_hidden()


def test_the_theme_changes_at_once_and_stays(lesson: Page) -> None:
    root = lesson.locator("html")
    with lesson.expect_response("**/theme/"):
        lesson.get_by_role("button", name="Dark").click()
    expect(root).to_have_attribute("data-theme", "dark")
    lesson.reload()
    expect(root).to_have_attribute("data-theme", "dark")


def test_everything_can_be_read_and_answered_without_javascript(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(LESSON)
    steps = page.locator("worked-steps > ol > li")
    expect(page.locator("worked-steps > ol > li:visible")).to_have_count(steps.count())
    expect(page.locator("attention-playground")).to_contain_text("needs JavaScript for it")
    check(page.locator(QUIZ), "To 1, always.")
    assert page.url.endswith(QUIZ)
    expect(page.locator(QUIZ)).to_be_in_viewport()
    expect(page.locator(QUIZ).get_by_role("heading", name="Right")).to_be_visible()
    page.locator(".card summary").first.click()
    page.locator(".card").first.get_by_role("button", name="Good").click()
    expect(page.get_by_text("Comes back on")).to_have_count(1)
    context.close()
