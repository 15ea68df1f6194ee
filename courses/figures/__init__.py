"""The lesson's figures, numbers, printed output and worked steps: all computed from attention_core, none typed in.

A package's text names them (docs/package-format.md). They are computed when the package is published; pages only show
what was stored then, so the web process never imports this package.
"""

from __future__ import annotations

from collections.abc import Callable

from courses.figures.all_weights import all_weights
from courses.figures.model import Figure, Matrix, Step, Table
from courses.figures.numbers import NUMBERS
from courses.figures.printed import PRINTED
from courses.figures.quadratic_cost import quadratic_cost
from courses.figures.row_of_sat import row_of_sat
from courses.figures.steps import worked_steps
from courses.figures.three_roles import three_roles
from courses.figures.tiles import tiles
from courses.figures.weights_of_sat import weights_of_sat
from courses.figures.who_sees_whom import who_sees_whom
from courses.figures.widths import softmax_widths

FIGURES: dict[str, Callable[[], Figure]] = {
    "all-weights": all_weights,
    "quadratic-cost": quadratic_cost,
    "row-of-sat": row_of_sat,
    "softmax-widths": softmax_widths,
    "three-roles": three_roles,
    "tiles": tiles,
    "weights-of-sat": weights_of_sat,
    "who-sees-whom": who_sees_whom,
}
WORKED_STEPS: Callable[[], list[Step]] = worked_steps

__all__ = ["FIGURES", "NUMBERS", "PRINTED", "WORKED_STEPS", "Figure", "Matrix", "Step", "Table"]
