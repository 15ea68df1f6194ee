"""A case as JSON, for a learner to look at: inputs, expected, got, and where they first differ.

Numbers are cut to six significant digits, for the eye only; NaN and infinities
are strings, since JSON has none; an array too large for a page is its shape.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.checks.kind import Case, Finding
from grader.wire import Kind

DIGITS = 6
MOST_ENTRIES = 400


def case_to_json(case: Case, finding: Finding) -> dict[str, Any]:
    """{"inputs", "expected", "got", "difference"}; `got` and `difference` are None where there is nothing to show."""
    difference = finding.difference
    dtype = next((sent.dtype for sent in case.call.args if sent.kind is Kind.TENSOR), "")
    return {
        "inputs": _named(case.arguments, dtype),
        "expected": _named(finding.expected, dtype) if finding.expected is not None else None,
        "got": _named(finding.got, dtype) if finding.got is not None else None,
        "difference": None
        if difference is None
        else {
            "result": difference.result,
            "index": list(difference.index),
            "expected": _shown(difference.expected),
            "got": _shown(difference.got),
            "allowed": _shown(difference.allowed),
        },
    }


def _named(values: Mapping[str, Any], dtype: str) -> dict[str, Any]:
    """`dtype`: of tensors, which are arrays of float64 here; "" where there are none."""
    return {name: _shown(value, dtype) for name, value in values.items()}


def _shown(value: Any, dtype: str = "") -> Any:
    if isinstance(value, np.ndarray):
        if value.size > MOST_ENTRIES:
            return {"shape": list(value.shape), "dtype": dtype or value.dtype.name}
        return _nested(value.tolist())
    return _number(value)


def _nested(values: Any) -> Any:
    return [_nested(value) for value in values] if isinstance(values, list) else _number(values)


def _number(value: Any) -> Any:
    if isinstance(value, (bool, int)):
        return value
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return float(f"{value:.{DIGITS}g}")
