"""The exercise that the corpus is judged by: each kind of check, shown and hidden, and short limits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from attention_core.operations import OPERATIONS
from grader.verdicts import CheckSpec, ExerciseSpec, Visibility
from grader.wire import Limits

LIMITS = Limits(wall_seconds=1.0, memory_bytes=128 * 1024 * 1024)


def check(kind: str, visibility: Visibility, points: str = "1", **parameters: Any) -> CheckSpec:
    name = f"{kind}-{'-'.join(map(str, parameters.values()))}".strip("-")
    return CheckSpec(
        id=f"{name}-{visibility}",
        kind=kind,
        points=Decimal(points),
        visibility=visibility,
        message=f"The sentence of {name}.",
        concept="scores-softmax-blend",
        parameters=parameters,
    )


def exercise(operation: str = "attention", *checks: CheckSpec, limits: Limits = LIMITS) -> ExerciseSpec:
    described = OPERATIONS[operation]
    return ExerciseSpec(operation, 7, described.entry, operation, checks or CHECKS, limits)


CHECKS = (
    check("random", Visibility.HIDDEN, "2.5", cases=2),
    check("worked", Visibility.SHOWN, "1.5"),
    check("random", Visibility.SHOWN, cases=1),
    check("extreme", Visibility.HIDDEN, case="huge-scores"),
    check("extreme", Visibility.AFTER_PASSING, case="one-token"),
    check("property", Visibility.HIDDEN, property="zero-padded-width"),
    check("unchanged", Visibility.HIDDEN),
)
