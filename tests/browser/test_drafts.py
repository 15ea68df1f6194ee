"""Code that is being written is never lost: drafts across reloads, submissions and tabs."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.test_accessibility import is_too_wide, violations
from tests.support.servers import Site, wait_until

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
        first.serverHas("handed in");
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


# ---- On the server ----

DEVICE = "def softmax(scores):\n    return scores  # another device's\n"
ELSEWHERE = "A newer text of yours for this exercise was saved elsewhere"


class Account:
    """A user, who may sign in on several devices."""

    def __init__(self) -> None:
        self.name, self.password = f"learner-{secrets.token_hex(4)}", secrets.token_urlsafe(16)

    def sign_up(self, page: Page) -> None:
        page.goto("/accounts/signup/")
        page.locator("input[name=username]").fill(self.name)
        for field in ("password1", "password2"):
            page.locator(f"input[name={field}]").fill(self.password)
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    def sign_in(self, page: Page) -> None:
        page.goto("/accounts/login/")
        page.locator("input[name=login]").fill(self.name)
        page.locator("input[name=password]").fill(self.password)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()


@pytest.fixture
def account(page: Page) -> Account:
    """Whose first device is `page`."""
    made = Account()
    made.sign_up(page)
    return made


@pytest.fixture
def device(browser: Browser, site: Site) -> Iterator[Page]:
    """Another browser, which shares nothing with the first."""
    context = browser.new_context(base_url=site.url)
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def on_the_server(page: Page) -> None:
    expect(page.locator("[data-draft-state]")).to_have_text("Draft saved")


def write_and_save(page: Page, text: str) -> None:
    write(page, text)
    saved(page, text)  # in the browser first, which is told too
    on_the_server(page)


def test_a_draft_follows_its_user_to_another_device(page: Page, account: Account, device: Page) -> None:
    page.goto(EXERCISE)
    write_and_save(page, MINE)
    account.sign_in(device)
    device.goto(EXERCISE)
    assert source(device) == MINE
    write_and_save(device, DEVICE)
    page.reload()  # the browser holds a text too, which the server has had: nothing is asked
    assert source(page) == DEVICE
    expect(page.locator("#draft-note, #draft-offered")).to_be_hidden()


def meet(context: BrowserContext, account: Account, device: Page) -> Page:
    """Both devices have the page open; the other one saves, then this one, which has not seen that. This one's page."""
    page = context.new_page()  # in which the browser complains of the answer 409
    account.sign_in(device)
    for each in (page, device):
        each.goto(EXERCISE)
    write_and_save(device, DEVICE)
    write(page, MINE)
    expect(page.locator("#draft-note")).to_contain_text(ELSEWHERE)
    return page


@pytest.mark.parametrize(("choice", "left"), [("Use the newer text", DEVICE), ("Keep this text", MINE)])
def test_an_older_device_overwrites_nothing_and_may_choose(
    context: BrowserContext, account: Account, device: Page, choice: str, left: str
) -> None:
    page = meet(context, account, device)
    assert source(page) == MINE
    assert violations(page) == []
    assert not is_too_wide(page)
    page.get_by_role("button", name=choice).click()
    expect(page.locator("#draft-note")).to_be_hidden()
    wait_until(lambda: left == source(page), what="the text that was chosen")
    if choice == "Keep this text":
        on_the_server(page)
    device.reload()
    assert source(device) == left
    write_and_save(page, left + "# and on\n")


def test_who_does_not_choose_loses_nothing_on_reload(context: BrowserContext, account: Account, device: Page) -> None:
    page = meet(context, account, device)
    saved(page, MINE)
    page.reload()
    assert source(page) == DEVICE  # the newer
    expect(page.locator("#draft-note")).to_contain_text("never handed in")
    page.get_by_role("button", name="Use it").click()
    assert source(page) == MINE


def test_what_is_handed_in_elsewhere_is_shown_and_the_draft_offered(page: Page, account: Account, device: Page) -> None:
    account.sign_in(device)
    device.goto(EXERCISE)
    page.goto(EXERCISE)
    write_and_save(page, MINE)
    write(device, DEVICE)
    device.get_by_role("button", name="Check my code").click()
    expect(device.locator("#draft-note")).to_be_hidden()
    expect(device.locator('[data-verdict-state="finished"]')).to_be_visible()
    device.reload()
    assert source(device) == DEVICE
    offer = device.locator("#draft-offered")
    expect(offer).to_contain_text("You saved a draft on")
    assert violations(device) == []
    offer.get_by_role("link", name="Put the draft into the editor").click()
    assert source(device) == MINE
    device.keyboard.press("Control+z")
    assert source(device) == DEVICE


