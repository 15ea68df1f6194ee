"""Is a result the expected one? Kind, shape and dtype are judged before any value.

A number passes when |got - expected| <= rtol·|expected| + atol·scale, where scale is the largest finite magnitude
in the expected array, or 1 where that is 0 or nothing is finite. So the absolute part grows and shrinks with the
reference: where all outputs are near 1e-12, 0 is wrong; where they are sums of 1e9s that nearly cancel, the digits
that rounding took are not asked for.
NaN never passes, not even where NaN is expected. Infinity passes only where the same infinity is expected.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

Number = int | float
RTOL: Final = 1e-6
ATOL: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing in which a result differs from the expected one.

    kind: "type" (no array where one is expected, no pair, no number), "shape", "dtype", "nan" or "value".
    part: which of several results, from 0; None where one result is expected.
    index: of the first differing element, in C order; () for a number, None where no element is to blame.
    expected, got: the two numbers, shapes, dtypes or names of types.
    allowed: the largest difference that would have passed, for "value"; else None.
    sentence: all of it in words.
    """

    kind: Literal["type", "shape", "dtype", "nan", "value"]
    part: int | None
    index: tuple[int, ...] | None
    expected: Any
    got: Any
    allowed: float | None
    sentence: str


class _Raised:
    """Stands for the result of a call that raised."""

    def __repr__(self) -> str:
        return "RAISED"


RAISED: Final = _Raised()


def compare(
    expected: Any, got: Any, *, rtol: float = RTOL, atol: float = ATOL, names: tuple[str, ...] = ()
) -> Difference | None:
    """What is wrong with `got`, or None where it passes.

    Args:
        expected: an ndarray, an int, a float, or a tuple of these.
        got: anything. For an expected tuple any list or tuple of that length will do; an int must be an int
            (neither bool nor float); for a float an int will do.
        rtol: allowed relative difference.
        atol: allowed difference relative to the scale of `expected`.
        names: what the result, or each of several, is called in sentences.

    Raises:
        TypeError: `expected` is none of these.
        ValueError: an expected array is empty.
    """
    if isinstance(expected, tuple):
        return _compare_several(expected, got, rtol, atol, names)
    return _compare_one(expected, got, rtol, atol, names[0] if names else "the result", None)


def same_result(expected: Any, got: Any, *, rtol: float = RTOL, atol: float = ATOL) -> bool:
    """Whether `got` is what a known mistake gives: the question of diagnosis, not of passing.

    Equal shapes, NaN in the same places, equal infinities, and equal values within the tolerance of this module.
    Several results are equal when each is; a result that raised (RAISED) equals only another that raised. Dtypes
    may differ: code that makes a mistake may make it in integers.
    """
    if expected is RAISED or got is RAISED:
        return expected is got
    if isinstance(expected, tuple | list) or isinstance(got, tuple | list):
        if not isinstance(expected, tuple | list) or not isinstance(got, tuple | list) or len(expected) != len(got):
            return False
        return all(same_result(a, b, rtol=rtol, atol=atol) for a, b in zip(expected, got, strict=True))
    if _is_number(expected) or _is_number(got):
        return _is_number(expected) and _is_number(got) and _same_number(expected, got, rtol, atol)
    one, other = _as_float64(expected), _as_float64(got)
    if one is None or other is None or one.shape != other.shape:
        return False
    off = _off(one, other, rtol, atol)
    return not off.any() or not (off & ~(np.isnan(one) & np.isnan(other))).any()


def scale_of(expected: NDArray[Any]) -> float:
    """The largest finite magnitude, or 1 where that is 0 or nothing is finite."""
    magnitudes = np.abs(expected)
    largest = float(magnitudes.max(initial=0.0))
    if not math.isfinite(largest):
        largest = float(magnitudes[np.isfinite(magnitudes)].max(initial=0.0))
    return largest or 1.0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _same_number(expected: Number, got: Number, rtol: float, atol: float) -> bool:
    if isinstance(expected, int | np.integer) and isinstance(got, int | np.integer):
        return int(expected) == int(got)
    one, other = np.asarray(to_float(expected)), np.asarray(to_float(got))
    both_nan = bool(np.isnan(one) and np.isnan(other))
    return both_nan or not _off(one, other, rtol, atol).any()


def _as_float64(value: Any) -> NDArray[np.float64] | None:
    array = np.asarray(value)
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def _off(expected: NDArray[Any], got: NDArray[Any], rtol: float, atol: float) -> NDArray[np.bool_]:
    """True where an element does not pass; written so that NaN on either side counts as off."""
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(got - expected) <= _allowed(expected, rtol, atol)
    # An infinite expected number allows any difference: there, only the same infinity will do.
    off: NDArray[np.bool_] = ~(close & np.isfinite(expected) | (got == expected))
    return off


