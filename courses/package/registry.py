"""What a package may ask to have computed: figures, numbers, printed output, the worked example's steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the package courses.figures loads NumPy
    from courses.figures.model import Figure, Step


@dataclass(frozen=True)
class Registry:
    """Functions without arguments, by the name that a package's text uses."""

    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    numbers: Mapping[str, Callable[[], str | float]] = field(default_factory=dict)
    printed: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    worked_steps: Callable[[], list[Step]] | None = None
