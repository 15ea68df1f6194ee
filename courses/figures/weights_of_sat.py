"""The big picture: the attention of *sat*, flowing to the four words in proportion to its weights."""

from __future__ import annotations

from attention_core.worked_example import worked_example
from courses.figures.model import Figure, Table
from courses.figures.svg import Drawing, heat
from courses.figures.words import decimal, listed, percent, vector

NAME = "weights-of-sat"
ROW = 2  # sat
WIDTH, HEIGHT = 360, 268
BAND = 168  # units of width for 100 percent
COLUMNS = (44, 128, 228, 322)  # centres of the four words
TOP, BOTTOM = 74, 178


def weights_of_sat() -> Figure:
    example = worked_example()
    word, weights = example.words[ROW], example.weights[ROW]
    shares = [f"{percent(weight)} to {other}" for other, weight in zip(example.words, weights, strict=True)]
    drawing = Drawing(
        NAME,
        (WIDTH, HEIGHT),
        f"How {word} shares out its attention",
        f"A band of full width starts at {word} and splits into four, as wide as the shares: {listed(shares)}.",
    )
    _draw(drawing)
    caption = (
        f"*{word}* gives itself {percent(weights[ROW])} of its attention, because its key {vector(example.K[ROW])} "
        f"matches its query {vector(example.Q[ROW])} best. The four shares sum to 100%, and so the output, "
        f"{vector(example.output[ROW])}, is a weighted average of the values."
    )
    return Figure(NAME, drawing.render(), caption, _table())


def _draw(drawing: Drawing) -> None:
    example = worked_example()
    weights = example.weights[ROW]
    left = (WIDTH - BAND) / 2
    drawing.text((WIDTH / 2, 18), example.words[ROW], "fig-big fig-word fig-strong")
    drawing.text((WIDTH / 2, 38), f"asks with its query {vector(example.Q[ROW])}", "fig-small fig-muted")
    for column, centre in enumerate(COLUMNS):
        width = BAND * float(weights[column])
        best = column == int(weights.argmax())
        drawing.ribbon(
            ((left, TOP), width), ((centre - width / 2, BOTTOM), width), f"fig-heat-{heat(float(weights[column]))}"
        )
        drawing.rect((left, TOP - 18), (width, 18), "fig-a")
        drawing.rect((centre - width / 2, BOTTOM), (width, 5), "fig-a")
        drawing.text(
            (centre, BOTTOM + 30), percent(weights[column]), "fig-big fig-strong" + (" fig-a-text" if best else "")
        )
        drawing.text((centre, BOTTOM + 54), example.words[column], "fig-word")
        drawing.text((centre, BOTTOM + 74), f"key {vector(example.K[column])}", "fig-small fig-muted")
        left += width
    drawing.text(((WIDTH - BAND) / 2 - 8, TOP - 4), "100%", "fig-small fig-muted", anchor="end")


def _table() -> Table:
    example = worked_example()
    rows = tuple(
        (word, vector(example.K[column]), decimal(example.scores[ROW, column]), percent(example.weights[ROW, column]))
        for column, word in enumerate(example.words)
    )
    columns = ("Word", "Key", "Score over √2", "Share")
    return Table(f"The attention of {example.words[ROW]}, whose query is {vector(example.Q[ROW])}", columns, rows)
