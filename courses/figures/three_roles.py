"""Query, key and value: three vectors made from one word."""

from __future__ import annotations

from attention_core.worked_example import worked_example
from courses.figures.model import Figure, Table
from courses.figures.svg import Drawing
from courses.figures.words import vector

NAME = "three-roles"
ROW = 1  # cat: the one word whose query, key and value all differ
WIDTH, HEIGHT = 360, 226
ROLES = (
    ("query", "Wq", "Q", "what it looks for", "a"),
    ("key", "Wk", "K", "what it offers", "b"),
    ("value", "Wv", "V", "what it hands over", "c"),
)
LABELS = {"Wq": (103, 65), "Wk": (126, 106), "Wv": (108, 172)}


def three_roles() -> Figure:
    example = worked_example()
    word, embedding = example.words[ROW], vector(example.x[ROW])
    rows = tuple((role, matrix, vector(example.matrix(name)[ROW]), what) for role, matrix, name, what, _ in ROLES)
    made = "; ".join(f"{matrix} makes its {role} {result}, {what}" for role, matrix, result, what in rows)
    description = f"From the vector {embedding} of {word}, {made}."
    drawing = Drawing(NAME, (WIDTH, HEIGHT), f"The word {word} in three roles", description)
    drawing.text((48, 84), word, "fig-big fig-word fig-strong")
    drawing.rect((8, 96), (80, 34), "fig-cell", radius=4)
    drawing.text((48, 118), embedding, "fig-cell-text")
    drawing.text((48, 150), "its vector x", "fig-small fig-muted")
    for place, row in enumerate(rows):
        _role(drawing, 40 + 73 * place, row, ROLES[place][-1])
    caption = (
        f"The same word in three roles. Three matrices turn the vector of *{word}*, {embedding}, into three "
        "different vectors, one for each thing that a word does."
    )
    table = Table(f"Three vectors of {word}", ("Role", "Matrix", "Vector", "Meaning"), rows)
    return Figure(NAME, drawing.render(), caption, table)


def _role(drawing: Drawing, y: float, words: tuple[str, str, str, str], series: str) -> None:
    role, matrix, made, what = words
    drawing.arrow((96, 113 + (y - 113) * 0.16), (156, y), f"fig-{series}-line")
    drawing.text(LABELS[matrix], f"× {matrix}", f"fig-small fig-{series}-text")
    drawing.rect((162, y - 17), (58, 34), f"fig-{series}", radius=4)
    drawing.text((191, y + 5), made, "fig-on fig-strong")
    drawing.text((229, y - 2), role, f"fig-strong fig-{series}-text", anchor="start")
    drawing.text((229, y + 16), what, "fig-small fig-muted", anchor="start")
