"""What the lesson's templates print: the compiled lesson, joined with what one learner did in it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from courses.errors import Refused
from courses.marking import MARKERS, Outcome
from courses.models import Answer, CourseRevision, Learner, LessonRevision, ReadingPosition
from courses.selectors import (
    ITEM_BLOCKS,
    ItemProgress,
    LessonProgress,
    exercises_current,
    lesson_blocks,
    lesson_progress,
    lesson_sections,
    reading_positions,
)
from courses.services.reviews import CardSchedule, card_schedules, due_count

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
    confidence: int | None = None
    revealed: bool = False  # the right or the model answer was asked for
    is_retry: bool = False
    token: uuid.UUID = field(default_factory=uuid.uuid4)  # for this form: a second press of it records nothing

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.item['id']}"

    @property
    def text(self) -> str:
        """What was written, of an open question that may have been compared."""
        return str(self.response["text"] if isinstance(self.response, Mapping) else self.response)

    @property
    def confidences(self) -> list[tuple[int, str]]:
        return Answer.Confidence.choices

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps of an ordering, each with its place: as answered; before that as shown, with what a form said."""
        steps = {step["id"]: step for step in self.item["steps"]}
        if self.outcome is None:
            places = self.response if isinstance(self.response, Mapping) else {}
            return [{"step": step, "place": str(places.get(name, ""))} for name, step in steps.items()]
        wrong = self.outcome.first_wrong or len(steps) + 1
        return [
            {"step": steps[name], "place": place, "is_right": place < wrong, "is_wrong": place == wrong}
            for place, name in enumerate(self.outcome.response, start=1)
        ]

    @property
    def places(self) -> list[str]:
        return [str(place) for place in range(1, len(self.item["steps"]) + 1)]

    @property
    def points(self) -> list[dict[str, Any]]:
        """The rubric of an open question, each point with whether it is ticked."""
        ticked = (self.outcome.ticked if self.outcome else None) or ()
        return [{**point, "ticked": point["id"] in ticked} for point in self.item.get("rubric", ())]


@dataclass(frozen=True, slots=True)
class CardView:
    """One review card and the answer to the last press, if this page answers one."""

    schedule: CardSchedule
    just_rated: bool = False
    refusal: str = ""

    @property
    def anchor(self) -> str:
        return f"card-{self.schedule.card}"


@dataclass(frozen=True, slots=True)
class LessonState:
    """All that is read from the database for one page."""

    lesson: LessonRevision
    learner: Learner | None
    progress: LessonProgress
    refused: Mapping[str, ItemView | CardView] = field(default_factory=dict)  # by anchor, in place of the stored one
    revealed: str = ""  # anchor of the item whose right or model answer was asked for
    again: str = ""  # anchor of the quiz that is to be tried again
    reading: ReadingPosition | None = None


def lesson_state(
    lesson: LessonRevision,
    learner: Learner | None,
    *shown: ItemView | CardView,
    revealed: str = "",
    again: str = "",
) -> LessonState:
    """Read a learner's progress; `shown` are views that this response answers, such as a refused form."""
    refused = {each.anchor: each for each in shown}
    reading = reading_positions(learner).get(lesson.slug)
    return LessonState(lesson, learner, lesson_progress(learner, lesson), refused, revealed, again, reading)


def lesson_context(course: CourseRevision, state: LessonState) -> dict[str, Any]:
    """The context of templates/courses/lesson.html."""
    blocks = lesson_blocks_view(state)
    places = course.data["places"]
    at = next((index for index, place in enumerate(places) if place["slug"] == state.lesson.slug), 0)
    return {
        "course": course.data,
        "lesson": state.lesson.data,
        "learner": state.learner,
        "place": places[at],
        "following": next((place for place in places[at + 1 :] if place["published"]), None),
        "blocks": blocks,
        "reviews_due": due_count(state.learner, course),
        **contents_context(course, state),
    }


def contents_context(course: CourseRevision, state: LessonState) -> dict[str, Any]:
    """The context of the table of contents, the map and a section's mark."""
    entries = contents(state)
    return {
        "course": course.data,
        "lesson": state.lesson.data,
        "contents": entries,
        "concepts": concepts(state, entries),
        "reading": _entry_read(state, entries),
        "read": state.reading.read if state.reading else None,
        "progress": state.progress,
    }


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


