"""axe, and no sideways scrolling, in light, dark, narrow and right-to-left, also after parts were swapped in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.elements import live
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
PAGES = ["/", LESSON, "/progress/", "/exercises/attention/", "/accounts/login/", "/accounts/signup/"]
# target-size runs only where its tag is named.
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1300, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1300, "height": 900}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 700}, "color_scheme": "light"},
}


@pytest.fixture(params=LOOKS)
def looked_at(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    context = browser.new_context(base_url=site.url, **LOOKS[request.param])
    yield context.new_page()
    context.close()


def violations(page: Page, part: str | None = None) -> list[str]:
    """What axe finds on the page, or in the part of it that a selector names."""
    found: list[dict[str, Any]] = Axe().run(page, context=part, options=RULES).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_violation(looked_at: Page, path: str) -> None:
    looked_at.goto(path)
    assert violations(looked_at) == []
    assert not is_too_wide(looked_at)


@pytest.mark.parametrize("path", [LESSON, "/exercises/attention/"])
def test_pages_stand_being_written_from_right_to_left(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(path)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert violations(page) == []
    assert not is_too_wide(page)


def test_what_is_swapped_in_has_no_violation(looked_at: Page) -> None:
    page = looked_at
    page.goto(LESSON)
    quiz, card = page.locator("#quiz-row-sum"), page.locator(".card").first
    answer(quiz, "To T, the number of words.", "Not yet")
    page.locator(".myth").first.get_by_role("button", name="It holds").click()
    expect(page.locator(".myth .feedback")).to_have_count(1)
    page.locator(".paper-box").first.locator("input[name=response]").fill("x")
    page.locator(".paper-box").first.get_by_role("button").click()
    expect(page.locator(".paper-box [aria-invalid]")).to_have_count(1)
    page.locator(".mark").first.get_by_role("button").click()
    expect(page.locator("#concept-map .done")).to_have_count(1)
    page.locator(".question textarea").first.fill("Because.")
    page.locator(".question").first.get_by_role("button", name="Compare").click()
    expect(page.locator(".question .feedback")).to_have_count(1)
    card.locator("summary").click()
    assert violations(page) == []
    quiz.get_by_role("button", name="Try again").click()
    answer(quiz, "To 1, always.", "Right")
    card.get_by_role("button", name="Again").click()
    expect(page.locator(".card-due")).to_have_count(1)
    assert violations(page) == []
    assert not is_too_wide(page)


def answer(quiz: Locator, choice: str, said: str) -> None:
    quiz.get_by_label(choice).check()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("heading", name=said)).to_be_visible()


def test_a_verdict_has_no_violation(looked_at: Page) -> None:
    page = looked_at
    page.goto("/exercises/attention/")
    page.locator(".cm-content").fill("def attention(Q, K, V):\n    print('seen')\n    return Q @ K.T @ V, Q @ K.T\n")
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_be_visible()
    expect(page.locator("[data-attempt]")).to_have_count(1)
    assert violations(page) == []
    assert not is_too_wide(page)


def code(page: Page, source: str) -> None:
    """Hands in a text, and opens all that its verdict can show."""
    before = page.locator("#verdict").get_attribute("data-submission")
    page.locator(".cm-content").fill(source)
    page.get_by_role("button", name="Check my code").click()
    done = '#verdict:is([data-verdict-state="finished"], [data-verdict-state="refused"])'
    expect(page.locator(f'{done}:not([data-submission="{before}"])')).to_be_visible()
    for summary in page.locator("#verdict details:not([open]) summary").all():
        summary.click()


BEGINNING = "import os\nimport numpy as np\n\n\ndef attention(Q, K, V):\n    print('seen ' * 200)\n    "
ENDINGS = {
    "failed": "return Q @ K.T / Q.shape[-1] @ V, Q @ K.T",
    "error": "return 1 / 0",
    "memory": "return np.ones(2_500_000_000)",
    "output": "print('x' * 5_000_000)",
    "crashed": "os._exit(0)",
}


def test_no_kind_of_verdict_has_a_violation(looked_at: Page) -> None:
    page = looked_at
    page.goto("/exercises/attention/?solution=1")
    for hint in page.locator(".hint summary").all():
        hint.click()
    expect(page.locator(".solution[open]")).to_be_visible()
    found = {"hints": violations(page)}
    for status, line in ENDINGS.items():
        code(page, f"{BEGINNING}{line}\n")
        expect(page.locator(f'[data-verdict="{status}"]')).to_be_visible()
        found[status] = violations(page)
    for status, source in {"not loaded": "def (", "refused": " "}.items():
        code(page, source)
        found[status] = violations(page)
    assert not any(found.values()), found
    assert not is_too_wide(page)


def test_the_lesson_with_everything_open_has_no_violation(looked_at: Page) -> None:
    page = looked_at
    page.goto(LESSON)
    page.get_by_text("A formal way").click()
    live(page, "cost-explorer")
    live(page, "attention-playground")
    for summary in page.locator(".figure-data summary, attention-playground summary").all():
        summary.click()
    page.get_by_role("button", name="Show all steps").click()
    page.get_by_role("checkbox", name="causal mask").check()
    page.locator("attention-playground input[type=text]").first.fill("averyveryverylongword " * 12)
    assert violations(page) == []
    assert not is_too_wide(page)


def test_a_server_that_cannot_be_reached_is_told_without_a_violation(looked_at: Page) -> None:
    page = looked_at
    page.goto(LESSON)
    page.context.set_offline(True)
    page.locator(".mark button").first.click()
    expect(page.locator("#page-notice [role=alert]")).to_contain_text("nothing was recorded")
    assert violations(page) == []
    assert not is_too_wide(page)
