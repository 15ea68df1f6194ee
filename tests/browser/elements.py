"""Elements whose script is loaded when a reader comes near them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def live(page: Page, name: str) -> Locator:
    """The element, once it is in sight and its script has run."""
    element = page.locator(name)
    element.scroll_into_view_if_needed()
    expect(element).to_have_attribute("data-live", "")
    return element
