"""Heads against slices, tiles and cache against the whole: three ways that must not change what attention is."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core import (
    attention,
    causal_attention,
    merge_heads,
    multi_head_attention,
    split_heads,
    start,
    step,
    tiled_attention,
)
from tests.attention_core import independent

B, T, D, H, DV = 3, 7, 10, 5, 11
numbers = st.floats(-20, 20)


def drawn(*shape: int, seed: int = 7) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def close(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual, np.array(expected), rtol=1e-12, atol=1e-12)


def matrices(width: int = D) -> tuple[Any, Any, Any, Any]:
    """Wq, Wk, Wv and Wo."""
    one, two, three, four = (drawn(width, width, seed=seed) for seed in (1, 2, 3, 4))
    return one, two, three, four


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 2, 5, 10])
def test_heads_are_slices_side_by_side(heads: int, causal: bool) -> None:
    x, (Wq, Wk, Wv, Wo) = drawn(B, T, D), matrices()
    got = multi_head_attention(x, Wq, Wk, Wv, Wo, heads, causal)
    assert got.shape == (B, T, D)
    width = D // heads
    for b in range(B):
        columns: list[list[float]] = [[] for _ in range(T)]
        for first in range(0, D, width):
            block = slice(first, first + width)
            Q, K, V = (independent.product(x[b].tolist(), W[:, block].tolist()) for W in (Wq, Wk, Wv))
            output, _ = independent.attention(Q, K, V, causal)
            for row, part in zip(columns, output, strict=True):
                row.extend(part)
        close(got[b], independent.product(columns, Wo.tolist()))


@pytest.mark.parametrize("count", [np.int64(2), np.uint8(2)])
def test_a_number_of_heads_may_be_numpys(count: Any) -> None:
    x, weights = drawn(B, T, D), matrices()
    np.testing.assert_array_equal(
        multi_head_attention(x, *weights, count), multi_head_attention(x, *weights, int(count))
    )
    np.testing.assert_array_equal(tiled_attention(x[0], x[0], x[0], count), tiled_attention(x[0], x[0], x[0], 2))


def test_one_slice_is_one_head() -> None:
    x, (Wq, Wk, Wv, _) = drawn(B, T, D), matrices()
    got = multi_head_attention(x, Wq, Wk, Wv, np.eye(D), H)
    block = slice(4, 6)
    for b in range(B):
        close(got[b, :, block], attention(x[b] @ Wq[:, block], x[b] @ Wk[:, block], x[b] @ Wv[:, block])[0])


def test_heads_take_any_leading_axes() -> None:
    x, weights = drawn(2, B, T, D), matrices()
    whole = multi_head_attention(x, *weights, H, True)
    close(whole[1], multi_head_attention(x[1], *weights, H, True))
    close(whole[1, 2], multi_head_attention(x[1, 2], *weights, H, True))


@given(arrays(np.float64, (2, 3, 6, 2), elements=numbers), st.integers(1, 5))
@settings(deadline=None, max_examples=30)
def test_the_future_changes_no_head(x: Any, seen: int) -> None:
    weights = matrices(2)
    before = multi_head_attention(x, *weights, 2, causal=True)
    changed = x.copy()
    changed[..., seen:, :] = 1e3
    after = multi_head_attention(changed, *weights, 2, causal=True)
    np.testing.assert_allclose(after[..., :seen, :], before[..., :seen, :], rtol=1e-9, atol=1e-9)


def test_split_and_merge() -> None:
    x = drawn(B, T, D)
    heads = split_heads(x, H)
    assert heads.shape == (B, H, T, D // H)
    assert heads[2, 3, 4, 1] == x[2, 4, 7]
    assert (merge_heads(heads) == x).all()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("block_size", [1, 2, 3, 4, 5, 6, 7, 8, 100])
def test_tiles_agree_with_plain_python(block_size: int, causal: bool) -> None:
    Q, K, V = drawn(T, D, seed=1), drawn(T, D, seed=2), drawn(T, DV, seed=3)
    expected, _ = independent.attention(Q.tolist(), K.tolist(), V.tolist(), causal)
    close(tiled_attention(Q, K, V, block_size, causal), expected)


@pytest.mark.parametrize("causal", [False, True])
def test_tiles_agree_where_the_maximum_keeps_moving(causal: bool) -> None:
    plain: Callable[..., Any] = causal_attention if causal else attention
    for growth in (np.arange(13.0), -np.arange(13.0), 1e3 * np.arange(13.0), -1e9 * np.arange(1.0, 14.0)):
        Q, K, V = np.ones((13, 1)), growth[:, None], drawn(13, DV)
        for block_size in range(1, 15):
            close(tiled_attention(Q, K, V, block_size, causal), plain(Q, K, V)[0])


@given(st.integers(1, 9), st.integers(1, 11), st.booleans(), st.data())
@settings(deadline=None, max_examples=80)
def test_tiles_equal_the_whole_for_every_size(tokens: int, block_size: int, causal: bool, data: st.DataObject) -> None:
    Q, K, V = (data.draw(arrays(np.float64, (tokens, width), elements=numbers)) for width in (3, 3, 2))
    plain: Callable[..., Any] = causal_attention if causal else attention
    np.testing.assert_allclose(tiled_attention(Q, K, V, block_size, causal), plain(Q, K, V)[0], rtol=1e-9, atol=1e-9)


def peak_of(function: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("causal", [False, True])
def test_tiles_never_hold_the_matrix(causal: bool) -> None:
    def peak(tokens: int) -> int:
        Q, K, V = (drawn(tokens, 8, seed=seed) for seed in (1, 2, 3))
        return peak_of(lambda: tiled_attention(Q, K, V, 16, causal))

    peak(64)  # what NumPy keeps from its first use is not counted
    small, large = peak(512), peak(2048)
    assert large < 4.5 * small
    assert large < 2048 * 2048 / 8  # even of bits
    Q, K, V = (drawn(512, 8, seed=seed) for seed in (1, 2, 3))
    assert peak_of(lambda: causal_attention(Q, K, V)) > 20 * small  # the measure sees a matrix where there is one


def stepped(Q: Any, K: Any, V: Any) -> Any:
    cache, rows = start(), []
    for q_t, k_t, v_t in zip(Q, K, V, strict=True):
        output, cache = step(cache, q_t, k_t, v_t)
        rows.append(output)
    return np.array(rows)


def test_steps_agree_with_plain_python() -> None:
    Q, K, V = drawn(T, D, seed=1), drawn(T, D, seed=2), drawn(T, DV, seed=3)
    expected, _ = independent.attention(Q.tolist(), K.tolist(), V.tolist(), causal=True)
    close(stepped(Q, K, V), expected)


@given(st.integers(1, 9), st.data())
@settings(deadline=None, max_examples=50)
def test_steps_are_the_rows_of_causal_attention(tokens: int, data: st.DataObject) -> None:
    Q, K, V = (data.draw(arrays(np.float64, (tokens, width), elements=numbers)) for width in (3, 3, 2))
    np.testing.assert_allclose(stepped(Q, K, V), causal_attention(Q, K, V)[0], rtol=1e-9, atol=1e-9)


def test_sequences_can_be_stepped_in_turn_and_continued_twice() -> None:
    one, other = drawn(3, T, D, seed=1), drawn(3, T, D, seed=2)
    caches = [start(), start()]
    for t in range(T):
        for which, sequence in enumerate((one, other)):
            output, caches[which] = step(caches[which], *sequence[:, t])
            close(output, causal_attention(*sequence)[0][t])
    first, _ = step(caches[0], *other[:, 0])
    again, _ = step(caches[0], *other[:, 0])
    assert (first == again).all()


def test_a_cache_does_not_follow_changes_to_what_it_was_given() -> None:
    token = [drawn(D, seed=seed) for seed in (1, 2, 3)]
    _, cache = step(start(), *token)
    expected, _ = step(cache, *token)
    for vector in token:
        vector[:] = 1e6
    again, _ = step(cache, *(drawn(D, seed=seed) for seed in (1, 2, 3)))
    assert (again == expected).all()


square, cached = np.ones((4, 4)), step(start(), np.ones(3), np.ones(3), np.ones(2))[1]
BAD: list[tuple[type[Exception], Callable[..., Any], tuple[Any, ...], str]] = [
    (ValueError, multi_head_attention, (np.ones(4), *[square] * 4, 2), r"x must have shape \(\.\.\., T, D\), got"),
    (
        ValueError,
        multi_head_attention,
        (np.ones((2, 3, 4)), square, square, square[:, :2], square, 2),
        r"Wv must have shape \(4, 4\).*x \(2, 3, 4\), got \(4, 2\)",
    ),
    (ValueError, multi_head_attention, (np.ones((2, 3, 5)), *[square] * 4, 2), r"Wq must have shape \(5, 4\)"),
    (ValueError, multi_head_attention, (np.ones((2, 3, 4)), *[square] * 4, 3), r"num_heads must divide .* 4 .*got 3"),
    (TypeError, multi_head_attention, (np.ones((2, 3, 4)), *[square] * 4, 2.0), r"num_heads must be an int, got float"),
    (TypeError, multi_head_attention, (np.ones((2, 3, 4)), *[square] * 4, True), r"num_heads must be an int, got bool"),
    (TypeError, split_heads, (square, np.bool_(True)), r"num_heads must be an int, got bool"),
    (TypeError, split_heads, (square, np.float64(2)), r"num_heads must be an int, got float64"),
    (ValueError, split_heads, (square, np.int64(0)), r"num_heads must be at least 1, got 0"),
    (ValueError, merge_heads, (square,), r"heads must have shape \(\.\.\., H, T, d\), got shape \(4, 4\)"),
    (ValueError, tiled_attention, (square, square[:3], square, 2), r"K must have shape \(4, 4\).*got \(3, 4\)"),
    (ValueError, tiled_attention, (square, square[:, :3], square, 2), r"K must have shape \(4, 4\).*got \(4, 3\)"),
    (ValueError, tiled_attention, (square, square, square[:3], 2), r"V must have shape \(4, 4\).*got \(3, 4\)"),
    (ValueError, tiled_attention, (square, square, square, 0), r"block_size must be at least 1, got 0"),
    (TypeError, tiled_attention, (square, square, square, None), r"block_size must be an int, got NoneType"),
    (ValueError, step, (start(), square, np.ones(4), np.ones(2)), r"q_t must have shape \(width,\), got \(4, 4\)"),
    (ValueError, step, (start(), np.ones(3), np.ones(4), np.ones(2)), r"k_t must have shape \(3,\), got \(4,\)"),
    (ValueError, step, (cached, np.ones(4), np.ones(4), np.ones(2)), r"k_t must have shape \(3,\).*got \(4,\)"),
    (ValueError, step, (cached, np.ones(3), np.ones(3), np.ones(3)), r"v_t must have shape \(2,\), got \(3,\)"),
    (TypeError, step, (None, np.ones(3), np.ones(3), np.ones(2)), r"cache must be a Cache.*start.*got NoneType"),
    (TypeError, step, (cached, np.ones(3), np.ones(3), None), r"v_t must hold real numbers, got dtype object"),
]


@pytest.mark.parametrize(("error", "function", "arguments", "message"), BAD)
def test_bad_arguments_are_named(
    error: type[Exception], function: Callable[..., Any], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(error, match=message):
        function(*arguments)


def test_arguments_are_left_as_they_are() -> None:
    x, weights = drawn(B, T, D), matrices()
    Q, K, V = drawn(T, D, seed=1), drawn(T, D, seed=2), drawn(T, DV, seed=3)
    before = [array.copy() for array in (x, *weights, Q, K, V)]
    multi_head_attention(x, *weights, H, True)
    tiled_attention(Q, K, V, 3, True)
    stepped(Q, K, V)
    for array, copy in zip((x, *weights, Q, K, V), before, strict=True):
        np.testing.assert_array_equal(array, copy)
