"""How near a number that somebody wrote down must come to the one that is meant."""

from __future__ import annotations


def fits(got: float, meant: float, decimals: int) -> bool:
    """Whether `got` is `meant` to so many decimals: within half a unit of the last one; without decimals a whole
    number is exact. A hair more, for the rounding of the float itself.
    """
    exact = decimals == 0 and float(meant).is_integer()
    return abs(got - meant) <= (0.0 if exact else _unit(decimals) / 2) + _hair(meant)


def is_close(got: float, meant: float, decimals: int) -> bool:
    """Whether `got`, rounded to so many decimals, is off by one in the last: what rounding too early does."""
    return decimals > 0 and not fits(got, meant, decimals) and abs(got - meant) <= 1.5 * _unit(decimals) + _hair(meant)


def _unit(decimals: int) -> float:
    return float(10.0**-decimals)


def _hair(meant: float) -> float:
    return 1e-9 * max(1.0, abs(meant))
