"""The history of attempts: what each changed, line by line, and how its text comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_accessibility import LOOKS, is_too_wide, violations
from tests.browser.test_exercise import EXERCISE, RIGHT, WRONG, verdict, write
from tests.support.servers import Site


def hand_in(page: Page, source: str, title: str, number: int) -> None:
    write(page, source)
    page.get_by_role("button", name="Check my code").click()
    verdict(page, title)
    expect(page.locator("[data-attempt]")).to_have_count(number)


def attempts(page: Page) -> None:
    page.goto(EXERCISE)
    hand_in(page, WRONG, "Not right yet", 1)
    hand_in(page, RIGHT, "Passed", 2)
    page.wait_for_load_state("networkidle")


def changed(page: Page, number: int) -> None:
    page.get_by_role("link", name=f"What changed in attempt {number}").click()


def test_an_attempt_shows_what_it_changed_by_signs_and_words(page: Page) -> None:
    attempts(page)
    changed(page, 2)
    title = page.get_by_role("heading", name="From attempt 1 to attempt 2")
    expect(title).to_be_focused()
    expect(page.locator("#status")).to_have_text("From attempt 1 to attempt 2")
    removed, added = page.locator("#difference .removed"), page.locator("#difference .added")
    expect(removed).to_have_text("5−removed    return Q @ K.T")
    expect(added).to_have_text("5+added    return Q @ K.T / np.sqrt(Q.shape[-1])")
    expect(page.locator("#difference")).to_contain_text("Lines added: 1. Lines removed: 1.")
    changed(page, 1)
    expect(page.get_by_role("heading", name="From the starting text to attempt 1")).to_be_focused()
    expect(page.locator("#difference")).to_have_count(1)


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    attempts(page)
    page.get_by_role("link", name="What changed in attempt 2").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="From attempt 1 to attempt 2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("group", name="The lines that changed")).to_be_focused()


def test_restoring_can_be_undone(page: Page) -> None:
    attempts(page)
    page.get_by_role("link", name="Restore the code of attempt 1").click()
    source = page.locator("textarea[name=source]")
    expect(source).to_have_value(WRONG)
    page.keyboard.press("Control+z")
    expect(source).to_have_value(RIGHT)


def test_it_works_without_javascript(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    for source in (WRONG, RIGHT):
        page.goto(EXERCISE)
        page.locator("textarea[name=source]").fill(source)
        page.get_by_role("button", name="Check my code").click()
    page.goto(EXERCISE)
    changed(page, 2)
    expect(page.get_by_role("heading", name="From attempt 1 to attempt 2")).to_be_visible()
    expect(page.locator(".removed")).to_contain_text("return Q @ K.T")
    expect(page.get_by_role("heading", level=1)).to_have_text("How well does each key answer?")  # a whole page
    page.get_by_role("link", name="Restore the code of attempt 2").click()
    expect(page.locator("textarea[name=source]")).to_have_value(RIGHT)
    context.close()


@pytest.mark.parametrize("look", LOOKS)
def test_a_difference_has_no_violation_on_the_page_and_alone(browser: Browser, site: Site, look: str) -> None:
    context = browser.new_context(base_url=site.url, **LOOKS[look])
    page = context.new_page()
    attempts(page)
    changed(page, 2)
    expect(page.locator("#difference-title")).to_be_visible()
    assert violations(page) == []
    assert not is_too_wide(page)
    address = page.get_by_role("link", name="What changed in attempt 2").get_attribute("href")
    assert address
    page.goto(address)
    expect(page.get_by_role("heading", name="From attempt 1 to attempt 2")).to_be_visible()
    assert violations(page) == []
    assert not is_too_wide(page)
    context.close()
