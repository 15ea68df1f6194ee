"""An exercise's page: one press, one run; what stands beside the verdict follows it; a grader that is away."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.support.servers import Site, wait_until

EXERCISE = "/exercises/scaled-scores/"
WRONG = "import numpy as np\n\n\ndef scaled_scores(Q, K):\n    return Q @ K.T\n"
RIGHT = WRONG.replace("K.T", "K.T / np.sqrt(Q.shape[-1])")


def write(page: Page, source: str) -> None:
    page.locator(".cm-content").fill(source)


def verdict(page: Page, title: str) -> None:
    expect(page.locator("#verdict-title")).to_have_text(title, timeout=20_000)


@contextmanager
def worker_that_does_not_answer(site: Site) -> Iterator[None]:
    children = psutil.Process(site.process.pid).children()
    worker = next(each for each in children if "celery" in " ".join(each.cmdline()))
    try:
        for _ in range(100):
            os.killpg(worker.pid, signal.SIGSTOP)  # it has a process group of its own
            wait_until(lambda: has_stopped(worker), what="the worker to stop")
            if may_be_written(site.var / "heed.sqlite3"):
                break
            # It stopped within a write of its own, a sign of life perhaps: the site would wait for it.
            os.killpg(worker.pid, signal.SIGCONT)
            time.sleep(0.05)
        else:
            raise AssertionError("the worker was always writing to the database")
        yield
    finally:
        os.killpg(worker.pid, signal.SIGCONT)


def has_stopped(worker: psutil.Process) -> bool:
    """Whether all of its process group have: on a busy machine the signal takes a while, and one may lock meanwhile."""
    group = [each for each in (worker, *worker.children(recursive=True)) if os.getpgid(each.pid) == worker.pid]
    return all(each.status() == psutil.STATUS_STOPPED for each in group)


def may_be_written(database: Path) -> bool:
    """Whether no process holds its lock for writing."""
    with closing(sqlite3.connect(database, timeout=0.1, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            return False
        connection.execute("ROLLBACK")
    return True


def test_pressed_again_and_again_it_runs_once(page: Page) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    button = page.get_by_role("button", name="Check my code")
    button.dblclick()
    for _ in range(3):
        page.wait_for_timeout(120)
        button.click()
    verdict(page, "Not right yet")
    expect(page.locator("[data-attempt]")).to_have_count(1)
    page.wait_for_timeout(1100)
    button.click()  # on purpose
    expect(page.locator("[data-attempt]")).to_have_count(2)


def test_another_text_is_sent_at_once(page: Page) -> None:
    page.goto(EXERCISE)
    button = page.get_by_role("button", name="Check my code")
    write(page, WRONG)
    button.click()
    verdict(page, "Not right yet")
    write(page, RIGHT)
    button.click()
    verdict(page, "Passed")
    expect(page.locator("[data-attempt]")).to_have_count(2)


def test_passing_shows_at_the_head_and_opens_the_solution(page: Page) -> None:
    page.goto(EXERCISE)
    expect(page.locator("#passed-mark")).to_be_hidden()
    write(page, RIGHT)
    page.keyboard.press("Control+Enter")
    verdict(page, "Passed")
    expect(page.locator("#passed-mark")).to_have_text("Passed")
    expect(page.locator("#solution summary")).to_have_text("A solution")
    expect(page.get_by_role("link", name="Next: Softmax that never overflows")).to_be_visible()


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.goto(EXERCISE)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to your code")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("def scaled_scores(Q, K):\nreturn Q @ K.T")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    verdict(page, "Not right yet")
    expect(page.locator("#verdict-title")).to_be_focused()
    expect(page.locator("#status")).to_have_text("Not right yet")


def test_what_is_handed_in_while_no_worker_answers_waits_and_is_graded_later(page: Page, site: Site) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    with worker_that_does_not_answer(site):
        page.get_by_role("button", name="Check my code").click()
        verdict(page, "Waiting")
        page.reload()
        verdict(page, "Waiting")
        expect(page.locator('[data-attempt="1"]')).to_contain_text("Waiting")
    verdict(page, "Not right yet")
    expect(page.locator('[data-attempt="1"]')).to_contain_text("1 of 10 points")
    expect(page.locator("#worker")).to_have_text("")


def test_what_is_handed_in_while_an_attempt_waits_replaces_it_in_every_tab(page: Page, site: Site) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    with worker_that_does_not_answer(site):
        page.get_by_role("button", name="Check my code").click()
        verdict(page, "Waiting")
        other = page.context.new_page()
        other.goto(EXERCISE)
        verdict(other, "Waiting")
        write(page, RIGHT)
        page.get_by_role("button", name="Check my code").click()
        verdict(other, "Replaced")
        expect(other.locator('[data-attempt="1"]')).to_contain_text("Replaced")
        expect(other.locator('[data-attempt="2"]')).to_contain_text("Waiting")
    verdict(page, "Passed")
    verdict(other, "Replaced")  # it no longer asks
    other.get_by_role("link", name="See your latest attempt").click()
    verdict(other, "Passed")


def test_an_answer_about_the_attempt_before_does_not_come_in_between(page: Page, site: Site) -> None:
    """While the second text is being handed in, the page of the first would be told that it was replaced."""
    page.goto(EXERCISE)
    write(page, WRONG)

    def slowly(route: Route) -> None:
        answer = route.fetch()
        page.wait_for_timeout(1500)
        route.fulfill(response=answer)

    with worker_that_does_not_answer(site):
        page.get_by_role("button", name="Check my code").click()
        verdict(page, "Waiting")
        page.route("**/submit/", slowly)
        write(page, RIGHT)
        page.get_by_role("button", name="Check my code").click()
        page.wait_for_timeout(2500)
        verdict(page, "Waiting")
    verdict(page, "Passed")
    expect(page.locator("[data-attempt]")).to_have_count(2)


def test_a_press_that_fails_leaves_the_verdict_before_to_be_asked_for(context: BrowserContext, site: Site) -> None:
    page = context.new_page()  # which may complain of what is lost
    page.goto(EXERCISE)
    write(page, WRONG)
    with worker_that_does_not_answer(site):
        page.get_by_role("button", name="Check my code").click()
        verdict(page, "Waiting")
        page.route("**/submit/", lambda route: route.abort())
        write(page, RIGHT)
        page.get_by_role("button", name="Check my code").click()
        expect(page.locator("#page-notice")).to_contain_text("nothing was recorded")
    verdict(page, "Not right yet")


def test_a_verdict_that_could_not_be_asked_for_is_asked_for_again(context: BrowserContext) -> None:
    page = context.new_page()  # which may complain of what is lost
    page.goto(EXERCISE)
    write(page, WRONG)
    lost: list[str] = []

    def lose_two(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.request.url)
            # What a proxy says of a server that is being started again, and a connection that breaks.
            return route.fulfill(status=503) if len(lost) == 1 else route.abort()
        return route.continue_()

    page.route("**/submissions/**", lose_two)
    page.get_by_role("button", name="Check my code").click()
    expect(page.locator("#page-notice")).to_contain_text("What you handed in is kept.")
    verdict(page, "Not right yet")
    expect(page.locator("#page-notice")).to_be_empty()
    assert len(lost) == 2


# ---- What was printed ----


def printed(page: Page, statement: str) -> str:
    """What is shown of what a statement prints while the code is loaded."""
    page.goto(EXERCISE)
    before = page.locator("#verdict").get_attribute("data-submission")
    write(page, f"{WRONG}{statement}\n")
    page.get_by_role("button", name="Check my code").click()
    finished = f'#verdict[data-verdict-state="finished"]:not([data-submission="{before}"])'
    expect(page.locator(finished)).to_be_visible(timeout=15_000)
    return page.locator(".stdout samp").inner_text()


def test_what_was_printed_harms_no_page(page: Page) -> None:
    raw = r"\x1b[31mred\x00\r</script><script>document.title = 1</script><img src=x onerror=alert(1)>\u202e\xed\xa0\x80"
    shown = printed(page, f"import sys; sys.stdout.buffer.write(b'{raw}'); sys.stdout.flush()")
    assert shown.startswith("␛[31mred␀␍</script><script>document.title = 1</script><img src=x onerror=alert(1)>")
    assert "\x1b" not in shown
    assert page.title() != "1"
    expect(page.locator(".stdout img, .stdout script")).to_have_count(0)


def test_a_lone_surrogate_is_shown_as_what_it_is(page: Page) -> None:
    shown = printed(page, "print('\\ud800'.encode('utf-8', 'surrogatepass'), ascii('\\udfff'))")
    assert "\\xed\\xa0\\x80" in shown


def test_of_a_megabyte_the_head_and_the_tail_are_shown(page: Page) -> None:
    """Nearly as much as may be printed; and more, which stops the code."""
    for length, title in ((900_000, "Not right yet"), (5_000_000, "Too much output")):
        shown = printed(page, f"print('head', 'x' * {length}, 'tail')")
        verdict(page, title)
        assert shown.startswith("head xxx")
        assert len(shown) < 70_000
        expect(page.locator(".stdout")).to_contain_text("It printed more; the middle is left out.")
        if length < 1_000_000:
            assert shown.rstrip().endswith("xxx tail")


# ---- Going back ----


def test_going_back_shows_a_whole_page_and_hands_in_nothing_again(page: Page) -> None:
    page.goto(EXERCISE)
    write(page, WRONG)
    page.get_by_role("button", name="Check my code").click()
    verdict(page, "Not right yet")
    expect(page.locator("[data-attempt]")).to_have_count(1)
    page.goto("/")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".site-footer")).to_be_visible()
    expect(page.locator(".cm-content")).to_contain_text("return Q @ K.T")
    expect(page.locator("[data-attempt]")).to_have_count(1)


def test_without_javascript_going_back_and_loading_again_hands_in_nothing_twice(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(EXERCISE)
    page.locator("textarea[name=source]").fill(WRONG)
    page.get_by_role("button", name="Check my code").click()
    expect(page).to_have_url(re.compile("/submissions/"))
    page.reload()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_forward()
    page.reload()
    page.goto(EXERCISE)
    expect(page.locator("[data-attempt]")).to_have_count(1)
    context.close()


# ---- Composing ----


def test_enter_that_ends_the_composing_of_a_character_hands_in_nothing(page: Page) -> None:
    page.goto(EXERCISE)
    write(page, "# ")
    page.keyboard.press("Control+End")
    devtools = page.context.new_cdp_session(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    for modifiers in (0, 2, 2 | 8):  # alone, with Ctrl, with Ctrl and Shift
        devtools.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
        keys = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229, "modifiers": modifiers}
        devtools.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **keys})
        devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **keys})
        devtools.send("Input.insertText", {"text": "に"})
    page.wait_for_timeout(300)
    assert sent == []
    expect(page.locator(".cm-content")).to_contain_text("# にに")
    page.keyboard.press("Control+Enter")  # once it is ended
    expect(page.locator("#verdict-title")).to_have_text("Your code could not be loaded")


def test_hints_come_one_at_a_time(page: Page) -> None:
    page.goto(EXERCISE)
    hints = page.locator(".hint")
    for number in range(hints.count()):
        assert [hint.is_visible() for hint in hints.all()] == [each <= number for each in range(hints.count())]
        hints.nth(number).locator("summary").press("Enter")
    hints.first.locator("summary").press("Enter")  # closed again: what was read stays
    assert all(hint.is_visible() for hint in hints.all())
