"""An exercise's page: one press, one run; what stands beside the verdict follows it; a grader that is away."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.support.servers import Site

EXERCISE = "/exercises/scaled-scores/"
WRONG = "import numpy as np\n\n\ndef scaled_scores(Q, K):\n    return Q @ K.T\n"
RIGHT = WRONG.replace("K.T", "K.T / np.sqrt(Q.shape[-1])")


def write(page: Page, source: str) -> None:
    page.locator(".cm-content").fill(source)


def verdict(page: Page, title: str) -> None:
    expect(page.locator("#verdict-title")).to_have_text(title)


@contextmanager
def worker_that_does_not_answer(site: Site) -> Iterator[None]:
    children = psutil.Process(site.process.pid).children()
    worker = next(each for each in children if "celery" in " ".join(each.cmdline()))
    try:
        for _ in range(100):
            os.killpg(worker.pid, signal.SIGSTOP)  # it has a process group of its own
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