def test_a_visitors_draft_is_offered_where_the_user_has_another(page: Page, account: Account, device: Page) -> None:
    page.goto(EXERCISE)
    write_and_save(page, MINE)
    device.goto(EXERCISE)
    write(device, DEVICE)
    device.get_by_role("button", name="Run the shown cases").click()  # from now on the server knows this visitor
    on_the_server(device)
    later = DEVICE + "# later\n"
    write_and_save(device, later)
    account.sign_in(device)
    device.goto(EXERCISE)
    assert source(device) == MINE
    expect(device.locator("#draft-note")).to_contain_text("never handed in")
    device.get_by_role("button", name="Use it").click()
    assert source(device) == later


def test_what_a_visitor_wrote_is_there_after_signing_up(device: Page) -> None:
    device.goto(EXERCISE)
    write(device, MINE)
    device.get_by_role("link", name="Sign up").first.click()
    Account().sign_up(device)
    device.goto(EXERCISE)
    assert source(device) == MINE
    on_the_server(device)


def test_a_draft_that_cannot_be_sent_stays_in_the_browser(account: Account, context: BrowserContext) -> None:
    page = context.new_page()  # which may complain of what is lost
    page.goto(EXERCISE)
    context.set_offline(True)
    write(page, MINE)
    saved(page, MINE)
    page.wait_for_timeout(1800)
    expect(page.locator("[data-draft-state]")).to_have_text("Draft kept in this browser")
    context.set_offline(False)
    page.reload()
    assert source(page) == MINE
    on_the_server(page)


def test_an_answer_that_is_lost_is_no_conflict(page: Page, account: Account) -> None:
    """The server kept a text, the page was left before it heard of that, and was edited meanwhile."""
    page.goto(EXERCISE)
    kept: list[int] = []

    def lose_the_first(route: Route) -> None:
        if kept:
            route.continue_()
        else:
            kept.append(route.fetch().status)  # which is never handed on

    page.route("**/draft/", lose_the_first)
    with page.expect_request("**/draft/"):
        write(page, DEVICE)
    write(page, MINE)
    saved(page, MINE)
    assert kept == [200]
    page.reload()
    assert source(page) == MINE
    expect(page.locator("#draft-note")).to_be_hidden()
    on_the_server(page)


def test_typing_makes_no_learner_of_a_newcomer(exercise: Page) -> None:
    asked: list[str] = []
    exercise.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    write(exercise, MINE)
    saved(exercise, MINE)
    exercise.wait_for_timeout(2000)
    assert asked == []
    assert not [cookie for cookie in exercise.context.cookies() if cookie["name"] == "sessionid"]


# ---- Sessions that end or change meanwhile ----


def test_after_signing_in_in_another_tab_the_code_is_still_there(account: Account, context: BrowserContext) -> None:
    page = context.new_page()  # which may complain of the refusal
    page.goto(EXERCISE)
    write_and_save(page, MINE)
    other = context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()
    account.sign_in(other)
    write(page, OTHERS)
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator("#page-notice")).to_contain_text("older than your last signing in")
    assert source(page) == OTHERS
    page.get_by_role("link", name="Load it again").click()
    page.wait_for_load_state()
    assert source(page) == OTHERS
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_be_visible()
    expect(page.locator("[data-attempt]")).to_have_count(1)


def test_an_ended_session_keeps_the_code_and_its_verdict(page: Page, account: Account) -> None:
    page.goto(EXERCISE)
    write_and_save(page, MINE)
    page.context.clear_cookies(name="sessionid")
    write(page, OTHERS)
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator('[data-verdict-state="finished"]')).to_be_visible()  # as a visitor, in the same page
    assert source(page) == OTHERS
    account.sign_in(page)
    page.goto(EXERCISE)
    assert source(page) == OTHERS
    expect(page.locator("[data-attempt]")).to_have_count(1)
