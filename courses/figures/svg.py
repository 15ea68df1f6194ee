"""A small builder of SVG pictures for lessons, over xml.etree.

The site's Content-Security-Policy forbids style attributes, so colours and type sizes come from classes, which
static/css/figures.css gives a light, a dark and a printed look:

fig                       the picture itself
fig-muted                 text and shapes in the quieter colour (plain text is in the main one)
fig-small, fig-big        14 and 20 units high, where plain text is 16
fig-strong, fig-word      bold; italic, for a word that is spoken of
fig-line, fig-faint       strokes in the quieter colour and the faintest one
fig-cell, fig-cell-text   a matrix's cell and what is written in it; fig-hidden: a cell that a mask hides
fig-hit                   what costs or goes wrong: a fill; fig-hit-text as text
fig-a, fig-b, fig-c       series colours as fills (query, key, value); fig-a-soft as a pale fill,
                          fig-a-line … as strokes, fig-a-text … as text on the page
fig-on                    text on a series colour, on fig-hit and on the upper half of the heat scale
fig-heat-0 … fig-heat-10  fills from nothing to everything
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

NAMESPACE = "http://www.w3.org/2000/svg"
HEAT_STEPS = 10
HEAT_ON = 6  # from this step of the heat scale on, text is written in fig-on

Point = tuple[float, float]


def fixed(value: float) -> str:
    """`value` with at most two decimals and none that are zero: SVG coordinates."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def heat(share: float) -> int:
    """The step of the heat scale for a share between 0 and 1; only 0 itself gets step 0."""
    return 0 if share == 0 else max(1, round(share * HEAT_STEPS))


class Drawing:
    """One picture being drawn. Coordinates are in units of its view box."""

    def __init__(self, name: str, size: tuple[float, float], title: str, description: str) -> None:
        width, height = size
        self._root = ElementTree.Element(
            "svg",
            {
                "xmlns": NAMESPACE,
                "class": "fig",
                "viewBox": f"0 0 {fixed(width)} {fixed(height)}",
                "role": "img",
                "aria-labelledby": f"fig-{name}-title fig-{name}-desc",
            },
        )
        ElementTree.SubElement(self._root, "title", {"id": f"fig-{name}-title"}).text = title
        ElementTree.SubElement(self._root, "desc", {"id": f"fig-{name}-desc"}).text = description

    def _add(self, tag: str, classes: str, **attributes: float | str) -> ElementTree.Element:
        written = {
            key.replace("_", "-"): value if isinstance(value, str) else fixed(value)
            for key, value in attributes.items()
        }
        return ElementTree.SubElement(self._root, tag, {"class": classes, **written})

    def rect(self, corner: Point, size: tuple[float, float], classes: str, radius: float = 0) -> None:
        attributes = {"rx": radius} if radius else {}
        self._add("rect", classes, x=corner[0], y=corner[1], width=size[0], height=size[1], **attributes)

    def text(self, at: Point, content: str, classes: str, anchor: str = "middle") -> None:
        """Writes `content` with its baseline at `at`; anchor is start, middle or end."""
        self._add("text", classes, x=at[0], y=at[1], text_anchor=anchor).text = content

    def line(self, start: Point, end: Point, classes: str) -> None:
        self._add("line", classes, x1=start[0], y1=start[1], x2=end[0], y2=end[1])

    def path(self, parts: Iterable[str | float], classes: str) -> None:
        """Draws a path from letters and numbers, as in `["M", 0, 0, "L", 3, 4]`."""
        self._add("path", classes, d=" ".join(part if isinstance(part, str) else fixed(part) for part in parts))

    def ribbon(self, top: tuple[Point, float], bottom: tuple[Point, float], classes: str) -> None:
        """Draws a band between two (left end, width) pairs that flows from the upper to the lower."""
        ((x, y), width), ((to_x, to_y), to_width) = top, bottom
        middle = (y + to_y) / 2
        down: list[str | float] = ["M", x, y, "C", x, middle, to_x, middle, to_x, to_y, "L", to_x + to_width, to_y]
        up: list[str | float] = ["C", to_x + to_width, middle, x + width, middle, x + width, y, "Z"]
        self.path([*down, *up], classes)

    def arrow(self, start: Point, end: Point, classes: str) -> None:
        """Draws a straight arrow; `classes` colour its shaft (…-line) and, by the same stroke, its head."""
        (x, y), (to_x, to_y) = start, end
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        along, across = ((to_x - x) / length * 7, (to_y - y) / length * 7), 0.55
        left = (to_x - along[0] - along[1] * across, to_y - along[1] + along[0] * across)
        right = (to_x - along[0] + along[1] * across, to_y - along[1] - along[0] * across)
        self.path(["M", x, y, "L", to_x, to_y, "M", *left, "L", to_x, to_y, "L", *right], classes)

    def render(self) -> str:
        """The picture as text, one `<svg>` element."""
        return ElementTree.tostring(self._root, encoding="unicode", short_empty_elements=True)
