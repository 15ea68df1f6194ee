"""tiled-attention: its reference against plain Python, its cases, and what its diagnosis names."""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core import OPERATIONS, Arguments, Diagnosis, compare, diagnosis_of, outcome, worked_example
from attention_core.mistakes.assembly import fit_tiled_attention
from attention_core.mistakes.tiles import STORES_ALL_SCORES
from attention_core.operations.cases import LOWEST_SCORE
from tests.attention_core import independent
from tests.attention_core.learners import compiled
from tests.attention_core.test_cases import cases
from tests.attention_core.test_diagnosis import ALWAYS_ALIKE, named
from tests.attention_core.tiles_code import SAMPLES, STYLES, TOGETHER_A_THIRD, Changes, body

OPERATION = OPERATIONS["tiled-attention"]
NAN_EVERYWHERE = {"rescale-inverted", "nan-result"}


def compiled_body(body_of: str) -> Callable[..., Any]:
    return compiled("tiled-attention", body_of)


def named_of(function: Callable[..., Any]) -> tuple[str, ...]:
    return named(OPERATION, function)


def scores_of(case: Arguments) -> Any:
    return case["Q"] @ case["K"].T / np.sqrt(case["Q"].shape[1])


def test_two_mistakes_at_once_name_no_third() -> None:
    false, both = [], 0
    for (first, style, one), (second, other_style, two) in itertools.combinations(SAMPLES, 2):
        if style != other_style or set(first) & set(second):
            continue
        try:
            function = compiled_body(body(style, {**one, **two}))
        except (ValueError, SyntaxError):
            continue  # the changes overlap
        both += 1
        made = {*first, *second}
        alike = set().union(*(pair for pair in ALWAYS_ALIKE[OPERATION.name] if pair & made))
        allowed = made | alike | TOGETHER_A_THIRD.get(frozenset(made), set())
        found = set(named_of(function))
        if not found <= allowed and found != NAN_EVERYWHERE:
            false.append((first, second, style, found))
    assert false == []
    assert both > 1_500


def test_nan_everywhere_does_not_show_where_it_came_from() -> None:
    assert set(named_of(compiled_body(body("rows", {"np.exp(best - top)": "(best - top)"})))) == NAN_EVERYWHERE


def test_every_mistake_is_made_in_two_ways_at_least() -> None:
    made = collections.Counter(mistake for mistakes, _, _ in SAMPLES for mistake in mistakes)
    expected = {variant.mistake for variant in OPERATION.variants}
    assert {mistake for mistake, count in made.items() if count >= 2} - {"nan-result"} == expected


@pytest.mark.parametrize("sample", STORES_ALL_SCORES, ids=lambda sample: sample.name)
def test_samples_that_store_all_scores_are_right_otherwise(sample: Any) -> None:
    assert named_of(sample.function) == ()
    for case in cases(OPERATION, 3):
        assert compare(OPERATION.reference(**case), outcome(sample.function, case)) is None


@pytest.mark.parametrize("number", [0.37, 2.718, 25.0])
@pytest.mark.parametrize(
    "changes", [{}, {"p = np.exp(s - m_new)": "p = np.exp(s)", " * c": ""}, {"-np.inf, s": "-1e9, s"}]
)
def test_any_number_typed_in_is_found_from_what_it_does(number: float, changes: Changes) -> None:
    assert named_of(compiled_body(body("blocks", {"np.sqrt(d)": str(number), **changes}))) == ("scale-constant",)


@pytest.mark.parametrize("result", [None, np.full((11, 7), np.nan), np.zeros((11, 6)), "text", (1, 2)])
def test_no_number_is_fitted_to_what_is_no_output(result: Any) -> None:
    assert fit_tiled_attention(OPERATION.diagnosis()[0], result) == ()


@pytest.mark.parametrize("seed", range(40))
def test_the_reference_is_the_softmax_of_plain_python(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tokens, width, values = (int(size) for size in rng.integers(1, 12, 3))
    Q, K, V = (rng.normal(size=(tokens, size)) * 3 for size in (width, width, values))
    causal = bool(seed % 2)
    expected, _ = independent.attention(Q.tolist(), K.tolist(), V.tolist(), causal)
    for block_size in (1, 2, int(rng.integers(1, 14)), tokens, tokens + 3):
        np.testing.assert_allclose(OPERATION.reference(Q, K, V, block_size, causal), expected, rtol=1e-12, atol=1e-12)


def test_the_worked_example_is_the_lessons_whatever_the_block_size() -> None:
    case = OPERATION.worked()
    assert len(case["Q"]) % case["block_size"]
    for block_size in (1, 2, 3, 4, 9):
        output = OPERATION.reference(**{**case, "block_size": block_size})
        np.testing.assert_allclose(output, worked_example().output, rtol=1e-15)


@pytest.mark.parametrize("seed", range(10))
def test_extremes_are_extreme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    extremes = {name: build(rng) for name, build in OPERATION.extremes.items()}
    assert {case["causal"] for case in extremes["causal"]} == {True}
    assert {len(case["Q"]) % case["block_size"] == 0 for case in extremes["causal"]} == {True, False}
    sizes = [(len(case["Q"]), case["block_size"]) for case in extremes["block-sizes"]]
    assert {size for _, size in sizes} >= {1, 2, 11}
    assert any(size > tokens for tokens, size in sizes)
    assert any(1 < size < tokens and tokens % size == 0 for tokens, size in sizes)
    assert any(tokens % size == 1 and size > 1 for tokens, size in sizes)
    up, up_causal, steep, *_ = extremes["rising-scores"]
    assert (scores_of(steep)[:, 3:].min() - scores_of(steep)[:, :3].max()) > 0
    assert (np.diff(scores_of(steep)[:, ::3], axis=1) > 709).any()
    assert (scores_of(up).argmax(axis=1) >= 3).all()
    assert up_causal["causal"]
    high, _, low, _, spread, _, _ = extremes["huge-scores"]
    assert scores_of(high).min() > 9_500
    assert scores_of(low).max() < -9_500
    assert np.ptp(scores_of(spread).max(axis=1)) > 10_000
    for case, depth in zip(extremes["scores-below-fill"], (1e6, -LOWEST_SCORE), strict=True):
        assert scores_of(case).min() >= -depth
        assert scores_of(case)[:, :-1].max() < -0.8 * depth
        assert case["causal"]
    for case in extremes["future-giant"]:
        assert (scores_of(case)[:-1, -1] > 900).all()


def test_diagnosis_is_quick() -> None:
    """Of processor time, the least of several, since others may be at work on the machine."""
    started = time.process_time()
    Diagnosis(OPERATION)
    assert time.process_time() - started < 1.4  # half of it on a quiet machine
    wrong, diagnosis, took = compiled_body(body("blocks", {"l * c": "l"})), diagnosis_of(OPERATION), []
    for _ in range(5):
        started = time.process_time()
        assert diagnosis.mistakes_of(lambda case: outcome(wrong, case)) == ("denominator-not-rescaled",)
        took.append(time.process_time() - started)
    assert min(took) < 0.01


def test_the_styles_are_different_code() -> None:
    lines = [{line.strip() for line in source.splitlines() if line.strip()} for source in STYLES.values()]
    for one, other in itertools.combinations(lines, 2):
        assert len(one & other) < len(one) / 2
