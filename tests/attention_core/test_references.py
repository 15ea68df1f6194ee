"""The references against plain Python, numbers worked by hand, exact fractions, and what must hold for any input."""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core import (
    OPERATIONS,
    attention,
    attention_cost,
    causal_attention,
    causal_mask,
    lesson_costs,
    project,
    scaled_scores,
    softmax,
)
from tests.attention_core import independent

numbers = st.floats(-20, 20)


def drawn(*shape: int, seed: int = 7) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def close(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual, np.array(expected), rtol=1e-13, atol=1e-13)


def test_projections_agree_with_plain_python() -> None:
    x, Wq, Wk, Wv = drawn(7, 5), drawn(5, 3, seed=1), drawn(5, 3, seed=2), drawn(5, 2, seed=3)
    for got, W in zip(project(x, Wq, Wk, Wv), (Wq, Wk, Wv), strict=True):
        close(got, independent.product(x.tolist(), W.tolist()))


def test_scores_agree_with_plain_python() -> None:
    Q, K = drawn(5, 3), drawn(7, 3, seed=1)
    close(scaled_scores(Q, K), independent.scores(Q.tolist(), K.tolist()))


def test_scores_of_width_four_are_exact() -> None:
    Q, K = np.array([[1.0, 2, 3, 4], [0, 1, 0, -1]]), np.array([[2.0, 0, 1, 1], [5, 5, 5, 5], [1, 0, 0, 0]])
    assert scaled_scores(Q, K).tolist() == [[4.5, 25.0, 0.5], [-0.5, 0.0, 0.0]]


@pytest.mark.parametrize("causal", [False, True])
def test_attention_agrees_with_plain_python(causal: bool) -> None:
    Q, K, V = drawn(7 if causal else 5, 3), drawn(7, 3, seed=1), drawn(7, 2, seed=2)
    output, weights = (causal_attention if causal else attention)(Q, K, V)
    expected_output, expected_weights = independent.attention(Q.tolist(), K.tolist(), V.tolist(), causal)
    close(output, expected_output)
    close(weights, expected_weights)


def test_softmax_of_logarithms_gives_exact_fractions() -> None:
    shares = softmax(np.log([[1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 5.0]]))
    close(shares, [[Fraction(n, 10).__float__() for n in (1, 2, 3, 4)], [0.125, 0.125, 0.125, 0.625]])


@pytest.mark.parametrize("shape", [(7,), (5, 7), (3, 5, 7), (2, 3, 5, 7), (5, 1)])
def test_softmax_takes_any_number_of_axes(shape: tuple[int, ...]) -> None:
    scores = drawn(*shape) * 3
    rows = [independent.softmax_row(row) for row in scores.reshape(-1, shape[-1]).tolist()]
    close(softmax(scores), np.array(rows).reshape(shape))


def test_softmax_is_stable_and_knows_minus_infinity() -> None:
    low, high, none = -np.inf, 1e4, [-np.inf] * 3
    scores = np.array([[high, high, 0.0], [-high, -high, -high], [low, 0.0, 0.0], none])
    expected = [[0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3], [0.0, 0.5, 0.5], [0.0, 0.0, 0.0]]
    close(softmax(scores), expected)
    assert softmax(np.array(none)).tolist() == [0.0, 0.0, 0.0]


@given(arrays(np.float64, (3, 5), elements=numbers), numbers)
@settings(deadline=None, max_examples=50)
def test_softmax_rows_sum_to_one_and_ignore_a_shift(scores: Any, shift: float) -> None:
    shares = softmax(scores)
    close(shares.sum(axis=1), np.ones(3))
    np.testing.assert_allclose(softmax(scores + shift), shares, rtol=1e-10)


@given(
    arrays(np.float64, (5, 3), elements=numbers),
    arrays(np.float64, (7, 3), elements=numbers),
    arrays(np.float64, (7, 2), elements=numbers),
    st.permutations(range(7)),
)
@settings(deadline=None, max_examples=50)
def test_attention_stays_within_the_values_and_ignores_the_order_of_keys(
    Q: Any, K: Any, V: Any, order: list[int]
) -> None:
    output, _ = attention(Q, K, V)
    slack = 1e-12
    assert (output >= V.min(axis=0) - slack).all()
    assert (output <= V.max(axis=0) + slack).all()
    np.testing.assert_allclose(attention(Q, K[order], V[order])[0], output, rtol=1e-9, atol=1e-9)


@given(arrays(np.float64, (7, 3), elements=numbers), arrays(np.float64, (7, 2), elements=numbers), st.integers(1, 6))
@settings(deadline=None, max_examples=50)
def test_causal_attention_does_not_see_the_future(tokens: Any, V: Any, seen: int) -> None:
    output, weights = causal_attention(tokens, tokens[::-1], V)
    assert (weights[np.triu_indices(7, 1)] == 0.0).all()
    assert (output[0] == V[0]).all()
    changed_K, changed_V = tokens[::-1].copy(), V.copy()
    changed_K[seen:], changed_V[seen:] = 1e6, -1e6
    np.testing.assert_allclose(causal_attention(tokens, changed_K, changed_V)[0][:seen], output[:seen])
    prefix, _ = causal_attention(tokens[:seen], tokens[::-1][:seen], V[:seen])
    np.testing.assert_allclose(prefix, output[:seen], rtol=1e-9, atol=1e-9)


def test_causal_weights_of_equal_scores() -> None:
    _, weights = causal_attention(np.zeros((4, 2)), np.ones((4, 2)), np.eye(4))
    close(weights, [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [1 / 4] * 4])


