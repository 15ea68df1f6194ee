"""Marking: what a response to an item of a lesson comes to, and what the page tells of it. Nothing is recorded here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from courses.errors import Refused
from courses.models import Answer
from courses.paper import number_parse
from courses.rounding import fits, is_close

QUESTION_MAX = 5_000  # characters
SLIPS_NAMED = 2  # more that fit say nothing

Item = Mapping[str, Any]  # as compiled: docs/package-format.md


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an answer was marked, and what the page tells about it. `..._html` is safe to print as it is."""

    kind: str
    item: str
    response: Any  # as recorded: choice, number as text, steps in order, true or false, text or text and ticks
    correct: bool | None  # None: not marked
    section: str | None  # read it again here
    chosen_html: str = ""  # quiz: why the chosen option, number or order is right or wrong
    right: Any = None  # quiz: id of the right choice, number, step ids; myth: true or false; paper: the number as text
    right_html: str = ""  # quiz: the right answer; question: the model answer
    explanation_html: str = ""  # quiz: the general explanation; myth: the reality
    evidence_html: str = ""  # myth
    first_wrong: int | None = None  # ordering: the first place, from 1, where a step stands that does not belong there
    slips_html: tuple[str, ...] = ()  # paper: the slips that fit a wrong number; several: it could be any of them
    ticked: tuple[str, ...] | None = None  # question: ids of the rubric's points; None: not compared yet


def _quiz(item: Item, response: Any) -> Outcome:
    # Lessons that were published before there were other kinds name none.
    return {"choice": _choice, "numeric": _numeric, "ordering": _ordering}[item.get("kind", "choice")](item, response)


def _choice(item: Item, response: Any) -> Outcome:
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
        right_html=f"<p>{right['html']}</p>",
        explanation_html=item["explanation_html"],
    )


def _numeric(item: Item, response: Any) -> Outcome:
    text = response.strip() if isinstance(response, str) else ""
    got, decimals = number_parse(text), item["decimals"]
    correct = fits(got, item["expected"], decimals)
    explained = (each["explanation_html"] for each in item["wrong"] if fits(got, each["value"], decimals))
    right = f"{item['expected']:.{decimals}f}"
    return Outcome(
        kind=Answer.Kind.QUIZ.value,
        item=item["id"],
        response=text,
        correct=correct,
        section=item.get("section"),
        chosen_html="" if correct else next(explained, item["otherwise_html"]),
        right=right,
        right_html=f"<p>{right}</p>",
        explanation_html=item["explanation_html"],
    )


def _ordering(item: Item, response: Any) -> Outcome:
    steps = {step["id"]: step for step in item["steps"]}
    order = _placed(steps, response) if isinstance(response, Mapping) else response
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(steps):
        raise Refused("These are not this question's steps: load the page again.")
    right = item["order"]
    lines = "".join(f"<li>{steps[step]['html']}</li>" for step in right)
    wrong = next((place for place, (got, meant) in enumerate(zip(order, right, strict=True)) if got != meant), None)
    return Outcome(
        kind=Answer.Kind.QUIZ.value,
        item=item["id"],
        response=order,
        correct=wrong is None,
        section=item.get("section"),
        chosen_html="" if wrong is None else steps[order[wrong]]["explanation_html"],
        right=right,
        right_html=f"<ol>{lines}</ol>",
        explanation_html=item["explanation_html"],
        first_wrong=None if wrong is None else wrong + 1,
    )


def _placed(steps: Mapping[str, Any], places: Mapping[str, Any]) -> list[str]:
    """Ids in the order that a form gives: for each step its place, as text. Raises Refused."""
    given = {step: str(places.get(step, "")).strip() for step in steps}
    missing = sum(not place for place in given.values())
    if missing == len(steps):
        raise Refused("Put the steps in order first: nothing has been moved yet.")
    if missing:
        raise Refused(f"Give every step a place from 1 to {len(steps)}; {missing} of them have none.")
    taken: dict[str, str] = {}
    for step, place in given.items():
        if place in taken:
            raise Refused(f"Two steps have place {place}: give each a place of its own.")
        taken[place] = step
    wanted = [str(place) for place in range(1, len(steps) + 1)]
    if sorted(taken) != sorted(wanted):
        raise Refused(f"Give every step a place from 1 to {len(steps)}.")
    return [taken[place] for place in wanted]


def _myth(item: Item, response: Any) -> Outcome:
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
        evidence_html=item.get("evidence_html", ""),
    )


def _paper(item: Item, response: Any) -> Outcome:
    text = response.strip() if isinstance(response, str) else ""
    expected, decimals = item["expected"], item["decimals"]
    got = number_parse(text)
    correct = fits(got, expected, decimals)
    return Outcome(
        kind=Answer.Kind.PAPER.value,
        item=item["id"],
        response=text,
        correct=correct,
        section=item.get("section"),
        right=f"{expected:.{decimals}f}",
        slips_html=() if correct else _slips(item, got),
    )


def _slips(item: Item, got: float) -> tuple[str, ...]:
    """What is said of the slips that would give this number: of one or two, and nothing where more would."""
    decimals = item["decimals"]
    fitting = [
        slip["html"] for slip in item.get("slips", ()) if any(fits(got, value, decimals) for value in slip["values"])
    ]
    if item.get("close_html") and is_close(got, item["expected"], decimals):
        fitting.append(item["close_html"])
    return tuple(fitting) if len(fitting) <= SLIPS_NAMED else ()


def _question(item: Item, response: Any) -> Outcome:
    """A response is a text, or {"text", "rubric"} once it was compared: ids of the points that the learner ticked."""
    compared = isinstance(response, Mapping)
    written = response.get("text") if compared else response
    text = written.strip().replace("\x00", "") if isinstance(written, str) else ""
    if not text:
        raise Refused("Write your answer first; the model answer appears beside it.")
    if len(text) > QUESTION_MAX:
        raise Refused(f"An answer is at most {QUESTION_MAX:,} characters long; this one has {len(text):,}.")
    chosen = response.get("rubric", ()) if compared else ()
    ticked = [point["id"] for point in item.get("rubric", ()) if point["id"] in chosen]
    return Outcome(
        kind=Answer.Kind.QUESTION.value,
        item=item["id"],
        response={"text": text, "rubric": ticked} if compared else text,
        correct=None,
        section=item.get("section"),
        right_html=item["answer_html"],
        ticked=tuple(ticked) if compared else None,
    )


MARKERS: dict[str, Callable[[Item, Any], Outcome]] = {
    Answer.Kind.QUIZ.value: _quiz,
    Answer.Kind.MYTH.value: _myth,
    Answer.Kind.PAPER.value: _paper,
    Answer.Kind.QUESTION.value: _question,
}
