"""Slips on paper: each is named where it fits and nowhere else. The row of *the*, worked out by hand.

q = [0, 1]; products 0 1 2 1; over √2: 0 0.71 1.41 0.71; exponentials 1 2.03 4.11 2.03, in all 9.17.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from courses.figures import COSTS, FIGURES, NUMBERS, PLAY, PRINTED, SLIPS, WORKED_STEPS
from courses.marking import MARKERS
from courses.package.compiling import check_package
from courses.package.registry import Registry
from courses.rounding import fits

CONTENT = Path(__file__).resolve().parents[2] / "courses" / "content"
Boxes = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def boxes() -> Boxes:
    """The lesson's boxes by id; what is said of a slip is its id."""
    registry = Registry(FIGURES, NUMBERS, PRINTED, worked_steps=WORKED_STEPS, slips=SLIPS, play=PLAY, costs=COSTS)
    (lesson,) = check_package(CONTENT, registry).lessons
    (block,) = [block for block in lesson["blocks"] if block["kind"] == "paper"]
    return {
        box["id"]: {
            **box,
            "slips": [{**slip, "html": slip["id"]} for slip in box["slips"]],
            "close_html": "close",
        }
        for box in block["boxes"]
    }


def named(box: dict[str, Any], typed: str) -> tuple[str, ...] | None:
    """Which slips are named; None where the number is right."""
    outcome = MARKERS["paper"](box, typed)
    return None if outcome.correct else outcome.slips_html


@pytest.mark.parametrize(
    ("box", "typed", "slips"),
    [
        # Not divided by √2: the product itself, its shares, its blend. Exponentials 1 2.72 7.39 2.72, in all 13.83.
        ("scaled-cat", "1", ("no-root",)),
        ("scaled-sat", "2", ("no-root",)),
        ("weight-the", "0.07", ("no-root",)),
        ("weight-sat", "0.53", ("no-root",)),
        ("output-first", "0.80", ("no-root",)),  # 0.07 + 0.53 + 0.20
        ("output-second", "1.46", ("no-root",)),  # 0.20 + 2 · 0.53 + 0.20
        # Divided by 2 and not by its root: 0 0.5 1 0.5.
        ("scaled-down", "1/2", ("by-width",)),
        ("weight-the", "0.14", ("by-width",)),  # 1 / (1 + 2 · 1.65 + 2.72)
        ("output-second", "1.24", ("by-width",)),
        # Another word's query: that of cat is [1, 0], that of sat [1, 1].
        ("score-sat", "3", ("other-row",)),
        ("scaled-sat", "2.12", ("other-row",)),
        ("weight-cat", "0.29", ("other-row",)),
        ("weight-sat", "0.51", ("other-row",)),
        ("output-second", "1.00", ("other-row",)),
        # Another place of the same row.
        ("score-the", "2", ("other-place",)),
        ("score-sat", "0", ("other-place",)),
        ("scaled-the", "√2", ("other-place",)),
        ("weight-the", "0.45", ("other-place",)),
        ("output-first", "1.34", ("other-place",)),
        # The key of the first word, [1, 0], with all queries: 0 1 1 0.
        ("weight-the", "0.17", ("swapped",)),  # 1 / (1 + 2.03 + 2.03 + 1)
        ("output-first", "0.67", ("swapped",)),
        # Softmax left out, or half done.
        ("weight-the", "1", ("not-normalised",)),
        ("weight-cat", "2.03", ("not-normalised",)),
        ("weight-sat", "4.11", ("not-normalised",)),
        ("weight-sat", "1.41", ("no-softmax",)),
        ("weight-down", "0.71", ("no-softmax",)),
        ("weight-down", "0.25", ("no-exponential",)),  # 1 / (0 + 1 + 2 + 1)
        ("weight-sat", "0.5", ("no-exponential",)),
        ("output-second", "1.5", ("no-exponential",)),
        ("output-first", "7.14", ("exponentials-blended",)),  # 1 + 4.11 + 2.03
        ("output-second", "12.28", ("exponentials-blended",)),  # 2.03 + 2 · 4.11 + 2.03
        ("output-first", "3", ("scores-blended",)),  # 0 + 2 + 1
        ("output-second", "4.24", ("scores-blended",)),
        # Off by one in the last decimal.
        ("scaled-cat", "0.70", ("close",)),
        ("weight-sat", "0.44", ("close",)),
        ("output-first", "0.79", ("close",)),
        # Two that give the same are named together, three not at all.
        ("score-cat", "2", ("other-row", "other-place")),
        ("weight-cat", "0.25", ("no-exponential", "other-row")),
        ("weight-the", "0.12", ("other-row", "close")),
        ("weight-the", "0", ("no-exponential", "no-softmax")),
        ("score-sat", "1", ()),
        ("score-down", "0", ()),
        # What fits nothing.
        ("score-sat", "7", ()),
        ("weight-the", "0.9", ()),
        ("output-first", "-0.78", ()),
        # Right, whatever slip would give it too.
        ("scaled-cat", "1/√2", None),
        ("score-cat", "1", None),
        ("weight-sat", "0.45", None),
        ("output-second", "1.34", None),
    ],
)
def test_a_slip_is_named_where_it_fits(boxes: Boxes, box: str, typed: str, slips: tuple[str, ...] | None) -> None:
    found = named(boxes[box], typed)
    assert (None if found is None else sorted(found)) == (None if slips is None else sorted(slips))


def test_nobody_is_accused_of_a_slip_that_does_not_give_this_number(boxes: Boxes) -> None:
    for box in boxes.values():
        values = {slip["id"]: slip["values"] for slip in box["slips"]}
        for hundredth in range(-200, 1400):
            typed = hundredth / 100
            for slip in named(box, f"{typed:.2f}") or ():
                if slip == "close":
                    assert 0.004 < abs(typed - box["expected"]) < 0.016
                else:
                    assert any(fits(typed, value, box["decimals"]) for value in values[slip]), (box["id"], typed, slip)


def test_no_slip_gives_what_is_right(boxes: Boxes) -> None:
    for box in boxes.values():
        for slip in box["slips"]:
            assert not any(fits(value, box["expected"], box["decimals"]) for value in slip["values"])
