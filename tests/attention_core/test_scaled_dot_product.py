"""The general reference against plain Python that asks, pair by pair, who may see whom; and what must always hold."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import attention_core.scaled_dot_product as scaled_dot_product
from attention_core import (
    attention,
    attention_output,
    attention_scores,
    batched_attention,
    causal_attention,
    causal_mask,
    scaled_dot_product_attention,
    scaled_scores,
)
from tests.attention_core import independent

B, H, SHARED, TQ, TK, PAST, D, DV = 2, 6, 3, 5, 7, 4, 11, 13
Options = dict[str, Any]
numbers = st.floats(-20, 20)


def drawn(*shape: int, seed: int = 7) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def close(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual, np.array(expected), rtol=1e-12, atol=1e-13)


def by_loops(Q: Any, K: Any, V: Any, options: Options) -> tuple[Any, Any]:
    """Everything at once for Q (B, H, Tq, d), one pair of query and key after another."""
    past = 0
    if options.get("past_key") is not None:
        past = options["past_key"].shape[2]
        K, V = np.concatenate((options["past_key"], K), 2), np.concatenate((options["past_value"], V), 2)
    batches, heads, queries, width = Q.shape
    keys = K.shape[2]
    output, weights = np.zeros((batches, heads, queries, V.shape[3])), np.zeros((batches, heads, queries, keys))
    for b, h, i in itertools.product(range(batches), range(heads), range(queries)):
        shared = h * K.shape[1] // heads
        length = keys if options.get("key_lengths") is None else int(options["key_lengths"][b])
        row = []
        for j in range(keys):
            score = math.fsum(Q[b, h, i, c] * K[b, shared, j, c] for c in range(width))
            row.append(adjusted(score * options.get("scale", width**-0.5), (b, h, i, j), options, keys))
            late = {"top-left": j - past > i, "bottom-right": length - 1 - j < queries - 1 - i}
            if j >= length or late.get(options.get("causal", ""), False):
                row[-1] = -math.inf
        shares = independent.softmax_row(row)
        weights[b, h, i] = shares
        output[b, h, i] = [math.fsum(p * V[b, shared, j, c] for j, p in enumerate(shares)) for c in range(V.shape[3])]
    return output, weights


def adjusted(score: float, pair: tuple[int, int, int, int], options: Options, keys: int) -> float:
    """The score of one pair, capped and then masked."""
    cap, mask = options.get("softcap"), options.get("mask")
    if cap:
        score = cap * math.tanh(score / cap)
    if mask is None:
        return score
    entry = np.broadcast_to(mask, (B, H, TQ, keys))[pair]
    if mask.dtype == np.bool_:
        return score if entry else -math.inf
    return score + float(entry)


SOME = drawn(TQ, TK + PAST, seed=5) > -0.3
HIDDEN_ROW = np.arange(TQ)[:, None] != 2
PASTS = {"past_key": drawn(B, SHARED, PAST, D, seed=8), "past_value": drawn(B, SHARED, PAST, DV, seed=9)}
CASES: dict[str, Options] = {
    "plain": {},
    "scale": {"scale": 0.3},
    "no scale at all": {"scale": 0},
    "softcap": {"softcap": 0.8},
    "top-left": {"causal": "top-left"},
    "bottom-right": {"causal": "bottom-right"},
    "boolean mask": {"mask": SOME[:, :TK]},
    "boolean mask of each head": {"mask": drawn(H, TQ, TK) > 0},
    "boolean mask of each batch": {"mask": drawn(B, 1, 1, TK) > 0},
    "additive mask": {"mask": drawn(TQ, TK)},
    "additive mask with gaps": {"mask": np.where(SOME[:, :TK], drawn(TQ, TK), -np.inf)},
    "masked row": {"mask": np.broadcast_to(HIDDEN_ROW, (TQ, TK))},
    "padding": {"key_lengths": np.array([3, 7])},
    "nothing but padding": {"key_lengths": np.array([0, 1])},
    "padding, top-left": {"key_lengths": np.array([3, 6]), "causal": "top-left"},
    "padding, bottom-right": {"key_lengths": np.array([3, 6]), "causal": "bottom-right"},
    "boolean mask, padding, bottom-right": {
        "mask": SOME[:, :TK],
        "key_lengths": np.array([6, 7]),
        "causal": "bottom-right",
    },
    "past": PASTS,
    "past, top-left": {**PASTS, "causal": "top-left"},
    "past, bottom-right": {**PASTS, "causal": "bottom-right"},
    "past, padding": {**PASTS, "key_lengths": np.array([3, 10])},
    "all": {
        **PASTS,
        "mask": np.where(SOME, drawn(TQ, TK + PAST), -np.inf),
        "causal": "bottom-right",
        "scale": 0.7,
        "softcap": 1.5,
        "key_lengths": np.array([5, 10]),
    },
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("shared", [1, SHARED, H])
def test_agrees_with_plain_python(name: str, shared: int) -> None:
    options = dict(CASES[name])
    for past in set(options) & {"past_key", "past_value"}:
        options[past] = np.concatenate([options[past]] * 2, axis=1)[:, :shared]
    Q, K, V = drawn(B, H, TQ, D, seed=1), drawn(B, shared, TK, D, seed=2), drawn(B, shared, TK, DV, seed=3)
    before = {key: np.copy(value) for key, value in options.items()}
    output, weights = scaled_dot_product_attention(Q, K, V, **options)
    expected_output, expected_weights = by_loops(Q, K, V, options)
    close(output, expected_output)
    close(weights, expected_weights)
    assert output.dtype == weights.dtype == np.float64
    assert all(np.array_equal(options[key], before[key]) for key in before)
    sums = weights.sum(axis=-1)
    close(sums, (weights != 0).any(axis=-1))


@pytest.mark.parametrize("name", CASES)
def test_a_few_queries_at_a_time_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = CASES[name]
    Q, K, V = drawn(B, H, TQ, D, seed=1), drawn(B, SHARED, TK, D, seed=2), drawn(B, SHARED, TK, DV, seed=3)
    output, weights = scaled_dot_product_attention(Q, K, V, **options)  # all of these at once
    close(attention_output(Q, K, V, **options), output)
    monkeypatch.setattr(scaled_dot_product, "CACHED", 1)
    monkeypatch.setattr(scaled_dot_product, "FEWEST", 2)
    again = scaled_dot_product_attention(Q, K, V, **options)
    close(again[0], output)
    close(again[1], weights)
    close(attention_output(Q, K, V, **options), output)


def test_the_output_alone_holds_no_matrix_of_weights() -> None:
    tokens = 3000
    Q, K, V = drawn(tokens, 2), drawn(tokens, 2, seed=1), drawn(tokens, 2, seed=2)
    tracemalloc.start()
    attention_output(Q, K, V, causal="top-left")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < tokens * tokens * 8 / 5


def test_the_cases_hide_whole_rows_too() -> None:
    Q, K, V = drawn(B, H, TQ, D), drawn(B, H, TK, D), drawn(B, H, TK, DV)
    for name, rows in (("masked row", B * H), ("nothing but padding", H * TQ), ("padding, bottom-right", 2 * H)):
        output, weights = scaled_dot_product_attention(Q, K, V, **CASES[name])
        empty = (weights == 0).all(axis=-1)
        assert empty.sum() == rows, name
        assert not output[empty].any()


def test_with_one_head_it_is_the_lessons_attention() -> None:
    Q, K, V = drawn(TK, D, seed=1), drawn(TK, D, seed=2), drawn(TK, DV, seed=3)
    for got, expected in (
        (scaled_dot_product_attention(Q[:TQ], K, V), attention(Q[:TQ], K, V)),
        (scaled_dot_product_attention(Q, K, V, causal="top-left"), causal_attention(Q, K, V)),
        (scaled_dot_product_attention(Q, K, V, causal="bottom-right"), causal_attention(Q, K, V)),
    ):
        close(got[0], expected[0])
        close(got[1], expected[1])
    close(attention_scores(Q, K), scaled_scores(Q, K))


@pytest.mark.parametrize("align", ["top-left", "bottom-right"])
@pytest.mark.parametrize(("queries", "keys"), [(5, 7), (7, 5), (7, 7), (1, 7), (7, 1)])
def test_causality_is_that_of_the_mask(align: Any, queries: int, keys: int) -> None:
    Q, K, V = drawn(3, queries, D), drawn(3, keys, D, seed=1), drawn(3, keys, DV, seed=2)
    masked = scaled_dot_product_attention(Q, K, V, mask=causal_mask(queries, keys, align))
    causal = scaled_dot_product_attention(Q, K, V, causal=align)
    assert (masked[0] == causal[0]).all()
    assert (masked[1] == causal[1]).all()


@pytest.mark.parametrize("leading", [(), (3,), (2, 3), (2, 3, 5), (1, 1, 1, 1)])
@pytest.mark.parametrize("causal", [False, True])
def test_batched_attention_is_the_single_one_for_each_index(leading: tuple[int, ...], causal: bool) -> None:
    Q, K, V = drawn(*leading, TQ, D), drawn(*leading, TK, D, seed=1), drawn(*leading, TK, DV, seed=2)
    got = batched_attention(Q, K, V, causal)
    assert got.shape == (*leading, TQ, DV)
    for index in np.ndindex(*leading):
        # The last five of seven queries: put two more before them, and the first two rows are not looked at.
        together = np.concatenate((drawn(TK - TQ, D, seed=4), Q[index]))
        rows, _ = independent.attention(together.tolist(), K[index].tolist(), V[index].tolist(), causal)
        close(got[index], rows[TK - TQ :])


def test_without_causality_there_may_be_more_queries_than_keys() -> None:
    Q, K, V = drawn(3, TK, D), drawn(3, TQ, D, seed=1), drawn(3, TQ, DV, seed=2)
    close(batched_attention(Q, K, V)[2], attention(Q[2], K[2], V[2])[0])


def test_one_key_length_stands_for_all() -> None:
    Q, K, V = drawn(2, 3, TQ, D), drawn(2, 3, TK, D, seed=1), drawn(2, 3, TK, DV, seed=2)
    output, _ = scaled_dot_product_attention(Q, K, V, key_lengths=3)
    close(output, scaled_dot_product_attention(Q, K[:, :, :3], V[:, :, :3])[0])
    close(scaled_dot_product_attention(Q[1, 2], K[1, 2], V[1, 2], key_lengths=3)[0], output[1, 2])


def test_leading_axes_broadcast() -> None:
    Q, K, V = drawn(2, 3, TQ, D), drawn(3, TK, D, seed=1), drawn(3, TK, DV, seed=2)
    output, weights = scaled_dot_product_attention(Q, K, V)
    for b, h in np.ndindex(2, 3):
        expected = attention(Q[b, h], K[h], V[h])
        close(output[b, h], expected[0])
        close(weights[b, h], expected[1])
    one_query, _ = scaled_dot_product_attention(Q[0, 0], K, V)
    close(one_query[1], attention(Q[0, 0], K[1], V[1])[0])


def test_other_kinds_of_numbers_are_computed_in_float64() -> None:
    Q, K, V = (drawn(TQ, D, seed=seed).astype(np.float32) for seed in (1, 2, 3))
    output, _ = scaled_dot_product_attention(Q, K, V, mask=np.zeros((TQ, TQ), np.float16))
    assert (output == scaled_dot_product_attention(*(a.astype(np.float64) for a in (Q, K, V)))[0]).all()
    whole, _ = scaled_dot_product_attention([[1, 0]], [[1, 0], [0, 1]], [[2], [4]], scale=math.log(3))
    close(whole, [[2.5]])


@given(
    arrays(np.float64, (2, 5, 3), elements=numbers),
    arrays(np.float64, (2, 7, 3), elements=numbers),
    arrays(np.float64, (2, 7, 2), elements=numbers),
    arrays(np.bool_, (5, 7)),
    st.permutations(range(7)),
)
@settings(deadline=None, max_examples=50)
def test_the_order_of_keys_does_not_matter_and_hidden_ones_do_not_count(
    Q: Any, K: Any, V: Any, mask: Any, order: list[int]
) -> None:
    output, weights = scaled_dot_product_attention(Q, K, V, mask=mask)
    shuffled, _ = scaled_dot_product_attention(Q, K[:, order], V[:, order], mask=mask[:, order])
    np.testing.assert_allclose(shuffled, output, rtol=1e-9, atol=1e-9)
    assert (weights[:, ~mask] == 0).all()
    added, _ = scaled_dot_product_attention(Q, K, V, mask=np.where(mask, 0.0, -np.inf))
    assert (added == output).all()
    for i in np.flatnonzero(mask.any(axis=1)):
        seen = mask[i]
        alone, _ = scaled_dot_product_attention(Q[:, [i]], K[:, seen], V[:, seen])
        np.testing.assert_allclose(output[:, [i]], alone, rtol=1e-9, atol=1e-9)


@given(arrays(np.float64, (6, 7, 3), elements=numbers), st.integers(1, 6))
@settings(deadline=None, max_examples=50)
def test_past_keys_are_keys_and_padding_is_as_good_as_nothing(tokens: Any, seen: int) -> None:
    Q, K, V = tokens[:2], tokens[2:4], tokens[4:]
    whole, _ = scaled_dot_product_attention(Q, K, V, causal="top-left")
    later, _ = scaled_dot_product_attention(
        *(Q[:, seen:], K[:, seen:], V[:, seen:]),
        causal="top-left",
        past_key=K[:, :seen],
        past_value=V[:, :seen],
    )
    np.testing.assert_allclose(later, whole[:, seen:], rtol=1e-9, atol=1e-9)
    padded, _ = scaled_dot_product_attention(Q, K, V, key_lengths=[seen, seen])
    np.testing.assert_allclose(padded, scaled_dot_product_attention(Q, K[:, :seen], V[:, :seen])[0], atol=1e-9)


def test_capped_scores_stay_below_the_cap() -> None:
    scores = attention_scores(100 * drawn(TQ, D), drawn(TK, D, seed=1), softcap=30.0)
    assert np.abs(scores).max() <= 30.0
    assert np.abs(scores).max() > 29.9


q, k, v = np.ones((2, 6, 5, 3)), np.ones((2, 3, 7, 3)), np.ones((2, 3, 7, 2))
BAD: list[tuple[type[Exception], tuple[Any, ...], Options, str]] = [
    (ValueError, (q[0, 0, 0], k, v), {}, r"Q must have shape \(\.\.\., Tq, d\), got shape \(3,\)"),
    (ValueError, (q, k[..., :2], v), {}, r"K must have shape \(2, 3, 7, 3\), .* Q \(2, 6, 5, 3\), got \(2, 3, 7, 2\)"),
    (ValueError, (q, k, v[:, :, :5]), {}, r"V must have shape \(2, 3, 7, 2\), .* K \(2, 3, 7, 3\), got \(2, 3, 5, 2\)"),
    (ValueError, (q, k, v[:, :1]), {}, r"V must have shape \(2, 3, 7, 2\), .* got \(2, 1, 7, 2\)"),
    (ValueError, (q[:, :5], k, v), {}, r"K must have leading axes that fit those of Q \(2, 5, 5, 3\).*\(2, 3, 7, 3\)"),
    (ValueError, (q, k[:, :, :0], v), {}, r"K must not be empty"),
    (TypeError, (q, k, v.astype(str)), {}, r"V must hold real numbers, got dtype <U"),
    (ValueError, (q, k, v), {"past_key": k}, r"given together, got past_key without past_value"),
    (ValueError, (q, k, v), {"past_value": v}, r"given together, got past_value without past_key"),
    (
        ValueError,
        (q, k, v),
        {"past_key": k[:1], "past_value": v[:1]},
        r"past_key must have shape \(2, 3, P, 3\), .* got \(1, 3, 7, 3\)",
    ),
    (
        ValueError,
        (q, k, v),
        {"past_key": k, "past_value": v[:, :, :5]},
        r"V must have shape \(2, 3, 14, 2\), .* got \(2, 3, 12, 2\) \(past included\)",
    ),
    (ValueError, (q, k, v), {"causal": True}, r'causal must be None, "top-left" or "bottom-right", got True'),
    (ValueError, (q, k, v), {"softcap": 0}, r"softcap must be above 0, got 0"),
    (TypeError, (q, k, v), {"softcap": "2"}, r"softcap must be a number, got str"),
    (TypeError, (q, k, v), {"scale": True}, r"scale must be a number, got bool"),
    (ValueError, (q, k, v), {"scale": math.nan}, r"scale must be finite, got nan"),
    (TypeError, (q, k, v), {"mask": np.ones((5, 7), int)}, r"mask must be boolean or floating point, got dtype int64"),
    (ValueError, (q, k, v), {"mask": np.ones((7, 5))}, r"mask must be broadcastable to \(2, 6, 5, 7\), got .*\(7, 5\)"),
    (ValueError, (q, k, v), {"mask": np.ones((3, 1, 1, 5, 7))}, r"mask must be broadcastable to \(2, 6, 5, 7\)"),
    (ValueError, (q, k, v), {"mask": np.full((5, 7), np.nan)}, r"mask must be finite or -inf"),
    (ValueError, (q, k, v), {"mask": np.full((5, 7), np.inf)}, r"mask must be finite or -inf"),
    (TypeError, (q, k, v), {"key_lengths": [1.0, 2.0]}, r"key_lengths must be whole numbers, got dtype float64"),
    (ValueError, (q, k, v), {"key_lengths": [1]}, r"key_lengths must have the shape .*\(2, 6\), got \(1,\)"),
    (
        ValueError,
        (q[0, 0], k[0, 0], v[0, 0]),
        {"key_lengths": [1]},
        r"key_lengths must have .*\(\), got \(1,\)",
    ),
    (ValueError, (q, k, v), {"key_lengths": [1, 8]}, r"key_lengths must be from 0 to 7, got 1 to 8"),
    (ValueError, (q, k, v), {"key_lengths": [-1, 7]}, r"key_lengths must be from 0 to 7, got -1 to 7"),
    (ValueError, (q * np.nan, k, v), {}, r"scores must be finite or -inf"),
]


@pytest.mark.parametrize(("error", "given_arrays", "options", "message"), BAD)
def test_bad_arguments_are_named(
    error: type[Exception], given_arrays: tuple[Any, ...], options: Options, message: str
) -> None:
    with pytest.raises(error, match=message):
        scaled_dot_product_attention(*given_arrays, **options)


@pytest.mark.parametrize(
    ("given_arrays", "causal", "message"),
    [
        ((q, k, v), False, r"K must have the leading axes of Q \(2, 6, 5, 3\), got shape \(2, 3, 7, 3\)"),
        ((k, k, v[:, :1]), False, r"V must have the leading axes of Q"),
        ((k, k, v[:, :, :5]), False, r"V must have shape \(2, 3, 7, 2\).*got \(2, 3, 5, 2\)"),
        ((k, k[:, :, :5], v[:, :, :5]), True, r"Q must have at most 5 queries when causal.*got \(2, 3, 7, 3\)"),
        ((k[0, 0, 0], k, v), True, r"Q must have shape \(\.\.\., Tq, d\), got shape \(3,\)"),
    ],
)
def test_batched_attention_names_bad_shapes(given_arrays: tuple[Any, ...], causal: bool, message: str) -> None:
    Q, K, V = given_arrays
    with pytest.raises(ValueError, match=message):
        batched_attention(Q, K, V, causal)
