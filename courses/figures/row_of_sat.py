"""Scores, softmax, blend: how the row of *sat* comes about, word by word."""

from __future__ import annotations

from attention_core.worked_example import worked_example
from courses.figures.model import Figure, Table
from courses.figures.svg import Drawing
from courses.figures.words import decimal, percent, short, vector

NAME = "row-of-sat"
ROW = 2  # sat
WIDTH, HEIGHT = 360, 334
FIRST, STEP = 76, 46  # the first word's line, and the distance to the next
BAR = 62  # units of width for a share of 1


def row_of_sat() -> Figure:
    example = worked_example()
    word = example.words[ROW]
    drawing = Drawing(
        NAME,
        (WIDTH, HEIGHT),
        f"From the query of {word} to its output",
        f"For each of the four words: its key, its product with the query {vector(example.Q[ROW])}, that product over "
        f"√2, the share that softmax makes of it, and its value. Below, the values blended by the shares. {_said()}",
    )
    _head(drawing)
    for column in range(len(example.words)):
        _line(drawing, column)
    _blend(drawing)
    caption = (
        f"The row of *{word}*, from left to right: match the query with each key, divide by √2, turn the scores into "
        "shares, and blend the values by them."
    )
    return Figure(NAME, drawing.render(), caption, _table())


def _said() -> str:
    example = worked_example()
    best = int(example.weights[ROW].argmax())
    score, share = decimal(example.scores[ROW, best]), percent(example.weights[ROW, best])
    return f"The highest score is that of {example.words[best]}: {score}, which becomes {share}."


def _head(drawing: Drawing) -> None:
    example = worked_example()
    drawing.text(
        (0, 16), f"query of {example.words[ROW]}: {vector(example.Q[ROW])}", "fig-strong fig-a-text", anchor="start"
    )
    heads = (
        (0, "key", "start"),
        (92, "product", "middle"),
        (150, "÷ √2", "middle"),
        (192, "softmax", "start"),
        (360, "value", "end"),
    )
    for x, head, anchor in heads:
        drawing.text((x, 46), head, "fig-small fig-muted", anchor=anchor)
    drawing.line((0, 54), (WIDTH, 54), "fig-line")


def _line(drawing: Drawing, column: int) -> None:
    example = worked_example()
    y, weight = FIRST + STEP * column, float(example.weights[ROW, column])
    best = weight == example.weights[ROW].max()
    strong = " fig-strong fig-a-text" if best else ""
    drawing.text((0, y + 2), example.words[column], "fig-word", anchor="start")
    drawing.text((0, y + 19), vector(example.K[column]), "fig-small fig-b-text", anchor="start")
    drawing.text((92, y + 8), short(example.products[ROW, column]), strong.strip())
    drawing.text((150, y + 8), decimal(example.scores[ROW, column]), strong.strip())
    drawing.rect(
        (192, y - 6), (BAR * weight / float(example.weights[ROW].max()), 18), "fig-a" if best else "fig-heat-5"
    )
    drawing.text(
        (198 + BAR * weight / float(example.weights[ROW].max()), y + 8), percent(weight), strong.strip(), anchor="start"
    )
    drawing.text((360, y + 8), vector(example.V[column]), "fig-c-text", anchor="end")
    drawing.line((0, y + 28), (WIDTH, y + 28), "fig-faint")


def _blend(drawing: Drawing) -> None:
    example = worked_example()
    # Three decimals: with two, the sum on paper would not come to the output shown.
    parts = [
        f"{decimal(weight, 3)}·{vector(value)}" for weight, value in zip(example.weights[ROW], example.V, strict=True)
    ]
    y = FIRST + STEP * len(parts) + 12
    drawing.text((WIDTH, y), f"{' + '.join(parts[:2])}", "fig-small fig-muted", anchor="end")
    drawing.text((WIDTH, y + 20), f"+ {' + '.join(parts[2:])}", "fig-small fig-muted", anchor="end")
    output = f"output of {example.words[ROW]} = {vector(example.output[ROW])}"
    drawing.text((WIDTH, y + 48), output, "fig-strong fig-c-text", anchor="end")


def _table() -> Table:
    example = worked_example()
    rows = tuple(
        (
            word,
            vector(example.K[column]),
            short(example.products[ROW, column]),
            decimal(example.scores[ROW, column]),
            decimal(example.exponentials[ROW, column]),
            decimal(example.weights[ROW, column]),
            vector(example.V[column]),
        )
        for column, word in enumerate(example.words)
    )
    total = ("Sum", "", "", "", decimal(example.totals[ROW, 0]), decimal(example.weights[ROW].sum()), "")
    output = ("Output", "", "", "", "", "", vector(example.output[ROW]))
    columns = ("Word", "Key", "Product", "Over √2", "Exponential", "Share", "Value")
    caption = f"The row of {example.words[ROW]}, whose query is {vector(example.Q[ROW])}"
    return Table(caption, columns, (*rows, total, output))
