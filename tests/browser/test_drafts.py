"""Code that is being written is never lost: drafts across reloads, submissions and tabs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.servers import wait_until

EXERCISE = "/exercises/softmax/"
MINE = "def softmax(scores):\n    return scores  # mine\n"
OTHERS = "def softmax(scores):\n    return scores  # another tab's\n"


def write(page: Page, text: str) -> None:
    page.locator(".cm-content").fill(text)


def saved(page: Page, text: str) -> None:
    """Waits until the browser has stored `text`, which it does a moment after the last key."""
    stored = "() => Object.values(localStorage).map((value) => JSON.parse(value).text)"
    wait_until(lambda: text in page.evaluate(stored), what="the draft to be kept", seconds=5)


WITH_DRAFTS = """async () => {
    const { Draft } = await import("/static/js/draft.js");
    const store = new Map();
    const storage = {
        getItem: (key) => store.get(key) ?? null,
        setItem: (key, value) => store.set(key, value),
        removeItem: (key) => store.delete(key),
    };
    const draft = (learner) => new Draft(storage, learner, "softmax");
    BODY
}"""


def with_drafts(page: Page, body: str) -> Any:
    """Runs JavaScript with a store of its own; `draft(learner)` opens a tab's view of the exercise's draft."""
    return page.evaluate(WITH_DRAFTS.replace("BODY", body))


@pytest.fixture
def exercise(page: Page) -> Page:
    page.goto(EXERCISE)
    return page


def source(page: Page) -> str:
    return page.locator("textarea[name=source]").input_value()


def test_a_draft_survives_a_reload(exercise: Page) -> None:
    write(exercise, MINE)
    exercise.reload()
    assert source(exercise) == MINE
    expect(exercise.locator(".cm-content")).to_contain_text("# mine")


def test_a_draft_belongs_to_one_exercise(exercise: Page) -> None:
    write(exercise, MINE)
    saved(exercise, MINE)
    exercise.goto("/exercises/attention/")
    assert "# mine" not in source(exercise)


def test_an_idle_tab_follows_and_an_edited_one_is_asked(exercise: Page, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto(EXERCISE)
    write(other, OTHERS)
    saved(other, OTHERS)
    expect(exercise.locator(".cm-content")).to_contain_text("another tab's")
    write(exercise, MINE)
    saved(exercise, MINE)
    expect(other.locator(".cm-content")).to_contain_text("# mine")


def test_an_older_text_does_not_overwrite_a_newer_one(exercise: Page) -> None:
    outcome = with_drafts(
        exercise,
        """
        const [older, newer] = [draft("1"), draft("1")];
        older.opening("starter", false);
        newer.opening("starter", false);
        const results = [newer.save("the newer text"), older.save("the older text")];
        return [...results, draft("1").opening("starter", false).text];
        """,
    )
    assert outcome == ["saved", "newer", "the newer text"]


def test_a_visitors_draft_goes_along_at_sign_in_and_to_nobody_twice(exercise: Page) -> None:
    outcome = with_drafts(
        exercise,
        """
        const visitor = draft("visitor");
        visitor.opening("starter", false);
        visitor.save("as a visitor");
        return ["1", "2", "visitor"].map((who) => draft(who).opening("starter", false).text);
        """,
    )
    assert outcome == ["as a visitor", "starter", "starter"]


def test_a_text_that_was_never_handed_in_is_offered_beside_a_newer_submission(exercise: Page) -> None:
    outcome = with_drafts(
        exercise,
        """
        const first = draft("1");
        first.opening("starter", false);
        first.save("unsent");
        return draft("1").opening("handed in elsewhere", false);
        """,
    )
    assert outcome == {"text": "handed in elsewhere", "offered": "unsent"}


def test_what_was_handed_in_is_the_base_of_further_edits(exercise: Page) -> None:
    outcome = with_drafts(
        exercise,
        """
        const first = draft("1");
        first.opening("starter", false);
        first.save("handed in");
        first.handedIn("handed in");
        first.save("edited on");
        return draft("1").opening("handed in", false);
        """,
    )
    assert outcome == {"text": "edited on", "offered": None}


def test_a_browser_that_keeps_nothing_still_lets_one_write(context: BrowserContext) -> None:
    page = context.new_page()
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    page.goto(EXERCISE)
    write(page, MINE)
    expect(page.locator("[data-draft-state]")).to_have_text("This browser keeps no drafts")
    assert source(page) == MINE


def test_tab_indents_and_escape_then_tab_leaves(exercise: Page) -> None:
    write(exercise, "")
    exercise.keyboard.press("Tab")
    assert source(exercise) == "    "
    exercise.keyboard.press("Escape")
    exercise.keyboard.press("Tab")
    expect(exercise.get_by_role("button", name="Check my code")).to_be_focused()


def test_starting_over_can_be_undone(exercise: Page) -> None:
    write(exercise, MINE)
    exercise.get_by_role("button", name="Start over").click()
    expect(exercise.locator(".cm-content")).to_contain_text(re.compile("def softmax"))
    assert source(exercise) != MINE
    exercise.keyboard.press("Control+z")
    assert source(exercise) == MINE
