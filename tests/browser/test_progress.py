"""One's own progress in a real browser: where one reads, the map, the page, taking data away, deleting everything."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.test_accessibility import LOOKS, is_too_wide, violations
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
IN_VIEW = 4_000 + 1_500  # milliseconds after which a part counts as read, and was sent
PASSWORD = secrets.token_urlsafe(16)
# Layout shifts since the page was opened, but for those that follow on something the reader did.
SHIFTS = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => list.getEntries().forEach(each => sum += each.hadRecentInput ? 0 : each.value))
        .observe({type: "layout-shift", buffered: true});
    setTimeout(() => done(sum), 800);
})"""


def read(page: Page, block: str) -> None:
    page.evaluate("id => document.getElementById(id).scrollIntoView({behavior: 'instant'})", block)
    page.wait_for_timeout(IN_VIEW)


def mark_section(page: Page) -> None:
    page.get_by_role("button", name="Mark this section as done").first.click()
    # The focus follows, and with it the page may scroll.
    expect(page.locator(".mark [data-focus]").first).to_be_focused()


def answer(page: Page, choice: str, said: str) -> None:
    quiz = page.locator("#quiz-row-sum")
    quiz.get_by_label(choice).check()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("heading", name=said)).to_be_visible()


def sign_up(page: Page) -> str:
    name = f"learner-{secrets.token_hex(4)}"
    page.goto("/accounts/signup/?next=/progress/")
    page.locator("input[name=username]").fill(name)
    page.locator("input[name=password1]").fill(PASSWORD)
    page.locator("input[name=password2]").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return name


def offer(page: Page) -> Locator:
    return page.locator("[data-reading] a")


def session_of(context: BrowserContext) -> list[Any]:
    return [cookie for cookie in context.cookies() if cookie.get("name") == "sessionid"]


def test_who_only_reads_is_offered_to_continue_and_nothing_is_kept_of_them(page: Page, context: BrowserContext) -> None:
    page.goto(LESSON)
    expect(offer(page)).to_have_text("Start with: The big picture")
    read(page, "causal-mask")
    page.goto(LESSON)
    expect(offer(page)).to_have_text("Continue at: The causal mask")
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(SHIFTS) == 0
    assert session_of(context) == []
    offer(page).click()
    expect(page.locator("#causal-mask")).to_be_in_viewport()


def test_who_stays_at_the_top_keeps_the_place(page: Page) -> None:
    page.set_viewport_size({"width": 1300, "height": 2400})
    page.goto(LESSON)
    read(page, "causal-mask")
    page.goto(LESSON)
    page.wait_for_timeout(IN_VIEW)
    page.goto(LESSON)
    expect(offer(page)).to_have_text("Continue at: The causal mask")


def test_a_glance_is_no_reading(page: Page) -> None:
    page.goto(LESSON)
    page.evaluate("document.getElementById('causal-mask').scrollIntoView({behavior: 'instant'})")
    page.wait_for_timeout(1_500)
    page.goto(LESSON)
    expect(offer(page)).to_have_text("Start with: The big picture")


def test_the_place_is_known_on_another_device_and_on_every_page(page: Page, browser: Browser, site: Site) -> None:
    name = sign_up(page)
    page.goto(LESSON)
    mark_section(page)
    with page.expect_response("**/reading/"):
        read(page, "quadratic-cost")
    elsewhere = browser.new_context(base_url=site.url)
    other = elsewhere.new_page()
    other.goto("/accounts/login/")
    other.locator("input[name=login]").fill(name)
    other.locator("input[name=password]").fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("button", name="Sign out")).to_be_visible()
    for path in ("/", "/progress/", LESSON):
        other.goto(path)
        link = other.get_by_role("link", name="Continue at: The quadratic cost")
        expect(link).to_have_attribute("href", re.compile(r"#quadratic-cost$"))
    elsewhere.close()


def test_what_a_visitor_read_is_kept_by_the_account_they_make(page: Page) -> None:
    page.goto(LESSON)
    read(page, "why-root-d")
    sign_up(page)
    with page.expect_response("**/reading/"):
        page.goto(LESSON)
    expect(offer(page)).to_have_text("Continue at: Why divide by √d")
    page.goto("/progress/")
    expect(page.get_by_role("link", name="Continue at: Why divide by √d")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.includes('reading:visitor'))") == []


