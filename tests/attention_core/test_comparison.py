"""A comparison that accepts nothing by accident."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core import RAISED, compare, same_result

EXPECTED = np.array([[1.0, -2.0, 3.0], [0.0, 5e-4, 4.0]])
# Not so small that a tolerance relative to it is no float any more.
finite = st.floats(-1e6, 1e6).map(lambda value: value if abs(value) > 1e-100 else 0.0)


def test_equal_and_nearly_equal_pass() -> None:
    assert compare(EXPECTED, EXPECTED.copy()) is None
    assert compare(EXPECTED, EXPECTED * (1 + 9e-7)) is None
    assert compare(EXPECTED, EXPECTED + 3.9e-9) is None  # atol of the scale, which is 4


@pytest.mark.parametrize(
    ("got", "kind"),
    [
        (EXPECTED.tolist(), "type"),
        (None, "type"),
        (EXPECTED.view(np.matrix), "type"),
        (np.ma.masked_array(EXPECTED), "type"),
        ("1", "type"),
        (np.zeros((0, 3)), "shape"),
        (np.zeros(()), "shape"),
        (EXPECTED[None], "shape"),
        (EXPECTED[:1], "shape"),
        (EXPECTED.T.copy(), "shape"),
        (EXPECTED.astype(np.float32), "dtype"),
        (EXPECTED.astype(complex), "dtype"),
        (EXPECTED.astype(object), "dtype"),
        (EXPECTED.astype(int), "dtype"),
        (np.full_like(EXPECTED, np.nan), "nan"),
        (np.zeros_like(EXPECTED), "value"),
        (np.full_like(EXPECTED, np.inf), "value"),
        (EXPECTED * (1 + 2e-6), "value"),
    ],
)
def test_wrong_results_are_classified(got: Any, kind: str) -> None:
    difference = compare(EXPECTED, got)
    assert difference is not None
    assert difference.kind == kind


def test_shape_comes_before_dtype_and_dtype_before_values() -> None:
    for got, kind in (
        (np.full((1, 3), np.nan, dtype=np.float32), "shape"),
        (np.full((2, 3), np.nan, dtype=np.float32), "dtype"),
    ):
        difference = compare(EXPECTED, got)
        assert difference is not None
        assert difference.kind == kind


def test_the_first_differing_element_is_named() -> None:
    got = EXPECTED.copy()
    got[0, 2], got[1, 1] = 3.5, 7.0
    difference = compare(EXPECTED, got, names=("scores",))
    assert difference is not None
    assert (difference.index, difference.expected, difference.got) == ((0, 2), 3.0, 3.5)
    assert difference.allowed == pytest.approx(3e-6 + 4e-9)
    assert difference.sentence == "scores[0, 2]: expected 3.0, got 3.5 (allowed difference 3e-06)."


def test_tolerance_follows_the_scale_of_the_reference() -> None:
    tiny = np.array([1e-12, 2e-12])
    assert compare(tiny, np.zeros(2)) is not None
    large = np.array([0.0, 1e9])
    assert compare(large, np.array([0.5, 1e9])) is None
    assert compare(np.zeros(2), np.full(2, 9e-10)) is None  # scale 1 where there is no other
    assert compare(np.zeros(2), np.full(2, 1.1e-9)) is not None


def test_an_element_below_the_scale_is_held_to_it() -> None:
    """Weights far below the largest are still compared: not every small share may be 0."""
    assert compare(np.array([1.0, 1e-6]), np.array([1.0, 0.0])) is not None


def test_infinity_equals_itself_only() -> None:
    expected = np.array([-np.inf, 1.0])
    assert compare(expected, expected.copy()) is None
    for other in (np.inf, -1.7e308, np.nan, 0.0):
        assert compare(expected, np.array([other, 1.0])) is not None
    assert compare(np.array([1.0, 2.0]), np.array([1.0, np.inf])) is not None
    assert compare(np.full(2, np.inf), np.full(2, np.inf)) is None


def test_nan_never_passes() -> None:
    nan = np.array([1.0, np.nan])
    difference = compare(nan, nan.copy())
    assert difference is not None
    assert (difference.kind, difference.index) == ("nan", (1,))


def test_pairs_are_compared_part_by_part() -> None:
    pair = (EXPECTED, EXPECTED[0])
    assert compare(pair, [EXPECTED.copy(), EXPECTED[0].copy()]) is None
    wrong = compare(pair, (EXPECTED, EXPECTED[0] + 1), names=("output", "weights"))
    assert wrong is not None
    assert (wrong.part, wrong.index, wrong.kind) == (1, (0,), "value")
    assert wrong.sentence.startswith("weights[0]: expected 1.0, got 2.0")
    single = compare(pair, EXPECTED, names=("output", "weights"))
    assert single is not None
    assert single.sentence == "Expected a sequence of 2 (output and weights), got an array of shape (2, 3)."
    three = compare(pair, (EXPECTED, EXPECTED[0], EXPECTED), names=("output", "weights"))
    assert three is not None
    assert (three.kind, three.expected, three.got) == ("shape", 2, 3)


@pytest.mark.parametrize(
    ("expected", "got", "kind"),
    [
        (9, 9, None),
        (9, 10, "value"),
        (10**30, 10**30, None),
        (10**30, 10**30 + 1, "value"),
        (9, 9.0, "dtype"),
        (9, np.int64(9), "dtype"),
        (1, True, "type"),
        (9, "9", "type"),
        (9, np.array(9), "type"),
        (9, None, "type"),
        (2.5, 2.5, None),
        (2.5, 2.5 * (1 + 9e-7), None),
        (2.5, 2.50001, "value"),
        (2.0, 2, None),
        (2.0, 10**400, "value"),
        (2.5, float("nan"), "nan"),
        (2.5, np.float64(2.5), None),
        (2.5, np.float32(2.5), "dtype"),
        (2.5, False, "type"),
        (2.5, 2.5j, "type"),
    ],
)
def test_numbers(expected: Any, got: Any, kind: str | None) -> None:
    difference = compare(expected, got)
    assert (difference.kind if difference else None) == kind


def test_a_bad_expectation_is_our_own_fault() -> None:
    with pytest.raises(ValueError, match="expected must not be empty"):
        compare(np.zeros((0, 2)), np.zeros((0, 2)))
    with pytest.raises(TypeError, match="expected must be"):
        compare("x", "x")
    with pytest.raises(TypeError, match="expected must be"):
        compare(True, True)


@given(arrays(np.float64, (3, 5), elements=finite), st.tuples(st.integers(0, 2), st.integers(0, 4)), st.floats(2, 1e6))
@settings(deadline=None)
def test_one_changed_element_is_found(expected: Any, place: tuple[int, int], times: float) -> None:
    got = expected.copy()
    scale = np.abs(expected).max() or 1.0
    got[place] += times * (1e-6 * abs(expected[place]) + 1e-9 * scale)
    difference = compare(expected, got)
    assert difference is not None
    assert difference.index == place


def test_same_result_is_about_behaviour() -> None:
    nan = np.array([1.0, np.nan, np.inf])
    assert same_result(nan, nan.copy())
    assert not same_result(nan, np.array([np.nan, 1.0, np.inf]))
    assert not same_result(nan, np.array([1.0, np.nan, -np.inf]))
    assert not same_result(nan, np.array([1.0, 2.0, np.inf]))
    assert same_result(np.array([0.0, 1.0]), np.array([0, 1]))
    assert same_result((EXPECTED, 3), [EXPECTED, 3])
    assert not same_result((EXPECTED, EXPECTED), np.stack([EXPECTED, EXPECTED]))
    assert not same_result(EXPECTED, EXPECTED[None])
    assert not same_result((EXPECTED,), (EXPECTED, EXPECTED))
    assert not same_result(EXPECTED, EXPECTED.astype(object))
    assert same_result(RAISED, RAISED)
    assert not same_result(RAISED, EXPECTED)
    assert not same_result(EXPECTED, RAISED)
    assert same_result(10**30, 10**30)
    assert not same_result(10**30, 10**30 + 1)
    assert same_result(3, 3.0)
    assert same_result(float("nan"), float("nan"))
    assert not same_result(3, np.array(3))
    assert not same_result(3, None)
    assert not same_result(True, 1)
