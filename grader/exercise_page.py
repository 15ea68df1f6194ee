"""What the pages of an exercise and a submission print: the exercise, the editor's text, the verdict, the attempts."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.urls import reverse

from courses.errors import Unpublished
from courses.models import CourseRevision, ExerciseRevision, Learner, LessonRevision
from courses.selectors import course_current, lesson_blocks, lesson_current
from grader.differences import MOST_LINES, difference
from grader.drafts import draft_offered
from grader.gpu_page import gpu_view
from grader.models import Draft, Submission
from grader.presentation import Course, points, verdict_view, visible, worker_view
from grader.selectors import (
    Attempt,
    GpuStatus,
    WorkerStatus,
    attempt_before,
    attempt_number,
    attempts_of,
    before_in_line,
    exercise_titles,
    gpu_checks,
    gpu_status,
    has_precheck,
    run_last,
    submission_last,
    worker_status,
)


@dataclass(frozen=True, slots=True)
class Editor:
    """What stands in the editor, and why the last press was refused, if it was.

    `explicit`: this very text was asked for, or is what was refused: a draft does not take its place.
    """

    source: str
    refusal: str = ""
    explicit: bool = False


def exercise_context(
    revision: ExerciseRevision,
    learner: Learner | None,
    editor: Editor,
    submission: Submission | None,
    *,
    draft: Draft | None,
    solution: bool = False,
    poll: int = 0,
) -> dict[str, Any]:
    """The context of templates/grader/exercise.html and submission.html. `submission`: whose verdict is shown."""
    exercise = revision.data
    course, lesson = course_current(), _lesson(exercise["lesson"])
    lesson_url = _lesson_url(course, lesson)
    history = attempts_of(learner, exercise["slug"])
    passed = any(attempt.verdict == "passed" for attempt in history)
    return {
        "exercise": exercise,
        "lesson": lesson.data if lesson else None,
        "lesson_url": lesson_url,
        "source": editor.source,
        "refusal": editor.refusal,
        "explicit": editor.explicit,
        "draft": draft_view(draft, editor.source, exercise["starter"]),
        "known": learner is not None,
        "has_precheck": has_precheck(revision),
        "gpu_points": _gpu_points(revision),
        "token": uuid.uuid4(),
        "report": submission.report if submission else None,
        "attempts": [attempt_view(attempt, exercise["slug"]) for attempt in history],
        "passed": passed,
        "solution_html": exercise["solution_html"] if solution or passed else None,
        "next_exercise": _next_exercise(exercise["slug"], lesson),
        **verdict_context(submission, course, lesson, poll=poll),
    }


def verdict_context(
    submission: Submission | None, course: CourseRevision | None, lesson: LessonRevision | None, *, poll: int = 0
) -> dict[str, Any]:
    """The context of templates/grader/_verdict.html."""
    worker = worker_status()
    described = _described(course, lesson)
    return {
        "submission": submission,
        "verdict": _verdict(submission, described, worker, poll) if submission else None,
        "gpu": gpu_view(submission, described, _gpu_status(submission), poll=poll),
        "worker": worker_view(worker),
    }


def _verdict(submission: Submission, course: Course, worker: WorkerStatus, poll: int) -> dict[str, Any]:
    queued, replaced = (submission.state == state for state in (Submission.State.QUEUED, Submission.State.REPLACED))
    before = before_in_line(submission) if queued else 0
    slug = submission.exercise_revision.exercise.slug
    last = (run_last if submission.precheck else submission_last)(submission.learner, slug) if replaced else None
    latest = reverse("submission", args=[last.pk]) if last else ""
    return verdict_view(submission, course, worker, before=before, latest=latest, poll=poll)


def gpu_context(submission: Submission, *, poll: int) -> dict[str, Any]:
    """The context of templates/grader/_gpu.html alone."""
    lesson = _lesson(submission.exercise_revision.data["lesson"])
    described = _described(course_current(), lesson)
    return {"submission": submission, "gpu": gpu_view(submission, described, _gpu_status(submission), poll=poll)}


def _gpu_status(submission: Submission | None) -> GpuStatus:
    """Not asked for where no check needs one."""
    if submission is None or not gpu_checks(submission.exercise_revision):
        return GpuStatus(configured=False, online=False)
    return gpu_status()


def _described(course: CourseRevision | None, lesson: LessonRevision | None) -> Course:
    return Course(
        mistakes=course.data["mistakes"] if course else {},
        section_titles=_section_titles(lesson),
        lesson_url=_lesson_url(course, lesson),
    )


def fragment_context(submission: Submission, *, poll: int = 0) -> dict[str, Any]:
    """The context of templates/grader/_verdict.html alone; `token` is for the form's next press."""
    exercise = submission.exercise_revision.data
    context = verdict_context(submission, course_current(), _lesson(exercise["lesson"]), poll=poll)
    return {"exercise": exercise, "token": uuid.uuid4(), **context}


