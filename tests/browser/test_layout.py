"""What would be cut or pushed aside: formulas, listings and names on a wide page, and everything on paper."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

LESSON = "/courses/how-language-models-work/attention/"
EXERCISES = [
    *("qkv-projections", "scaled-scores", "softmax", "attention", "causal-attention", "attention-cost"),
    *("batched-attention", "torch-attention", "multi-head-attention", "kv-cache", "tiled-attention", "gpu-attention"),
]
# Elements that are wider than their place, by the beginning of their text.
CUT = """selectors => [...document.querySelectorAll(selectors)]
    .filter(each => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
    .map(each => each.textContent.slice(0, 40))"""


def cut(page: Page, selectors: str) -> Any:
    return page.evaluate(CUT, selectors)


def wide(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 1300, "height": 900})
    page.goto(path)


@pytest.mark.parametrize("slug", EXERCISES)
def test_nothing_of_an_exercise_is_cut_on_a_wide_page(page: Page, slug: str) -> None:
    wide(page, f"/exercises/{slug}/")
    page.wait_for_selector(".cm-line")
    assert cut(page, ".math, .table-scroll, .statement p, .cm-scroller") == []


def test_nothing_of_the_lesson_is_cut_on_a_wide_page(page: Page) -> None:
    wide(page, LESSON)
    page.get_by_text("A formal way").click()
    assert cut(page, ".prose, .prose p, pre, .math, .table-scroll") == []


def test_numbers_stand_under_each_other(page: Page) -> None:
    wide(page, LESSON)
    aligned = page.locator("#quadratic-cost td.align-right")
    assert aligned.count() == 15
    assert {each.evaluate("each => getComputedStyle(each).textAlign") for each in aligned.all()} == {"end"}


@pytest.mark.parametrize("width", [700, 1300])
def test_paper_shows_the_whole_width_and_scrolls_nothing(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="print")
    page.goto(LESSON)
    article = page.locator("article.lesson").bounding_box()
    assert article
    assert article["width"] > 0.75 * width
    assert cut(page, "pre, .math, .table-scroll, figure details") == []


def test_the_bar_of_the_worked_example_stays_where_it_is(page: Page) -> None:
    wide(page, LESSON)
    stepper = page.locator("worked-steps")
    places = set()
    for _ in range(32):
        top = stepper.locator(".step-bar").evaluate("bar => bar.getBoundingClientRect().top + scrollY")
        places.add(round(top))
        stepper.get_by_role("button", name="Next").click()
    assert len(places) == 1