def test_masks_align_at_either_corner() -> None:
    assert causal_mask(2, 3).tolist() == [[True, False, False], [True, True, False]]
    assert causal_mask(2, 3, "bottom-right").tolist() == [[True, True, False], [True, True, True]]
    assert causal_mask(3, 2, "bottom-right").tolist() == [[False, False], [True, False], [True, True]]
    assert causal_mask(3).tolist() == np.tril(np.ones((3, 3), dtype=bool)).tolist()


def test_the_lessons_table_of_costs() -> None:
    rows = [(row.n, row.pairs, round(row.megabytes)) for row in lesson_costs()]
    assert rows == [
        (512, 262_144, 1),
        (2_048, 4_194_304, 8),
        (8_192, 67_108_864, 134),
        (32_768, 1_073_741_824, 2_147),
        (131_072, 17_179_869_184, 34_360),
    ]
    assert [row.megabytes for row in lesson_costs()][:2] == [0.524288, 8.388608]


@given(st.integers(1, 10**12), st.integers(1, 16), st.integers(1, 200), st.integers(1, 200))
def test_cost_is_exact(n: int, size: int, heads: int, layers: int) -> None:
    pairs, megabytes = attention_cost(n, size, heads, layers)
    assert pairs == n**2
    assert type(pairs) is int
    assert megabytes == float(Fraction(n) ** 2 * size * heads * layers / 10**6)


@pytest.mark.parametrize("name", OPERATIONS)
def test_references_change_no_argument_and_return_float64(name: str) -> None:
    operation = OPERATIONS[name]
    arguments = operation.draw(np.random.default_rng(3), operation.default_sizes, 1.0)
    before = {key: np.copy(value) for key, value in arguments.items()}
    results = operation.reference(**arguments)
    for key, value in arguments.items():
        np.testing.assert_array_equal(value, before[key])
    for result in results if isinstance(results, tuple) else (results,):
        assert not isinstance(result, np.ndarray) or result.dtype == np.float64
        assert not any(
            np.shares_memory(result, value) for value in arguments.values() if isinstance(result, np.ndarray)
        )


BAD_ARGUMENTS = [
    (
        project,
        (np.ones((4, 3)), np.ones((2, 5)), np.ones((3, 5)), np.ones((3, 7))),
        r"Wq must have shape \(3, 5\).*2, 5",
    ),
    (
        project,
        (np.ones((4, 3)), np.ones((3, 5)), np.ones((3, 2)), np.ones((3, 7))),
        r"Wk must have shape \(3, 5\).*3, 2",
    ),
    (project, (np.ones(3), np.ones((3, 5)), np.ones((3, 5)), np.ones((3, 7))), r"x must be a matrix \(T, D\).*\(3,\)"),
    (scaled_scores, (np.ones((5, 3)), np.ones((7, 2))), r"K must have shape \(7, 3\).*got \(7, 2\)"),
    (scaled_scores, (np.ones((0, 3)), np.ones((7, 3))), r"Q must not be empty, got shape \(0, 3\)"),
    (softmax, (np.array(1.0),), r"scores must have shape"),
    (softmax, (np.array([1.0, np.nan]),), r"scores must be finite or -inf"),
    (softmax, (np.array([1.0, np.inf]),), r"scores must be finite or -inf"),
    (attention, (np.ones((5, 3)), np.ones((7, 3)), np.ones((5, 2))), r"V must have shape \(7, 2\).*got \(5, 2\)"),
    (
        causal_attention,
        (np.ones((5, 3)), np.ones((7, 3)), np.ones((7, 2))),
        r"K must have shape \(5, 3\).*got \(7, 3\)",
    ),
    (
        OPERATIONS["torch-attention"].reference,
        (np.ones((2, 5, 3)), np.ones((1, 7, 3)), np.ones((2, 7, 2))),
        r"k must have the leading axes of q \(2, 5, 3\), got shape \(1, 7, 3\)",
    ),
    (causal_mask, (3, 3, "middle"), r"align must be .* got 'middle'"),
    (attention_cost, (0,), r"n must be at least 1, got 0"),
    (attention_cost, (5, 2, -1), r"heads must be at least 1, got -1"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), BAD_ARGUMENTS)
def test_bad_shapes_and_values_are_named(function: Any, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(*arguments)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (softmax, (np.array(["a", "b"]),), "scores must hold real numbers, got dtype <U1"),
        (scaled_scores, (np.ones((5, 3)), np.ones((7, 3), dtype=complex)), "K must hold real numbers"),
        (attention_cost, (4.0,), "n must be an int, got float"),
        (attention_cost, (4, True), "bytes_per_score must be an int, got bool"),
    ],
)
def test_bad_types_are_named(function: Any, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        function(*arguments)


@pytest.mark.parametrize("name", OPERATIONS)
def test_signatures_are_the_contracts(name: str) -> None:
    operation = OPERATIONS[name]
    parameters = list(inspect.signature(operation.reference).parameters)
    written = operation.signature.removeprefix("start() and ").removeprefix(operation.entry)[1:-1].split(", ")
    steps = ["cache", *(f"{name.lower()}_t" for name in parameters)]  # one row of each, after what was kept
    assert [part.split("=")[0] for part in written] == (steps if operation.calling == "steps" else parameters)
    assert list(operation.draw(np.random.default_rng(1), operation.default_sizes, 1.0)) == parameters
