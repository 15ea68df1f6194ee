"""Figures, tables and matrices as HTML: an SVG with its caption, and its numbers as a table beside it."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from courses.package.markup import embedded, local_name

if TYPE_CHECKING:  # the package courses.figures loads NumPy
    from courses.figures.model import Figure, Matrix, Place, Table

NAMESPACE = "http://www.w3.org/2000/svg"
ELEMENTS = {
    *("svg", "g", "title", "desc", "defs", "marker", "symbol", "use", "clipPath", "mask", "pattern"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"),
    *("linearGradient", "radialGradient", "stop"),
}


class FigureError(ValueError):
    """A figure that a page may not show."""


def figure_html(figure: Figure, caption_html: str) -> str:
    """A `<figure>`. Raises FigureError where its SVG is not one, or holds what the page's policy forbids."""
    name = escape(figure.name)
    svg = _svg(figure.svg, f"figure-{figure.name}-caption")
    table = table_html(figure.table)
    return (
        f'<figure class="figure" id="figure-{name}">\n{svg}\n'
        f'<figcaption id="figure-{name}-caption">{caption_html}</figcaption>\n'
        f'<details class="figure-data"><summary>The numbers as a table</summary>\n{table}</details>\n'
        "</figure>\n"
    )


def _svg(source: str, labelled_by: str) -> str:
    try:
        root = ElementTree.fromstring(source)  # noqa: S314 from the project's own figure code
    except ElementTree.ParseError as error:
        raise FigureError(f"its SVG is not well-formed: {error}") from error
    if root.tag != f"{{{NAMESPACE}}}svg":
        raise FigureError(f'its SVG must be an <svg xmlns="{NAMESPACE}">, got {root.tag!r}')
    for element in root.iter():
        _check(element)
    root.set("role", "img")
    if "aria-labelledby" not in root.attrib:
        root.set("aria-labelledby", labelled_by)
    return embedded(root)


def _check(element: ElementTree.Element) -> None:
    name = local_name(element)
    if name not in ELEMENTS or element.tag != f"{{{NAMESPACE}}}{name}":
        raise FigureError(f"its SVG may not contain <{name}>")
    for key, value in element.attrib.items():
        if key == "style" or key.lower().startswith(("on", "{")):
            raise FigureError(f"its SVG may not have the attribute {key} (use a class)")
        if (key == "href" and not value.startswith("#")) or re.search(r"url\(\s*['\"]?(?!#)", value):
            raise FigureError(f"its SVG may refer to its own parts only, not to {value!r}")


def table_html(table: Table) -> str:
    """A table with headers, which scrolls by itself where it is wider than the page."""
    if any(len(row) != len(table.columns) for row in table.rows):
        raise FigureError(
            f"the rows of the table {table.caption!r} must have {len(table.columns)} cells, as its head has"
        )
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    body = "".join(f"<tr>{_row(row, table.row_headers)}</tr>\n" for row in table.rows)
    caption = escape(table.caption)
    return (
        f'<div class="table-scroll" tabindex="0" role="group" aria-label="{caption}"><table>\n'
        f"<caption>{caption}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody>\n</table></div>\n"
    )


def _row(cells: tuple[str, ...], header: bool) -> str:
    first = f'<th scope="row">{escape(cells[0])}</th>' if header else f"<td>{escape(cells[0])}</td>"
    return first + "".join(f"<td>{escape(cell)}</td>" for cell in cells[1:])


def matrices_html(matrices: tuple[Matrix, ...]) -> str:
    """Matrices side by side; the highlighted cells have the class `hit`, or `made` where a step worked them out."""
    if not matrices:
        return ""
    return f'<div class="matrices">\n{"".join(_matrix(matrix) for matrix in matrices)}</div>\n'


def _matrix(matrix: Matrix) -> str:
    widths = {len(row) for row in matrix.rows} | ({len(matrix.column_labels)} if matrix.column_labels else set())
    if len(widths) != 1 or (matrix.row_labels and len(matrix.row_labels) != len(matrix.rows)):
        raise FigureError(f"the rows and labels of the matrix {matrix.name!r} do not fit together")
    head = ""
    if matrix.column_labels:
        corner = "<td></td>" if matrix.row_labels else ""
        cells = "".join(f'<th scope="col">{escape(label)}</th>' for label in matrix.column_labels)
        head = f"<thead><tr>{corner}{cells}</tr></thead>\n"
    rows = "".join(f"<tr>{_matrix_row(matrix, index)}</tr>\n" for index in range(len(matrix.rows)))
    caption = f"<caption>{escape(matrix.name)}</caption>"
    return f'<table class="matrix" dir="ltr">{caption}\n{head}<tbody>{rows}</tbody></table>\n'


def _matrix_row(matrix: Matrix, index: int) -> str:
    label = f'<th scope="row">{escape(matrix.row_labels[index])}</th>' if matrix.row_labels else ""
    return label + "".join(_matrix_cell(matrix, (index, column)) for column in range(len(matrix.rows[index])))


def _matrix_cell(matrix: Matrix, place: Place) -> str:
    """A cell says in words too what it does: neither colour nor an outline is read out."""
    row, column = place
    content = escape(matrix.rows[row][column])
    if place in matrix.filled:
        return f'<td class="made">{content}{_aside("new")}</td>'
    letter = escape(dict(matrix.letters).get(place, ""))
    if letter:
        return f'<td class="hit"><span class="letter" aria-hidden="true">{letter}</span>{content}{_aside(letter)}</td>'
    return f'<td class="hit">{content}{_aside("used")}</td>' if place in matrix.highlighted else f"<td>{content}</td>"


def _aside(text: str) -> str:
    return f'<span class="visually-hidden"> ({text})</span>'
