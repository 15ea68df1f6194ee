"""What a lesson's figures, tables and worked steps are made of: plain frozen dataclasses, no NumPy.

Markdown in captions and texts is the package's Markdown (docs/package-format.md), without placeholders.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a figure as a table. All cells are plain text."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_headers: bool = True  # the first cell of each row is its header


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture: a whole `<svg>` element (no style attributes, no scripts), a caption in Markdown, its numbers."""

    name: str
    svg: str
    caption: str
    table: Table


Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix to show: cells as plain text. Places are (row, column), counted from 0.

    `highlighted` are the places to look at; of these, `filled` are those that a step has just worked out. Numbers of
    two matrices that meet one by one share a letter in `letters`.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    highlighted: frozenset[Place] = field(default_factory=frozenset)
    filled: frozenset[Place] = field(default_factory=frozenset)
    letters: tuple[tuple[Place, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One arithmetic step of the worked example; `stage` is the part of the computation that it belongs to."""

    title: str
    text: str
    matrices: tuple[Matrix, ...] = ()
    stage: str = ""
