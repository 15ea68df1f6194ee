"""The kinds of check, one a file: cases from an operation and a seed, results of calls to a finding."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grader.checks.cost import COST
from grader.checks.device import DEVICE
from grader.checks.extreme import EXTREME
from grader.checks.gradient import GRADIENT
from grader.checks.kind import Kind
from grader.checks.memory import MEMORY
from grader.checks.precision_cases import PRECISION
from grader.checks.properties import PROPERTY
from grader.checks.random_cases import RANDOM
from grader.checks.step_time import STEP_TIME
from grader.checks.unchanged import UNCHANGED
from grader.checks.worked import WORKED

__all__ = ["KINDS"]

# By the `kind` that a package writes.
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "worked": WORKED,
        "random": RANDOM,
        "extreme": EXTREME,
        "property": PROPERTY,
        "unchanged": UNCHANGED,
        "precision": PRECISION,
        "gradient": GRADIENT,
        "device": DEVICE,
        "memory": MEMORY,
        "step-time": STEP_TIME,
        "cost": COST,
    }
)
