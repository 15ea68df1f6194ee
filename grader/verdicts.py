"""Jobs, checks and reports: the vocabulary of judging. Plain enums and frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from grader.wire import Limits


class Status(StrEnum):
    """Of a whole submission, and of one check."""

    PASSED = "passed"
    FAILED = "failed"  # ran, wrong
    ERROR = "error"  # raised, or does not define the entry
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    CRASHED = "crashed"
    REFUSED = "refused"  # before anything ran
    FAULT = "fault"  # ours; never counts against the learner
    SKIPPED = "skipped"  # a check only


class Visibility(StrEnum):
    """When a learner may see a check's case."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    AFTER_PASSING = "shown-after-passing"


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """One check of an exercise, as its package describes it."""

    id: str
    kind: str  # a name of the palette in grader/checks
    points: Decimal
    visibility: Visibility
    message: str  # the sentence for when it fails
    concept: str  # id of the lesson's section that it tests
    parameters: Mapping[str, Any] = field(default_factory=dict)
    device: str = "cpu"  # where the code must run for it: "cpu" or "cuda"


@dataclass(frozen=True, slots=True)
class ExerciseSpec:
    """All that judging needs to know of one exercise revision."""

    slug: str
    revision: int
    entry: str
    operation: str  # name of the attention_core operation it is compared with
    checks: tuple[CheckSpec, ...]
    limits: Limits = field(default_factory=Limits)
    source_bytes: int = 64 * 1024
    rtol: float = 1e-6
    atol: float = 1e-9
    rules: tuple[str, ...] = ()  # source rules, by name: what the source may not use

    @property
    def max_points(self) -> Decimal:
        return sum((check.points for check in self.checks), Decimal(0))


@dataclass(frozen=True, slots=True)
class Job:
    """One submission to judge. `seed` draws the hidden cases; it never enters a session."""

    spec: ExerciseSpec
    source: bytes
    seed: int
    device: str = "cpu"


@dataclass(frozen=True, slots=True)
class CheckResult:
    id: str
    kind: str
    status: Status
    points: Decimal
    max_points: Decimal
    visibility: Visibility
    concept: str
    message: str = ""
    mistakes: tuple[str, ...] = ()
    case: Mapping[str, Any] | None = None  # only where the learner may see it


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one submission."""

    exercise: str
    revision: int
    status: Status
    points: Decimal
    max_points: Decimal
    checks: tuple[CheckResult, ...]
    mistakes: tuple[str, ...]
    message: str = ""  # for error, refused and fault: one sentence; else ""
    device: str = "cpu"
    session_ms: float = 0.0
    stdout: str = ""  # of the shown cases only

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED
