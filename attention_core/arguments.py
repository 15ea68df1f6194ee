"""Checks of arguments that every reference shares: what is wrong is said by name, expected and actual shape."""

from __future__ import annotations

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
    """`value` as a Python int of at least 1.

    Raises:
        TypeError: it is no int (a bool is none either).
        ValueError: it is below 1.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")
    return value
