"""Checks of arguments that every reference shares: what is wrong is said by name, expected and actual shape."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def as_array(name: str, value: Any) -> FloatArray:
    """`value` as a float64 array that is not empty.

    Raises:
        TypeError: it holds something other than real numbers.
        ValueError: one of its axes is empty.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array.astype(np.float64, copy=False)


def as_matrix(name: str, value: Any, dimensions: str) -> FloatArray:
    """`value` as a float64 matrix; `dimensions` is its expected shape in letters, such as "(Tq, d)"."""
    matrix = as_array(name, value)
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be a matrix {dimensions}, got shape {matrix.shape}")
    return matrix


def as_stack(name: str, value: Any, dimensions: str) -> FloatArray:
    """`value` as a float64 array of one or more matrices; `dimensions` as in "(..., Tq, d)"."""
    stack = as_array(name, value)
    if stack.ndim < 2:
        raise ValueError(f"{name} must have shape {dimensions}, got shape {stack.shape}")
    return stack


def require_length(name: str, array: FloatArray, axis: int, length: int, reason: str) -> None:
    """`array` must have `length` entries along `axis`; `reason` says what it has to agree with."""
    if array.shape[axis] != length:
        expected = tuple(length if i == axis else size for i, size in enumerate(array.shape))
        raise ValueError(f"{name} must have shape {expected}, to agree with {reason}, got {array.shape}")


def require_count(name: str, value: Any) -> int:
    """`value`, an int of Python's or NumPy's, as a Python int of at least 1.

    Raises:
        TypeError: it is no int (a bool is none either).
        ValueError: it is below 1.
    """
    try:
        count = operator.index(value)
    except TypeError:
        count = None
    if count is None or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if count < 1:
        raise ValueError(f"{name} must be at least 1, got {count}")
    return count


def as_number(name: str, value: Any, above: float = -math.inf) -> float:
    """`value` as a finite Python float.

    Raises:
        TypeError: it is no real number of Python's or NumPy's (a bool is none either).
        ValueError: it is not finite, or not above `above`.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}")
    if value <= above:
        raise ValueError(f"{name} must be above {above}, got {value!r}")
    return float(value)


def as_lengths(key_lengths: Any, scores: tuple[int, ...]) -> NDArray[np.int64]:
    """How many keys are real, with as many axes as the scores (..., Tq, Tk), whose shape is given.

    Raises:
        TypeError: they are no whole numbers.
        ValueError: their shape is not that of the first leading axes, or one is not from 0 to Tk.
    """
    lengths = np.asarray(key_lengths)
    leading, keys = scores[:-2], scores[-1]
    if lengths.dtype.kind not in "iu":
        raise TypeError(f"key_lengths must be whole numbers, got dtype {lengths.dtype}")
    if lengths.shape != leading[: lengths.ndim]:
        raise ValueError(f"key_lengths must have the shape of the first axes of {leading}, got {lengths.shape}")
    if lengths.min() < 0 or lengths.max() > keys:
        raise ValueError(f"key_lengths must be from 0 to {keys}, got {lengths.min()} to {lengths.max()}")
    return lengths.astype(np.int64).reshape(lengths.shape + (1,) * (len(scores) - lengths.ndim))


def require_broadcastable(name: str, shape: tuple[int, ...], onto: tuple[int, ...]) -> None:
    """An array of `shape` must fit one of shape `onto` without changing that."""
    try:
        fits = np.broadcast_shapes(shape, onto) == onto
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{name} must be broadcastable to {onto}, got shape {shape}")
