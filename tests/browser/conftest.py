"""A whole site and a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.support import servers

# Chromium as root has no sandbox of its own; without the other flags it looks up hosts that tests must not need.
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Site]:
    with servers.whole_site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=servers.chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser, site: servers.Site) -> Iterator[BrowserContext]:
    made = browser.new_context(base_url=site.url)
    made.set_default_timeout(15_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails its test on any error the browser reports, the Content-Security-Policy's refusals included."""
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield opened
    assert complaints == []
