"""The operation multi-head-attention: its cases, and what its diagnosis does that those of others do not.

What holds for every operation is tested for this one too in test_cases, test_diagnosis and test_mistakes.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core import OPERATIONS, Arguments, diagnosis_of, outcome, worked_example
from attention_core.mistakes.heads_assembly import fit_multi_head_attention
from attention_core.operations.cases import LOWEST_SCORE
from attention_core.operations.multi_head_attention import draw, steer
from tests.attention_core.heads_code import SAMPLES, STYLES, changed
from tests.attention_core.learners import compiled

OPERATION = OPERATIONS["multi-head-attention"]


def named(function: Callable[..., Any]) -> tuple[str, ...]:
    with np.errstate(all="ignore"):
        return diagnosis_of(OPERATION).mistakes_of(lambda case: outcome(function, case))


def test_every_mistake_is_made_in_two_ways_at_least() -> None:
    made = collections.Counter(mistake for mistakes, _, _ in SAMPLES for mistake in mistakes)
    assert {mistake for mistake, count in made.items() if count >= 2} == {v.mistake for v in OPERATION.variants}


@pytest.mark.parametrize("number", [0.37, 2.718, 25.0])
@pytest.mark.parametrize("softmax", ["s - s.max(axis=-1, keepdims=True)", "s"])
def test_any_number_typed_in_is_found_from_what_it_does(number: float, softmax: str) -> None:
    changes = {"np.sqrt(d)": str(number), "np.exp(s - s.max(axis=-1, keepdims=True))": f"np.exp({softmax})"}
    assert named(compiled("multi-head-attention", changed("at once", changes))) == ("scale-constant",)


@pytest.mark.parametrize("result", [None, np.full((2, 5, 21), np.nan), np.zeros((2, 5, 20)), "text", (1, 2)])
def test_no_number_is_fitted_to_what_is_no_output(result: Any) -> None:
    assert fit_multi_head_attention(OPERATION.diagnosis()[0], result) == ()


def test_the_first_head_of_the_worked_example_is_the_lessons() -> None:
    example, case = worked_example(), OPERATION.worked()
    heads = OPERATION.reference(**{**case, "Wo": np.eye(4)})
    np.testing.assert_allclose(heads[0, :, :2], example.output, rtol=1e-15)
    for name in ("x", "Wq", "Wk", "Wv", "Wo"):
        assert np.array_equal(case[name], np.round(case[name]))
    # By hand, "the": its second query is [0, 0], so the second head's output is the mean of its values.
    np.testing.assert_allclose(heads[0, 0, 2:], case["x"][0].mean(axis=0) @ case["Wv"][:, 2:], rtol=1e-15)


def test_steered_scores_are_where_they_are_said_to_be() -> None:
    rng = np.random.default_rng(5)
    case = draw(rng, {"B": 2, "T": 3, "H": 2, "d": 3})
    queries, keys = np.array([[3.0, 1.0, 2.0], [5.0, 0.0, -4.0]]), np.array([1.0, -1.0, 10.0])
    plain, steered = (scores_of(steer(case, part, keys, [1.0, 0.5])) for part in (np.full((2, 3), 1e-300), queries))
    added = np.einsum("h,bi,j->bhij", [1.0, 0.25], queries, keys)
    np.testing.assert_allclose(steered - plain, added, rtol=1e-12, atol=1e-12)


def scores_of(case: Arguments) -> Any:
    count, width = case["num_heads"], len(case["Wq"]) // case["num_heads"]
    Q, K = (
        (case["x"] @ case[name]).reshape(*case["x"].shape[:2], count, width).swapaxes(1, 2) for name in ("Wq", "Wk")
    )
    return Q @ K.swapaxes(-1, -2) / np.sqrt(width)


@pytest.mark.parametrize("seed", range(20))
def test_extremes_are_extreme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for place, case in enumerate(OPERATION.extremes["huge-scores"](rng)[:4]):
        sign = 1 if place < 2 else -1
        assert (sign * scores_of(case)).min() > 9_500
    far = scores_of(OPERATION.extremes["one-far-row"](rng)[0]).max(axis=(0, 1, 3))
    assert np.sort(far)[0] < -4_500
    assert np.sort(far)[1] > -100
    for case in OPERATION.extremes["future-giant"](rng):
        assert (scores_of(case)[..., :-1, -1] > 900).all()
    for case, depth in zip(OPERATION.extremes["scores-below-fill"](rng), (1e6, -LOWEST_SCORE), strict=True):
        scores = scores_of(case)
        assert scores.min() >= -depth
        assert scores[..., :-1].max() < -0.6 * depth
        assert np.diff(np.sort(scores[..., :-1], axis=-1), axis=-1).min() > 0.005 * depth
        assert np.abs(scores[..., -1]).max() < 100


def test_the_styles_are_different_code() -> None:
    assert len(set(STYLES.values())) == 4
    with pytest.raises(ValueError, match="nowhere"):
        changed("loops", {"np.einsum": ""})
