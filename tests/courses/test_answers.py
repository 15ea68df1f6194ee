"""Answers are marked against what is published; a refusal records nothing, and every attempt is a row of its own."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from courses.errors import Refused, Unpublished
from courses.marking import MARKERS
from courses.models import Answer, CourseRevision, Learner
from courses.paper import number_parse
from courses.selectors import lesson_current, lesson_items, lesson_progress
from courses.services.answers import answer_mark, answer_record
from courses.services.progress import section_mark


@pytest.fixture
def learner(published: CourseRevision) -> Learner:
    return Learner.objects.create()


def test_a_quiz_explains_the_choice_and_names_the_right_one(learner: Learner, published: CourseRevision) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="quiz", item="one-plus-one", response="three")
    assert (outcome.correct, outcome.right, outcome.right_html) == (False, "two", "<p>Two</p>")
    assert outcome.chosen_html == "<p>That is one too many.</p>\n"
    assert outcome.explanation_html == "<p>Count on your fingers.</p>\n"
    assert outcome.section == "adding"
    answer = Answer.objects.get()
    assert (answer.course_revision, answer.response, answer.correct) == (published, "three", False)


def test_a_retry_is_another_attempt(learner: Learner) -> None:
    for choice in ("three", "two", "three"):
        answer_record(learner=learner, lesson="sums", kind="quiz", item="one-plus-one", response=choice)
    progress = lesson_progress(learner, lesson_current("sums")).quizzes["one-plus-one"]
    assert (progress.attempts, progress.ever_correct, progress.last_response) == (3, True, "three")
    assert progress.last_correct is False


@pytest.mark.parametrize(
    ("kind", "item", "response", "message"),
    [
        ("quiz", "one-plus-one", "", "Choose one"),
        ("quiz", "one-plus-one", None, "Choose one"),
        ("quiz", "one-plus-one", ["two"], "Choose one"),
        ("quiz", "one-plus-one", "four", "not one of this question's"),
        ("quiz", "half-of-root", "", "the box is empty"),
        ("quiz", "half-of-root", "some", "cannot be read"),
        ("quiz", "adding-in-order", "", "not this question's steps"),
        ("quiz", "adding-in-order", ["read", "count"], "not this question's steps"),
        ("quiz", "adding-in-order", ["read", "count", 3], "not this question's steps"),
        ("quiz", "adding-in-order", ["read", "count", "count"], "not this question's steps"),
        ("quiz", "adding-in-order", {}, "Put the steps in order first"),
        ("quiz", "adding-in-order", {"read": "1", "count": ""}, "a place from 1 to 3; 2 of them have none"),
        ("quiz", "adding-in-order", {"read": "1", "count": "2", "write": "2"}, "Two steps have place 2"),
        ("quiz", "adding-in-order", {"read": "1", "count": "2", "write": "4"}, "a place from 1 to 3"),
        ("myth", "order-matters", "", "true or false"),
        ("myth", "order-matters", 1, "true or false"),
        ("paper", "square-root", "", "the box is empty"),
        ("paper", "square-root", "about 0.7", "cannot be read"),
        ("question", "why-add", "  ", "Write your answer"),
        ("question", "why-add", "x" * 5001, "at most 5,000"),
    ],
)
def test_a_refusal_records_nothing(learner: Learner, kind: str, item: str, response: Any, message: str) -> None:
    with pytest.raises(Refused, match=message):
        answer_record(learner=learner, lesson="sums", kind=kind, item=item, response=response)
    assert Answer.objects.count() == 0


@pytest.mark.parametrize(
    ("lesson", "kind", "item"),
    [("sums", "quiz", "order-matters"), ("products", "quiz", "one-plus-one"), ("sums", "essay", "one-plus-one")],
)
def test_what_is_not_published_cannot_be_answered(learner: Learner, lesson: str, kind: str, item: str) -> None:
    with pytest.raises(Unpublished):
        answer_record(learner=learner, lesson=lesson, kind=kind, item=item, response="two")


@pytest.mark.parametrize(
    ("text", "correct", "said"),
    [
        ("0.71", True, ""),
        ("1/√2", True, ""),
        ("0.7", False, "<p>Take the root first.</p>\n"),
        ("1", False, "<p>That is half of 2.</p>\n"),
        ("1.004", False, "<p>That is half of 2.</p>\n"),
        ("1.01", False, "<p>Take the root first.</p>\n"),
    ],
)
def test_a_number_is_marked_and_a_wrong_one_explained(learner: Learner, text: str, correct: bool, said: str) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="quiz", item="half-of-root", response=text)
    assert (outcome.correct, outcome.chosen_html) == (correct, said)
    assert (outcome.right, outcome.response) == ("0.71", text)


@pytest.mark.parametrize(
    ("order", "first_wrong", "said"),
    [
        (["read", "count", "write"], None, ""),
        (["read", "write", "count"], 2, "<p>There is nothing to write before the counting.</p>\n"),
        (["count", "read", "write"], 1, "<p>Counting needs both numbers.</p>\n"),
    ],
)
def test_an_order_is_marked_by_the_first_wrong_place(
    learner: Learner, order: list[str], first_wrong: int | None, said: str
) -> None:
    places = {step: str(place) for place, step in enumerate(order, start=1)}
    outcome = answer_record(learner=learner, lesson="sums", kind="quiz", item="adding-in-order", response=places)
    assert (outcome.correct, outcome.first_wrong, outcome.chosen_html) == (first_wrong is None, first_wrong, said)
    assert Answer.objects.get().response == order
    assert answer_mark(lesson="sums", kind="quiz", item="adding-in-order", response=order) == outcome


def test_steps_are_never_shown_in_the_right_order(published: CourseRevision) -> None:
    item = lesson_items(lesson_current("sums"), "quiz")["adding-in-order"]
    assert sorted(step["id"] for step in item["steps"]) == sorted(item["order"])
    assert [step["id"] for step in item["steps"]] != item["order"]


def test_how_sure_one_was_is_kept_with_the_answer(learner: Learner) -> None:
    given: dict[str, Any] = {
        "learner": learner,
        "lesson": "sums",
        "kind": "quiz",
        "item": "one-plus-one",
        "response": "three",
    }
    answer_record(**given)
    answer_record(**given, confidence=3)
    assert sorted(Answer.objects.values_list("confidence", flat=True), key=str) == [3, None]
    assert lesson_progress(learner, lesson_current("sums")).quizzes["one-plus-one"].last_confidence == 3
    with pytest.raises(Refused, match=r"1 \(a guess\), 2"):
        answer_record(**given, confidence=4)
    assert Answer.objects.count() == 2


def test_a_form_sent_twice_is_one_attempt_and_the_first_one_stays(learner: Learner) -> None:
    token = uuid.uuid4()
    given: dict[str, Any] = {
        "learner": learner,
        "lesson": "sums",
        "kind": "quiz",
        "item": "one-plus-one",
        "token": token,
    }
    answer_record(**given, response="three", confidence=2)
    again = answer_record(**given, response="two", confidence=3)
    assert (again.correct, again.response) == (False, "three")
    answer = Answer.objects.get()
    assert (answer.pk, answer.response, answer.confidence) == (token, "three", 2)


def test_a_form_of_another_question_or_learner_is_refused(learner: Learner) -> None:
    token = uuid.uuid4()
    given: dict[str, Any] = {
        "lesson": "sums",
        "kind": "quiz",
        "item": "one-plus-one",
        "response": "two",
        "token": token,
    }
    answer_record(learner=learner, **given)
    other = {**given, "item": "half-of-root", "response": "1"}
    for sender, sent in ((learner, other), (Learner.objects.create(), given)):
        with pytest.raises(Refused, match="belongs to another question"):
            answer_record(learner=sender, **sent)
    assert Answer.objects.count() == 1


@pytest.mark.parametrize(("guess", "correct"), [("false", True), (False, True), ("true", False), (True, False)])
def test_a_myth(learner: Learner, guess: str | bool, correct: bool) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="myth", item="order-matters", response=guess)
    assert (outcome.correct, outcome.right, outcome.explanation_html) == (correct, False, "<p>It does not.</p>\n")
    assert outcome.evidence_html == "<p>One and two are as many as two and one.</p>\n"


@pytest.mark.parametrize(
    ("text", "correct"),
    [
        ("0.71", True),
        (" 0,71 ", True),
        ("1/√2", True),
        ("0.7071", True),
        ("0.70", False),
        ("0.72", False),
        ("-0.71", False),
    ],
)
def test_paper_work_is_right_within_half_a_unit(learner: Learner, text: str, correct: bool) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="paper", item="square-root", response=text)
    assert (outcome.correct, outcome.right, outcome.response) == (correct, "0.71", text.strip())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.71", ()),
        ("1", ("That is half of 2.",)),
        ("√2", ("Not halved yet.", "That is half of 2.")),  # either would give it
        ("0.70", ("Nearly.",)),
        ("0.72", ("Nearly.",)),
        ("0.73", ()),
        ("-0.71", ()),
    ],
)
def test_a_slip_on_paper_is_named_where_it_fits(learner: Learner, text: str, said: tuple[str, ...]) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="paper", item="square-root", response=text)
    assert outcome.slips_html == said


def test_where_more_than_two_slips_fit_none_is_named() -> None:
    item: dict[str, Any] = {"id": "x", "expected": 1.0, "decimals": 0}
    slips = [{"id": name, "values": [2.0], "html": name} for name in "abc"]
    assert MARKERS["paper"]({**item, "slips": slips[:2]}, "2").slips_html == ("a", "b")
    assert MARKERS["paper"]({**item, "slips": slips}, "2").slips_html == ()
    assert MARKERS["paper"](item, "2").slips_html == ()  # of a lesson that was published before slips were named


def test_a_whole_number_is_exact(learner: Learner) -> None:
    for text, correct in (("5", True), ("5.0", True), ("10/2", True), ("4.5", False), ("5.01", False)):
        outcome = answer_record(learner=learner, lesson="sums", kind="paper", item="five", response=text)
        assert outcome.correct is correct


def test_an_open_question_is_not_marked(learner: Learner) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="question", item="why-add", response="To\x00 count.")
    assert (outcome.correct, outcome.response, outcome.right_html) == (None, "To count.", "<p>To know how many.</p>\n")
    assert outcome.ticked is None
    assert lesson_progress(learner, lesson_current("sums")).questions["why-add"].ever_correct is None


def test_an_open_question_is_compared_point_by_point(learner: Learner) -> None:
    response = {"text": " To count. ", "rubric": ["together", "unheard-of"]}
    outcome = answer_record(learner=learner, lesson="sums", kind="question", item="why-add", response=response)
    assert (outcome.correct, outcome.ticked) == (None, ("together",))
    assert Answer.objects.get().response == {"text": "To count.", "rubric": ["together"]}
    with pytest.raises(Refused, match="Write your answer"):
        answer_record(
            learner=learner, lesson="sums", kind="question", item="why-add", response={**response, "text": ""}
        )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(
            ("0.71", 0.71),
            ("0,71", 0.71),
            (".5", 0.5),
            ("5.", 5),
            ("+3", 3),
            ("−2", -2),
            ("3/4", 0.75),
            ("1 / 4", 0.25),
        ),
        *(
            ("1/√2", 0.7071067811865475),
            ("√2/2", 0.7071067811865476),
            ("1/sqrt(2)", 0.7071067811865475),
            ("2√3", 3.4641016),
        ),
        *(("½", 0.5), ("1½", 1.5), ("-1½", -1.5), ("√½", 0.7071068), ("2/½", 4), ("12%", 0.12), ("０．７１", 0.71)),
        *(("1+1/2", 1.5), ("2*3", 6), ("2·3", 6), ("(1+1)/(2+2)", 0.5), ("1,048,576", 1048576), ("SQRT 4", 2)),
    ],
)
def test_numbers_as_people_write_them(text: str, number: float) -> None:
    assert number_parse(text) == pytest.approx(number)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "abc", "0.7.1", "1/0", "1/(2-2)", "√(-1)", "√", "(1", "1)", "1 2", "2²", "1e5", "nan", "inf", "--1"),
        *("__import__('os')", "0x10", "1" * 61, "(" * 60, "9" * 60 + "*", "٣", "=1", "0.5;"),
    ],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        number_parse(text)


def test_sections_are_marked_and_unmarked(learner: Learner) -> None:
    lesson = lesson_current("sums")
    assert lesson_progress(None, lesson).percent == 0
    for _ in range(2):
        section_mark(learner=learner, lesson="sums", section="adding", done=True)
    progress = lesson_progress(learner, lesson)
    assert (progress.sections_done, progress.sections_total, progress.percent) == (frozenset({"adding"}), 1, 100)
    section_mark(learner=learner, lesson="sums", section="adding", done=False)
    assert lesson_progress(learner, lesson).sections_done == frozenset()
    with pytest.raises(Unpublished):
        section_mark(learner=learner, lesson="sums", section="opening", done=True)
