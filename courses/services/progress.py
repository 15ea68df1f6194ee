"""Marking sections of a lesson as done."""

from __future__ import annotations

from django.db import transaction

from courses.errors import Unpublished
from courses.models import Learner, SectionDone
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
