"""The main job, as a learner does it: read, write code, be told which mistake it is, fix it, keep the progress."""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.servers import ROOT

LESSON = "/courses/how-language-models-work/attention/"
EXERCISES = [
    *("qkv-projections", "scaled-scores", "softmax", "attention", "causal-attention", "attention-cost"),
    *("batched-attention", "torch-attention", "multi-head-attention", "kv-cache", "tiled-attention", "gpu-attention"),
]

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
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_be_visible(timeout=30_000)


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
    page.get_by_role("button", name="Check my code").click()
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
    page.get_by_role("button", name="Check my code").click()
    expect(page.get_by_role("alert")).to_contain_text("64")
    assert len(page.locator("textarea[name=source]").input_value()) == len(too_long)


def kept(page: Page) -> dict[str, list[dict[str, Any]]]:
    """Every row that the site keeps of this learner, by kind, as their own download has it."""
    data = json.loads(page.request.get("/progress/data/").text())
    return {name: rows for name, rows in data.items() if isinstance(rows, list)}


def do_one_of_everything(page: Page) -> None:
    """On the lesson's page: a section, a quiz, a myth, a box, a question, a card, and reading on."""
    page.goto(LESSON)
    page.get_by_role("button", name="Mark this section as done").first.click()
    expect(page.locator("#concept-map .done")).to_have_count(1)
    quiz = page.locator("#quiz-row-sum")
    quiz.get_by_label("To T, the number of words.").check()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("heading", name="Not yet")).to_be_visible()
    page.locator(".myth").first.get_by_role("button", name="It holds").click()
    expect(page.locator(".myth .feedback")).to_have_count(1)
    page.locator(".paper-box").first.locator("input[type=text]").fill("1")
    page.locator(".paper-box").first.get_by_role("button").first.click()
    expect(page.locator(".paper-box:is(.is-right, .is-wrong)")).to_have_count(1)
    page.locator(".question textarea").first.fill("Because they ask the same.")
    page.locator(".question").first.get_by_role("button", name="Compare").click()
    expect(page.locator(".question .feedback").first).to_be_visible()
    card = page.locator(".card").first
    card.locator("summary").click()
    card.get_by_role("button", name="Good").click()
    expect(page.locator(".card-due")).to_have_count(1)
    page.evaluate("document.getElementById('in-pytorch').scrollIntoView({behavior: 'instant'})")
    with page.expect_response("**/reading/"):
        pass


@pytest.mark.timeout(600)
def test_from_the_first_line_to_the_last_exercise_without_an_account_and_nothing_is_lost(page: Page) -> None:
    do_one_of_everything(page)
    page.goto(f"/exercises/{EXERCISES[0]}/")
    for slug in EXERCISES:
        assert page.url.endswith(f"/exercises/{slug}/")
        write(page, (ROOT / "courses/content/exercises" / slug / "solution.py").read_text())
        page.get_by_role("button", name="Check my code").click()
        done = '[data-verdict-state="finished"][data-verdict="passed"]'
        expect(page.locator(done)).to_be_visible(timeout=120_000)
        page.reload()
        page.get_by_role("link", name=re.compile("^(Next: |Back to the lesson)")).click()
    expect(page).to_have_url(re.compile(f"{LESSON}#exercises$"))
    page.goto(f"/exercises/{EXERCISES[0]}/")
    with page.expect_response("**/draft/"):
        write(page, "# begun again, and not handed in\n")

    before = kept(page)
    counts = {name: len(rows) for name, rows in before.items() if name not in {"drafts", "gpu"}}
    done_once = {"sections_done": 1, "reading_positions": 1, "answers": 4, "reviews": 1}
    assert counts == done_once | {"submissions": len(EXERCISES)}
    assert "# begun again" in " ".join(row["text"] for row in before["drafts"])
    sign_up(page)
    assert kept(page) == before

    page.goto(LESSON)
    expect(page.locator("[data-reading] a")).to_contain_text("Continue at: ")
    expect(page.locator("[data-exercise] .done-mark")).to_have_count(len(EXERCISES))
    expect(page.locator(".card-due")).to_have_count(1)
    page.goto("/progress/")
    expect(page.get_by_role("row", name="Exercises passed 12 of 12")).to_be_visible()
    page.goto(f"/exercises/{EXERCISES[0]}/")
    expect(page.locator(".cm-content")).to_contain_text("begun again, and not handed in")
