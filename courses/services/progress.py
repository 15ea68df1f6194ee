"""Marking sections of a lesson as done, and where one reads."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from courses.errors import Unpublished
from courses.models import Learner, ReadingPosition, SectionDone
from courses.selectors import lesson_current, lesson_sections
from courses.services.learners import learner_lock


def section_mark(*, learner: Learner, lesson: str, section: str, done: bool) -> None:
    """Mark a section as done, or take the mark back; saying so twice changes nothing. Raises Unpublished."""
    if section not in lesson_sections(lesson_current(lesson)):
        raise Unpublished(f"lesson {lesson!r} has no section {section!r}")
    with transaction.atomic():
        learner_lock(learner)
        if done:
            SectionDone.objects.get_or_create(learner=learner, lesson=lesson, section=section)
        else:
            SectionDone.objects.filter(learner=learner, lesson=lesson, section=section).delete()


def reading_record(*, learner: Learner, lesson: str, block: str) -> None:
    """Keep where a learner read last in a lesson: one row each, the last one counts. Raises Unpublished."""
    if block not in {each["id"] for each in lesson_current(lesson).data["blocks"]}:
        raise Unpublished(f"lesson {lesson!r} has no part {block!r}")
    with transaction.atomic():
        learner_lock(learner)
        ReadingPosition.objects.update_or_create(
            learner=learner, lesson=lesson, defaults={"block": block, "read": timezone.now()}
        )
