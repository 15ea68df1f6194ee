"""What the verdict's page prints of the checks that need a GPU: templates/grader/_gpu.html."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from grader.models import GpuGrading, Submission
from grader.presentation import Course, checks_view, mistakes_view, points_view, stdout_shown, visible
from grader.selectors import GpuStatus, gpu_checks, gpu_grading
from grader.verdicts import Status

# Milliseconds before the page asks again, by how often it has asked; it stops asking after POLLS.
POLL_MS = (500, 1000, 1000, 2000, 2000, 3000, 5000)
POLLS = 100

WAITING = "Waiting for a GPU worker."
RUNNING = "Running on a GPU."
AWAY = "Waiting for a GPU worker. None is online at the moment: they are run as soon as one is back."
STILL = "Still waiting for a GPU worker. This page no longer asks: load it again to see how they stand."
NONE = "Skipped: no GPU worker is configured here."
FAULT = "Skipped: the GPU worker failed each time it tried. That is our fault, not yours, and counts for nothing."
REPLACED = "Skipped: a later attempt of yours took the place of this one before a GPU worker was free."
DONE = {
    Status.PASSED: "Every check on the GPU passed.",
    Status.FAILED: "Your code ran on the GPU, but not every check there passed.",
}
ENDED = "On the GPU your code did not come to its end."


def gpu_view(
    submission: Submission | None, course: Course, status: GpuStatus, *, poll: int = 0
) -> dict[str, Any] | None:
    """None where there is nothing to tell: no verdict yet, no checks for a GPU, or code that could not be run at all.

    `state` is waiting, skipped or finished; only where it is finished has any of `checks` a result. `poll`: how often
    the page has asked already.
    """
    if submission is None or submission.precheck or submission.state != Submission.State.FINISHED:
        return None
    ids = gpu_checks(submission.exercise_revision)
    if not ids or (submission.report or {}).get("message"):
        return None
    grading = gpu_grading(submission)
    if grading is not None and grading.state == GpuGrading.State.FINISHED:
        return {**_EMPTY, **points_view(submission), **_finished(grading, ids, course)}
    state, message = _unfinished(grading, status)
    asks = state == "waiting" and status.online
    if asks and poll >= POLLS:
        asks, message = False, STILL
    url = reverse("submission_gpu", args=[submission.pk])
    return {
        **_EMPTY,
        **points_view(submission),
        "state": state,
        "message": message,
        "checks": _without_results(submission, ids, state),
        "poll_ms": POLL_MS[min(max(poll, 0), len(POLL_MS) - 1)] if asks else None,
        "poll_url": f"{url}?poll={max(poll, 0) + 1}" if asks else "",
    }


_EMPTY: dict[str, Any] = {"mistakes": [], "stdout": "", "stdout_cut": False, "poll_ms": None, "poll_url": ""}


def _unfinished(grading: GpuGrading | None, status: GpuStatus) -> tuple[str, str]:
    """State and sentence. Nothing that was not run on a GPU is ever called passed."""
    if grading is None:
        return "skipped", REPLACED
    if grading.state == GpuGrading.State.FAULTED:
        return "skipped", FAULT
    if grading.state == GpuGrading.State.RUNNING:
        return "waiting", RUNNING
    if not status.configured:
        return "skipped", NONE
    return "waiting", WAITING if status.online else AWAY


def _without_results(submission: Submission, ids: frozenset[str], state: str) -> list[dict[str, Any]]:
    report = submission.report or {}
    checks = [{**check, "status": Status.SKIPPED, "message": ""} for check in report["checks"] if check["id"] in ids]
    return [{**check, "status": state, "points": "–"} for check in checks_view(report, checks, passed=False)]


def _finished(grading: GpuGrading, ids: frozenset[str], course: Course) -> dict[str, Any]:
    report = grading.report or {}
    status = Status(grading.verdict or "")
    checks = [check for check in report["checks"] if check["id"] in ids]
    stdout, cut = stdout_shown(report.get("stdout", ""))
    return {
        "state": "finished",
        "message": visible(report.get("message", "")) or DONE.get(status, ENDED),
        "checks": checks_view(report, checks, passed=status is Status.PASSED),
        "mistakes": mistakes_view(report.get("mistakes", []), checks, course),
        "stdout": stdout,
        "stdout_cut": cut,
    }
