"""Recording what a learner answered to a quiz, a myth, a box of paper work or an open question.

Every answer is a new row: an attempt is locked once recorded, and a retry is another attempt. A form's token becomes
the row's key, so that a form that is sent twice, or sent again after going back, is one attempt.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction

from courses.errors import Refused, Unpublished
from courses.marking import MARKERS, Outcome
from courses.models import Answer, Learner
from courses.selectors import course_current, lesson_current, lesson_items
from courses.services.learners import learner_lock


def answer_mark(*, lesson: str, kind: str, item: str, response: Any) -> Outcome:
    """Mark an answer without recording it. Raises Unpublished, or Refused where there is nothing to mark."""
    found = lesson_items(lesson_current(lesson), kind).get(item)
    if found is None:
        raise Unpublished(f"lesson {lesson!r} has no {kind} {item!r}")
    return MARKERS[kind](found, response)


def answer_record(
    *,
    learner: Learner,
    lesson: str,
    kind: str,
    item: str,
    response: Any,
    confidence: int | None = None,
    token: uuid.UUID | None = None,
) -> Outcome:
    """Mark an answer and record it as a new attempt; the same `token` again gives the attempt that was recorded.

    Raises Unpublished; Refused, and then nothing is recorded.
    """
    if confidence is not None and confidence not in Answer.Confidence.values:
        raise Refused(f"How sure you are is 1 (a guess), 2 (fairly sure) or 3 (certain), not {confidence!r}.")
    outcome = answer_mark(lesson=lesson, kind=kind, item=item, response=response)
    course = course_current()
    if course is None:  # taken back since it was marked
        raise Unpublished("no course is published")
    place = {"learner": learner, "lesson": lesson, "kind": kind, "item": item}
    with transaction.atomic():
        learner_lock(learner)
        answer, created = Answer.objects.get_or_create(
            uuid=token or uuid.uuid4(),
            defaults={
                **place,
                "course_revision": course,
                "response": outcome.response,
                "correct": outcome.correct,
                "confidence": confidence,
            },
        )
    if created:
        return outcome
    if any(getattr(answer, name) != value for name, value in place.items()):
        raise Refused("This form belongs to another question: load the page again.")
    return answer_mark(lesson=lesson, kind=kind, item=item, response=answer.response)
