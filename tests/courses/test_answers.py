"""Answers are marked against what is published; a refusal records nothing, and every attempt is a row of its own."""

from __future__ import annotations

from typing import Any

import pytest

from courses.errors import Refused, Unpublished
from courses.models import Answer, CourseRevision, Learner
from courses.paper import number_parse
from courses.selectors import lesson_current, lesson_progress
from courses.services.answers import answer_record
from courses.services.progress import section_mark


@pytest.fixture
def learner(published: CourseRevision) -> Learner:
    return Learner.objects.create()


def test_a_quiz_explains_the_choice_and_names_the_right_one(learner: Learner, published: CourseRevision) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="quiz", item="one-plus-one", response="three")
    assert (outcome.correct, outcome.right, outcome.right_html) == (False, "two", "Two")
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


@pytest.mark.parametrize(("guess", "correct"), [("false", True), (False, True), ("true", False), (True, False)])
def test_a_myth(learner: Learner, guess: str | bool, correct: bool) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="myth", item="order-matters", response=guess)
    assert (outcome.correct, outcome.right, outcome.explanation_html) == (correct, False, "<p>It does not.</p>\n")


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


def test_a_whole_number_is_exact(learner: Learner) -> None:
    for text, correct in (("5", True), ("5.0", True), ("10/2", True), ("4.5", False), ("5.01", False)):
        outcome = answer_record(learner=learner, lesson="sums", kind="paper", item="five", response=text)
        assert outcome.correct is correct


def test_an_open_question_is_not_marked(learner: Learner) -> None:
    outcome = answer_record(learner=learner, lesson="sums", kind="question", item="why-add", response="To\x00 count.")
    assert (outcome.correct, outcome.response, outcome.right_html) == (None, "To count.", "<p>To know how many.</p>\n")
    assert lesson_progress(learner, lesson_current("sums")).questions["why-add"].ever_correct is None


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
