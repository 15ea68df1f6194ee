"""What the lesson's templates print: the compiled lesson, joined with what one learner did in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from courses.errors import Refused
from courses.models import Answer, CourseRevision, Learner, LessonRevision
from courses.selectors import (
    ITEM_BLOCKS,
    ItemProgress,
    LessonProgress,
    exercises_current,
    lesson_progress,
    lesson_sections,
)
from courses.services.answers import MARKERS, Outcome
from courses.services.reviews import RATINGS, CardSchedule, card_schedules

# Block kinds that hold answerable items: kind of block -> kind of answer.
ANSWER_KINDS = {block_kind: kind for kind, (block_kind, _) in ITEM_BLOCKS.items()}


@dataclass(frozen=True, slots=True)
class ItemView:
    """One quiz, myth, box or question: its text, and the last attempt explained (`outcome`) or refused."""

    kind: str
    item: Mapping[str, Any]
    progress: ItemProgress | None = None
    outcome: Outcome | None = None
    refusal: str = ""
    response: Any = ""  # what to leave in the form
    revealed: bool = False  # the model answer was asked for without answering

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.item['id']}"


@dataclass(frozen=True, slots=True)
class CardView:
    """One review card and the answer to the last press, if this page answers one."""

    schedule: CardSchedule
    just_rated: bool = False
    refusal: str = ""

    @property
    def anchor(self) -> str:
        return f"card-{self.schedule.card}"

    @property
    def ratings(self) -> dict[int, str]:
        return RATINGS


@dataclass(frozen=True, slots=True)
class LessonState:
    """All that is read from the database for one page."""

    lesson: LessonRevision
    learner: Learner | None
    progress: LessonProgress
    refused: Mapping[str, ItemView | CardView] = field(default_factory=dict)  # by anchor, in place of the stored one
    revealed: str = ""  # id of a question whose model answer is shown


def lesson_state(
    lesson: LessonRevision, learner: Learner | None, *shown: ItemView | CardView, revealed: str = ""
) -> LessonState:
    """Read a learner's progress; `shown` are views that this response answers, such as a refused form."""
    return LessonState(
        lesson, learner, lesson_progress(learner, lesson), {each.anchor: each for each in shown}, revealed
    )


def lesson_context(course: CourseRevision, state: LessonState) -> dict[str, Any]:
    """The context of templates/courses/lesson.html."""
    blocks = lesson_blocks_view(state)
    places = course.data["places"]
    at = next((index for index, place in enumerate(places) if place["slug"] == state.lesson.slug), 0)
    return {
        "course": course.data,
        "lesson": state.lesson.data,
        "place": places[at],
        "following": next((place for place in places[at + 1 :] if place["published"]), None),
        "blocks": blocks,
        **contents_context(course, state),
    }


def contents_context(course: CourseRevision, state: LessonState) -> dict[str, Any]:
    """The context of the table of contents, the map and a section's mark."""
    return {"course": course.data, "lesson": state.lesson.data, "contents": contents(state), "progress": state.progress}


def contents(state: LessonState) -> list[dict[str, Any]]:
    """One entry a block: id, title, number of a section, whether it is done."""
    numbers = section_numbers(state.lesson)
    return [
        {
            "id": block["id"],
            "title": block["title"],
            "number": numbers.get(block["id"]),
            "done": block["id"] in state.progress.sections_done,
        }
        for block in state.lesson.data["blocks"]
        if block.get("title")
    ]


def section_numbers(lesson: LessonRevision) -> dict[str, int]:
    """Sections are counted 1, 2, 3 in the order of the page."""
    return {section: number for number, section in enumerate(lesson_sections(lesson), start=1)}


def lesson_blocks_view(state: LessonState) -> list[dict[str, Any]]:
    """The compiled blocks, each with the name of its template and what its learner did with it."""
    numbers = section_numbers(state.lesson)
    return [
        {
            **block,
            "template": f"courses/blocks/{block['kind']}.html",
            "number": numbers.get(block["id"]),
            "done": block["id"] in state.progress.sections_done,
            **_parts(block, state),
        }
        for block in state.lesson.data["blocks"]
    ]


def _parts(block: Mapping[str, Any], state: LessonState) -> dict[str, Any]:
    if block["kind"] in ANSWER_KINDS:
        kind = ANSWER_KINDS[block["kind"]]
        return {"views": [item_view(state, kind, item) for item in block[ITEM_BLOCKS[kind][1]]]}
    if block["kind"] == "cards":
        wanted = {item["id"] for item in block["items"]}
        return {"views": [view for view in card_views(state) if view.schedule.card in wanted]}
    if block["kind"] == "exercises":
        return {"exercises": exercise_entries(state.learner, block["slugs"])}
    return {}


def item_view(state: LessonState, kind: str, item: Mapping[str, Any]) -> ItemView:
    """An item with the learner's last attempt marked and explained again."""
    answered: ItemProgress | None = _answers(state.progress, kind).get(item["id"])
    view = ItemView(kind, item, revealed=kind == Answer.Kind.QUESTION and state.revealed == item["id"])
    shown = state.refused.get(view.anchor)
    if isinstance(shown, ItemView):
        return shown
    if answered is None:
        return view
    try:
        outcome = MARKERS[kind](dict(item), answered.last_response)
    except Refused:  # the lesson was published anew and the choice is gone: as if not answered
        return view
    return ItemView(kind, item, answered, outcome, response=answered.last_response)


def _answers(progress: LessonProgress, kind: str) -> Mapping[str, ItemProgress]:
    return {
        Answer.Kind.QUIZ: progress.quizzes,
        Answer.Kind.MYTH: progress.myths,
        Answer.Kind.PAPER: progress.papers,
        Answer.Kind.QUESTION: progress.questions,
    }[Answer.Kind(kind)]


def card_views(state: LessonState) -> Iterable[CardView]:
    """The cards of the lesson, those due today first, each part in the lesson's order."""
    views = [CardView(schedule) for schedule in card_schedules(state.learner, state.lesson)]
    shown = {anchor: view for anchor, view in state.refused.items() if isinstance(view, CardView)}
    return sorted((shown.get(view.anchor, view) for view in views), key=lambda view: not view.schedule.is_due)


def exercise_entries(learner: Learner | None, slugs: Iterable[str]) -> list[dict[str, Any]]:
    """Published exercises in the order asked for, each with where the learner stands with it."""
    revisions = exercises_current(slugs)
    standings = exercise_standings(learner, [revision.exercise.slug for revision in revisions])
    return [
        {"slug": revision.exercise.slug, "data": revision.data, "standing": standings.get(revision.exercise.slug)}
        for revision in revisions
    ]


def exercise_standings(learner: Learner | None, slugs: list[str]) -> Mapping[str, Mapping[str, Any]]:
    """Where a learner stands with exercises: {slug: {"passed", "points", "max_points", "attempts"}}.

    Submissions belong to the grader, of which this app knows nothing: settings.EXERCISE_STANDINGS names the function.
    """
    if learner is None:
        return {}
    found: Mapping[str, Mapping[str, Any]] = import_string(settings.EXERCISE_STANDINGS)(learner, slugs)
    return found
