"""Lower precision and rounding are named only where nothing else explains the numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from attention_core.precision import round_to
from grader.checks.precision import Sample, measure

RNG = np.random.default_rng(3)
EXPECTED = [RNG.normal(size=(5, 7)), RNG.normal(size=(7, 3)), np.eye(3)]


def samples(change: Callable[[np.ndarray], np.ndarray], *, ordinary: bool = True) -> list[Sample]:
    return [Sample("weights", expected, change(expected), ordinary) for expected in EXPECTED]


def single(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32).astype(np.float64)


def test_single_and_half_precision() -> None:
    assert measure(samples(single)) == "lower-precision"
    assert measure(samples(lambda array: array.astype(np.float16).astype(np.float64))) == "lower-precision"


def test_bfloat16_is_further_off_and_needs_more_numbers() -> None:
    exact = Sample("weights", EXPECTED[0], EXPECTED[0], ordinary=True)
    assert measure(samples(bfloat16)) == "lower-precision"
    assert measure(samples(lambda array: bfloat16(array * 1.03))) == "lower-precision"
    assert measure(samples(lambda array: bfloat16(array * 1.1))) is None
    assert measure(samples(bfloat16)[1:]) is None  # 21 numbers, and ones and zeros
    assert measure([*samples(bfloat16), exact]) is None


def test_one_of_two_results_is_enough() -> None:
    exact = [Sample("output", expected, expected, True) for expected in EXPECTED]
    assert measure([*exact, *samples(single)]) == "lower-precision"


def test_extreme_cases_may_be_far_off_but_must_fit_the_precision() -> None:
    overflowed = Sample("weights", np.array([1e100, 2.0]), np.array([np.inf, 2.0]), ordinary=False)
    assert measure([*samples(single), overflowed]) == "lower-precision"
    exact = Sample("weights", np.array([0.1, 0.2]), np.array([0.1, 0.2]), ordinary=False)
    assert measure([*samples(single), exact]) is None
    assert measure(samples(single, ordinary=False)) is None


def bfloat16(array: np.ndarray) -> np.ndarray:
    return round_to(array, "bfloat16").astype(np.float64)


@pytest.mark.parametrize("decimals", range(1, 9))
def test_rounded(decimals: int) -> None:
    assert measure(samples(lambda array: np.round(array, decimals))) == "rounded"


@pytest.mark.parametrize(
    "change",
    [
        lambda array: array,
        lambda array: array + 1e-5,
        lambda array: np.zeros_like(array),
        lambda array: np.rint(array),  # whole numbers are no proof: a hard maximum gives them too
        lambda array: (array == array.max()).astype(float),
        lambda array: single(array) * 2,
        lambda array: np.round(array * 2, 3),
        lambda array: np.full_like(array, np.nan),
        lambda array: np.floor(array * 1000) / 1000,
    ],
    ids=["exact", "off", "zeros", "whole", "hard maximum", "single, doubled", "rounded, doubled", "NaN", "cut off"],
)
def test_nothing_else_is_named(change: Callable[[np.ndarray], np.ndarray]) -> None:
    assert measure(samples(change)) is None


def test_one_call_that_is_not_rounded_clears_all() -> None:
    exact = Sample("weights", EXPECTED[0], EXPECTED[0], ordinary=True)
    assert measure([*samples(lambda array: np.round(array, 3)), exact]) is None


def test_saturated_results_fit_any_precision_and_prove_nothing() -> None:
    saturated = [Sample("weights", np.eye(5) * 0.99 + 0.0025, np.eye(5), ordinary=True)] * 3
    assert measure(saturated) is None


def test_lone_numbers_may_be_rounded_to_whole_ones() -> None:
    costs = [Sample("megabytes", exact, float(round(exact)), True) for exact in (12.34, 8.6, 3.2)]
    assert measure([*costs, Sample("pairs", 16, 16, True)]) == "rounded"
    assert measure(costs[:1]) is None
    cut_off = [Sample("megabytes", exact, float(int(exact)), True) for exact in (12.84, 8.6, 3.2)]
    assert measure(cut_off) is None


def test_nothing_to_measure() -> None:
    assert measure([]) is None
