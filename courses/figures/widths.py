"""Why √d: how large the largest share gets as vectors get wider, with and without the division."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from attention_core.softmax import softmax
from courses.figures.model import Figure, Table
from courses.figures.svg import Drawing
from courses.figures.words import decimal, percent

NAME = "softmax-widths"
# The lesson's listing widths.py draws the same numbers from the same seed.
SEED, QUERIES, KEYS = 3, 1000, 6
WIDTHS = (2, 8, 32, 128, 512)
WIDTH, HEIGHT = 360, 366
COLUMNS = (66, 226)  # where the bars without and with the division begin
FIRST, STEP, BAR = 96, 60, 40  # the first baseline, the distance to the next, the height of a share of 1


@dataclass(frozen=True, slots=True)
class Spread:
    """What softmax makes of random scores of one width: mean shares from the largest to the smallest.

    `typical` is the standard deviation of the scores without the division. `slope` and `scaled_slope` are the mean
    of w(1 − w) over all shares w.
    """

    width: int
    typical: float
    shares: tuple[float, ...]
    scaled_shares: tuple[float, ...]
    slope: float
    scaled_slope: float


@cache
def spreads() -> tuple[Spread, ...]:
    """One Spread for each of WIDTHS, over QUERIES random queries with KEYS random keys each."""
    rng = np.random.default_rng(SEED)
    return tuple(_spread(rng, width) for width in WIDTHS)


def spread_at(width: int) -> Spread:
    return next(spread for spread in spreads() if spread.width == width)


def _spread(rng: np.random.Generator, width: int) -> Spread:
    queries = rng.standard_normal((QUERIES, 1, width))
    keys = rng.standard_normal((QUERIES, KEYS, width))
    scores = (queries @ keys.swapaxes(-1, -2))[:, 0]
    shares, scaled = softmax(scores), softmax(scores / math.sqrt(width))
    ranked = [tuple(np.sort(each, axis=-1)[:, ::-1].mean(axis=0).tolist()) for each in (shares, scaled)]
    slopes = [float((each * (1 - each)).mean()) for each in (shares, scaled)]
    return Spread(width, float(scores.std()), ranked[0], ranked[1], slopes[0], slopes[1])


def softmax_widths() -> Figure:
    first, last = spreads()[0], spreads()[-1]
    drawing = Drawing(
        NAME,
        (WIDTH, HEIGHT),
        "Shares of six random keys, at growing widths",
        f"Two columns of bar charts, one row for each width from {first.width} to {last.width}. Without the division "
        f"the largest share grows from {percent(first.shares[0])} to {percent(last.shares[0])}. With it, it stays near "
        f"{percent(last.scaled_shares[0])}.",
    )
    for x, head, series in ((COLUMNS[0], "undivided", "hit"), (COLUMNS[1], "divided by √d", "a")):
        drawing.text((x, 18), head, f"fig-strong fig-{series}-text", anchor="start")
    for place, spread in enumerate(spreads()):
        y = FIRST + STEP * place
        drawing.text((0, y), f"d = {spread.width}", "", anchor="start")
        _bars(drawing, (COLUMNS[0], y), spread.shares, "fig-hit")
        _bars(drawing, (COLUMNS[1], y), spread.scaled_shares, "fig-a")
    caption = (
        "Six random keys compete for one random query; the bars are their shares from the largest to the smallest, "
        f"on average over a thousand draws. Undivided, the winner takes more and more as the vectors get wider: "
        f"{percent(spread_at(128).shares[0])} at a width of 128. Divided by √d, the shares hardly change."
    )
    return Figure(NAME, drawing.render(), caption, _table())


def _bars(drawing: Drawing, corner: tuple[float, float], shares: Sequence[float], classes: str) -> None:
    x, y = corner
    for rank, share in enumerate(shares):
        height = max(BAR * share, 0.75)
        drawing.rect((x + 22 * rank, y - height), (18, height), classes)
    drawing.line((x, y + 0.5), (x + 22 * len(shares) - 4, y + 0.5), "fig-line")
    drawing.text(
        (x + 22, y - BAR * shares[0] + 12 if shares[0] > 0.6 else y - BAR * shares[0] - 4),
        percent(shares[0]),
        "fig-small fig-strong",
        anchor="start",
    )


def _table() -> Table:
    columns = (
        "Width d",
        "Typical score",
        "Largest share",
        "Largest share, ÷ √d",
        "Mean w(1 − w)",
        "Mean w(1 − w), ÷ √d",
    )
    rows = tuple(
        (
            str(spread.width),
            decimal(spread.typical, 1),
            percent(spread.shares[0]),
            percent(spread.scaled_shares[0]),
            decimal(spread.slope, 3),
            decimal(spread.scaled_slope, 3),
        )
        for spread in spreads()
    )
    return Table("Softmax of random scores: one query, six keys, means of a thousand draws", columns, rows)
