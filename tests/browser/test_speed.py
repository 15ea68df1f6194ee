"""What a page costs a reader with a slow connection, and that nothing on it moves while it loads."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.support.servers import Site

PAGES = {
    "course": "/courses/how-language-models-work/",
    "lesson": "/courses/how-language-models-work/attention/",
    "exercise": "/exercises/scaled-scores/",
}
EDITOR = "/static/vendor/codemirror/"
LIMIT = 150_000  # bytes, before the editor
PHONE: ViewportSize = {"width": 412, "height": 823}
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    window.shifts.push({ value: shift.value, moved: shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) });
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def fresh(browser: Browser, site: Site) -> Any:
    """A page of a browser that has nothing in its cache."""
    context = browser.new_context(base_url=site.url, viewport=PHONE)
    page = context.new_page()
    page.add_init_script(WATCH)
    yield page
    context.close()


def transferred(page: Page, path: str) -> dict[str, int]:
    """Bytes on the wire by address, headers included."""
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.requestWillBeSent", lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]}))
    network.on(
        "Network.loadingFinished",
        lambda done: sizes.update({addresses[done["requestId"]]: int(done["encodedDataLength"])}),
    )
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return sizes


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_is_small_until_the_editor_loads(fresh: Page, name: str) -> None:
    sizes = transferred(fresh, PAGES[name])
    assert any(address.endswith(PAGES[name]) for address in sizes)
    counted = {address: size for address, size in sizes.items() if EDITOR not in address}
    assert sum(counted.values()) < LIMIT, sorted(counted.items(), key=lambda item: -item[1])


@pytest.mark.parametrize("name", sorted(PAGES))
def test_nothing_moves_while_a_page_loads(fresh: Page, name: str) -> None:
    fresh.goto(PAGES[name])
    fresh.wait_for_load_state("networkidle")
    fresh.wait_for_timeout(500)
    shifts = fresh.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) < 0.01, shifts


def test_pages_and_what_scripts_import_may_be_kept(fresh: Page) -> None:
    """Static files never change under their names; a script that imports another asks for it by such a name."""
    kept: dict[str, str] = {}
    fresh.on("response", lambda answer: kept.update({answer.url: answer.headers.get("cache-control", "")}))
    for path in PAGES.values():
        fresh.goto(path)
        fresh.wait_for_load_state("networkidle")
    static = {address: value for address, value in kept.items() if "/static/" in address}
    assert any(EDITOR in address for address in static)
    assert {address for address, value in static.items() if "immutable" not in value} == set()
