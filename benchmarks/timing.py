"""Medians and the table that a benchmark prints."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured thing. `floor` is what it is compared with, measured in the same run."""

    what: str
    value: str
    beside: str = ""


def spread(samples: Sequence[float]) -> str:
    """Median and range in milliseconds, such as "41 ms (38 to 55)"."""
    return f"{statistics.median(samples):.0f} ms ({min(samples):.0f} to {max(samples):.0f})"


def milliseconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1000


def progress(text: str) -> None:
    print(f"… {text}", file=sys.stderr, flush=True)


def as_table(rows: Sequence[Row]) -> str:
    lines = ["| measured | result | beside |", "|---|---|---|"]
    lines += [f"| {row.what} | {row.value} | {row.beside} |" for row in rows]
    return "\n".join(lines)
