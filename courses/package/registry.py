"""What a package may ask to have computed: figures, numbers, printed output, the worked example's steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the package courses.figures loads NumPy
    from courses.figures.model import Figure, Step, Table


@dataclass(frozen=True)
class Registry:
    """Functions, most of them without arguments and by the name that a package's text uses."""

    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    numbers: Mapping[str, Callable[[], str | float]] = field(default_factory=dict)
    printed: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    worked_steps: Callable[[], list[Step]] | None = None
    # By the name of a number: what each slip (by its id) would give in its place.
    slips: Mapping[str, Callable[[], Mapping[str, tuple[float, ...]]]] = field(default_factory=dict)
    # From a playground's preset as the package gives it: the whole state it starts from, and its weights as a table.
    play: Callable[[Mapping[str, Any]], tuple[dict[str, Any], Table]] | None = None
    # What the cost explorer begins with, and its rows as a table.
    costs: Callable[[], tuple[dict[str, Any], Table]] | None = None
