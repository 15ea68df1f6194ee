"""The main job, as a learner does it: read, write code, be told which mistake it is, fix it, keep the progress."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from playwright.sync_api import Page, expect

WITHOUT_SCALE = """import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights
"""
RIGHT = WITHOUT_SCALE.replace("Q @ K.T", "Q @ K.T / np.sqrt(Q.shape[-1])")


def write(page: Page, source: str) -> None:
    editor = page.locator(".cm-content")
    editor.click()
    editor.fill(source)


def submit(page: Page) -> None:
    page.locator("form[data-submit] button[type=submit]").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_be_visible()


def sign_up(page: Page) -> None:
    page.get_by_role("link", name="Sign up").first.click()
    page.locator("input[name=username]").fill(f"learner-{secrets.token_hex(4)}")
    password = secrets.token_urlsafe(16)
    page.locator("input[name=password1]").fill(password)
    page.locator("input[name=password2]").fill(password)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_from_the_lesson_to_a_named_mistake_to_passing_to_an_account(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name=re.compile("Attention")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Attention")

    page.locator('a[href="/exercises/attention/"]').first.click()
    write(page, WITHOUT_SCALE)
    submit(page)
    verdict = page.locator("[data-verdict]")
    expect(verdict.locator('[data-mistake="no-scale"]')).to_be_visible()
    link = verdict.locator('[data-mistake="no-scale"] a')
    expect(link).to_have_attribute("href", re.compile(r"/attention/#why-root-d$"))

    write(page, RIGHT)
    submit(page)
    expect(page.locator("[data-verdict]")).to_contain_text("Passed")
    expect(page.locator("[data-mistake]")).to_have_count(0)

    sign_up(page)
    page.goto("/exercises/attention/")
    attempts = page.locator("[data-attempt]")
    expect(attempts).to_have_count(2)
    page.goto("/")
    page.get_by_role("link", name=re.compile("Attention")).first.click()
    expect(page.locator('[data-exercise="attention"]')).to_contain_text(re.compile("passed", re.IGNORECASE))


def test_the_link_of_a_named_mistake_leads_to_a_section_that_is_there(page: Page) -> None:
    page.goto("/exercises/attention/")
    write(page, WITHOUT_SCALE)
    submit(page)
    page.locator('[data-mistake="no-scale"] a').click()
    expect(page.locator("#why-root-d")).to_be_in_viewport()
    assert page.url.endswith("#why-root-d")


def test_without_javascript_a_submission_reaches_its_verdict(browser, site) -> None:  # type: ignore[no-untyped-def]
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/exercises/attention/")
    page.locator("textarea[name=source]").fill(WITHOUT_SCALE)
    page.locator("form[data-submit] button[type=submit]").click()
    for _ in range(40):
        if page.locator('[data-verdict-state="finished"]').count():
            break
        page.wait_for_timeout(250)
        page.reload()
    expect(page.locator('[data-mistake="no-scale"]')).to_be_visible()
    context.close()


def test_what_was_refused_stays_in_the_editor(page: Page, tmp_path: Path) -> None:
    page.goto("/exercises/attention/")
    too_long = "# " + "x" * 66_000
    write(page, too_long)
    page.locator("form[data-submit] button[type=submit]").click()
    expect(page.get_by_role("alert")).to_contain_text("64")
    assert len(page.locator("textarea[name=source]").input_value()) == len(too_long)
