"""A check's case, as grader/checks/shown.py stores it, as tables to print, and which cell of them differs first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Index = tuple[int, ...]


def case_tables(case: Mapping[str, Any]) -> dict[str, Any]:
    """{"inputs", "expected", "got": lists of values}.

    A value is {"name", "shape", "text", "tables"}: `text` for a number or for an array that is too large to print,
    else `tables`, one a matrix ({"label", "rows"}): several only for arrays of more than two axes, labelled by their
    leading indices. A row is a list of cells, {"text", "differs"}; one-dimensional arrays are one row.
    """
    difference = case.get("difference")
    at = (difference["result"], tuple(difference["index"])) if difference else None
    return {
        "inputs": _values(case.get("inputs"), None),
        "expected": _values(case.get("expected"), at),
        "got": _values(case.get("got"), at),
    }


def _values(values: Mapping[str, Any] | None, at: tuple[str, Index] | None) -> list[dict[str, Any]]:
    named = (values or {}).items()
    return [_value(name, value, at[1] if at and at[0] == name else None) for name, value in named]


def _value(name: str, value: Any, differs: Index | None) -> dict[str, Any]:
    if isinstance(value, Mapping):
        shape = tuple(value["shape"])
        return {"name": name, "shape": _shape(shape), "text": f"{value['dtype']} of shape {shape}", "tables": []}
    if not isinstance(value, list):
        return {"name": name, "shape": "", "text": _number(value), "tables": []}
    shape = tuple(_lengths(value))
    return {"name": name, "shape": _shape(shape), "text": "", "tables": list(_tables(value, len(shape), differs))}


def _lengths(value: Any) -> Iterator[int]:
    while isinstance(value, list):
        yield len(value)
        value = value[0] if value else None


def _shape(shape: Sequence[int]) -> str:
    return " × ".join(map(str, shape))


def _tables(value: list[Any], axes: int, differs: Index | None, leading: Index = ()) -> Iterator[dict[str, Any]]:
    if axes > 2:
        for index, part in enumerate(value):
            yield from _tables(part, axes - 1, differs, (*leading, index))
        return
    rows = value if axes == 2 else [value]
    yield {
        "label": f"[{', '.join(map(str, leading))}]" if leading else "",
        "rows": [
            [
                {"text": _number(cell), "differs": differs == ((*leading, i, j) if axes == 2 else (*leading, j))}
                for j, cell in enumerate(row)
            ]
            for i, row in enumerate(rows)
        ],
    }


def _number(value: Any) -> str:
    """As many digits as are stored; "NaN" and infinities are stored as text already."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
