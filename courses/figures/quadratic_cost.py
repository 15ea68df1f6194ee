"""The quadratic cost: squares whose area is the memory for the scores of one head."""

from __future__ import annotations

from attention_core.cost import attention_cost, lesson_costs
from courses.figures.model import Figure, Table
from courses.figures.svg import Drawing
from courses.figures.words import grouped, megabytes

NAME = "quadratic-cost"
TILE = 128  # tokens along one side of a tile, as in common kernels
WIDTH, HEIGHT = 360, 330
LEFT, BOTTOM, SIDE = 10, 312, 300
LABEL_X, LABEL_STEP = 124, 27
SHADES = ("fig-a-soft", "fig-heat-3", "fig-heat-5", "fig-heat-8", "fig-hit")  # from the largest to the smallest


def quadratic_cost() -> Figure:
    costs = lesson_costs()
    said = "; ".join(f"{grouped(cost.n)} tokens, {megabytes(cost.megabytes)}" for cost in costs)
    drawing = Drawing(
        NAME,
        (WIDTH, HEIGHT),
        "Memory for the scores of one head, drawn as area",
        "Five squares that share a corner, each side in proportion to the length of the text, so the area is the "
        f"memory: {said}.",
    )
    for cost, shade in zip(reversed(costs), SHADES, strict=True):
        _square(drawing, cost.n / costs[-1].n * SIDE, shade)
    _labels(drawing)
    caption = (
        "Area is memory. Each square is four times as wide as the one inside it and holds sixteen times the scores. "
        f"The one for {grouped(costs[0].n)} tokens is the speck in the corner."
    )
    columns = ("Tokens", "Pairs to compute", "Memory, kept whole", f"Memory, one tile of {TILE} × {TILE}")
    tile = megabytes(attention_cost(TILE)[1])
    rows = tuple((grouped(cost.n), grouped(cost.pairs), megabytes(cost.megabytes), tile) for cost in costs)
    return Figure(
        NAME, drawing.render(), caption, Table("One head, one layer, 2 bytes a score, 1 MB = 10⁶ bytes", columns, rows)
    )


def _square(drawing: Drawing, side: float, shade: str) -> None:
    drawing.rect((LEFT, BOTTOM - side), (side, side), shade)


def _labels(drawing: Drawing) -> None:
    *inner, largest = lesson_costs()
    drawing.text((LEFT + 12, BOTTOM - SIDE + 26), f"{grouped(largest.n)} tokens", "fig-strong", anchor="start")
    memory = megabytes(largest.megabytes)
    drawing.text((LEFT + 12, BOTTOM - SIDE + 50), memory, "fig-big fig-strong fig-a-text", anchor="start")
    for place, cost in enumerate(inner):
        side, y = cost.n / largest.n * SIDE, BOTTOM - 8 - LABEL_STEP * place
        edge = 0.98 if cost is inner[-1] else 0.5  # the second largest is big enough to be met at its edge
        corner = (LEFT + side * edge, BOTTOM - side / 2)
        drawing.path(["M", *corner, "L", LABEL_X - 24, y - 5, "L", LABEL_X - 6, y - 5], "fig-line")
        drawing.text((LABEL_X, y), f"{grouped(cost.n)} tokens: {megabytes(cost.megabytes)}", "", anchor="start")
