"""What is wrong with a package: every problem with its file and line, all of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Where:
    """A place in a package: a path from the package's root, and a line counted from 1."""

    file: str
    line: int = 1

    def later(self, lines: int) -> Where:
        return Where(self.file, self.line + lines)


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """One thing to correct. The message says what is wrong and what to do."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class PackageError(Exception):
    """A package that cannot be published; `problems` are sorted by file and line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Problems:
    """Collects problems while reading goes on, so that none hides the others."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, where: Where, message: str) -> None:
        self.found.append(Problem(where.file, where.line, message))

    def raise_if_any(self) -> None:
        if self.found:
            raise PackageError(self.found)
