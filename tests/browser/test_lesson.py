"""The lesson's interactions in a real Chromium, with JavaScript and without."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from attention_core.attention import attention, causal_attention
from attention_core.worked_example import worked_example
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


def test_the_worked_example_goes_one_step_forwards_and_back(lesson: Page) -> None:
    stepper = lesson.locator("worked-steps")
    steps = stepper.locator("> ol > li")
    total = steps.count()
    shown = stepper.locator("> ol > li:visible")
    expect(shown).to_have_count(1)
    forwards, back = stepper.get_by_role("button", name="Next"), stepper.get_by_role("button", name="Back")
    forwards.click()
    expect(stepper.get_by_role("status")).to_contain_text(f"Step 2 of {total}")
    forwards.press("ArrowRight")
    expect(stepper.get_by_role("status")).to_contain_text(f"Step 3 of {total}")
    back.click()
    expect(stepper.get_by_role("status")).to_contain_text(f"Step 2 of {total}")
    forwards.press("End")
    forwards.press("Enter")  # at the end there is no next one, and nothing happens
    expect(stepper.get_by_role("status")).to_contain_text(f"Step {total} of {total}")
    stepper.get_by_role("button", name="Show all steps").click()
    expect(shown).to_have_count(total)


@pytest.mark.parametrize("causal", [False, True])
def test_the_playground_computes_what_attention_core_computes(lesson: Page, causal: bool) -> None:
    rng = np.random.default_rng(7)
    Q, K, V = (rng.normal(size=(5, width)) for width in (3, 3, 2))
    got = lesson.evaluate(
        """async ([Q, K, V, causal]) => {
            const { attention } = await import("/static/js/attention.js");
            const { weights, output } = attention(Q, K, V, { causal });
            return [output, weights];
        }""",
        [Q.tolist(), K.tolist(), V.tolist(), causal],
    )
    expected = causal_attention(Q, K, V) if causal else attention(Q, K, V)
    for mine, reference in zip(got, expected, strict=True):
        np.testing.assert_allclose(mine, reference, rtol=1e-12, atol=1e-15)


def test_the_playground_begins_with_the_worked_example(lesson: Page) -> None:
    playground = lesson.locator("attention-playground")
    example = worked_example()
    _, weights = attention(example.Q, example.K, example.V)
    texts = playground.locator(".play-map text.fig-number").all_text_contents()
    assert texts == [str(round(100 * weight)) for weight in weights.ravel()]
    expect(playground.locator(".play-reading")).to_contain_text("sat looks at sat: 51%")


def test_the_playground_masks_and_takes_own_words(lesson: Page) -> None:
    playground = lesson.locator("attention-playground")
    playground.get_by_label("causal mask").check()
    expect(playground.locator(".play-map .fig-hidden")).to_have_count(6)
    playground.get_by_label("Your words").fill("one two three")
    expect(playground.locator(".play-map .cell")).to_have_count(9)
    playground.get_by_text("The weights as a table").click()
    rows = playground.get_by_role("table", name="Weights").locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("1.00")
    playground.get_by_label("Your words").fill("  ")
    expect(playground.locator(".error")).to_be_visible()
    expect(playground.locator(".play-map .cell")).to_have_count(9)


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
    page.locator(QUIZ).get_by_role("button", name="Check").click()
    context.close()
