"""What the missing division by √d does to training: the slopes that gradients are made of, at growing widths."""

from __future__ import annotations

from courses.figures.bars import Pair, pairs_of_bars
from courses.figures.model import Figure, Table
from courses.figures.widths import spreads
from courses.figures.words import decimal, percent

NAME = "gradient-widths"


def gradient_widths() -> Figure:
    first, last = spreads()[0], spreads()[-1]
    svg = pairs_of_bars(
        NAME,
        "Mean slope of a share, at growing widths",
        f"Two bars for each width from {first.width} to {last.width}. Divided by √d the mean slope stays near "
        f"{decimal(last.scaled_slope)}. Undivided it falls from {decimal(first.slope)} to {decimal(last.slope)}.",
        ("divided by √d", "undivided"),
        [
            Pair(
                f"d = {spread.width}",
                (spread.scaled_slope, spread.slope),
                (decimal(spread.scaled_slope, 3), decimal(spread.slope, 3)),
            )
            for spread in spreads()
        ],
    )
    caption = (
        "How far a share moves when its own score is nudged: the mean of *w*(1 − *w*) over a thousand random queries "
        f"with six random keys each. At a width of {last.width}, {percent(last.slope / first.slope)} of the slope "
        f"at a width of {first.width} is left without the division, and "
        f"{percent(last.scaled_slope / first.scaled_slope)} with it."
    )
    rows = tuple(
        (str(spread.width), decimal(spread.scaled_slope, 3), decimal(spread.slope, 3), percent(spread.shares[0]))
        for spread in spreads()
    )
    table = Table(
        "Softmax of random scores: mean slope of a share",
        ("Width d", "Mean slope, ÷ √d", "Mean slope, undivided", "Largest share, undivided"),
        rows,
    )
    return Figure(NAME, svg, caption, table)
