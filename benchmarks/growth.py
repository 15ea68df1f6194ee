"""How a session's time grows with the number of its calls: a least-squares line, how well it fits, and a picture."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cases import SLUGS, of_cases
from benchmarks.timing import Row, progress
from courses.figures.svg import Drawing
from grader.sandboxes import Sandboxes

PLOT = Path(__file__).resolve().parent.parent / "docs" / "images" / "session-cost.svg"
CALLS = (1, 2, 5, 10, 20, 50, 100)
FIT = 0.99  # the least share of the variance that the line must explain, for "a straight line"

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 620, 60, 310
TICKS = range(0, 101, 20)
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # milliseconds between the lines across
# Of a middle brightness: a page may be light or dark.
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #707880 }
.axis { stroke: #707880; stroke-opacity: 0.35 }
.numpy { fill: #3b82c4 } .numpy-line { stroke: #3b82c4; stroke-width: 2 }
.torch { fill: #c2700f } .torch-line { stroke: #c2700f; stroke-width: 2 }
"""


@dataclass(frozen=True)
class Line:
    """Medians by number of calls, in milliseconds, and the line nearest to them."""

    library: str
    medians: tuple[float, ...]

    @property
    def fitted(self) -> statistics.LinearRegression:
        return statistics.linear_regression(CALLS, self.medians)

    @property
    def fit(self) -> float:
        """R²."""
        return statistics.correlation(CALLS, self.medians) ** 2

    def __str__(self) -> str:
        slope, start = self.fitted
        return f"{start:.1f} ms + {slope:.2f} ms a call"


def measure(repeats: int = 15, plot: Path | None = PLOT) -> list[Row]:
    """`plot`: where to draw it, if anywhere."""
    with Sandboxes() as sandboxes:
        lines = [_line(library, sandboxes, repeats) for library in SLUGS]
    if plot is not None:
        plot.write_text(_drawn(lines))
    return [
        Row(
            f"a session of `{SLUGS[line.library]}` by its calls, {CALLS[0]} to {CALLS[-1]}, bubblewrap",
            str(line),
            f"a straight line: R² = {line.fit:.4f}; limit: {FIT}",
        )
        for line in lines
    ]


def _line(library: str, sandboxes: Sandboxes, repeats: int) -> Line:
    """Few and many calls in turn, so that a noisy moment meets them alike."""
    submissions = [of_cases(library, calls) for calls in CALLS]
    sandbox = sandboxes.of(library)
    taken: list[list[float]] = []
    for turn in range(repeats + 1):
        progress(f"{library}: sessions of {CALLS[0]} to {CALLS[-1]} calls, {turn} of {repeats}")
        times = [submission.milliseconds_in(sandbox) for submission in submissions]
        if turn:  # the first one starts the parent
            taken.append(times)
    return Line(library, tuple(map(statistics.median, zip(*taken, strict=True))))


def _drawn(lines: Sequence[Line]) -> str:
    said = "; ".join(f"{line.library}: {line}, R² = {line.fit:.4f}" for line in lines)
    drawing = Drawing("session-cost", (WIDTH, HEIGHT), "A session's time by the number of its calls", f"{said}.")
    highest = max(max(line.medians) for line in lines)
    step = next((step for step in STEPS if highest / step <= 6), STEPS[-1])
    top = step * (highest // step + 1)

    def place(calls: float, time: float) -> tuple[float, float]:
        return LEFT + calls / TICKS[-1] * (RIGHT - LEFT), BOTTOM - time / top * (BOTTOM - TOP)

    for mark in range(0, int(top) + 1, step):
        _, y = place(0, mark)
        drawing.line((LEFT, y), (RIGHT, y), "axis")
        drawing.text((LEFT - 8, y + 5), str(mark), "", anchor="end")
    for calls in TICKS:
        drawing.text((place(calls, 0)[0], BOTTOM + 20), str(calls), "")
    drawing.text((LEFT - 8, TOP - 20), "ms", "", anchor="end")
    drawing.text(((LEFT + RIGHT) / 2, HEIGHT - 8), "calls in the session", "")
    for index, line in enumerate(lines):
        slope, start = line.fitted
        drawing.line(place(0, start), place(TICKS[-1], start + slope * TICKS[-1]), f"{line.library}-line")
        for calls, time in zip(CALLS, line.medians, strict=True):
            x, y = place(calls, time)
            drawing.rect((x - 4, y - 4), (8, 8), line.library, radius=4)
        key = f"{line.library}: {line}, R² = {line.fit:.4f}"
        drawing.rect((LEFT + 8, 12 + 20 * index), (8, 8), line.library, radius=4)
        drawing.text((LEFT + 24, 21 + 20 * index), key, "", anchor="start")
    return drawing.render().replace("<title", f"<style>{STYLE}</style><title", 1) + "\n"