def _entry_read(state: LessonState, entries: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Where the learner read last. None too where that part has been taken out of the lesson since."""
    return next((each for each in entries if state.reading and each["id"] == state.reading.block), None)


def concepts(state: LessonState, contents: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The map's first concepts, each with those it leads to, and so on: contents' entries with `link_html`, `leads_to`.

    `here` is the one that is read, or the last one before what is read. A lesson without a map has none.
    """
    maps = lesson_blocks(state.lesson, "map")
    links = {each["id"]: each for each in maps[0]["entries"]} if maps else {}
    nodes: dict[str, dict[str, Any]] = {}
    here = ""
    for entry in contents:
        if entry["id"] in links:
            link = links[entry["id"]]
            nodes[entry["id"]] = {**entry, "from": link["from"], "link_html": link["link_html"], "leads_to": []}
        if state.reading and entry["id"] == state.reading.block:
            here = next(reversed(nodes), "")
    for node in nodes.values():
        node["here"] = node["id"] == here
        if node["from"]:
            nodes[node["from"]]["leads_to"].append(node)
    return [node for node in nodes.values() if not node["from"]]


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
        views = [item_view(state, kind, item) for item in block[ITEM_BLOCKS[kind][1]]]
        return {"views": views, **(_right_boxes(views) if kind == Answer.Kind.PAPER else {})}
    if block["kind"] == "cards":
        wanted = {item["id"] for item in block["items"]}
        return {"views": [view for view in card_views(state) if view.schedule.card in wanted]}
    if block["kind"] == "exercises":
        return {"exercises": exercise_entries(state.learner, block["slugs"])}
    return {}


def item_view(state: LessonState, kind: str, item: Mapping[str, Any]) -> ItemView:
    """An item with the learner's last attempt marked and explained again."""
    answered: ItemProgress | None = state.progress.items(kind).get(item["id"])
    view = ItemView(kind, item, answered)
    shown = state.refused.get(view.anchor)
    if isinstance(shown, ItemView):
        return shown
    view = replace(view, revealed=state.revealed == view.anchor)  # what is marked shows it beside an attempt only
    if answered is None:
        return view
    if kind == Answer.Kind.QUIZ and state.again == view.anchor:
        return replace(view, is_retry=True)
    try:
        outcome = MARKERS[kind](dict(item), answered.last_response)
    except Refused:  # the lesson was published anew and the choice is gone: as if not answered
        return view
    return replace(view, outcome=outcome, response=answered.last_response, confidence=answered.last_confidence)


def response_of(kind: str, item: Mapping[str, Any], form: Mapping[str, Any]) -> Any:
    """What a form sends as an answer: the field `response`; of an ordering, each step's place; of a question that is
    compared (`compared`), its text and the ids of the ticked points.
    """
    if kind == Answer.Kind.QUIZ and item.get("kind") == "ordering":
        return {step["id"]: form.get(f"place-{step['id']}", "") for step in item["steps"]}
    response = form.get("response", "")
    if kind == Answer.Kind.QUESTION and form.get("compared"):
        ticked = [point["id"] for point in item.get("rubric", ()) if form.get(f"point-{point['id']}")]
        return {"text": response, "rubric": ticked}
    return response


def refused_view(
    state: LessonState, kind: str, item: Mapping[str, Any], *, refusal: str, response: Any, confidence: int | None
) -> ItemView:
    """An item whose form was refused: the form as it was sent, to be sent again. A model answer stays in view."""
    form = ItemView(kind, item, refusal=refusal, response=response, confidence=confidence)
    if kind == Answer.Kind.QUESTION:
        return replace(form, outcome=item_view(state, kind, item).outcome)
    return form


def paper_progress(state: LessonState, box: str) -> dict[str, Any]:
    """Of the block of paper work that holds `box`: its id, how many boxes it has, how many are right as they stand."""
    block = next(
        each for each in lesson_blocks(state.lesson, "paper") if any(item["id"] == box for item in each["boxes"])
    )
    return {"id": block["id"], **_right_boxes(item_view(state, Answer.Kind.PAPER, item) for item in block["boxes"])}


def _right_boxes(views: Iterable[ItemView]) -> dict[str, int]:
    right = [bool(view.outcome and view.outcome.correct) for view in views]
    return {"right": sum(right), "total": len(right)}


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
