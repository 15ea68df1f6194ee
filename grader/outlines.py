"""A quick way to leave out most of many known results that cannot equal a given one.

The outline of a result is its structure (shapes, and how many entries are NaN
or infinite) and three sums. If every entry of two results is close, so are
their sums: an outline can only let too many through, never too few.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from attention_core.comparison import RAISED

_Outline = tuple[Hashable, float, float, float]  # structure, sum, sum of magnitudes, entries times largest magnitude
ROUNDING = 1e-12  # of a sum, relative to the magnitudes in it
NO_NUMBERS = "no numbers"


class Outlines:
    """The outlines of many results, to be asked which of them a further one may equal."""

    def __init__(self, results: Sequence[Any]) -> None:
        outlines = [_outline(result) for result in results]
        self._structures = [outline[0] for outline in outlines]
        self._totals, self._magnitudes, self._units = np.array([outline[1:] for outline in outlines]).T

    def near(self, result: Any, candidates: Sequence[int], *, rtol: float, atol: float) -> list[int]:
        """Those of `candidates` that same_result may find equal to `result`."""
        structure, total, magnitude, _ = _outline(result)
        if structure == NO_NUMBERS:
            return []
        with np.errstate(invalid="ignore", over="ignore"):
            allowed = rtol * self._magnitudes + atol * self._units + ROUNDING * (self._magnitudes + magnitude)
            close = ~(np.abs(self._totals - total) > 2 * allowed)  # an overflowed sum excludes nothing
        return [i for i in candidates if close[i] and self._structures[i] == structure]


def _outline(result: Any) -> _Outline:
    if result is RAISED:
        return "raised", 0.0, 0.0, 0.0
    if isinstance(result, (tuple, list)):
        parts = [_outline(part) for part in result]
        structures = tuple(structure for structure, _, _, _ in parts)
        if NO_NUMBERS in structures:
            return NO_NUMBERS, 0.0, 0.0, 0.0
        return (
            structures,
            sum(part[1] for part in parts),
            sum(part[2] for part in parts),
            sum(part[3] for part in parts),
        )
    array = np.asarray(result)
    if array.dtype.kind not in "biuf":
        return NO_NUMBERS, 0.0, 0.0, 0.0
    return _array_outline(array.astype(np.float64))


def _array_outline(array: np.ndarray) -> _Outline:
    finite = array[np.isfinite(array)]
    structure = (array.shape, int(np.isnan(array).sum()), int((array == np.inf).sum()), int((array == -np.inf).sum()))
    with np.errstate(over="ignore", invalid="ignore"):
        magnitudes = np.abs(finite)
        largest = float(magnitudes.max(initial=0.0)) or 1.0
        return structure, float(finite.sum()), float(magnitudes.sum()), array.size * largest
