"""What the lesson's listings print, computed by the references. tests/courses/test_figures.py runs the listings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attention_core.arguments import FloatArray
from attention_core.worked_example import worked_example
from courses.figures.who_sees_whom import equal_scores_weights
from courses.figures.widths import spreads


def _matrix(matrix: FloatArray) -> str:
    """As NumPy prints it with two fixed decimals; whole numbers as integers."""
    whole = np.array_equal(matrix, matrix.round())
    return np.array2string(matrix.astype(np.int64) if whole else matrix, precision=2, floatmode="fixed")


def worked() -> str:
    """worked.py"""
    example = worked_example()
    return "\n".join(f"{name}\n{_matrix(example.matrix(name))}" for name in ("Q", "K", "V", "weights", "output"))


def causal_equal() -> str:
    """causal.py"""
    return np.array2string(equal_scores_weights(), precision=2, floatmode="fixed")


def widths() -> str:
    """widths.py"""
    lines = [f"{each.width:5}  {each.shares[0]:10.0%}  {each.scaled_shares[0]:7.0%}" for each in spreads()]
    return "\n".join(["width  without √d  with √d", *lines])


PRINTED: dict[str, Callable[[], str]] = {"worked": worked, "causal-equal": causal_equal, "widths": widths}
