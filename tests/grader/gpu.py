"""An exercise with a check for a GPU, and reports of its two gradings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from courses.models import ExerciseRevision
from grader.verdicts import CheckResult, Report, Status, Visibility
from tests.grader.exercises import DATA, SPEC, publish

CHECKS: list[dict[str, Any]] = [
    {
        "id": "worked-example",
        "kind": "worked",
        "points": "1.5",
        "visibility": "shown",
        "concept": "why-root-d",
        "message": "The worked example must come out.",
    },
    {
        "id": "on-the-gpu",
        "kind": "random",
        "points": "2",
        "visibility": "shown",
        "concept": "why-root-d",
        "message": "Tensors on a GPU must come out as those on the CPU.",
        "device": "cuda",
    },
]
# Tells what the code costs there, for no points.
COST: dict[str, Any] = {
    "id": "cost",
    "kind": "cost",
    "points": "0",
    "visibility": "shown",
    "concept": "why-root-d",
    "message": "Time and memory could not be measured.",
    "device": "cuda",
}


def publish_gpu_exercise(*more: dict[str, Any]) -> ExerciseRevision:
    """The published exercise "scaled-scores", with these checks and more."""
    return publish({**DATA, "max_points": "3.5", "spec": {**SPEC, "checks": [*CHECKS, *more]}})


def publish_torch_exercise() -> ExerciseRevision:
    """Under the slug that the tests' driver hands in for, an exercise of PyTorch that can be graded."""
    checks = [{**CHECKS[0]}, {**CHECKS[1], "with": {"cases": 1}}, {**COST, "with": {"dtype": "float16"}}]
    spec = {**SPEC, "operation": "torch-attention", "entry": "attention", "checks": checks}
    return publish({**DATA, "max_points": "3.5", "spec": spec})


TORCH_RIGHT = """
import torch

def attention(q, k, v, is_causal=False):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
"""


def result(check: dict[str, Any], status: Status, message: str = "", **fields: Any) -> CheckResult:
    most = Decimal(check["points"])
    got = most if status is Status.PASSED else Decimal(0)
    return CheckResult(
        check["id"], check["kind"], status, got, most, Visibility(check["visibility"]), "x", message, **fields
    )


def cpu_report(status: Status = Status.PASSED, **fields: Any) -> Report:
    """As judging a CPU job makes it: what needs a GPU is skipped."""
    checks = (result(CHECKS[0], status), result(CHECKS[1], Status.SKIPPED, "This check needs a GPU."))
    return report(status, checks, **fields)


def gpu_report(status: Status = Status.PASSED, message: str = "", **fields: Any) -> Report:
    return report(status, (result(CHECKS[1], status, message),), device="cuda", **fields)


def report(status: Status, checks: tuple[CheckResult, ...], **fields: Any) -> Report:
    given: dict[str, Any] = {
        "exercise": "scaled-scores",
        "revision": 1,
        "status": status,
        "points": sum((check.points for check in checks), Decimal(0)),
        "max_points": sum((check.max_points for check in checks), Decimal(0)),
        "checks": checks,
        "mistakes": (),
    }
    return Report(**{**given, **fields})