def _allowed(expected: NDArray[Any], rtol: float, atol: float) -> NDArray[Any]:
    allowed: NDArray[Any] = rtol * np.abs(expected) + atol * scale_of(expected)
    return allowed


def _compare_several(
    expected: tuple[Any, ...], got: Any, rtol: float, atol: float, names: tuple[str, ...]
) -> Difference | None:
    wanted = " and ".join(names) if names else f"{len(expected)} results"
    if not isinstance(got, tuple | list):
        sentence = f"Expected a sequence of {len(expected)} ({wanted}), got {_kind_of(got)}."
        return Difference("type", None, None, f"a sequence of {len(expected)}", _kind_of(got), None, sentence)
    if len(got) != len(expected):
        sentence = f"Expected {len(expected)} results ({wanted}), got {len(got)}."
        return Difference("shape", None, None, len(expected), len(got), None, sentence)
    for part, (one, other) in enumerate(zip(expected, got, strict=True)):
        name = names[part] if part < len(names) else f"result {part + 1}"
        difference = _compare_one(one, other, rtol, atol, name, part)
        if difference is not None:
            return difference
    return None


def _compare_one(expected: Any, got: Any, rtol: float, atol: float, name: str, part: int | None) -> Difference | None:
    if isinstance(expected, np.ndarray):
        return _compare_arrays(expected, got, rtol, atol, name, part)
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        raise TypeError(f"expected must be an ndarray, an int or a float, got {_kind_of(expected)}")
    return _compare_numbers(expected, got, rtol, atol, name, part)


def _compare_arrays(
    expected: NDArray[Any], got: Any, rtol: float, atol: float, name: str, part: int | None
) -> Difference | None:
    if expected.size == 0:
        raise ValueError(f"expected must not be empty, got shape {expected.shape}")
    if type(got) is not np.ndarray:  # a matrix or a masked array multiplies and compares by other rules
        sentence = f"{name}: expected an array of shape {expected.shape}, got {_kind_of(got)}."
        return Difference("type", part, None, "ndarray", _kind_of(got), None, sentence)
    if got.shape != expected.shape:
        sentence = f"{name}: expected shape {expected.shape}, got {got.shape}."
        return Difference("shape", part, None, expected.shape, got.shape, None, sentence)
    if got.dtype != expected.dtype:
        sentence = f"{name}: expected dtype {expected.dtype}, got {got.dtype}."
        return Difference("dtype", part, None, str(expected.dtype), str(got.dtype), None, sentence)
    return _compare_values(expected, got, rtol, atol, name, part)


def _compare_values(
    expected: NDArray[Any], got: NDArray[Any], rtol: float, atol: float, name: str, part: int | None
) -> Difference | None:
    off = _off(expected, got, rtol, atol)
    if not off.any():
        return None
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(off)), off.shape))
    wanted, found = expected[index].item(), got[index].item()
    allowed = float(_allowed(expected, rtol, atol)[index])
    return _value_difference(f"{name}{list(index)}", part, index, wanted, found, allowed)


def _compare_numbers(
    expected: Number, got: Any, rtol: float, atol: float, name: str, part: int | None
) -> Difference | None:
    if isinstance(got, np.ndarray | str | bool | type(None)) or not isinstance(got, int | float | np.number):
        sentence = f"{name}: expected the number {expected!r}, got {_kind_of(got)}."
        return Difference("type", part, None, type(expected).__name__, _kind_of(got), None, sentence)
    if (isinstance(expected, int) and type(got) is not int) or not isinstance(got, int | float):
        sentence = f"{name}: expected a Python {type(expected).__name__}, got {_kind_of(got)} ({got})."
        return Difference("dtype", part, None, type(expected).__name__, type(got).__name__, None, sentence)
    if isinstance(expected, int):
        return None if got == expected else _value_difference(name, part, (), expected, got, 0.0)
    one, other = np.float64(expected), np.asarray(to_float(got))
    if not _off(np.asarray(one), other, rtol, atol).any():
        return None
    return _value_difference(name, part, (), expected, got, float(_allowed(np.asarray(one), rtol, atol)))


def to_float(number: Number) -> float:
    try:
        return float(number)
    except OverflowError:  # an int beyond the range of float64
        return float("inf") if number > 0 else float("-inf")


def _value_difference(
    place: str, part: int | None, index: tuple[int, ...], expected: Any, got: Any, allowed: float
) -> Difference:
    if got != got:
        return Difference("nan", part, index, expected, got, None, f"{place}: expected {expected!r}, got NaN.")
    margin = f" (allowed difference {allowed:.3g})" if allowed else ""
    sentence = f"{place}: expected {expected!r}, got {got!r}{margin}."
    return Difference("value", part, index, expected, got, allowed, sentence)


def _kind_of(value: Any) -> str:
    if isinstance(value, np.ndarray) and type(value) is np.ndarray:
        return f"an array of shape {value.shape}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else type(value).__name__
