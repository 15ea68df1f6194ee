"""A tiny course package, which tests copy, bend and publish."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from courses.figures.model import Figure, Matrix, Step, Table
from courses.models import CourseRevision
from courses.package.compiling import CompiledCourse, check_package
from courses.package.registry import Registry
from courses.services.publishing import publish

TINY = Path(__file__).parent / "packages" / "tiny"


def bar() -> Figure:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect class="bar" width="2" height="1"/></svg>'
    return Figure("bar", svg, "A bar of length *two* & more", Table("Lengths", ("bar", "length"), (("a", "2"),)))


def steps() -> list[Step]:
    matrix = Matrix("S", (("1", "2"), ("3", "4")), ("a", "b"), ("c", "d"), frozenset({(1, 0)}))
    return [Step("Add", "Take $1 + 2$.", (matrix,)), Step("Stop", "Done.")]


def play(preset: Mapping[str, Any]) -> tuple[dict[str, Any], Table]:
    return {"words": preset["words"], "Q": preset["Q"]}, Table("Shares", ("word", "share"), (("the", "1"),))


def costs() -> tuple[dict[str, Any], Table]:
    return {"tile": 2}, Table("Costs", ("n", "pairs"), (("3", "9"),))


def tiny_registry() -> Registry:
    return Registry(
        figures={"bar": bar},
        numbers={"answer": lambda: "42", "half-root": lambda: math.sqrt(2) / 2},
        printed={"sum": lambda: "42 < 43\n"},
        worked_steps=steps,
        play=play,
        costs=costs,
        slips={"half-root": lambda: {"not-halved": (math.sqrt(2),), "not-rooted": (1.0, math.sqrt(2))}},
    )


@pytest.fixture
def registry() -> Registry:
    return tiny_registry()


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of the tiny package, to be edited at will."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny"))


Edit = Callable[[str, str, str], int]


@pytest.fixture
def edit(tiny: Path) -> Edit:
    """edit(file, old, new) replaces text that is there exactly once; returns the line where it began."""

    def replace(file: str, old: str, new: str) -> int:
        text = (tiny / file).read_text()
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file}"
        (tiny / file).write_text(text.replace(old, new))
        return text[: text.index(old)].count("\n") + 1

    return replace


@pytest.fixture
def compiled(tiny: Path, registry: Registry) -> CompiledCourse:
    return check_package(tiny, registry)


@pytest.fixture
def published(compiled: CompiledCourse, db: None) -> CourseRevision:
    """The tiny course, published."""
    return publish(compiled).revision
