"""Figures, numbers, printed output and worked steps: what they show is what attention_core computes."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from itertools import groupby, pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from attention_core.attention import attention
from attention_core.cost import attention_cost
from attention_core.projections import project
from courses.figures import FIGURES, NUMBERS, PRINTED, WORKED_STEPS
from courses.figures.model import Figure, Matrix
from courses.figures.same_output import two_rows
from courses.figures.steps import NOT_YET
from courses.figures.svg import HEAT_ON, NAMESPACE, heat
from courses.figures.widths import spreads
from courses.figures.words import decimal, megabytes, percent, vector

ROOT = Path(__file__).resolve().parents[2]
LISTINGS = ROOT / "courses/content/lessons/030-attention/listings"
CSS = (ROOT / "static/css/figures.css").read_text()
SVG = f"{{{NAMESPACE}}}"
WORDS = ("the", "cat", "sat", "down")

# The lesson's numbers, typed by hand: what the code computes must come out as these.
WEIGHTS = (
    ("0.11", "0.22", "0.45", "0.22"),
    ("0.29", "0.29", "0.29", "0.14"),
    ("0.12", "0.25", "0.51", "0.12"),
    ("0.11", "0.22", "0.45", "0.22"),
)
OUTPUT = (("0.78", "1.34"), ("0.71", "1.00"), ("0.75", "1.38"), ("0.78", "1.34"))
COSTS = (
    ("512", "262,144", "1 MB"),
    ("2,048", "4,194,304", "8 MB"),
    ("8,192", "67,108,864", "134 MB"),
    ("32,768", "1,073,741,824", "2,147 MB"),
    ("131,072", "17,179,869,184", "34,360 MB"),
)
WRITTEN = {
    "query-the": "[0, 1]",
    "query-cat": "[1, 0]",
    "query-sat": "[1, 1]",
    "key-sat": "[1, 2]",
    "key-down": "[0, 1]",
    "score-sat-sat": "3",
    "score-cat-the": "1",
    "score-cat-down": "0",
    "scaled-sat-sat": "2.12",
    "scaled-cat-the": "0.71",
    "sat-share-the": "12%",
    "sat-share-cat": "25%",
    "sat-share-sat": "51%",
    "weight-cat-down": "0.14",
    "softmax-of-0": "9%",
    "softmax-of-1": "24%",
    "softmax-of-2": "67%",
    "exp-limit": "709.78",
    "spread-at-128": "11.3",
    "exp-spread-at-128": "82,000",
    "largest-share-128": "92%",
    "largest-share-scaled-128": "43%",
    "slope-sat": "0.25",
    "slope-9999": "0.0001",
    "causal-row-1": "[1, 0, 0, 0]",
    "causal-row-2": "[½, ½, 0, 0]",
    "causal-row-3": "[⅓, ⅓, ⅓, 0]",
    "causal-row-4": "[¼, ¼, ¼, ¼]",
    "paper-scaled-1": "0.71",
    "paper-scaled-2": "1.41",
    "paper-exp-1": "2.03",
    "paper-exp-2": "4.11",
    **{f"pairs-{n.replace(',', '')}": pairs for n, pairs, _ in COSTS},
    **{f"mb-{n.replace(',', '')}": memory for n, _, memory in COSTS},
}
ON_PAPER = {
    **{f"paper-score-{word}": value for word, value in zip(WORDS, ("0.00", "1.00", "2.00", "1.00"), strict=True)},
    **{f"paper-scaled-{word}": value for word, value in zip(WORDS, ("0.00", "0.71", "1.41", "0.71"), strict=True)},
    **{f"paper-weight-{word}": value for word, value in zip(WORDS, WEIGHTS[0], strict=True)},
    **dict(zip(("paper-output-first", "paper-output-second"), OUTPUT[0], strict=True)),
}
IN_QUIZZES = {
    "quiz-length-growth": "4.00",
    "quiz-pairs-growth": "16.00",
    "quiz-share-of-three": "0.33",
    "quiz-share-unmasked": "0.25",
    "quiz-share-without-itself": "0.50",
}


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def drawn(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(FIGURES[name]().svg)  # noqa: S314 our own


@pytest.fixture(params=sorted(FIGURES))
def figure(request: pytest.FixtureRequest) -> Figure:
    return FIGURES[request.param]()


def test_a_figure_is_a_picture_that_the_policy_allows(figure: Figure) -> None:
    root = ElementTree.fromstring(figure.svg)  # noqa: S314 our own
    assert root.tag == f"{SVG}svg"
    for element in root.iter():
        assert element.tag not in {f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject"}
        assert not [name for name in element.attrib if name == "style" or name.startswith("on") or "href" in name]


def test_a_figure_has_a_title_and_a_description_for_screen_readers(figure: Figure) -> None:
    root = ElementTree.fromstring(figure.svg)  # noqa: S314 our own
    title, description = root[0], root[1]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text
    assert description.text
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert figure.caption


def test_ids_are_unique_over_all_figures() -> None:
    ids = [element.get("id") for name in FIGURES for element in drawn(name).iter() if element.get("id")]
    assert len(ids) == len(set(ids)) == 2 * len(FIGURES)


def test_every_class_in_a_figure_has_a_rule(figure: Figure) -> None:
    used = {each for element in ElementTree.fromstring(figure.svg).iter() for each in element.get("class", "").split()}  # noqa: S314
    assert used <= set(re.findall(r"\.(fig[a-z0-9-]*)", CSS))


def test_a_figure_stays_within_its_view_box(figure: Figure) -> None:
    root = ElementTree.fromstring(figure.svg)  # noqa: S314 our own
    width, height = map(float, root.get("viewBox", "").split()[2:])
    for rect in root.iter(f"{SVG}rect"):
        x, y, wide, high = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", "")) <= width
        assert 0 < float(text.get("y", "")) < height
        assert text.text


def test_a_table_is_whole(figure: Figure) -> None:
    assert figure.table.rows
    assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}


def rows(name: str) -> list[tuple[str, ...]]:
    return [tuple(plain(cell) for cell in row) for row in FIGURES[name]().table.rows]


def test_tables_of_the_worked_example_show_the_lessons_numbers() -> None:
    assert rows("all-weights") == [(word, *row) for word, row in zip(WORDS, WEIGHTS, strict=True)]
    assert rows("weights-of-sat") == [
        ("the", "[1, 0]", "0.71", "12%"),
        ("cat", "[1, 1]", "1.41", "25%"),
        ("sat", "[1, 2]", "2.12", "51%"),
        ("down", "[0, 1]", "0.71", "12%"),
    ]
    assert [(row[2], row[5], row[6]) for row in rows("row-of-sat")] == [
        ("1", "0.12", "[1, 0]"),
        ("2", "0.25", "[0, 1]"),
        ("3", "0.51", "[1, 2]"),
        ("1", "0.12", "[1, 1]"),
        ("", "1.00", ""),
        ("", "", "[0.75, 1.38]"),
    ]
    assert [row[:3] for row in rows("three-roles")] == [
        ("query", "Wq", "[1, 0]"),
        ("key", "Wk", "[1, 1]"),
        ("value", "Wv", "[0, 1]"),
    ]


def test_tables_of_the_cost_and_the_mask_show_the_lessons_numbers() -> None:
    assert [row[:3] for row in rows("quadratic-cost")] == list(COSTS)
    assert rows("tiles")[0] == ("Kept whole", "1,073,741,824", "1", "1,073,741,824", "2,147 MB")
    assert rows("tiles")[1] == ("In tiles", "1,073,741,824", "65,536", "16,384", "0.03 MB")
    assert rows("who-sees-whom") == [
        ("the", "1", "0", "0", "0"),
        ("cat", "½", "½", "0", "0"),
        ("sat", "⅓", "⅓", "⅓", "0"),
        ("down", "¼", "¼", "¼", "¼"),
    ]


def test_two_different_rows_of_weights_give_the_same_output() -> None:
    values = np.array([[1, 0], [0, 1], [1, 2], [1, 1]])
    first, second = two_rows()
    assert first == pytest.approx([0.123, 0.249, 0.505, 0.123], abs=5e-4)
    assert second == pytest.approx([0.010, 0.249, 0.392, 0.348], abs=5e-4)
    np.testing.assert_allclose(first @ values, second @ values, rtol=1e-12)
    assert [row.sum() for row in (first, second)] == pytest.approx([1, 1])
    assert rows("same-output")[-1] == ("Output", "", "[0.75, 1.38]", "[0.75, 1.38]")


def test_slopes_vanish_undivided_and_work_doubles_or_quadruples() -> None:
    assert [row[2] for row in rows("gradient-widths")] == [f"{spread.slope:.3f}" for spread in spreads()]
    assert float(rows("gradient-widths")[-1][2]) < float(rows("gradient-widths")[0][2]) / 10
    assert rows("doubling") == [
        ("1,024", "1,048,576", "×1", "×1"),
        ("2,048", "4,194,304", "×2", "×4"),
        ("4,096", "16,777,216", "×4", "×16"),
        ("8,192", "67,108,864", "×8", "×64"),
    ]


@pytest.mark.parametrize("name", ["same-output", "gradient-widths", "doubling"])
def test_bars_are_as_long_as_what_they_show(name: str) -> None:
    lengths = [float(rect.get("width", "")) for rect in drawn(name).iter(f"{SVG}rect")][2:]  # after the two of the key
    shown = [text.text or "" for text in drawn(name).iter(f"{SVG}text") if "fig-small" in text.get("class", "")]
    values = [float(re.sub(r"[×%,]", "", text)) for text in shown]
    assert len(values) == len(lengths)
    longest = max(range(len(values)), key=lambda each: lengths[each])
    # A bar is one unit long at least; what is written is rounded.
    scaled = [max(1.0, value / values[longest] * lengths[longest]) for value in values]
    assert lengths == pytest.approx(scaled, abs=lengths[longest] * 0.03)


def test_wide_random_vectors_saturate_only_undivided() -> None:
    for spread in spreads():
        assert spread.typical == pytest.approx(np.sqrt(spread.width), rel=0.05)
        assert sum(spread.shares) == pytest.approx(1)
        assert sum(spread.scaled_shares) == pytest.approx(1)
    assert [spread.shares[0] > 0.9 for spread in spreads()] == [False, False, False, True, True]
    assert all(0.35 < spread.scaled_shares[0] < 0.45 for spread in spreads())
    assert [row[2] for row in rows("softmax-widths")] == [percent(spread.shares[0]) for spread in spreads()]


def test_the_bands_of_the_big_picture_are_as_wide_as_the_shares() -> None:
    x = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    Wq, Wk, Wv = np.array([[[0, 1], [1, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]]])
    shares = attention(*project(x, Wq, Wk, Wv))[1][2]
    widths = [float(rect.get("width", "")) for rect in drawn("weights-of-sat").iter(f"{SVG}rect")]
    assert np.array(widths[::2]) / sum(widths[::2]) == pytest.approx(shares, abs=1e-3)
    assert widths[1::2] == widths[::2]


def test_the_squares_of_the_cost_are_as_large_as_the_memory() -> None:
    sides = [float(rect.get("width", "")) for rect in drawn("quadratic-cost").iter(f"{SVG}rect")]
    memory = [attention_cost(n)[1] for n in (131_072, 32_768, 8_192, 2_048, 512)]
    assert [(side / sides[0]) ** 2 for side in sides] == pytest.approx([each / memory[0] for each in memory], abs=1e-4)


def test_numbers_are_written_as_the_lesson_needs_them() -> None:
    values = {name: number() for name, number in NUMBERS.items()}
    written = {name: plain(value) for name, value in values.items() if isinstance(value, str)}
    assert written == WRITTEN
    boxes = {name: f"{value:.2f}" for name, value in values.items() if isinstance(value, float)}
    assert boxes == ON_PAPER | IN_QUIZZES


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (decimal(0.125, 1), "0.1"),
        (decimal(-1.5), "−1.50"),
        (decimal(-1e-12), "0.00"),
        (percent(0.506), "51%"),
        (megabytes(0.032768), "0.03 MB"),
        (plain(vector([1.0, 2.0])), "[1, 2]"),
        (plain(vector([0.5, 2.0])), "[0.50, 2.00]"),
    ],
)
def test_how_numbers_are_written(written: str, expected: str) -> None:
    assert written == expected


def test_only_nothing_has_the_lowest_step_of_heat() -> None:
    assert [heat(share) for share in (0, 0.001, 0.5, 1)] == [0, 1, 5, 10]


@pytest.mark.parametrize(
    ("listing", "printed"), [("worked.py", "worked"), ("causal.py", "causal-equal"), ("widths.py", "widths")]
)
def test_a_listing_prints_what_the_page_says(listing: str, printed: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        [sys.executable, "-W", "error", LISTINGS / listing], capture_output=True, check=True, env=environment
    )
    assert run.stdout.decode().rstrip("\n") == PRINTED[printed]()


def test_every_printed_block_has_its_listing() -> None:
    assert set(PRINTED) == {"worked", "causal-equal", "widths"}
    assert {path.name for path in LISTINGS.glob("*.py")} == {"worked.py", "causal.py", "widths.py", "pytorch.py"}


def test_the_pytorch_listing_is_the_call_that_the_lesson_names() -> None:
    source = (LISTINGS / "pytorch.py").read_text()
    (call,) = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "F.scaled_dot_product_attention"
    ]
    assert ast.unparse(call) == "F.scaled_dot_product_attention(q, k, v, is_causal=True)"
    assert re.findall(r"^([qkv]) = torch\.randn\(1, 4, 16\)", source, re.MULTILINE) == ["q", "k", "v"]


def test_worked_steps_go_from_what_is_given_to_the_output() -> None:
    first, *_, last = WORKED_STEPS()
    assert [matrix.name for matrix in first.matrices] == ["x", "Wq", "Wk", "Wv"]
    assert first.matrices[0].rows == (("1", "0", "0"), ("0", "1", "0"), ("0", "1", "1"), ("0", "0", "1"))
    shown = {matrix.name: matrix for matrix in last.matrices}
    assert shown["weights"].rows == WEIGHTS
    assert shown["output"].rows == OUTPUT
    assert shown["V, values"].rows == (("1", "0"), ("0", "1"), ("1", "2"), ("1", "1"))


def test_worked_steps_take_one_step_of_arithmetic_each() -> None:
    steps = WORKED_STEPS()
    assert len({step.title for step in steps}) == len(steps)
    assert [step.text for step in steps if "= **2.12**" in step.text] == [
        "The width d is 2, so divide by √2: 3 / √2 = **2.12**."
    ]
    for before, after in pairwise(steps):
        earlier = {matrix.name: matrix for matrix in before.matrices}
        filled = sum(_newly_filled(earlier[matrix.name], matrix) for matrix in after.matrices if matrix.name in earlier)
        singly = re.search(r"= \*\*", after.text) is not None
        assert filled <= 1 or not singly


def test_worked_steps_go_through_the_parts_in_order() -> None:
    stages = [step.stage for step in WORKED_STEPS()]
    assert list(dict.fromkeys(stages)) == ["Given", "Project", "Score", "Share", "Blend"]
    assert [len(list(run)) for _, run in groupby(stages)] == [1, 18, 16, 12, 9]


def test_the_first_dot_product_of_each_part_is_done_product_by_product() -> None:
    fine = [step for step in WORKED_STEPS() if ": product " in step.title]
    assert [step.title[-1] for step in fine] == list("abcababcd")
    for step in fine:
        first, second, target = step.matrices
        result = re.search(r"(\S+)·(\S+) = \*\*(.+)\*\*", step.text)
        assert result
        factors = [matrix.rows[row][column] for matrix in (first, second) for row, column in matrix.highlighted]
        assert factors == [result[1], result[2]]
        assert float(result[3]) == pytest.approx(float(factors[0]) * float(factors[1]), abs=0.01)
        assert [letter for matrix in (first, second) for _, letter in matrix.letters] == [step.title[-1]] * 2
        assert not target.highlighted


def test_the_sum_of_the_products_is_what_the_matrix_gets() -> None:
    sums = [step for step in WORKED_STEPS() if step.title.endswith(": the sum")]
    assert len(sums) == 3
    for step in sums:
        result = re.search(r": ([0-9. +]+) = \*\*(.+?)\*\*", step.text)
        assert result
        (place,) = step.matrices[-1].filled
        assert step.matrices[-1].rows[place[0]][place[1]] == result[2]
        assert sum(map(float, result[1].split(" + "))) == pytest.approx(float(result[2]), abs=0.02)


def test_numbers_that_meet_have_the_same_letter_and_give_the_result() -> None:
    """Of the row of sat: the letters alone say which numbers are multiplied."""
    dots = [
        step
        for step in WORKED_STEPS()
        if any(matrix.letters for matrix in step.matrices) and "product" not in step.title
    ]
    assert len(dots) == 6 + 4 + 2
    for step in dots:
        left, right, target = step.matrices
        factors = [
            {letter: matrix.rows[row][column] for (row, column), letter in matrix.letters} for matrix in (left, right)
        ]
        assert list(factors[0]) == list(factors[1]) == list("abcd")[: len(factors[0])]
        (place,) = target.filled
        total = sum(float(factors[0][letter]) * float(factors[1][letter]) for letter in factors[0])
        assert total == pytest.approx(float(target.rows[place[0]][place[1]]), abs=0.02)


def test_the_other_rows_follow_one_by_one() -> None:
    rows = [step for step in WORKED_STEPS() if len(step.matrices[-1].filled) > 1]
    assert len(rows) == 7 * 3
    for step in rows:
        places = {row for matrix in step.matrices for row, _ in matrix.filled}
        assert len(places) == 1
        row = places.pop()
        assert re.search(rf"[*“]{WORDS[row]}[*”]", f"{step.title} {step.text}")
        said = re.search(r"\*\*\[(.+)\]\*\*", plain(step.text))
        assert said
        assert tuple(said[1].split(", ")) == step.matrices[-1].rows[row]
        assert all(cell == NOT_YET for later in step.matrices[-1].rows[row + 1 :] for cell in later if row == 3)


def _newly_filled(before: Matrix, after: Matrix) -> int:
    pairs = [
        (old, new)
        for olds, news in zip(before.rows, after.rows, strict=True)
        for old, new in zip(olds, news, strict=True)
    ]
    assert all(old in (new, NOT_YET) for old, new in pairs), "a number once shown stays"
    return sum(old != new for old, new in pairs)


def test_worked_steps_mark_the_cell_that_they_fill() -> None:
    for before, step in pairwise(WORKED_STEPS()):
        result = re.search(r"= \*\*(.+?)\*\*", step.text)
        marked = [matrix.rows[row][column] for matrix in step.matrices for row, column in matrix.highlighted]
        filled = [matrix.rows[row][column] for matrix in step.matrices for row, column in matrix.filled]
        assert marked, before.title
        assert NOT_YET not in marked
        if result and ": product " not in step.title:
            assert filled == [result[1]]


# Text and what it is written on, as classes' custom properties.
ON_EACH_OTHER = [
    *(("ink", f"heat-{step}") for step in range(HEAT_ON)),
    *(("on", f"heat-{step}") for step in range(HEAT_ON, 11)),
    *((text, surface) for text in ("ink", "muted", "a", "b", "c", "hit") for surface in ("paper", "cell")),
    *(("on", surface) for surface in ("a", "b", "c", "hit")),
    *((text, "a-soft") for text in ("ink", "a")),
    ("muted", "hidden"),
    ("ink", "heat-3"),
]


@pytest.mark.parametrize(("text", "surface"), ON_EACH_OTHER)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_its_background(theme: str, text: str, surface: str) -> None:
    """WCAG 2.2 AA: 4.5 to 1."""
    darker, lighter = sorted(_luminance(_colour(name, theme)) for name in (text, surface))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_browsers_without_light_dark_get_the_light_colours() -> None:
    plain_colours = dict(re.findall(r"--fig-([a-z0-9-]+): (#[0-9a-f]{6});", CSS))
    themed = dict(re.findall(r"--fig-([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), ", CSS))
    assert plain_colours == themed


def _colour(name: str, theme: str) -> str:
    found = re.search(rf"--fig-{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)", CSS)
    assert found, name
    return found[1 if theme == "light" else 2]


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))
