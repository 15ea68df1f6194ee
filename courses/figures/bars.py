"""Pairs of bars, one pair a row: what two things come to, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from courses.figures.svg import Drawing

WIDTH = 360
LEFT, LONGEST = 84, 206  # where the bars begin, and how long one of the highest value is
TOP, STEP, BAR, GAP = 62, 54, 17, 4


@dataclass(frozen=True, slots=True)
class Pair:
    """A row: its label, two values and how each is written."""

    label: str
    values: tuple[float, float]
    written: tuple[str, str]


def pairs_of_bars(
    name: str, title: str, description: str, heads: tuple[str, str], pairs: Sequence[Pair], *, words: bool = False
) -> str:
    """The picture as text. `heads` say what the first and the second bars are; `words`: the labels are spoken of."""
    drawing = Drawing(name, (WIDTH, TOP + STEP * len(pairs) - 8), title, description)
    for place, (head, series) in enumerate(zip(heads, ("a", "hit"), strict=True)):
        y = 16 + 22 * place
        drawing.rect((0, y - 11), (12, 12), f"fig-{series}", radius=2)
        drawing.text((20, y), head, f"fig-{series}-text fig-strong", anchor="start")
    highest = max(max(pair.values) for pair in pairs)
    for place, pair in enumerate(pairs):
        y = TOP + STEP * place
        drawing.text((0, y + BAR + GAP), pair.label, "fig-word" if words else "", anchor="start")
        for down, value, text, series in zip((0, BAR + GAP), pair.values, pair.written, ("a", "hit"), strict=True):
            length = max(1.0, value / highest * LONGEST)
            drawing.rect((LEFT, y + down), (length, BAR), f"fig-{series}")
            drawing.text((LEFT + length + 7, y + down + BAR - 3), text, "fig-small", anchor="start")
    return drawing.render()
