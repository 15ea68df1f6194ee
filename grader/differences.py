"""Two texts line by line: which lines went, which came, and a few around them that stayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal

MOST_LINES = 1000  # of either text: the time that a comparison takes grows faster than they do
AROUND = 3  # lines before and after a change

Change = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a difference, with its number in each of the two texts that holds it."""

    change: Change
    text: str
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """`parts` are stretches of lines, between which unchanged ones are left out. None of them: the texts are alike."""

    parts: tuple[tuple[Line, ...], ...] = ()
    removed: int = 0
    added: int = 0
    too_long: bool = field(default=False, kw_only=True)  # not compared


def difference(before: str, after: str) -> Difference:
    """From one text to the other. Line ends at the very end of a text say nothing."""
    old, new = before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")
    if max(len(old), len(new)) > MOST_LINES:
        return Difference(too_long=True)
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(AROUND)
    parts = tuple(tuple(line for step in group for line in _lines(old, new, *step)) for group in groups)
    changes = [line.change for part in parts for line in part]
    return Difference(parts if old != new else (), changes.count("removed"), changes.count("added"))


def _lines(old: Sequence[str], new: Sequence[str], tag: str, i: int, i_end: int, j: int, j_end: int) -> Iterator[Line]:
    """Of one step of the comparison: old[i:i_end] became new[j:j_end]."""
    if tag == "equal":
        for step, text in enumerate(old[i:i_end]):
            yield Line("same", text, i + step + 1, j + step + 1)
        return
    for number, text in enumerate(old[i:i_end], i + 1):
        yield Line("removed", text, before=number)
    for number, text in enumerate(new[j:j_end], j + 1):
        yield Line("added", text, after=number)
