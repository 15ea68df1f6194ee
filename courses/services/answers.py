"""Marking and recording what a learner answered to a quiz, a myth, a box of paper work or an open question.

Every answer is a new row: an attempt is locked once recorded, and a retry is another attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from courses.errors import Refused, Unpublished
from courses.models import Answer, Learner
from courses.paper import number_parse
from courses.selectors import course_current, lesson_current, lesson_items
from courses.services.learners import learner_lock

QUESTION_MAX = 5_000  # characters


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an answer was marked, and what the page tells about it. `..._html` is safe to print as it is."""

    kind: str
    item: str
    response: Any  # as recorded: choice id, true or false, text
    correct: bool | None  # None: not marked
    section: str | None  # read it again here
    chosen_html: str = ""  # quiz: why the chosen option is right or wrong
    right: Any = None  # quiz: id of the right choice; myth: true or false; paper: the number as text
    right_html: str = ""  # quiz: text of the right choice; question: the model answer
    explanation_html: str = ""  # quiz: the general explanation; myth: the reality


def answer_mark(*, lesson: str, kind: str, item: str, response: Any) -> Outcome:
    """Mark an answer without recording it. Raises Unpublished, or Refused where there is nothing to mark."""
    found = lesson_items(lesson_current(lesson), kind).get(item)
    if found is None:
        raise Unpublished(f"lesson {lesson!r} has no {kind} {item!r}")
    return MARKERS[kind](found, response)


def answer_record(*, learner: Learner, lesson: str, kind: str, item: str, response: Any) -> Outcome:
    """Mark an answer and record it as a new attempt. Raises Unpublished; Refused, and then nothing is recorded."""
    outcome = answer_mark(lesson=lesson, kind=kind, item=item, response=response)
    course = course_current()
    if course is None:  # taken back since it was marked
        raise Unpublished("no course is published")
    with transaction.atomic():
        learner_lock(learner)
        Answer.objects.create(
            learner=learner,
            course_revision=course,
            lesson=lesson,
            kind=kind,
            item=item,
            response=outcome.response,
            correct=outcome.correct,
        )
    return outcome


def _quiz(item: dict[str, Any], response: Any) -> Outcome:
    choices = {choice["id"]: choice for choice in item["choices"]}
    if not isinstance(response, str) or not response:
        raise Refused("Choose one of the answers first.")
    if response not in choices:
        raise Refused("That answer is not one of this question's: load the page again.")
    right = next(choice for choice in item["choices"] if choice["correct"])
    return Outcome(
        kind=Answer.Kind.QUIZ.value,
        item=item["id"],
        response=response,
        correct=choices[response]["correct"],
        section=item.get("section"),
        chosen_html=choices[response]["explanation_html"],
        right=right["id"],
        right_html=right["html"],
        explanation_html=item["explanation_html"],
    )


def _myth(item: dict[str, Any], response: Any) -> Outcome:
    guesses = {True: True, False: False, "true": True, "false": False}
    if not isinstance(response, bool | str) or response not in guesses:
        raise Refused("Say whether you think it is true or false first.")
    return Outcome(
        kind=Answer.Kind.MYTH.value,
        item=item["id"],
        response=guesses[response],
        correct=guesses[response] is item["truth"],
        section=item.get("section"),
        right=item["truth"],
        explanation_html=item["reality_html"],
    )


def _paper(item: dict[str, Any], response: Any) -> Outcome:
    text = response.strip() if isinstance(response, str) else ""
    expected, decimals = item["expected"], item["decimals"]
    got = number_parse(text)
    # Half a unit of the last decimal asked for; a whole number is exact. A hair for the rounding of the float itself.
    unit = 10.0**-decimals if decimals else 0.0
    return Outcome(
        kind=Answer.Kind.PAPER.value,
        item=item["id"],
        response=text,
        correct=abs(got - expected) <= 0.5 * unit + 1e-9 * max(1.0, abs(expected)),
        section=item.get("section"),
        right=f"{expected:.{decimals}f}",
    )


def _question(item: dict[str, Any], response: Any) -> Outcome:
    text = response.strip().replace("\x00", "") if isinstance(response, str) else ""
    if not text:
        raise Refused("Write your answer first; the model answer appears beside it.")
    if len(text) > QUESTION_MAX:
        raise Refused(f"An answer is at most {QUESTION_MAX:,} characters long; this one has {len(text):,}.")
    return Outcome(
        kind=Answer.Kind.QUESTION.value,
        item=item["id"],
        response=text,
        correct=None,
        section=item.get("section"),
        right_html=item["answer_html"],
    )


MARKERS: dict[str, Callable[[dict[str, Any], Any], Outcome]] = {
    Answer.Kind.QUIZ.value: _quiz,
    Answer.Kind.MYTH.value: _myth,
    Answer.Kind.PAPER.value: _paper,
    Answer.Kind.QUESTION.value: _question,
}
