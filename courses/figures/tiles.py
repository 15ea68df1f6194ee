"""Tiles: the same pairs computed, but only one block of scores in memory at a time."""

from __future__ import annotations

from attention_core.cost import attention_cost
from courses.figures.model import Figure, Table
from courses.figures.quadratic_cost import TILE
from courses.figures.svg import Drawing
from courses.figures.words import grouped, megabytes

NAME = "tiles"
TOKENS = 32_768
WIDTH, HEIGHT = 360, 238
SIDE, BLOCKS = 150, 5  # of each square, and its tiles along a side (drawn few, so that they can be seen)
LEFT, RIGHT, TOP = 4, 206, 34
CURRENT = (2, 2)  # the tile being computed


def tiles() -> Figure:
    pairs, whole = attention_cost(TOKENS)
    block, held = attention_cost(TILE)
    drawing = Drawing(
        NAME,
        (WIDTH, HEIGHT),
        "All scores at once, and one tile at a time",
        f"Two squares of scores for {grouped(TOKENS)} tokens. The left is filled: {megabytes(whole)} are held at once. "
        "The right is divided into tiles: some are done and let go, one is in memory and takes "
        f"{megabytes(held)}, the rest are to come.",
    )
    _whole(drawing, megabytes(whole))
    _tiled(drawing, megabytes(held))
    caption = (
        f"The scores of {grouped(TOKENS)} tokens, for one head. Left: kept whole. Right: in tiles of {TILE} × {TILE}, "
        "only one of which is in memory at a time (there are far more than the drawing shows). Both compute every pair."
    )
    columns = ("Way", "Pairs computed", "Tiles", "Scores held at once", "Memory for them")
    rows = (
        ("Kept whole", grouped(pairs), "1", grouped(pairs), megabytes(whole)),
        ("In tiles", grouped(pairs), grouped(pairs / block), grouped(block), megabytes(held)),
    )
    return Figure(
        NAME,
        drawing.render(),
        caption,
        Table(f"{grouped(TOKENS)} tokens, one head, one layer, 2 bytes a score", columns, rows),
    )


def _whole(drawing: Drawing, memory: str) -> None:
    drawing.text((LEFT + SIDE / 2, 18), "kept whole", "fig-strong")
    drawing.rect((LEFT, TOP), (SIDE, SIDE), "fig-hit", radius=2)
    drawing.text((LEFT + SIDE / 2, TOP + SIDE + 26), memory, "fig-strong fig-hit-text")
    drawing.text((LEFT + SIDE / 2, TOP + SIDE + 44), "held at once", "fig-small fig-muted")


def _tiled(drawing: Drawing, memory: str) -> None:
    drawing.text((RIGHT + SIDE / 2, 18), "in tiles", "fig-strong")
    size = SIDE / BLOCKS
    for row in range(BLOCKS):
        for column in range(BLOCKS):
            classes = "fig-a-soft" if (row, column) < CURRENT else "fig-a" if (row, column) == CURRENT else "fig-cell"
            corner = (RIGHT + column * size + 1, TOP + row * size + 1)
            drawing.rect(corner, (size - 2, size - 2), classes, radius=2)
    drawing.text((RIGHT + SIDE / 2, TOP + SIDE + 26), memory, "fig-strong fig-a-text")
    drawing.text((RIGHT + SIDE / 2, TOP + SIDE + 44), "held at once", "fig-small fig-muted")
