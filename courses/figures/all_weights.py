"""All four rows of the worked example's weights, as a heat map."""

from __future__ import annotations

import numpy as np

from attention_core.worked_example import worked_example
from courses.figures.model import Figure, Table
from courses.figures.svg import HEAT_ON, Drawing, heat
from courses.figures.words import decimal, percent

NAME = "all-weights"
WIDTH, HEIGHT = 360, 296
CELL_WIDTH, CELL_HEIGHT, LEFT, TOP = 68, 52, 76, 66


def all_weights() -> Figure:
    example = worked_example()
    said = " ".join(
        f"Row {word}: {', '.join(map(percent, example.weights[row]))}." for row, word in enumerate(example.words)
    )
    drawing = Drawing(
        NAME, (WIDTH, HEIGHT), "The weights of all four words", f"A square of shares, the darker the higher. {said}"
    )
    middle = LEFT + CELL_WIDTH * 2
    drawing.text((middle, 18), "gets the attention", "fig-small fig-muted")
    drawing.text((0, TOP - 12), "asks", "fig-small fig-muted", anchor="start")
    for place, word in enumerate(example.words):
        drawing.text((LEFT + CELL_WIDTH * (place + 0.5), TOP - 12), word, "fig-word")
        drawing.text((LEFT - 14, TOP + CELL_HEIGHT * (place + 0.5) + 5), word, "fig-word", anchor="end")
    for row, column in np.ndindex(example.weights.shape):
        _cell(drawing, (row, column), float(example.weights[row, column]))
    caption = (
        "All four rows at once: each is one word sharing out its attention, and sums to 100% (give or take the "
        "rounding). The darker a cell, the higher the share."
    )
    rows = tuple(
        (word, *(decimal(weight) for weight in example.weights[row])) for row, word in enumerate(example.words)
    )
    table = Table("Weights of the worked example", ("Asking", *example.words), rows)
    return Figure(NAME, drawing.render(), caption, table)


def _cell(drawing: Drawing, place: tuple[int, int], weight: float) -> None:
    x, y = LEFT + CELL_WIDTH * place[1], TOP + CELL_HEIGHT * place[0]
    step = heat(weight)
    drawing.rect((x + 1, y + 1), (CELL_WIDTH - 2, CELL_HEIGHT - 2), f"fig-heat-{step}", radius=3)
    drawing.text(
        (x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2 + 5), percent(weight), "fig-on" if step >= HEAT_ON else "fig-cell-text"
    )
