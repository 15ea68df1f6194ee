"""Sentences: what is revealed on shown checks only, and how many arguments a signature takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.checks import words
from grader.checks.values import Foreign
from grader.wire import CodeError


def test_a_long_exception_is_cut() -> None:
    told = words.raised(CodeError("ValueError", "boom " * 200), reveal=True)
    assert told.startswith("raised ValueError: boom boom")
    assert told.endswith("…")
    assert len(told) < 330


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (np.zeros((5, 1)), "an array of shape (5, 1)"),
        (np.float32(1), "a NumPy number (float32)"),
        (None, "None"),
        (True, "a Python bool"),
        (3, "a Python int"),
        (2.5, "a Python float"),
        ((1, 2, 3), "a sequence of 3"),
        (Foreign("numpy.matrix"), "a matrix"),
        (Foreign("numpy.ma.MaskedArray"), "a MaskedArray"),
        (Foreign("dict"), "a dict"),
        (Foreign("list of 12 items"), "a list"),
        (Foreign("numpy.ndarray of dtype object"), "an array of Python objects"),
        (Foreign("array of dtype |O"), "an array of Python objects"),
        (Foreign("numpy.ndarray of dtype <U5"), "an array of something other than numbers"),
    ],
)
def test_what_may_always_be_said(value: Any, told: str) -> None:
    assert words.value(value, reveal=False, sizes={2, 5}) == told


@pytest.mark.parametrize("shape", [(0, 5), (12, 2), (0, 10**9, 10**9), (5, 2, 5, 2, 5)])
def test_a_shape_that_no_size_of_the_case_explains_is_told_on_shown_checks_only(shape: tuple[int, ...]) -> None:
    array = np.zeros(shape)
    assert words.value(array, reveal=False, sizes={2, 5}) == "an array of another shape"
    assert words.value(array, reveal=True, sizes={2, 5}) == f"an array of shape {shape}"


def test_what_a_learner_could_have_filled_with_an_input_is_said_on_shown_checks_only() -> None:
    for secret in ("0.125 was Q[0]", Foreign("Q0_0125"), Foreign("x.Q0_0125 of 3 items")):
        assert "0125" not in words.value(secret, reveal=False).replace(".", "")
        assert "125" in words.value(secret, reveal=True)


def test_an_exception_shows_its_text_and_its_own_name_on_shown_checks_only() -> None:
    own = CodeError("", "Q starts with 0.125", line=3)
    assert words.raised(own, reveal=True) == "raised an exception at line 3: Q starts with 0.125"
    assert words.raised(own, reveal=False) == "raised an exception that Python does not define at line 3"
    builtin = CodeError("ValueError", "Q starts with 0.125", line=3)
    assert words.raised(builtin, reveal=False) == "raised ValueError at line 3"


@pytest.mark.parametrize("forged", ["Q0_125", "print", "__name__", "ValueError: 0.125", ""])
def test_a_forged_name_of_a_built_in_exception_is_not_believed(forged: str) -> None:
    assert words.exception_name(CodeError(forged, "")) == ""


def test_numbers_are_told_apart_however_close_they_are() -> None:
    assert words.two_numbers(0.25, 0.5) == ("0.25", "0.5")
    assert words.two_numbers(0.1, 0.1 + 1e-9) == ("0.1", "0.100000001")
    assert words.two_numbers(10**20, 10**20 + 1) == ("100000000000000000000", "100000000000000000001")
    assert words.two_numbers(0.5, float("nan")) == ("0.5", "nan")


@pytest.mark.parametrize(
    ("signature", "fits"),
    [
        ("(Q, K, V)", True),
        ("(Q, K, V, /)", True),
        ("(Q, K, V=None, eps=1e-9)", True),
        ("(*arguments)", True),
        ("(Q, *rest, verbose=False)", True),
        ("(Q: numpy.ndarray, K, V) -> tuple", True),
        ("(Q, K)", False),
        ("()", False),
        ("(Q, K, V, mask)", False),
        ("(*, Q, K, V)", False),
        ("(Q, K, V, *, mask)", False),
        ("(Q, K=<object object at 0x7f>)", True),  # not plain: nothing is claimed
        ("", True),
        ("(" * 900, True),
        ("(Q): pass\ndef other()", False),
    ],
)
def test_wrong_arity_is_told_where_it_is_certain(signature: str, fits: bool) -> None:
    told = words.wrong_arity("attention", "attention(Q, K, V)", signature, 3)
    assert (told == "") is fits
    if told:
        assert told.startswith("attention(Q, K, V) was called with 3 arguments, yours is attention(")


def test_one_argument_is_singular() -> None:
    told = words.wrong_arity("softmax", "softmax(scores)", "()", 1)
    assert told == "softmax(scores) was called with 1 argument, yours is softmax()."
