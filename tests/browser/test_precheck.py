"""Running the shown cases before handing in, by mouse, keys and without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_accessibility import LOOKS, is_too_wide, violations
from tests.browser.test_exercise import EXERCISE, RIGHT, WRONG, verdict, worker_that_does_not_answer, write
from tests.support.servers import Site

# Right for the two widths of the lesson's example alone, which the second shown case is not of.
CONSTANT = WRONG.replace("K.T", "K.T / 2**0.5")
RUN = "Run the shown cases"


def run(page: Page) -> None:
    page.get_by_role("button", name=RUN).click()


def ran(page: Page, title: str, told: str) -> None:
    verdict(page, title)
    expect(page.locator(".verdict-precheck")).to_have_text(f"Shown cases only: {told} hold. Nothing was handed in.")


def test_shown_cases_are_run_and_nothing_is_handed_in(page: Page) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    run(page)
    ran(page, "Not right yet", "0 of 2")
    expect(page.locator('[data-mistake="no-scale"]')).to_be_visible()
    expect(page.locator("[data-check]")).to_have_count(2)
    expect(page.locator("#verdict")).not_to_contain_text("hidden")
    expect(page.locator("#verdict")).not_to_contain_text("points")
    write(page, CONSTANT)
    run(page)
    ran(page, "Not right yet", "1 of 2")
    write(page, RIGHT)
    run(page)
    ran(page, "The shown cases hold", "2 of 2")
    page.reload()
    expect(page.locator("#verdict")).to_be_hidden()
    expect(page.locator("[data-attempt]")).to_have_count(0)
    expect(page.locator("#passed-mark")).to_be_hidden()
    expect(page.locator(".cm-content")).to_contain_text("np.sqrt")
    page.get_by_role("button", name="Check my code").click()
    verdict(page, "Passed")
    expect(page.locator("[data-attempt]")).to_have_count(1)


def test_the_same_text_is_handed_in_at_once_after_a_precheck(page: Page) -> None:
    page.goto(EXERCISE)
    write(page, RIGHT)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/precheck/") else None)
    page.get_by_role("button", name=RUN).dblclick()
    ran(page, "The shown cases hold", "2 of 2")
    assert len(sent) == 1
    page.get_by_role("button", name="Check my code").click()
    verdict(page, "Passed")
    expect(page.locator("[data-attempt]")).to_have_count(1)


def test_the_keyboard_runs_from_within_the_editor_and_from_the_button(page: Page) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    page.keyboard.press("Control+Shift+Enter")
    ran(page, "Not right yet", "0 of 2")
    expect(page.locator("#verdict-title")).to_be_focused()
    expect(page.locator("#status")).to_have_text("Not right yet")
    assert page.locator("textarea[name=source]").input_value() == WRONG  # no line came of it
    write(page, RIGHT)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=RUN)).to_be_focused()
    page.keyboard.press("Enter")
    ran(page, "The shown cases hold", "2 of 2")


def test_handing_in_takes_the_place_of_a_precheck_that_waits(page: Page, site: Site) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    with worker_that_does_not_answer(site):
        run(page)
        verdict(page, "Waiting")
        other = page.context.new_page()
        other.goto(EXERCISE)
        page.get_by_role("button", name="Check my code").click()
        expect(page.locator("#verdict:not([data-precheck])")).to_contain_text("Waiting")
    verdict(page, "Not right yet")
    expect(page.locator("[data-attempt]")).to_have_count(1)
    expect(page.locator(".verdict-precheck")).to_have_count(0)


def test_it_works_without_javascript(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(EXERCISE)
    page.locator("textarea[name=source]").fill(WRONG)
    run(page)
    for _ in range(40):
        if page.locator('[data-verdict-state="finished"]').count():
            break
        page.wait_for_timeout(250)
        page.reload()
    ran(page, "Not right yet", "0 of 2")
    expect(page.locator("[data-attempt]")).to_have_count(0)
    page.goto(EXERCISE)
    expect(page.locator("textarea[name=source]")).to_have_value(WRONG)  # it was sent, so it is kept
    page.get_by_role("button", name="Check my code").click()
    page.goto(EXERCISE)
    expect(page.locator("[data-attempt]")).to_have_count(1)
    context.close()


@pytest.mark.parametrize("look", LOOKS)
def test_it_has_no_violation(browser: Browser, site: Site, look: str) -> None:
    context = browser.new_context(base_url=site.url, **LOOKS[look])
    page = context.new_page()
    page.goto("/exercises/attention/")
    for code, title in (("return Q @ K.T @ V, Q @ K.T", "Not right yet"), ("return 1 / 0", "Your code stopped")):
        write(page, f"def attention(Q, K, V):\n    print('seen')\n    {code}\n")
        run(page)
        expect(page.locator('#verdict[data-precheck][data-verdict-state="finished"]')).to_contain_text(title)
        assert violations(page) == []
        assert not is_too_wide(page)
    context.close()
