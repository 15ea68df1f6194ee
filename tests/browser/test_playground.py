"""The playground in a real Chromium: its arithmetic against attention_core's, its presets, its links, the keyboard."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from attention_core.attention import attention, causal_attention
from attention_core.worked_example import worked_example
from courses.figures.playground import ROLES, vector_of
from tests.browser.elements import live
from tests.browser.test_accessibility import is_too_wide, violations
from tests.support.servers import Site

LESSON = "/courses/how-language-models-work/attention/"
VOCABULARY = [
    *("the", "cat", "sat", "down", "größer", "naïve", "Ω", "ΛΌΓΟΣ", "猫が", "座った", "🙂"),
    *("don't", "x=1&y=2", "50%", "a+b", "#tag", "ÉTÉ", "İstanbul"),
]
Matrices = dict[str, NDArray[np.float64]]


@pytest.fixture
def playground(page: Page) -> Locator:
    page.goto(LESSON)
    return live(page, "attention-playground")


def reference(state: dict[str, Any], matrices: Matrices) -> list[NDArray[np.float64]]:
    """Output and weights by attention_core. No √d, and a temperature, are the same as larger queries."""
    width = matrices["Q"].shape[1]
    if state["temperature"] == 0:
        return coldest(state, matrices)
    factor = (1 if state["scale"] else np.sqrt(width)) / state["temperature"]
    compute = causal_attention if state["causal"] else attention
    return list(compute(matrices["Q"] * factor, matrices["K"], matrices["V"]))


def coldest(state: dict[str, Any], matrices: Matrices) -> list[NDArray[np.float64]]:
    """The limit at temperature 0: all weight on the highest score, in equal parts where several are."""
    scores = matrices["Q"] @ matrices["K"].T
    if state["causal"]:
        scores = np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)
    highest = scores == scores.max(axis=1, keepdims=True)
    weights = highest / highest.sum(axis=1, keepdims=True)
    return [weights @ matrices["V"], weights]


def random_state(rng: np.random.Generator) -> dict[str, Any]:
    words = [str(word) for word in rng.choice(VOCABULARY, size=rng.integers(1, 13))]
    state = {
        "words": words,
        "width": int(rng.choice([2, 16, 128])),
        "causal": bool(rng.integers(2)),
        "scale": bool(rng.integers(2)),
        "temperature": float(rng.integers(0, 31) / 10),
    }
    if state["width"] == 2:
        # Whole numbers among them, so that several scores are highest; and large ones.
        for name in ROLES:
            wide = rng.normal(size=(len(words), 2)) * 10.0 ** rng.integers(-3, 3)
            state[name] = (wide.round() if rng.integers(2) else wide).clip(-1000, 1000).tolist()
    return state


def matrices_of(state: dict[str, Any]) -> Matrices:
    made = {name: [vector_of(word, role, state["width"]) for word in state["words"]] for name, role in ROLES.items()}
    return {name: np.array(state.get(name, made[name])) for name in ROLES}


def link(state: dict[str, Any], **changed: str) -> str:
    """The fragment that the playground writes, put together here by its description."""
    fields = {
        "play": "1",
        "w": " ".join(state["words"]),
        "d": state["width"],
        "m": int(state["causal"]),
        "s": int(state["scale"]),
        "t": f"{state['temperature']:g}",
        **{name.lower(): "_".join(map(repr, np.ravel(state[name]).tolist())) for name in ROLES if name in state},
    }
    return f"#{urlencode({**fields, **changed})}"


def computed(playground: Locator) -> list[Any]:
    result: list[Any] = playground.evaluate("({ result }) => [result.output, result.weights]")
    return result


@pytest.mark.parametrize("width", [1, 2, 3, 128])
def test_the_arithmetic_is_attention_cores(playground: Locator, width: int) -> None:
    rng = np.random.default_rng(width)
    cases = []
    for _ in range(40):
        tokens = int(rng.integers(1, 13))
        matrices = {name: rng.normal(size=(tokens, 5 if name == "V" else width)) * 3 for name in ROLES}
        flags = {"causal": bool(rng.integers(2)), "scale": bool(rng.integers(2))}
        cases.append((matrices, {**flags, "temperature": float(rng.integers(1, 31) / 10)}))
    got = playground.evaluate(
        """async (_, cases) => {
            const { attention } = await import("/static/js/attention.js");
            return cases.map(([{ Q, K, V }, switches]) => attention(Q, K, V, switches))
                .map(({ output, weights }) => [output, weights]);
        }""",
        [({name: each.tolist() for name, each in matrices.items()}, switches) for matrices, switches in cases],
    )
    for mine, (matrices, switches) in zip(got, cases, strict=True):
        for part, expected in zip(mine, reference(switches, matrices), strict=True):
            np.testing.assert_allclose(part, expected, rtol=0, atol=1e-9)


def test_words_become_the_same_numbers_here_and_there(playground: Locator) -> None:
    asked = [[word, role, width] for word in VOCABULARY for role in ROLES.values() for width in (2, 16, 128)]
    got = playground.evaluate(
        """async (_, asked) => {
            const { vectorOf } = await import("/static/js/attention.js");
            return asked.map((each) => vectorOf(...each));
        }""",
        asked,
    )
    assert got == [vector_of(*each) for each in asked]  # type: ignore[arg-type]


def test_any_words_numbers_and_switches_come_out_of_a_link_as_attention_core_computes_them(page: Page) -> None:
    rng = np.random.default_rng(11)
    page.goto(LESSON)
    playground = live(page, "attention-playground")
    for _ in range(25):
        state = random_state(rng)
        page.evaluate("fragment => { location.hash = fragment; }", link(state))
        page.wait_for_function(
            "words => document.querySelector('attention-playground').state.words.join() === words",
            arg=",".join(state["words"]),
        )
        expect(playground.locator(".play-notice")).to_be_hidden()
        for part, expected in zip(computed(playground), reference(state, matrices_of(state)), strict=True):
            np.testing.assert_allclose(part, expected, rtol=0, atol=1e-9)
        assert all(abs(sum(row) - 1) < 1e-9 for row in computed(playground)[1])


def test_it_begins_with_the_worked_example(playground: Locator) -> None:
    _, weights = attention(worked_example().Q, worked_example().K, worked_example().V)
    texts = playground.locator(".play-map text.fig-number").all_text_contents()
    assert texts == [str(round(100 * weight)) for weight in weights.ravel()]
    assert playground.locator(".play-sum").all_text_contents() == ["100%"] * 4
    expect(playground.locator(".play-reading")).to_contain_text("sat looks at sat: 51%")
    expect(playground.locator(".play-look")).to_contain_text("Start with the row of sat.")


def test_a_number_is_explained_when_it_is_tapped(playground: Locator) -> None:
    playground.locator('[data-row="1"][data-column="3"]').click()
    reading = playground.locator(".play-reading")
    expect(reading).to_contain_text("cat looks at down: 14%")
    expect(reading).to_contain_text("Query · key = 0.00; divided by √2 that is 0.00.")
    expect(reading).to_contain_text("The row of cat sums to 1.00.")
    expect(playground.locator(".chosen")).to_have_count(1)


def test_it_masks_and_takes_own_words(playground: Locator) -> None:
    playground.get_by_label("causal mask").check()
    expect(playground.locator(".play-map .fig-hidden")).to_have_count(6)
    words = playground.get_by_label("Your words")
    words.fill("one two three")
    expect(playground.locator(".play-map .cell")).to_have_count(9)
    expect(playground.locator(".play-look")).to_be_empty()
    playground.get_by_text("The weights as a table").click()
    rows = playground.get_by_role("table", name="Weights").locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("1.00")
    words.fill("  ")
    expect(playground.locator(".error")).to_have_text("Write at least one word; the picture shows the last ones.")
    expect(playground.locator(".play-map .cell")).to_have_count(9)
    words.fill(" ".join("abcdefghijklmn"))
    expect(playground.locator(".error")).to_have_text("The picture has room for 12 words, and shows the first ones.")
    expect(playground.locator(".play-map .cell")).to_have_count(144)


def test_own_numbers_stay_with_their_word(playground: Locator) -> None:
    playground.get_by_text("Queries, keys and values", exact=True).click()
    number = playground.get_by_label("key of sat, number 2")
    number.fill("7.5")
    playground.get_by_label("Your words").fill("now the cat sat")
    expect(playground.get_by_label("key of sat, number 2")).to_have_value("7.5")
    expect(playground.get_by_label("query of cat, number 1")).to_have_value("1")
    playground.get_by_label("width d").select_option("128")
    expect(playground).to_contain_text("too many numbers to type")
    playground.get_by_label("width d").select_option("2")
    expect(number).to_have_value("7.5")
    number.fill("1001")
    expect(playground.locator(".error")).to_contain_text("from −1000 to 1000")
    expect(number).to_have_attribute("aria-invalid", "true")
    assert playground.evaluate("({ state }) => state.K[3]") == [1, 7.5]


def preset(playground: Locator, name: str) -> Locator:
    return playground.get_by_role("group", name="Settings to begin with").get_by_role("button", name=name, exact=True)


def test_each_preset_shows_its_point_and_the_numbers_that_were_published(playground: Locator) -> None:
    buttons = playground.get_by_role("group", name="Settings to begin with").get_by_role("button").all()
    assert len(buttons) >= 7
    for button in buttons:
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(playground.locator("[aria-pressed=true]")).to_have_count(1)
        name = button.inner_text()
        static = playground.locator("[data-preset]", has=playground.page.get_by_text(name, exact=True))
        looks = static.locator("[data-preset-look]").text_content()
        expect(playground.locator(".play-look")).to_have_text(looks or "never")
        published = [row.locator("td").all_text_contents() for row in static.locator("tbody tr").all()]
        live = playground.locator(".play-table-scroll tbody tr").all()
        assert [row.locator("td").all_text_contents()[:-1] for row in live] == published
    playground.get_by_label("causal mask").check()
    expect(playground.locator("[aria-pressed=true]")).to_have_count(0)


def test_back_and_forward_go_through_the_presets(playground: Locator) -> None:
    page = playground.page
    preset(playground, "Equal scores, masked").click()
    preset(playground, "Wide, without √d").click()
    expect(playground.get_by_label("width d")).to_have_value("128")
    page.go_back()
    expect(preset(playground, "Equal scores, masked")).to_have_attribute("aria-pressed", "true")
    expect(playground.get_by_label("causal mask")).to_be_checked()
    page.go_back()
    expect(preset(playground, "The worked example")).to_have_attribute("aria-pressed", "true")
    assert page.url.endswith(LESSON)
    page.go_forward()
    page.go_forward()
    expect(preset(playground, "Wide, without √d")).to_have_attribute("aria-pressed", "true")
    expect(playground.get_by_label("divide by √d")).not_to_be_checked()


def test_what_was_changed_is_there_after_a_reload_and_a_place_on_the_page_does_not_undo_it(playground: Locator) -> None:
    page = playground.page
    playground.get_by_label("Your words").fill("rain fell")
    page.wait_for_url("**#play=1&w=rain+fell&**")
    page.reload()
    expect(playground.get_by_label("Your words")).to_have_value("rain fell")
    page.evaluate("location.hash = '#quadratic-cost'")
    expect(playground.get_by_label("Your words")).to_have_value("rain fell")
    playground.get_by_label("causal mask").check()
    page.wait_for_url("**#play=1&w=rain+fell&d=2&m=1&**")
    page.go_back()
    assert page.url.endswith("#quadratic-cost")
    expect(playground.get_by_label("causal mask")).not_to_be_checked()


def test_a_copied_link_opens_the_same_playground_elsewhere(
    playground: Locator, context: BrowserContext, browser: Browser, site: Site
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = playground.page
    playground.get_by_label("Your words").fill("größer & größer 50%")
    playground.get_by_label("causal mask").check()
    playground.get_by_label("temperature").fill("0.7")
    playground.get_by_text("Queries, keys and values", exact=True).click()
    playground.get_by_label("key of größer, number 2").first.fill("-0.125")
    playground.get_by_role("button", name="Copy link").click()
    expect(playground.get_by_text("Copied. The link carries your words, numbers and switches.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    elsewhere = browser.new_context()
    other = elsewhere.new_page()
    other.goto(copied)
    opened = other.locator("attention-playground")
    expect(opened.get_by_label("Your words")).to_have_value("größer & größer 50%")
    assert opened.evaluate("({ state }) => state") == playground.evaluate("({ state }) => state")
    assert computed(opened) == computed(playground)
    expect(opened).to_be_in_viewport()
    elsewhere.close()


def test_a_link_that_cannot_be_copied_is_shown(playground: Locator) -> None:
    playground.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    playground.get_by_role("button", name="Copy link").click()
    expect(playground.get_by_label("The link")).to_have_value(re.compile(r"^http.*#play=1&w=the\+cat\+sat\+down&"))
    expect(playground.locator(".play-link [role=status]")).to_contain_text("to copy by hand")


EXAMPLE: dict[str, Any] = {
    "words": ["a", "b"],
    "width": 2,
    "causal": False,
    "scale": True,
    "temperature": 1.0,
    **{name: [[1, 2], [3, 4]] for name in ROLES},
}


BAD = [
    ({"play": "2"}, "This link is of version “2” of the playground, and only version 1 is known here."),
    ({"w": ""}, "The words in this link cannot be read: expected 1 to 12 words, got “”."),
    ({"w": " ".join("abcdefghijklm")}, "expected 1 to 12 words, got “a b c d e f g h i j k l m”"),
    ({"w": "x" * 401}, "expected 1 to 12 words"),
    ({"d": "3"}, "The width in this link cannot be read: expected 2, 16 or 128, got “3”."),
    ({"m": "yes"}, "A switch in this link cannot be read: expected 0 or 1, got “yes”."),
    ({"s": ""}, "A switch in this link cannot be read: expected 0 or 1, got “”."),
    ({"t": "3.1"}, "The temperature in this link cannot be read: expected tenths from 0 to 3, got “3.1”."),
    ({"t": "0.55"}, "expected tenths from 0 to 3, got “0.55”."),
    ({"q": "1_2_3"}, "The numbers of Q in this link cannot be read: expected 4 from −1000 to 1000, got “1 2 3”."),
    ({"k": "1_2_3_1001"}, "The numbers of K in this link cannot be read"),
    ({"v": "1_2_3_Infinity"}, "The numbers of V in this link cannot be read"),
    ({"v": "1_2_3_<img src=x onerror=alert(1)>"}, "got “1 2 3 <img src=x onerror=alert(1)>”"),
]


def test_a_bad_link_is_told_and_the_playground_begins(page: Page) -> None:
    page.goto(LESSON)
    playground = live(page, "attention-playground")
    for changed, said in BAD:
        page.evaluate("fragment => { location.hash = fragment; }", link(EXAMPLE))
        expect(playground.get_by_label("Your words")).to_have_value("a b")
        expect(playground.get_by_role("alert")).to_be_hidden()
        page.evaluate("fragment => { location.hash = fragment; }", link(EXAMPLE, **changed))
        expect(playground.get_by_role("alert")).to_contain_text(said)
        expect(playground.get_by_label("Your words")).to_have_value("the cat sat down")


def test_a_bad_link_from_elsewhere_is_told_too(page: Page) -> None:
    page.goto(f"{LESSON}{link(EXAMPLE, play='2')}")
    playground = page.locator("attention-playground")
    expect(playground.get_by_role("alert")).to_contain_text("Here is the playground as it begins.")
    expect(playground.get_by_role("alert")).to_be_in_viewport()
    expect(preset(playground, "The worked example")).to_have_attribute("aria-pressed", "true")
    assert violations(page, "attention-playground") == []


def test_the_keyboard_alone_is_enough(playground: Locator) -> None:
    page = playground.page
    preset(playground, "The worked example").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(preset(playground, "Equal scores, masked")).to_be_focused()
    expect(preset(playground, "Equal scores, masked")).to_have_attribute("aria-pressed", "true")
    for _ in range(6):  # past the other presets, to the words
        page.keyboard.press("Tab")
    expect(playground.get_by_label("Your words")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(playground.get_by_label("divide by √d")).not_to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(playground.get_by_label("causal mask")).not_to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    expect(playground.locator("output")).to_have_text("0.9")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(playground.locator(".play-reading")).to_contain_text("down looks at sat: 25%")


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1300])
def test_no_state_has_a_violation(browser: Browser, site: Site, look: Any, width: int) -> None:
    context = browser.new_context(
        base_url=site.url, color_scheme=look, viewport={"width": width, "height": 800}, permissions=[]
    )
    page = context.new_page()
    page.goto(LESSON)
    playground = live(page, "attention-playground")
    for summary in playground.locator("summary").all():
        summary.click()
    assert violations(page, "attention-playground") == []
    for button in playground.get_by_role("group", name="Settings to begin with").get_by_role("button").all():
        button.click()
    playground.get_by_label("Your words").fill("averyveryverylongword " * 12)
    playground.get_by_label("key of averyveryverylongword, number 2").first.fill("5000")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    playground.get_by_role("button", name="Copy link").click()
    expect(playground.get_by_label("The link")).to_be_visible()
    assert violations(page, "attention-playground") == []
    assert not is_too_wide(page)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert violations(page, "attention-playground") == []
    assert not is_too_wide(page)
    context.close()


def test_without_javascript_each_preset_is_a_sentence_and_a_table(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(LESSON)
    playground = page.locator("attention-playground")
    expect(playground).to_contain_text("needs JavaScript for it")
    presets = playground.locator("[data-preset]")
    assert presets.count() >= 7
    for each in presets.all():
        expect(each.locator("[data-preset-look]")).to_be_visible()
        assert each.get_by_role("table").locator("tbody tr").count() >= 4
    expect(presets.first.get_by_role("row", name=re.compile("^sat"))).to_contain_text("0.51")
    context.close()
