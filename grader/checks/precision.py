"""Two mistakes that are measured rather than matched: computed in lower precision, and rounded.

Either is named only if it shows on every call that returned numbers of the
right shape, and only where chance cannot explain it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_core import precision

LOWER_PRECISION = "lower-precision"
MOST_DECIMALS = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """One result of one call beside the reference's. `ordinary`: of a case without extreme magnitudes."""

    name: str
    expected: Any
    got: Any
    ordinary: bool


@dataclass(frozen=True, slots=True)
class _Precision:
    """`close`: of the expected scale; further off, it is another mistake. `chance`: mantissas that are whole when
    multiplied by it prove nothing, since zeros, ones, halves and the like fit any precision. `telling`: how many must.
    """

    narrowed: Callable[[np.ndarray], np.ndarray]
    close: float
    chance: float
    telling: int


def _to_single(array: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        return array.astype(np.float32)


def _to_bfloat16(array: np.ndarray) -> np.ndarray:
    return precision.round_to(array, "bfloat16") if array.size else array


PRECISIONS = (
    _Precision(_to_single, close=1e-2, chance=2.0**10, telling=3),  # float16's numbers are among them
    _Precision(
        _to_bfloat16, close=5e-2, chance=2.0**4, telling=30
    ),  # has 8 bits, so errors are large and proof is weak
)


def measure(samples: Sequence[Sample]) -> str | None:
    """ "lower-precision", "rounded", or None."""
    if is_lowered(samples):
        return LOWER_PRECISION
    floats = [sample for sample in samples if isinstance(sample.got, (np.ndarray, float))]
    # Whole numbers in an array may just as well be a hard maximum; a lone number has little else to be.
    fewest = 1 if any(isinstance(sample.got, np.ndarray) for sample in floats) else 0
    if any(_is_rounded(floats, decimals, 3 if fewest else 2) for decimals in range(fewest, MOST_DECIMALS + 1)):
        return "rounded"
    return None


def is_lowered(samples: Sequence[Sample]) -> bool:
    """Whether all arrays of one name hold nothing but numbers of a lower precision."""
    for name in dict.fromkeys(sample.name for sample in samples):
        arrays = [sample for sample in samples if sample.name == name and isinstance(sample.got, np.ndarray)]
        if arrays and any(_is_in(lower, arrays) for lower in PRECISIONS):
            return True
    return False


def _is_in(lower: _Precision, samples: Sequence[Sample]) -> bool:
    """All entries fit it exactly, which one double in 2^29 does by chance; ordinary ones are about right."""
    telling = 0
    for sample in samples:
        got = sample.got[np.isfinite(sample.got)]
        if not (lower.narrowed(got) == got).all():
            return False
        if sample.ordinary and not _is_close(sample, lower.close):
            return False
        mantissas = np.frexp(got)[0] * lower.chance
        telling += int((mantissas != np.floor(mantissas)).sum())
    return telling >= lower.telling and any(sample.ordinary for sample in samples)


def _is_close(sample: Sample, share: float) -> bool:
    scale = float(np.abs(sample.expected).max()) or 1.0
    return bool((np.abs(sample.got - sample.expected) <= share * scale).all())


def _is_rounded(samples: Sequence[Sample], decimals: int, telling: int) -> bool:
    """All are the expected numbers rounded to so many decimals; `telling` of them are changed by it, and not alike."""
    kept: set[float] = set()
    for sample in samples:
        got, expected = np.atleast_1d(sample.got), np.atleast_1d(sample.expected)
        if not np.isfinite(got).all():
            return False
        half = 0.5 * 10.0**-decimals
        with np.errstate(over="ignore", invalid="ignore"):
            off_grid = np.abs(got - np.round(got, decimals)) > 1e-12 * np.maximum(np.abs(got), 1.0)
        if off_grid.any():
            return False
        if (np.abs(got - expected) > half * (1 + 1e-6) + 1e-12 * np.abs(expected)).any():
            return False
        kept |= {float(entry) for entry in got[(got != 0) & (got != expected)]}
    return len(kept) >= telling
