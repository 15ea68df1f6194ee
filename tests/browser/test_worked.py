"""The worked example in a real Chromium: one step at a time, what takes part marked, the place kept."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from courses.figures import WORKED_STEPS
from tests.browser.test_accessibility import is_too_wide, violations
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"


@pytest.fixture
def stepper(page: Page) -> Locator:
    page.goto(LESSON)
    return page.locator("worked-steps")


def press(stepper: Locator, name: str) -> None:
    stepper.get_by_role("button", name=name, exact=True).click()


def shown(stepper: Locator) -> Locator:
    return stepper.locator("> ol > li:visible")


def test_it_goes_one_step_forwards_and_back(stepper: Locator) -> None:
    total = stepper.locator("> ol > li").count()
    assert total == len(WORKED_STEPS())
    expect(shown(stepper)).to_have_count(1)
    forwards = stepper.get_by_role("button", name="Next")
    forwards.click()
    expect(stepper.get_by_role("status")).to_contain_text(f"Step 2 of {total}")
    forwards.press("ArrowRight")
    expect(stepper.get_by_role("status")).to_contain_text(f"Step 3 of {total}")
    press(stepper, "Back")
    expect(stepper.get_by_role("status")).to_contain_text(f"Step 2 of {total}")
    forwards.press("End")
    forwards.press("Enter")  # at the end there is no next one, and nothing happens
    expect(stepper.get_by_role("status")).to_contain_text(f"Step {total} of {total}")
    press(stepper, "Show all steps")
    expect(shown(stepper)).to_have_count(total)


def test_every_step_can_be_reached_and_left_by_the_keyboard_alone(stepper: Locator) -> None:
    page, titles = stepper.page, [step.title for step in WORKED_STEPS()]
    stepper.get_by_role("button", name="Next").focus()
    for title in titles[1:]:
        page.keyboard.press("Enter")
        expect(shown(stepper).locator("[data-step-title]")).to_have_text(title)
    page.keyboard.press("Shift+Tab")
    for title in reversed(titles[:-1]):
        page.keyboard.press("Enter")
        expect(shown(stepper).locator("[data-step-title]")).to_have_text(title)


def test_a_part_of_the_computation_is_one_press_away(stepper: Locator) -> None:
    parts = stepper.get_by_role("group", name="Go to a part of the computation")
    assert parts.get_by_role("button").all_text_contents() == ["Given", "Project", "Score", "Share", "Blend"]
    press(stepper, "Score")
    expect(parts.locator("[aria-current=step]")).to_have_text("Score")
    expect(stepper.get_by_role("status")).to_contain_text("“sat” asks “the”: product a")
    press(stepper, "Back")
    expect(parts.locator("[aria-current=step]")).to_have_text("Project")


def test_numbers_that_meet_are_marked_in_both_matrices_in_their_order(stepper: Locator) -> None:
    press(stepper, "Score")
    for _ in range(4):
        press(stepper, "Next")
    expect(stepper.get_by_role("status")).to_contain_text("“sat” asks “sat”")
    queries, keys, products = shown(stepper).locator("table.matrix").all()
    for matrix, numbers in ((queries, ["1", "1"]), (keys, ["1", "2"])):
        marked = matrix.locator("td.hit")
        assert marked.locator(".letter").all_text_contents() == ["a", "b"]
        assert marked.all_text_contents() == [f"a{numbers[0]} (a)", f"b{numbers[1]} (b)"]
        assert {row.inner_text().split()[0] for row in matrix.locator("tr:has(.hit)").all()} == {"sat"}
    expect(products.locator("td.made")).to_have_text("3 (new)")


@pytest.mark.parametrize("media", ["screen", "print"])
def test_what_is_marked_does_not_rest_on_colour_alone(stepper: Locator, media: Any) -> None:
    press(stepper, "Score")
    for _ in range(2):
        press(stepper, "Next")
    stepper.page.emulate_media(media=media)
    looks = """(cell, media) => {
        const style = getComputedStyle(cell);
        return [media === "print" ? style.outlineStyle : style.boxShadow, style.fontWeight];
    }"""
    step = (
        shown(stepper).locator(":scope:has(.made)").last if media == "screen" else stepper.locator("li:has(.made)").last
    )
    plain, hit, made = (
        stepper.locator(f"li:has(.made) td{kind}").first.evaluate(looks, media)
        for kind in (":not([class])", ".hit", ".made")
    )
    expect(step).to_be_visible()
    assert plain[0] == "none"
    assert hit[0] != "none"
    assert made[0] not in ("none", hit[0])
    assert int(made[1]) > int(plain[1])


def test_print_shows_every_step(stepper: Locator) -> None:
    stepper.page.emulate_media(media="print")
    expect(shown(stepper)).to_have_count(len(WORKED_STEPS()))
    expect(stepper.locator(".step-bar")).to_be_hidden()


def test_the_place_is_kept_over_a_reload(stepper: Locator) -> None:
    press(stepper, "Share")
    press(stepper, "Next")
    kept = stepper.get_by_role("status").text_content()
    stepper.page.reload()
    expect(stepper.get_by_role("status")).to_have_text(kept or "never")
    press(stepper, "Show all steps")
    stepper.page.reload()
    expect(shown(stepper)).to_have_count(len(WORKED_STEPS()))


@pytest.mark.parametrize("stored", ["[99, 56, false]", "[1, 3, false]", "nonsense", "null", '["1", 56]'])
def test_a_place_that_is_none_is_forgotten(stepper: Locator, stored: str) -> None:
    page = stepper.page
    press(stepper, "Next")
    page.evaluate("stored => { for (const key of Object.keys(sessionStorage)) sessionStorage[key] = stored; }", stored)
    page.reload()
    expect(stepper.get_by_role("status")).to_contain_text("Step 1 of")


def test_nothing_moves_where_motion_is_not_wanted(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, reduced_motion="reduce")
    page = context.new_page()
    page.goto(LESSON)
    stepper = page.locator("worked-steps")
    press(stepper, "Score")
    press(stepper, "Next")
    moving = (
        "each => each.getAnimations({ subtree: true }).length + (getComputedStyle(each).scrollBehavior === 'smooth')"
    )
    assert stepper.evaluate(moving) == 0
    assert page.locator("html").evaluate(moving) == 0
    context.close()


@pytest.mark.parametrize("width", [320, 1300])
def test_no_step_is_too_wide_or_has_a_violation(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(LESSON)
    stepper = page.locator("worked-steps")
    press(stepper, "Share")
    assert violations(page, "worked-steps") == []
    press(stepper, "Show all steps")  # which test_accessibility.py looks at too
    assert not is_too_wide(page)
