"""The causal mask: which word may look at which, and what is left of equal scores."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from attention_core.arguments import FloatArray
from attention_core.attention import causal_attention
from attention_core.masks import causal_mask
from attention_core.worked_example import WORDS
from courses.figures.model import Figure, Table
from courses.figures.svg import HEAT_ON, Drawing, heat
from courses.figures.words import MINUS_INFINITY

NAME = "who-sees-whom"
WIDTH, HEIGHT = 360, 230
CELL = 36
LEFT, RIGHT, TOP = 48, 215, 60
GLYPHS = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(1, 4): "¼"}


def equal_scores_weights() -> FloatArray:
    """Causal weights (T, T) of the lesson's four words when all scores are equal."""
    zeros = np.zeros((len(WORDS), 1))
    return causal_attention(zeros, zeros, zeros)[1]


def fraction(share: float) -> str:
    """0.25 as "¼"."""
    exact = Fraction(share).limit_denominator(len(WORDS))
    return GLYPHS.get(exact, str(exact))


def who_sees_whom() -> Figure:
    seen = "; ".join(f"{word} sees {', '.join(WORDS[: row + 1])}" for row, word in enumerate(WORDS))
    drawing = Drawing(
        NAME,
        (WIDTH, HEIGHT),
        "Who sees whom under a causal mask",
        f"Two squares, rows asking and columns being asked. Left, equal scores with {MINUS_INFINITY} above the "
        f"diagonal: {seen}. Right, the weights after softmax: each row is shared evenly among the words it sees.",
    )
    _grids(drawing)
    caption = (
        "Who sees whom. Rows ask, columns are asked. Left: all scores are equal, and the mask has put −∞ above the "
        "diagonal. Right: what softmax makes of them. The future gets nothing, and each row still sums to 1."
    )
    table = Table("Weights under a causal mask when all scores are equal", ("Asking", *WORDS), _rows())
    return Figure(NAME, drawing.render(), caption, table)


def _rows() -> tuple[tuple[str, ...], ...]:
    weights = equal_scores_weights()
    return tuple((word, *map(fraction, weights[row])) for row, word in enumerate(WORDS))


def _grids(drawing: Drawing) -> None:
    side = CELL * len(WORDS)
    drawing.text((LEFT + side / 2, 16), "scores, masked", "fig-strong")
    drawing.text((RIGHT + side / 2, 16), "weights", "fig-strong")
    drawing.arrow((LEFT + side + 6, TOP + side / 2), (RIGHT - 6, TOP + side / 2), "fig-line")
    for place, word in enumerate(WORDS):
        for left in (LEFT, RIGHT):
            drawing.text((left + CELL * (place + 0.5), TOP - 10), word, "fig-small fig-word fig-muted")
        drawing.text((LEFT - 8, TOP + CELL * (place + 0.5) + 5), word, "fig-small fig-word", anchor="end")
    visible, weights = causal_mask(len(WORDS)), equal_scores_weights()
    for row, column in np.ndindex(weights.shape):
        _cells(drawing, (row, column), bool(visible[row, column]), float(weights[row, column]))
    drawing.text((LEFT, TOP + side + 20), "rows ask, columns are asked", "fig-small fig-muted", anchor="start")


def _cells(drawing: Drawing, place: tuple[int, int], visible: bool, weight: float) -> None:
    y = TOP + CELL * place[0]
    for left, written in ((LEFT, "0" if visible else MINUS_INFINITY), (RIGHT, fraction(weight))):
        x = left + CELL * place[1]
        step = heat(weight) if left == RIGHT else 2
        drawing.rect((x + 1, y + 1), (CELL - 2, CELL - 2), f"fig-heat-{step}" if visible else "fig-hidden", radius=3)
        light = " fig-on" if visible and step >= HEAT_ON else "" if visible else " fig-muted"
        drawing.text((x + CELL / 2, y + CELL / 2 + 5), written, light.strip())
