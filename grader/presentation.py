"""What the verdict's template prints: a submission and its report, without what the learner may not see."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

from django.urls import reverse

from grader.case_tables import case_tables
from grader.models import Submission
from grader.selectors import WorkerStatus, gpu_checks, gpu_grading
from grader.verdicts import Status, Visibility

# Milliseconds before the page asks again, by how often it has asked: most verdicts are there at the first or second.
POLL_MS = (150, 150, 250, 400, 700, 1000, 1500, 2000)
STDOUT_SHOWN = 64 * 1024  # characters

TITLES = {
    Status.PASSED: "Passed",
    Status.FAILED: "Not right yet",
    Status.ERROR: "Your code stopped with an error",
    Status.TIMEOUT: "Out of time",
    Status.MEMORY: "Out of memory",
    Status.OUTPUT: "Too much output",
    Status.CRASHED: "The process crashed",
    Status.REFUSED: "Not run",
}
MESSAGES = {
    Status.PASSED: "Every check passed.",
    Status.FAILED: "Your code ran, but not every check passed.",
    Status.ERROR: "Your code raised an exception.",
    Status.TIMEOUT: "Your code did not finish within the time limit.",
    Status.MEMORY: "Your code needed more memory than the limit allows.",
    Status.OUTPUT: "Your code printed so much that it was stopped.",
    Status.CRASHED: "The process that ran your code ended without an answer.",
    Status.REFUSED: "Your source was not accepted, so nothing was run.",
}
NOT_LOADED = "Your code could not be loaded"
PASSED_ON_CPU = "Every check on the CPU passed."  # where others need a GPU and say for themselves how they stand
FAILS_TOO = "Fails too. Mend what is named above first."
FAULT_TITLE = "Our fault, not yours"
FAULT_MESSAGE = (
    "The grader failed each time it tried this submission. That says nothing about your code and counts for nothing: "
    "your text is kept. Please hand it in again; should that fail too, tell whoever runs this site."
)
REPLACED_TITLE = "Replaced"
REPLACED_MESSAGE = "Replaced by a later attempt before it was graded. It counts for nothing, and its text is kept."
PRECHECK_TITLES = {Status.PASSED: "The shown cases hold"}
PRECHECK_MESSAGES = {
    Status.PASSED: "Hidden cases are run when you hand it in.",
    Status.FAILED: "Your code ran, but not every shown case holds.",
}
PRECHECK_NOT_RUN = "Shown cases only. Nothing was handed in."
PRECHECK_FAULT_MESSAGE = (
    "The grader failed each time it tried to run this. That says nothing about your code, and nothing was handed in. "
    "Please run it again; should that fail too, tell whoever runs this site."
)
PRECHECK_REPLACED_MESSAGE = "Replaced by what you sent next, before it was run. Nothing was handed in."
OFFLINE = "No grader is running at the moment. What you send is kept, and run as soon as one is back."
NOT_GRADING = (
    "This machine cannot run code safely yet, so nothing is graded: that is our fault, not yours. "
    "What you send is kept, and graded as soon as it can be."
)


@dataclass(frozen=True, slots=True)
class Course:
    """What a verdict needs of the course: its mistakes, and where the sections that explain them are."""

    mistakes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    section_titles: Mapping[str, str] = field(default_factory=dict)
    lesson_url: str = ""


def worker_view(status: WorkerStatus) -> dict[str, Any]:
    """`online`: whether grading works at the moment; `message`: if not, what happens to a submission; `findings`."""
    message = "" if status.grading else NOT_GRADING if status.online else OFFLINE
    return {"online": status.grading, "message": message, "findings": status.findings}


def verdict_view(
    submission: Submission, course: Course, worker: WorkerStatus, *, before: int = 0, latest: str = "", poll: int = 0
) -> dict[str, Any]:
    """The `verdict` of templates/grader/_verdict.html.

    `before`: how many are before it in line, if it waits; `latest`: where the attempt that counts is, if it was
    replaced; `poll`: how often the page has asked already.
    """
    if submission.state == Submission.State.FINISHED:
        return _finished(submission, course)
    if submission.state == Submission.State.FAULTED:
        message = PRECHECK_FAULT_MESSAGE if submission.precheck else FAULT_MESSAGE
        return {**_EMPTY, "state": "faulted", "status": "fault", "title": FAULT_TITLE, "message": message}
    if submission.state == Submission.State.REPLACED:
        message = PRECHECK_REPLACED_MESSAGE if submission.precheck else REPLACED_MESSAGE
        told = {"title": REPLACED_TITLE, "message": message, "latest_url": latest}
        return {**_EMPTY, "state": "replaced", "status": "replaced", **told}
    url = reverse("submission", args=[submission.pk])
    running = submission.state == Submission.State.RUNNING
    waiting = "Your code is running." if running else worker_view(worker)["message"] or _in_line(before)
    return {
        **_EMPTY,
        "state": submission.state,
        "title": "Running" if running else "Waiting",
        "waiting_message": waiting,
        "poll_ms": POLL_MS[min(max(poll, 0), len(POLL_MS) - 1)],
        "poll_url": f"{url}?poll={min(max(poll, 0) + 1, len(POLL_MS))}",
    }


def _in_line(before: int) -> str:
    places = {0: "", 1: " One is before you."}
    return f"Waiting for a grader.{places.get(before, f' {before} are before you.')}"


def refusal_view(sentence: str) -> dict[str, Any]:
    """A `verdict` for what was not even taken as a submission."""
    return {**_EMPTY, "state": "refused", "status": "refused", "title": TITLES[Status.REFUSED], "message": sentence}


_EMPTY: dict[str, Any] = {
    "status": "",
    "message": "",
    "points": "",
    "max_points": "",
    "mistakes": [],
    "checks": [],
    "stdout": "",
    "stdout_cut": False,
    "poll_ms": None,
    "poll_url": "",
    "waiting_message": "",
    "latest_url": "",
    "precheck": "",
}


def _finished(submission: Submission, course: Course) -> dict[str, Any]:
    report = submission.report or {}
    status = Status(submission.verdict or "")
    stdout, cut = stdout_shown(report.get("stdout", ""))
    on_gpu = gpu_checks(submission.exercise_revision)
    checks = [check for check in report.get("checks", []) if check["id"] not in on_gpu]
    not_run = bool(report.get("message"))  # of the whole: no check was reached, so there is nothing to tell of one
    finished = {
        **_EMPTY,
        "state": "finished",
        "status": status.value,
        "title": NOT_LOADED if not_run and status is Status.ERROR else TITLES[status],
        "message": visible(report.get("message", "") or _decisive(checks, status))
        or (PASSED_ON_CPU if on_gpu and status is Status.PASSED else MESSAGES[status]),
        **points_view(submission),
        "mistakes": mistakes_view(report.get("mistakes", []), checks, course),
        "checks": [] if not_run else checks_view(report, checks, passed=status is Status.PASSED),
        "stdout": stdout,
        "stdout_cut": cut,
    }
    return _of_precheck(finished, status, report) if submission.precheck else finished


def _of_precheck(finished: Mapping[str, Any], status: Status, report: Mapping[str, Any]) -> dict[str, Any]:
    """With a sentence that says what it is, and without points: it was not handed in."""
    checks = report.get("checks", [])
    held = sum(check["status"] == Status.PASSED for check in checks)
    ran = not report.get("message")
    told = f"Shown cases only: {held} of {len(checks)} hold. Nothing was handed in."
    return {
        **finished,
        "title": PRECHECK_TITLES.get(status, finished["title"]),
        "message": PRECHECK_MESSAGES.get(status, finished["message"]),
        "precheck": told if ran else PRECHECK_NOT_RUN,
        "points": "",
        "max_points": "",
        "checks": [{**check, "max_points": "0"} for check in finished["checks"]],
    }


def points_view(submission: Submission) -> dict[str, str]:
    """What was reached and what could be, by all checks that have been run: those on a GPU count once they were."""
    rows = [row for row in (submission, gpu_grading(submission)) if row is not None and row.points is not None]
    got = [row.points or Decimal(0) for row in rows]
    most = [row.max_points or Decimal(0) for row in rows]
    return {"points": points(sum(got, Decimal(0))), "max_points": points(sum(most, Decimal(0)))}


def _decisive(checks: Sequence[Mapping[str, Any]], status: Status) -> str:
    """What the first check that ended the whole so says of it. Several may merely have failed: then none is it."""
    if status in {Status.PASSED, Status.FAILED}:
        return ""
    return next((check.get("message", "") for check in checks if check["status"] == status), "")


def mistakes_view(named: Sequence[str], checks: Sequence[Mapping[str, Any]], course: Course) -> list[dict[str, Any]]:
    """`alternative`: on every case it gives the same as the first, so nobody can tell which of them it is."""

    def explains(mistake: str) -> list[str]:
        return [check["id"] for check in checks if mistake in check.get("mistakes", [])]

    return [
        {**_mistake(mistake, course), "alternative": place > 0 and explains(mistake) == explains(named[0])}
        for place, mistake in enumerate(named)
    ]


def _mistake(mistake: str, course: Course) -> dict[str, Any]:
    """A mistake that the course no longer describes keeps its id for a title."""
    told = course.mistakes.get(mistake, {})
    section = told.get("section", "")
    linked = bool(section and course.lesson_url)
    return {
        "id": mistake,
        "title": told.get("title", mistake),
        "meaning_html": told.get("meaning_html", ""),
        "section_title": course.section_titles.get(section, section),
        "section_url": f"{course.lesson_url}#{section}" if linked else "",
    }


def checks_view(
    report: Mapping[str, Any], checks: Sequence[Mapping[str, Any]], *, passed: bool
) -> list[dict[str, Any]]:
    """Those of the report's checks, each reason for skipping told once."""
    first = report.get("mistakes", [])[:1]
    explained = [check["id"] for check in checks if {*first} & {*check["mistakes"]}]
    shown = [_check(check, too=check["id"] in explained[1:], passed=passed) for check in checks]
    for before, check in reversed(list(pairwise(shown))):
        if check["status"] == Status.SKIPPED and check["message"] == before["message"]:
            check["message"] = ""
    return shown


