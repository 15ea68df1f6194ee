"""A small published exercise with real checks, and source for it."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Any

from courses.models import Course, CourseRevision, Exercise, ExerciseRevision, LessonRevision

SPEC: dict[str, Any] = {
    "slug": "scaled-scores",
    "title": "Scaled scores",
    "entry": "scaled_scores",
    "signature": "scaled_scores(Q, K)",
    "operation": "scaled-scores",
    "section": "why-root-d",
    "checks": [
        {
            "id": "worked-example",
            "kind": "worked",
            "points": "1.5",
            "visibility": "shown",
            "concept": "why-root-d",
            "message": "The scores of the worked example must come out.",
        },
        {
            "id": "random-shapes",
            "kind": "random",
            "points": "0.5",
            "visibility": "hidden",
            "concept": "why-root-d",
            "message": "The scores of other inputs must come out.",
            "with": {"cases": 1},
        },
    ],
}
DATA: dict[str, Any] = {
    **{key: SPEC[key] for key in ("slug", "title", "entry", "signature", "section")},
    "lesson": "attention",
    "statement_html": "<p>Write it.</p>",
    "starter": "def scaled_scores(Q, K):\n    ...\n",
    "hints": [],
    "solution": "return Q @ K.T / Q.shape[-1] ** 0.5",
    "solution_html": "<pre>the solution</pre>",
    "max_points": "2",
    "spec": SPEC,
}
LESSON: dict[str, Any] = {
    "slug": "attention",
    "title": "Attention",
    "lede_html": "",
    "minutes": 1,
    "objectives": [],
    "course": "heed",
    "blocks": [
        {"kind": "section", "id": "why-root-d", "title": "Why √d", "html": ""},
        {"kind": "exercises", "id": "exercises", "title": "Exercises", "slugs": ["scaled-scores", "second"]},
    ],
}
COURSE: dict[str, Any] = {
    "slug": "heed",
    "title": "Heed",
    "summary_html": "",
    "places": [{"number": 1, "slug": "attention", "title": "Attention", "summary_html": "", "published": True}],
    "mistakes": {
        "no-scale": {
            "title": "Not divided by √d",
            "meaning_html": "<p>Divide.</p>",
            "meaning": "Divide.",
            "section": "why-root-d",
            "lesson": "attention",
        }
    },
}

RIGHT = "def scaled_scores(Q, K):\n    return Q @ K.T / Q.shape[-1] ** 0.5\n"
WITHOUT_SCALE = "def scaled_scores(Q, K):\n    return Q @ K.T\n"
SLOW = "import time\ntime.sleep({seconds})\n" + RIGHT


def publish(first: dict[str, Any] = DATA) -> ExerciseRevision:
    """Two exercises in a course of one lesson; returns the first."""
    course = Course.objects.create(uuid=uuid.uuid4(), slug="heed")
    lesson = LessonRevision.objects.create(course=course, slug="attention", number=1, **_content(LESSON))
    revisions = [_exercise(course, data) for data in (first, _second())]
    current = CourseRevision.objects.create(course=course, number=1, **_content(COURSE))
    current.lessons.add(lesson)
    current.exercises.add(*revisions)
    course.current = current
    course.save()
    return revisions[0]


def more(first: ExerciseRevision, number: int) -> list[ExerciseRevision]:
    """`number` exercises, of which `first` is one; the others are as it is, and in no course's revision."""
    others = [{**first.data, "slug": f"{first.data['slug']}-{each}"} for each in range(2, number + 1)]
    return [first, *(_exercise(first.exercise.course, data) for data in others)]


def _second() -> dict[str, Any]:
    return {**DATA, "slug": "second", "title": "The second", "spec": {**SPEC, "slug": "second"}}


def _exercise(course: Course, data: dict[str, Any]) -> ExerciseRevision:
    exercise = Exercise.objects.create(uuid=uuid.uuid4(), slug=data["slug"], course=course)
    return ExerciseRevision.objects.create(exercise=exercise, number=1, **_content(data))


def _content(data: dict[str, Any]) -> dict[str, Any]:
    return {"data": data, "digest": hashlib.sha256(json.dumps(data).encode()).hexdigest()}