def test_the_map_shows_where_one_is_and_what_is_done(page: Page) -> None:
    page.goto(LESSON)
    plan = page.locator("#concept-map")
    assert plan.locator("[aria-current]").count() == 0
    mark_section(page)
    expect(plan.locator("[data-concept=query-key-value].done")).to_have_count(1)
    read(page, "paper")
    here = plan.locator("[aria-current=location]")
    expect(here).to_have_attribute("href", "#scores-softmax-blend")
    expect(plan.get_by_text("You are here").and_(page.locator(":visible"))).to_have_count(1)
    page.locator("#why-root-d").get_by_role("button", name="Mark this section").click()
    expect(plan.locator(".done")).to_have_count(2)
    expect(here).to_have_attribute("href", "#scores-softmax-blend")  # also after the map was swapped
    page.reload()
    expect(here).to_have_attribute("href", "#scores-softmax-blend")


def test_the_map_is_a_tree_of_links_for_the_keyboard(page: Page) -> None:
    page.goto(LESSON)
    plan = page.locator("#concept-map")
    nested = plan.locator("[data-concept=scores-softmax-blend] [data-concept]")
    assert [each.get_attribute("data-concept") for each in nested.all()] == [
        "why-root-d",
        "causal-mask",
        "quadratic-cost",
    ]
    plan.get_by_role("link").first.focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash") == "#causal-mask"
    page.keyboard.press("Enter")
    expect(page.locator("#causal-mask")).to_be_in_viewport()


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("width", [320, 390, 800, 1300])
def test_the_map_fits_and_no_concepts_overlap(page: Page, width: int, direction: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(LESSON)
    page.evaluate("direction => document.documentElement.dir = direction", direction)
    boxes = [each.bounding_box() for each in page.locator("#concept-map .concept").all()]
    assert len(boxes) == 5
    frame = page.locator("#map").bounding_box()
    assert frame
    for place, one in enumerate(boxes):
        assert one
        assert frame["x"] - 1 <= one["x"]
        assert one["x"] + one["width"] <= frame["x"] + frame["width"] + 1
        for two in boxes[:place]:
            assert two
            beside = one["x"] >= two["x"] + two["width"] - 1 or two["x"] >= one["x"] + one["width"] - 1
            below = one["y"] >= two["y"] + two["height"] - 1 or two["y"] >= one["y"] + one["height"] - 1
            assert beside or below
    assert not is_too_wide(page)


def test_what_was_missed_is_told_and_put_right(page: Page) -> None:
    page.goto(LESSON)
    answer(page, "To T, the number of words.", "Not yet")
    page.goto("/progress/")
    row = page.locator(".weak > li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Scores, softmax, blend: 1 missed")
    row.get_by_role("link", name="Quiz 1").click()
    expect(page.locator("#quiz-row-sum")).to_be_in_viewport()
    again = page.locator("#quiz-row-sum").get_by_role("button", name="Try again")
    if again.count():
        again.click()
    answer(page, "To 1, always.", "Right")
    page.goto("/progress/")
    expect(row).to_contain_text("1 missed, all put right since")
    expect(page.locator(".month .practised.today")).to_have_count(1)


def test_it_is_all_there_without_javascript(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(LESSON)
    expect(offer(page)).to_have_text("Start with: The big picture")
    page.get_by_role("button", name="Mark this section as done").first.click()
    page.goto("/progress/")
    expect(page.get_by_text("1 of 5")).to_be_visible()
    page.get_by_role("link", name="Delete all of this").click()
    page.get_by_role("button", name="Delete everything").click()
    expect(page).to_have_url(re.compile("/progress/delete/$"))  # the browser asks for the tick itself
    page.get_by_label("Yes, delete all of it").check()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("heading", name="All of it is gone")).to_be_visible()
    page.goto("/progress/")
    expect(page.get_by_text("You have not done anything yet")).to_be_visible()
    context.close()


def test_the_data_come_as_a_file(page: Page, tmp_path: Path) -> None:
    page.goto(LESSON)
    mark_section(page)
    page.goto("/progress/")
    with page.expect_download() as started:
        page.get_by_role("link", name="Take your data away").click()
    file = tmp_path / "data.json"
    started.value.save_as(file)
    data = json.loads(file.read_text())
    assert [row["section"] for row in data["sections_done"]] == ["query-key-value"]
    assert re.fullmatch(r"heed-\d{4}-\d\d-\d\d\.json", started.value.suggested_filename)


def test_an_account_is_deleted_with_the_keyboard_alone(page: Page) -> None:
    name = sign_up(page)
    page.goto(LESSON)
    mark_section(page)
    read(page, "causal-mask")
    page.evaluate("localStorage.setItem('heed:draft:visitor:attention', '{}')")
    page.goto("/progress/")
    page.get_by_role("link", name="Delete your account").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/progress/delete/")
    page.locator("input[name=password]").focus()
    page.keyboard.type(PASSWORD)
    page.get_by_label("Yes, delete all of it").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Delete my account").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All of it is gone")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    # Of this browser's store what was theirs is gone, and what another left here is not.
    assert page.evaluate("Object.keys(localStorage)") == ["heed:draft:visitor:attention"]
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_link_to_the_closing_page_forgets_nothing(page: Page) -> None:
    page.goto("/")
    page.evaluate("localStorage.setItem('heed:draft:visitor:attention', '{}')")
    page.goto("/progress/deleted/#visitor")
    page.wait_for_timeout(300)
    assert page.evaluate("Object.keys(localStorage)") == ["heed:draft:visitor:attention"]


