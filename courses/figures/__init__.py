"""The lesson's figures, numbers, printed output and worked steps: all computed from attention_core, none typed in.

A package's text names them (docs/package-format.md). They are computed when the package is published; pages only show
what was stored then, so the web process never imports this package.
"""

from __future__ import annotations

from collections.abc import Callable

from courses.figures.all_weights import all_weights
from courses.figures.costs import costs
from courses.figures.doubling import doubling
from courses.figures.gradient_widths import gradient_widths
from courses.figures.model import Figure, Matrix, Step, Table
from courses.figures.numbers import NUMBERS
from courses.figures.playground import play
from courses.figures.printed import PRINTED
from courses.figures.quadratic_cost import quadratic_cost
from courses.figures.row_of_sat import row_of_sat
from courses.figures.same_output import same_output
from courses.figures.slips import SLIPS
from courses.figures.steps import worked_steps
from courses.figures.three_roles import three_roles
from courses.figures.tiles import tiles
from courses.figures.weights_of_sat import weights_of_sat
from courses.figures.who_sees_whom import who_sees_whom
from courses.figures.widths import softmax_widths

FIGURES: dict[str, Callable[[], Figure]] = {
    "all-weights": all_weights,
    "doubling": doubling,
    "gradient-widths": gradient_widths,
    "quadratic-cost": quadratic_cost,
    "row-of-sat": row_of_sat,
    "same-output": same_output,
    "softmax-widths": softmax_widths,
    "three-roles": three_roles,
    "tiles": tiles,
    "weights-of-sat": weights_of_sat,
    "who-sees-whom": who_sees_whom,
}
WORKED_STEPS: Callable[[], list[Step]] = worked_steps
PLAY = play
COSTS = costs

__all__ = [
    "COSTS",
    "FIGURES",
    "NUMBERS",
    "PLAY",
    "PRINTED",
    "SLIPS",
    "WORKED_STEPS",
    "Figure",
    "Matrix",
    "Step",
    "Table",
]