def _check(check: Mapping[str, Any], *, too: bool, passed: bool) -> dict[str, Any]:
    """Judging leaves out what is hidden; this does so again, for reports that are older than a rule.

    `too`: the mistake that is named explains it, as it does a check before. If hidden it says only that: its own
    sentence may be about another mistake.
    """
    visibility = check["visibility"]
    explained = too and visibility != Visibility.SHOWN
    may_see = visibility == Visibility.SHOWN or (visibility == Visibility.AFTER_PASSING and passed)
    case = check.get("case") if may_see else None
    return {
        "id": check["id"],
        "title": check["id"].replace("-", " ").capitalize(),
        "message": FAILS_TOO if explained else visible(check.get("message", "")),
        "status": check["status"],
        "points": points(Decimal(check["points"])),
        "max_points": points(Decimal(check["max_points"])),
        "visibility": visibility,
        "mistakes": list(check.get("mistakes", [])),
        "case": case_tables(case) if case else None,
    }


def stdout_shown(text: str) -> tuple[str, bool]:
    """What was printed, made harmless; of more than a page can take, the head and the tail."""
    if len(text) > STDOUT_SHOWN:
        half = STDOUT_SHOWN // 2
        return visible(f"{text[:half]}\n[…]\n{text[-half:]}"), True
    return visible(text), False


def points(value: Decimal | None) -> str:
    """Such as "3" or "2.5"; empty for none."""
    return "" if value is None else format(value.normalize(), "f")


def visible(text: str) -> str:
    """Text with control characters, and those that turn the direction of writing, replaced by signs for them.

    Line ends and tabs stay; a lone carriage return, which would hide what stands before it in a terminal, does not.
    """
    return "".join(map(_visible_character, text.replace("\r\n", "\n")))


def _visible_character(character: str) -> str:
    code = ord(character)
    if character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return character
    if code < 0x20:
        return chr(0x2400 + code)  # the pictures of the control characters
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else f"\\u{code:04x}"
