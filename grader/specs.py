"""An exercise's description, as its published revision holds it, to the ExerciseSpec that judging takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from grader.rules import RULES
from grader.verdicts import CheckSpec, ExerciseSpec, Visibility
from grader.wire import Limits

MEGABYTE = 1024 * 1024  # of memory, as in "512 MB"
KILOBYTE = 1024  # of source
OUTPUT_KILOBYTE = 1000  # of output: the default of 1000 is "1 MB"


class SpecError(Exception):
    """A description that lacks something or holds something else than it should."""


def exercise_spec(data: Mapping[str, Any], *, revision: int) -> ExerciseSpec:
    """The spec in `ExerciseRevision.data["spec"]` (docs/package-format.md); revision 0 is one that is not published.

    Raises SpecError, naming the exercise.
    """
    try:
        limits = data.get("limits") or {}
        tolerance = data.get("tolerance") or {}
        return ExerciseSpec(
            slug=data["slug"],
            revision=revision,
            entry=data["entry"],
            operation=data["operation"],
            checks=tuple(_check(check) for check in data["checks"]),
            limits=_limits(limits),
            source_bytes=int(limits.get("source_kb", 64) * KILOBYTE),
            rtol=float(tolerance.get("rtol", 1e-6)),
            atol=float(tolerance.get("atol", 1e-9)),
            rules=_rules(data.get("rules") or ()),
        )
    except (KeyError, TypeError, ValueError, AttributeError, InvalidOperation) as error:
        name = data.get("slug", "?") if isinstance(data, Mapping) else "?"
        raise SpecError(f"exercise {name!r}: its spec is not usable: {error!r}") from error


def shown_only(spec: ExerciseSpec) -> ExerciseSpec:
    """What is run before handing in: the shown cases, on the CPU. Nothing is said or drawn of the others."""
    shown = (check for check in spec.checks if check.visibility is Visibility.SHOWN and check.device == "cpu")
    return replace(spec, checks=tuple(shown))


def _check(check: Mapping[str, Any]) -> CheckSpec:
    return CheckSpec(
        id=check["id"],
        kind=check["kind"],
        points=Decimal(check["points"]),
        visibility=Visibility(check["visibility"]),
        message=check["message"],
        concept=check["concept"],
        parameters=check.get("with") or {},
        device=check.get("device", "cpu"),
    )


def _rules(names: Sequence[str]) -> tuple[str, ...]:
    if unknown := set(names) - set(RULES):
        raise ValueError(f"there is no rule {min(unknown)!r}; there are {', '.join(RULES)}")
    return tuple(names)


def _limits(limits: Mapping[str, Any]) -> Limits:
    return Limits(
        wall_seconds=float(limits.get("wall_seconds", 10)),
        memory_bytes=int(limits.get("memory_mb", 512) * MEGABYTE),
        output_bytes=int(limits.get("output_kb", 1000) * OUTPUT_KILOBYTE),
    )
