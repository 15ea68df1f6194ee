"""The cost explorer in a real Chromium: its numbers against attention_core's, its controls, the keyboard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from attention_core.cost import attention_cost, lesson_costs
from courses.figures.costs import RUNNING, tiled_megabytes
from courses.figures.quadratic_cost import TILE
from tests.browser.elements import live
from tests.browser.test_accessibility import is_too_wide, violations
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
SHOWN = [("512", "1 MB"), ("2,048", "8 MB"), ("8,192", "134 MB"), ("32,768", "2,147 MB"), ("131,072", "34,360 MB")]


@pytest.fixture
def explorer(page: Page) -> Locator:
    page.goto(LESSON)
    return live(page, "cost-explorer")


def live_rows(explorer: Locator) -> list[list[str]]:
    rows = explorer.locator(".cost-live tbody tr").all()
    return [[cell.inner_text().split(" ◆")[0] for cell in row.locator("th, td").all()] for row in rows]


def length(explorer: Locator) -> Locator:
    return explorer.get_by_role("spinbutton", name="Context length, in tokens")


def test_its_numbers_are_attention_cores(explorer: Locator) -> None:
    rng = np.random.default_rng(3)
    asked = [
        {
            "tokens": int(2 ** rng.uniform(0, 20)),
            "bytes": int(rng.choice([1, 2, 4, 8])),
            "heads": int(rng.integers(1, 257)),
            "layers": int(rng.integers(1, 257)),
        }
        for _ in range(200)
    ]
    got = explorer.evaluate(
        """async ({ start }, asked) => {
            const { cost } = await import("/static/js/cost-model.js");
            return asked.map((each) => cost(each, start));
        }""",
        asked,
    )
    for mine, case in zip(got, asked, strict=True):
        settings = (case["bytes"], case["heads"], case["layers"])
        pairs, whole = attention_cost(case["tokens"], *settings)
        assert mine["pairs"] == pairs
        assert mine["whole"] == pytest.approx(whole, rel=1e-12)
        assert mine["tiled"] == pytest.approx(tiled_megabytes(case["tokens"], *settings), rel=1e-12)


def test_tiles_keep_one_tile_and_two_numbers_for_each_token() -> None:
    assert tiled_megabytes(4096, 2, 3, 5) == pytest.approx((TILE * TILE + RUNNING * 4096) * 2 * 3 * 5 / 1e6)
    assert tiled_megabytes(10, 4, 1, 1) == pytest.approx((10 * 10 + RUNNING * 10) * 4 / 1e6)


def test_the_five_lengths_of_the_lesson_are_there_and_as_published(explorer: Locator) -> None:
    live = live_rows(explorer)
    assert [(row[0], row[2]) for row in live] == SHOWN
    assert [int(row[1].replace(",", "")) for row in live] == [each.pairs for each in lesson_costs()]
    static = explorer.locator(".cost-static tbody tr").all()
    assert live == [row.locator("th, td").all_text_contents() for row in static]
    expect(explorer.locator(".cost-dot")).to_have_count(2 * len(SHOWN))


def test_a_length_of_the_lesson_can_be_chosen(explorer: Locator) -> None:
    explorer.get_by_role("button", name="131,072").click()
    expect(length(explorer)).to_have_value("131072")
    expect(explorer.get_by_role("button", name="131,072")).to_be_focused()
    expect(explorer.locator(".cost-current")).to_contain_text("shown")
    expect(explorer.locator(".cost-said")).to_have_text(
        "131,072 tokens: 17,179,869,184 pairs for each head in each layer. Kept whole, the scores take 34,360 MB; in "
        "tiles, 0.56 MB at a time."
    )
    expect(explorer.get_by_role("status")).to_contain_text("131,072 tokens")


def test_heads_layers_and_bytes_multiply(explorer: Locator) -> None:
    explorer.get_by_label("heads").fill("32")
    explorer.get_by_label("layers").fill("48")
    explorer.get_by_role("combobox", name="bytes a number").select_option("4")
    length(explorer).fill("100000")
    _, whole = attention_cost(100_000, 4, 32, 48)
    expect(explorer.locator(".cost-said")).to_contain_text(f"the scores take {whole:,.0f} MB")
    assert live_rows(explorer)[4][0] == "100,000"
    assert [row[0] for row in live_rows(explorer) if row[0] != "100,000"] == [tokens for tokens, _ in SHOWN]
    expect(explorer.locator(".cost-live caption")).to_contain_text("Heads: 32; layers: 48; bytes a number: 4")


def point(explorer: Locator) -> tuple[float, float]:
    circle = explorer.locator(".cost-point.cost-whole-line")
    return float(circle.get_attribute("cx") or "nan"), float(circle.get_attribute("cy") or "nan")


def test_the_picture_is_logarithmic_in_both_directions(explorer: Locator) -> None:
    at = []
    for tokens in (512, 2048, 8192, 32768):
        length(explorer).fill(str(tokens))
        at.append(point(explorer))
    steps = np.diff(np.array(at), axis=0)
    assert steps == pytest.approx(np.tile(steps[0], (3, 1)), abs=0.01)
    assert steps[0][0] > 0 > steps[0][1]
    path = explorer.locator("path.cost-whole-line").get_attribute("d") or ""
    corners = np.array([each.split() for each in path.removeprefix("M ").split(" L ")], dtype=float)
    slope = np.polyfit(corners[:, 0], corners[:, 1], 1)[0]
    assert slope == pytest.approx(steps[0][1] / steps[0][0], rel=0.01)


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("Context length, in tokens", "0", "The context length is a whole number from 1 to 1,048,576"),
        ("Context length, in tokens", "", "The context length is a whole number from 1 to 1,048,576"),
        ("Context length, in tokens", "2000000", "The context length is a whole number from 1 to 1,048,576"),
        ("heads", "1.5", "The heads are a whole number from 1 to 256"),
        ("layers", "-3", "The layers are a whole number from 1 to 256"),
    ],
)
def test_what_is_no_number_is_told_and_nothing_is_lost(explorer: Locator, name: str, typed: str, said: str) -> None:
    before = live_rows(explorer)
    field = explorer.get_by_role("spinbutton", name=name)
    field.fill(typed)
    expect(explorer.get_by_role("alert")).to_contain_text(said)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value(typed)
    assert live_rows(explorer) == before
    field.fill("16")
    expect(explorer.get_by_role("alert")).to_be_hidden()
    expect(field).to_have_attribute("aria-invalid", "false")


@pytest.mark.parametrize("tokens", ["1", "2", "1048576"])
def test_the_smallest_and_the_largest_are_drawn(explorer: Locator, tokens: str) -> None:
    length(explorer).fill(tokens)
    x, y = point(explorer)
    assert 0 <= x <= 360
    assert 0 <= y <= 290


def test_the_keyboard_alone_is_enough(explorer: Locator) -> None:
    page = explorer.page
    length(explorer).focus()
    page.keyboard.press("Tab")
    slider = explorer.get_by_role("slider", name="Context length, in tokens")
    expect(slider).to_be_focused()
    for _ in range(4):
        page.keyboard.press("ArrowRight")  # four steps double the length
    expect(length(explorer)).to_have_value("16384")
    expect(slider).to_have_attribute("aria-valuetext", "16,384 tokens")
    page.keyboard.press("End")
    expect(length(explorer)).to_have_value("1048576")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    expect(explorer.get_by_label("heads")).to_have_value("2")
    explorer.get_by_role("button", name="512", exact=True).focus()
    page.keyboard.press("Enter")
    expect(length(explorer)).to_have_value("512")


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1300])
def test_no_state_has_a_violation(browser: Browser, site: Site, look: Any, width: int) -> None:
    context = browser.new_context(base_url=site.url, color_scheme=look, viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(LESSON)
    explorer = live(page, "cost-explorer")
    explorer.get_by_label("heads").fill("256")
    explorer.get_by_label("layers").fill("0")
    length(explorer).fill("1048576")
    expect(explorer.get_by_role("alert")).to_be_visible()
    expect(explorer.get_by_label("layers")).to_have_value("0")
    assert violations(page, "cost-explorer") == []
    assert not is_too_wide(page)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert violations(page, "cost-explorer") == []
    assert not is_too_wide(page)
    context.close()


def test_without_javascript_the_five_lengths_are_a_table(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(LESSON)
    explorer = page.locator("cost-explorer")
    expect(explorer).to_contain_text("needs JavaScript")
    rows = explorer.get_by_role("table").locator("tbody tr")
    assert [(row.locator("th").inner_text(), row.locator("td").nth(1).inner_text()) for row in rows.all()] == SHOWN
    context.close()
