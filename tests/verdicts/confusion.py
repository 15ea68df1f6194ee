"""The confusion table: for each kind of submission, how often what was named first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

PROPERTY = "confusion"  # under which a test leaves an Entry to whoever prints the table
COLUMNS = f"{'first':>5}  {'jointly':>7}  {'nothing':>7}  another"


class Entry(NamedTuple):
    """One submission of a folder, which is called after a mistake, "right" or "unnamed"; and what was named for it."""

    exercise: str
    folder: str
    named: Sequence[str]


def table(entries: Sequence[Entry]) -> str:
    """A row for each folder; columns for what was named first: the folder's mistake, another jointly with it, nothing,
    or another.
    """
    wide = max(len(each.folder) for each in entries)
    lines = []
    for exercise, of_exercise in groupby(sorted(entries), key=lambda each: each.exercise):
        lines.append(f"{exercise:<{wide}}  {COLUMNS}")
        lines += [
            f"{folder:<{wide}}  {_row(folder, [each.named for each in of_folder])}"
            for folder, of_folder in groupby(of_exercise, key=lambda each: each.folder)
        ]
        lines.append("")
    return "\n".join(lines)


def _row(folder: str, all_named: Sequence[Sequence[str]]) -> str:
    first = sum(list(named[:1]) == [folder] for named in all_named)
    jointly = sum(folder in named[1:] for named in all_named)
    nothing = sum(not named for named in all_named)
    others = Counter(named[0] for named in all_named if named and folder not in named)
    another = ", ".join(f"{mistake} {times}" for mistake, times in others.most_common())
    return f"{first or '.':>5}  {jointly or '.':>7}  {nothing or '.':>7}  {another or '.'}"
