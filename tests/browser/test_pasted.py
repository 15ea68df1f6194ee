"""Text that was pasted brings along what nobody sees: it is pointed at, and mended at one press."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_accessibility import is_too_wide, violations
from tests.browser.test_exercise import EXERCISE, RIGHT, verdict

ODD = RIGHT.replace("    return", "\u00a0   return").replace("Q @", "Q\u200b @")


def paste(page: Page, text: str) -> None:
    """As the browser does: the editor is given what lies in the clipboard."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
            document.querySelector(".cm-content").dispatchEvent(event);
        }""",
        text,
    )


def source(page: Page) -> str:
    return page.locator("textarea[name=source]").input_value()


def test_odd_characters_are_pointed_at_and_replaced(page: Page) -> None:
    page.goto(EXERCISE)
    paste(page, "\ufeff" + ODD.replace("\n", "\r\n"))
    told = page.locator("#pasted")
    expect(told).to_contain_text("Line 1 has a character without width")
    expect(told).to_contain_text("Line 5 has a no-break space, which Python does not take for a space.")
    assert violations(page) == []
    told.get_by_role("button", name="Replace").click()
    expect(told).to_be_empty()
    expect(page.locator(".cm-content")).to_be_focused()
    assert source(page) == RIGHT
    page.keyboard.press("Control+z")
    assert source(page) == "\ufeff" + ODD
    expect(told).to_contain_text("Line 5 has a no-break space")
    page.keyboard.press("Control+y")
    page.get_by_role("button", name="Check my code").click()
    verdict(page, "Passed")


def test_what_is_not_replaced_is_named_by_the_verdict(page: Page) -> None:
    page.goto(EXERCISE)
    for character, name in (("\u00a0", "That is a no-break space"), ("\u200b", "That is a zero width space")):
        paste(page, RIGHT.replace("return Q", f"return{character} Q"))
        page.get_by_role("button", name="Check my code").click()
        expect(page.locator(".verdict-message")).to_contain_text(name)


def test_many_are_counted_and_fit_a_narrow_page(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(EXERCISE)
    paste(page, "\u00a0x\n" * 9)
    expect(page.locator("#pasted p")).to_have_count(4)
    expect(page.locator("#pasted")).to_contain_text("Further lines like these: 6.")
    assert not is_too_wide(page)


CASES: dict[str, tuple[str, list[list[Any]], str]] = {
    "ordinary": ("def f():\n\treturn 'σ √d 🙂'\n", [], "def f():\n\treturn 'σ √d 🙂'\n"),
    "other spaces": ("x\u2009=\u3000 1", [[1, "space"], [1, "space"]], "x =  1"),
    "no width": ("a\n\u2060b\u00ad", [[2, "no width"], [2, "no width"]], "a\nb"),
    "direction": ("a\n\nx = '\u202eevil\u2066'", [[3, "turn"], [3, "turn"]], "a\n\nx = 'evil'"),
    "nul": ("x\0 = 1", [[1, "nul"]], "x = 1"),
    "joiners within words and emoji": ("# می‌خواهم 👩‍💻", [], "# می‌خواهم 👩‍💻"),
    "joiners between plain characters": ("x\u200d = 1\u200c", [[1, "no width"], [1, "no width"]], "x = 1"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_counts_as_odd(page: Page, name: str) -> None:
    text, found, mended = CASES[name]
    page.goto(EXERCISE)
    outcome = page.evaluate(
        """async (text) => {
            const { oddCharacters, plain } = await import("/static/js/pasted.js");
            return [oddCharacters(text).map(({ line, kind }) => [line, kind]), plain(text)];
        }""",
        text,
    )
    assert outcome == [found, mended]