@pytest.mark.parametrize("path", ["/", "/progress/", LESSON])
def test_the_header_stays_tidy_on_a_small_phone(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    sign_up(page)
    page.goto(LESSON)
    mark_section(page)
    page.goto(path)
    expect(page.get_by_role("link", name="Your progress")).to_be_visible()
    box = page.locator(".site-header").bounding_box()
    assert box
    assert box["height"] < 150
    tops = {round(each.bounding_box()["y"]) for each in page.locator(".site-header nav a:visible").all()}  # type: ignore[index]
    assert len(tops) == 1
    assert not is_too_wide(page)


@pytest.fixture(params=LOOKS)
def context_of_a_look(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site.url, **LOOKS[request.param])
    yield context
    context.close()


def test_no_state_of_these_pages_has_a_violation(context_of_a_look: BrowserContext) -> None:
    page = context_of_a_look.new_page()
    found = {}

    def look(state: str) -> None:
        found[state] = violations(page)
        assert not is_too_wide(page), state

    page.goto("/progress/")
    look("nothing done")
    page.goto("/progress/delete/")
    look("nothing to delete")
    page.goto(LESSON)
    answer(page, "To T, the number of words.", "Not yet")
    mark_section(page)
    read(page, "causal-mask")
    look("the lesson with a place")
    page.goto("/exercises/attention/")
    page.locator(".cm-content").fill(
        "import numpy as np\n\n\ndef attention(Q, K, V):\n    return Q @ K.T @ V, Q @ K.T\n"
    )
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_be_visible()
    page.goto("/")
    look("the course")
    page.goto("/progress/")
    for summary in page.locator("main details:not([open]) > summary").all():
        summary.click()
    look("something done")
    page.goto("/progress/delete/")
    look("deleting as a visitor")
    sign_up(page)
    look("signed in")
    page.goto("/progress/delete/")
    look("deleting an account")
    page.get_by_label("Yes, delete all of it").check()
    page.locator("input[name=password]").fill("wrong")
    page.get_by_role("button", name="Delete my account").click()
    look("a wrong password")
    page.goto("/progress/deleted/")
    look("deleted")
    assert not any(found.values()), found


def test_these_pages_stand_being_written_from_right_to_left(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(LESSON)
    answer(page, "To T, the number of words.", "Not yet")
    for path in ("/", "/progress/", "/progress/delete/"):
        page.goto(path)
        page.evaluate("document.documentElement.dir = 'rtl'")
        assert violations(page) == []
        assert not is_too_wide(page)
