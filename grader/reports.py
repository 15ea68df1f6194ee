"""A Report as the JSON that `manage.py grade --json` prints and a Submission keeps."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from grader.verdicts import CheckResult, Report


def report_to_json(report: Report) -> dict[str, Any]:
    """Points as strings; `case` is null wherever the learner may not see it."""
    return {
        "exercise": report.exercise,
        "revision": report.revision,
        "status": report.status.value,
        "passed": report.passed,
        "points": points_to_text(report.points),
        "max_points": points_to_text(report.max_points),
        "checks": [_check_to_json(check) for check in report.checks],
        "mistakes": list(report.mistakes),
        "message": report.message,
        "device": report.device,
        "session_ms": round(report.session_ms, 1),
        "stdout": report.stdout,
    }


def points_to_text(points: Decimal) -> str:
    """Such as "3" or "2.5": never an exponent, never a zero at the end of a fraction."""
    return f"{points.normalize():f}"


def _check_to_json(check: CheckResult) -> dict[str, Any]:
    return {
        "id": check.id,
        "kind": check.kind,
        "status": check.status.value,
        "points": points_to_text(check.points),
        "max_points": points_to_text(check.max_points),
        "visibility": check.visibility.value,
        "concept": check.concept,
        "message": check.message,
        "mistakes": list(check.mistakes),
        "case": dict(check.case) if check.case is not None else None,
    }
