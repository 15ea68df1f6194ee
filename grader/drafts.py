"""What a learner is writing, kept beside what was handed in: one text for each exercise, on every device.

A draft counts its revisions, and a text is saved over the revision that it continues, over no other. So what another
tab or device has written meanwhile is never overwritten by who has not seen it: it comes back, and the learner chooses.
What is sent to be run continues the draft likewise, so that the newest text is always here or among the attempts.
"""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from courses.services.learners import learner_lock
from grader.models import Draft
from grader.selectors import was_handed_in
from grader.services import retried_when_locked
from grader.storable import storable


class NewerDraft(Exception):  # noqa: N818  what is the case, not what went wrong
    """Another text was saved since the revision that the one at hand continues; nothing was written."""

    def __init__(self, stored: Draft) -> None:
        super().__init__(f"revision {stored.revision} is stored")
        self.stored = stored


class TooManyDrafts(Exception):  # noqa: N818  a refusal, not an error
    """Texts were saved too often within a minute; the message says how often they may be."""


def draft_of(learner: Learner | None, exercise: str) -> Draft | None:
    """A learner's draft for the exercise `exercise` (its slug)."""
    return None if learner is None else Draft.objects.filter(learner=learner, exercise__slug=exercise).first()


def draft_offered(draft: Draft | None, shown: str, starter: str) -> Draft | None:
    """The draft, if it holds a text that stands nowhere else: not in the editor, and not among the attempts."""
    if draft is None or not draft.text.strip() or draft.text in {shown, starter}:
        return None
    return None if was_handed_in(draft.learner_id, draft.exercise_id, draft.text) else draft


@retried_when_locked
def draft_save(*, learner: Learner, exercise_revision: ExerciseRevision, text: str, revision: int) -> Draft:
    """Keep `text`, which continues the draft's `revision` (0: it continues none).

    Raises NewerDraft where another text has been saved since.
    """
    text = storable(text)
    with transaction.atomic():
        learner_lock(learner)
        found = Draft.objects.filter(learner=learner, exercise=exercise_revision.exercise_id).first()
        if found is None:
            exercise = exercise_revision.exercise
            return Draft.objects.create(learner=learner, exercise=exercise, text=text, saved=timezone.now())
        if found.text == text:
            return found
        if found.revision != revision:
            raise NewerDraft(found)
        found.text, found.revision, found.saved = text, found.revision + 1, timezone.now()
        found.save()
    return found


def draft_follow(*, learner: Learner, exercise_revision: ExerciseRevision, source: str, revision: int) -> int | None:
    """What was sent to be run continues the draft. The revision that is stored then.

    None if another text was saved meanwhile: that stays, and the page offers it beside what was sent.
    """
    try:
        return draft_save(learner=learner, exercise_revision=exercise_revision, text=source, revision=revision).revision
    except NewerDraft:
        return None


def drafts_count(*, user: Learner | None, origin: str) -> None:
    """One more text is about to be saved: of a user's learner, or of a visitor from `origin` (origins.py).

    Raises TooManyDrafts beyond what is accepted within a minute of the clock.
    """
    who, most = origin, settings.DRAFTS_PER_MINUTE_BY_ADDRESS
    if user is not None:
        who, most = str(user.pk), settings.DRAFTS_PER_MINUTE
    key = f"drafts:{who}:{int(time.time() // 60)}"
    cache.add(key, 0, timeout=120)
    try:
        count = cache.incr(key)
    except ValueError:  # it was dropped in between
        return
    if count > most:
        raise TooManyDrafts(f"Drafts were saved more than {most} times within a minute: this one is saved in a moment.")