def editor_opening(
    revision: ExerciseRevision, draft: Draft | None, last: Submission | None, *, draft_asked_for: bool = False
) -> Editor:
    """The newest text there is: the draft, or what was handed in last, or the starting text.

    `draft_asked_for`: the draft, even if an attempt is newer.
    """
    if draft is not None and (draft_asked_for or last is None or draft.saved >= last.created):
        return Editor(draft.text, explicit=draft_asked_for)
    return Editor(last.source if last else revision.data["starter"])


def draft_view(draft: Draft | None, shown: str, starter: str) -> dict[str, Any]:
    """`revision`: what the next save continues; `offered`: a draft that stands nowhere else, or None."""
    offered = draft_offered(draft, shown, starter)
    return {"revision": draft.revision if draft else 0, "offered": offered}


def difference_context(submission: Submission) -> dict[str, Any]:
    """The context of templates/grader/difference.html: from the attempt before, or from the starting text."""
    before = attempt_before(submission)
    revision = submission.exercise_revision
    number, starter = attempt_number(submission), revision.data["starter"]
    return {
        "exercise": revision.data,
        "submission": submission,
        "number": number,
        "before": number - 1 if before else None,
        "difference": difference(
            _to_be_seen(starter if before is None else before.source), _to_be_seen(submission.source)
        ),
        "most_lines": MOST_LINES,
        "restore_url": f"{reverse('exercise', args=[revision.data['slug']])}?restore={submission.pk}",
    }


def _to_be_seen(source: str) -> str:
    """A change of what nobody sees is a change too."""
    return visible(source).replace("\N{NO-BREAK SPACE}", "\\u00a0")


def attempt_view(attempt: Attempt, exercise: str) -> dict[str, Any]:
    """One line of the history; `url` shows its verdict, `restore_url` puts its text into the editor."""
    return {
        "number": attempt.number,
        "created": attempt.created,
        "state": attempt.state,
        "verdict": attempt.verdict,
        "points": points(attempt.points),
        "max_points": points(attempt.max_points),
        "url": reverse("submission", args=[attempt.id]),
        "difference_url": reverse("difference", args=[attempt.id]),
        "restore_url": f"{reverse('exercise', args=[exercise])}?restore={attempt.id}",
    }


def _gpu_points(revision: ExerciseRevision) -> str:
    """Of the most that can be reached, what needs a GPU; empty where nothing does."""
    on_gpu = gpu_checks(revision)
    checks = revision.data["spec"].get("checks", []) if on_gpu else []
    return points(sum((Decimal(check["points"]) for check in checks if check["id"] in on_gpu), Decimal(0)) or None)


def _lesson(slug: str) -> LessonRevision | None:
    try:
        return lesson_current(slug)
    except Unpublished:
        return None


def _lesson_url(course: CourseRevision | None, lesson: LessonRevision | None) -> str:
    return reverse("lesson", args=[course.course.slug, lesson.slug]) if course and lesson else ""


def _section_titles(lesson: LessonRevision | None) -> Mapping[str, str]:
    blocks = lesson.data["blocks"] if lesson else []
    return {block["id"]: block["title"] for block in blocks if block.get("title")}


def _next_exercise(slug: str, lesson: LessonRevision | None) -> dict[str, str] | None:
    """The exercise after this one in the lesson."""
    slugs = [each for block in lesson_blocks(lesson, "exercises") for each in block["slugs"]] if lesson else []
    after = slugs[slugs.index(slug) + 1 :] if slug in slugs else []
    titles = exercise_titles(after[:1])
    return next(
        ({"slug": each, "title": titles[each], "url": reverse("exercise", args=[each])} for each in titles), None
    )
