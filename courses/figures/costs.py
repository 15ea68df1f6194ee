"""The cost explorer's beginning: what the lesson's context lengths take, kept whole and in tiles.

The browser computes the same in static/js/cost-model.js; tests/browser/test_cost.py compares the two.
"""

from __future__ import annotations

import math
from typing import Any

from attention_core.cost import BYTES_PER_MEGABYTE, LESSON_CONTEXT_LENGTHS, attention_cost
from courses.figures.model import Table
from courses.figures.quadratic_cost import TILE
from courses.figures.words import grouped, megabytes

RUNNING = 2  # numbers that tiles keep for each token: the highest score so far, and the sum so far
DEFAULTS = {"bytes": 2, "heads": 1, "layers": 1}


def costs() -> tuple[dict[str, Any], Table]:
    """What the explorer starts from, and the lesson's five rows as a table."""
    rows = [_row(n) for n in LESSON_CONTEXT_LENGTHS]
    shown = tuple(
        (grouped(row["tokens"]), grouped(row["pairs"]), memory(row["whole"], 0.5), memory(row["tiled"])) for row in rows
    )
    columns = ("Tokens", "Pairs", "Kept whole", "In tiles")
    caption = "One head, one layer, 2 bytes a number, 1 MB = 10⁶ bytes"
    return {"tile": TILE, "running": RUNNING, **DEFAULTS, "rows": rows}, Table(caption, columns, shown)


def tiled_megabytes(n: int, bytes_per_number: int, heads: int, layers: int) -> float:
    """What tiles keep at a time, for all heads and layers: one tile of scores, and RUNNING numbers for each token."""
    tile = attention_cost(min(n, TILE), bytes_per_number, heads, layers)[1]
    return tile + RUNNING * n * bytes_per_number * heads * layers / BYTES_PER_MEGABYTE


def memory(value: float, whole_from: float = 1) -> str:
    """34359.7 as "34,360 MB"; up to `whole_from` megabytes, two digits that say something: "0.035 MB".

    The lesson rounds what is kept whole to whole megabytes from half a one on; tiles take less.
    """
    if value > whole_from:
        return megabytes(value)
    return f"{value:.{1 - math.floor(math.log10(value))}f} MB"


def _row(n: int) -> dict[str, Any]:
    pairs, whole = attention_cost(n, DEFAULTS["bytes"], DEFAULTS["heads"], DEFAULTS["layers"])
    return {"tokens": n, "pairs": pairs, "whole": whole, "tiled": tiled_megabytes(n, *DEFAULTS.values())}
