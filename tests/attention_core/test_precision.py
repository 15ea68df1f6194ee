"""Rounding against PyTorch's own; and that the allowed error lets all right code through, and no named mistake."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
import torch

from attention_core import OPERATIONS, PRECISIONS, attention_gradients, causal_mask, scaled_dot_product_attention
from attention_core.precision import (
    ROUNDING,
    Precision,
    allowance,
    decode_bfloat16,
    encode,
    gradient_allowance,
    round_to,
    written_out,
    written_out_gradients,
)
from tests.attention_core.tensor_styles import STYLES

HALVES: tuple[Precision, ...] = ("float16", "bfloat16")
DTYPES = {name: getattr(torch, name) for name in PRECISIONS}
CASES = 40  # of each precision; of 3,000 of each, no style used more than 0.7 of what is allowed


class Case(NamedTuple):
    """Arrays of a precision's numbers, and "top-left", "bottom-right" or None."""

    Q: Any
    K: Any
    V: Any
    G: Any
    causal: Any


def tensor(array: Any, precision: Precision) -> Any:
    return torch.from_numpy(np.ascontiguousarray(array)).to(DTYPES[precision])


def numbers(tensor: Any) -> Any:
    return tensor.detach().double().numpy()


def every_float32(count: int = 200_000) -> Any:
    """Random bits, so every exponent, NaN and infinity too; and halves between neighbours of both half precisions."""
    bits = np.random.default_rng(1).integers(0, 2**32, count, dtype=np.uint32)
    ties = np.concatenate((bits & 0xFFFF0000 | 0x8000, bits & 0xFFFFE000 | 0x1000))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.99, 65520, 1e-8, 3e-8, 3.4e38], np.float32)
    return np.concatenate((special, bits.view(np.float32), ties.view(np.float32)))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_rounds_as_pytorch_does(precision: Precision) -> None:
    given = every_float32()
    expected = torch.from_numpy(given.copy()).to(DTYPES[precision]).float().numpy()
    rounded = round_to(given, precision)
    assert rounded.dtype == np.float32
    assert np.isnan(given).sum() > 100
    np.testing.assert_array_equal(rounded, expected)
    np.testing.assert_array_equal(np.signbit(rounded[~np.isnan(given)]), np.signbit(expected[~np.isnan(given)]))
    np.testing.assert_array_equal(round_to(rounded, precision), rounded)


def test_rounds_to_the_even_of_two_by_hand() -> None:
    # bfloat16 has 128 numbers from 1 to 2: 1 + 1/256 lies between 1 and 1 + 1/128, 1 + 3/256 between 1/128 and 2/128.
    assert round_to([1 + 1 / 256, 1 + 3 / 256, -1 - 1 / 256], "bfloat16").tolist() == [1.0, 1 + 2 / 128, -1.0]
    assert round_to([2049.0, 2051.0, 65520.0], "float16").tolist() == [2048.0, 2052.0, math.inf]
    assert round_to(1 / 3, "float32") == np.float32(1 / 3)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_bytes_are_those_of_pytorch(precision: Precision) -> None:
    given = np.random.default_rng(2).normal(size=(5, 7))[:, ::2]
    held = tensor(given, precision)
    raw = encode(given, precision)
    assert raw == held.reshape(-1).view(torch.uint8).numpy().tobytes()
    assert len(raw) == given.size * (4 if precision == "float32" else 2)


def test_every_bfloat16_is_decoded() -> None:
    bits = np.arange(2**16, dtype=np.uint16)
    expected = torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16).float().numpy()
    np.testing.assert_array_equal(decode_bfloat16(bits.tobytes()), expected)
    np.testing.assert_array_equal(decode_bfloat16(bits.reshape(256, 256)), expected.reshape(256, 256))
    finite = expected[np.isfinite(expected)]
    np.testing.assert_array_equal(decode_bfloat16(encode(finite, "bfloat16")), finite)


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (
            ValueError,
            lambda: round_to([1.0], cast(Any, "float8")),
            r"precision must be one of float32, .*, got 'float8'",
        ),
        (TypeError, lambda: encode(["a"], "float16"), r"array must hold real numbers"),
        (ValueError, lambda: round_to([], "float16"), r"array must not be empty"),
        (ValueError, lambda: decode_bfloat16(b"abc"), r"data must have two bytes a number, got 3 bytes"),
        (
            TypeError,
            lambda: decode_bfloat16(cast(Any, np.zeros(3))),
            r"data must be bytes or an array of uint16, got .*float64",
        ),
    ],
)
def test_bad_arguments_are_named(error: type[Exception], call: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def drawn(rng: np.random.Generator, precision: Precision) -> Case:
    """Q, K, V, G of any size, scale and offset that still mean something in the precision, and an alignment or None."""
    leading = [(), (2,), (2, 3)][rng.integers(3)]
    keys = int(rng.choice([1, 2, 3, 5, 7, 13, 31, 64, 127]))
    causal = [None, "top-left", "bottom-right"][rng.integers(3)]
    queries = keys if causal == "top-left" or rng.random() < 0.5 else int(rng.integers(1, keys + 1))
    width, value_width = (int(rng.choice([1, 2, 3, 8, 16, 64])) for _ in range(2))
    scale, size = rng.choice([0.1, 0.5, 1, 1, 2, 3]), rng.choice([0.01, 1, 1, 30])
    Q, K = (rng.normal(size=(*leading, count, width)) * scale for count in (queries, keys))
    V = rng.normal(size=(*leading, keys, value_width)) * size + rng.choice([0, 0, 0, 1, 5])
    G = rng.normal(size=(*leading, queries, value_width)) * rng.choice([0.1, 1, 3])
    return case_of(precision, Q, K, V, G, causal)


def case_of(precision: Precision, Q: Any, K: Any, V: Any, G: Any, causal: Any) -> Case:
    return Case(round_to(Q, precision), round_to(K, precision), round_to(V, precision), round_to(G, precision), causal)


def extreme(precision: Precision) -> Iterator[Case]:
    """What random cases do not reach."""
    rng = np.random.default_rng(3)

    def normal(*shape: int) -> Any:
        return rng.normal(size=shape)

    cases: list[tuple[Any, Any, Any, Any]] = [
        (normal(257, 64), normal(257, 64), normal(257, 64), "top-left"),
        (np.tile(normal(1, 8), (33, 1)), np.tile(normal(1, 8), (33, 1)), normal(33, 5), None),
        (normal(33, 8), normal(33, 8), np.full((33, 5), 0.3), "top-left"),
        (normal(33, 8) * 10, normal(33, 8) * 6, normal(33, 5), "top-left"),
        (normal(33, 8) * 50, normal(33, 8) * 50, normal(33, 5), "top-left"),
        (normal(4, 129, 8) * 30, normal(4, 129, 8) * 30, normal(4, 129, 5), None),
        (normal(127, 3) * 0.1, normal(127, 3) * 0.1, normal(127, 1) * 0.01 + 1, None),
        (normal(33, 8) * 1e-3, normal(33, 8) * 1e-3, normal(33, 5), "top-left"),
        (normal(33, 8), np.concatenate((normal(32, 8), np.full((1, 8), 9.0))), normal(33, 5) * 100, "top-left"),
        (normal(33, 8), normal(33, 8) + 20, normal(33, 5), None),
        (normal(33, 8), normal(33, 8), normal(33, 5) + 1000, None),
    ]
    for Q, K, V, causal in cases:
        yield case_of(precision, Q, K, V, normal(*Q.shape[:-1], V.shape[-1]) * 0.1, causal)


def exact(case: Case) -> tuple[Any, ...]:
    """Output and gradients in float64."""
    Q, K, V, G, causal = case
    output, _ = scaled_dot_product_attention(Q, K, V, causal=causal)
    return output, *attention_gradients(Q, K, V, G, causal=causal)


def allowed(case: Case, precision: Precision) -> tuple[Any, ...]:
    Q, K, V, G, causal = case
    way: tuple[bool, Any, Precision] = (causal is not None, causal or "top-left", precision)
    return allowance(Q, K, V, *way), *gradient_allowance(Q, K, V, G, *way)


def share_used(got: tuple[Any, ...], expected: tuple[Any, ...], permitted: tuple[Any, ...]) -> float:
    """The largest difference in units of what is allowed, of output and gradients together; NaN counts as infinite."""
    shares = [np.abs(a - b) / c for a, b, c in zip(got, expected, permitted, strict=True)]
    return max(float(np.nan_to_num(share, nan=np.inf).max()) for share in shares)


def in_style(name: str, case: Case, precision: Precision) -> tuple[Any, ...]:
    Q, K, V, G, causal = case
    q, k, v = (tensor(array, precision).requires_grad_() for array in (Q, K, V))
    visible = None if causal is None else torch.from_numpy(causal_mask(Q.shape[-2], K.shape[-2], causal))
    output = STYLES[name](q, k, v, visible)
    output.backward(tensor(G, precision))
    return tuple(numbers(each) for each in (output, q.grad, k.grad, v.grad))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_right_code_is_never_refused(precision: Precision) -> None:
    rng = np.random.default_rng(11)
    cases = [*(drawn(rng, precision) for _ in range(CASES)), *extreme(precision)]
    for case in cases:
        expected, permitted = exact(case), allowed(case, precision)
        for name in STYLES:
            used = share_used(in_style(name, case, precision), expected, permitted)
            assert used <= 1, f"{name}: {used:.2f} of the allowed error, shapes {[array.shape for array in case[:4]]}"


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_exact_answer_is_right_and_what_is_allowed_has_its_shape(precision: Precision) -> None:
    rng = np.random.default_rng(12)
    for _ in range(20):
        case = drawn(rng, precision)
        expected, permitted = exact(case), allowed(case, precision)
        assert [array.shape for array in permitted] == [array.shape for array in expected]
        assert all((array > 0).all() and np.isfinite(array).all() for array in permitted)
        assert share_used(tuple(round_to(array, precision) for array in expected), expected, permitted) <= 0.6


@pytest.mark.parametrize("precision", PRECISIONS)
def test_twice_and_eight_times_the_plain_computations_error_is_allowed(precision: Precision) -> None:
    rng = np.random.default_rng(13)
    for _ in range(20):
        case = drawn(rng, precision)
        Q, K, V, G, causal = case
        plain = (
            written_out(Q, K, V, causal, precision),
            *written_out_gradients(Q, K, V, G, causal, precision),
        )
        expected, permitted = exact(case), allowed(case, precision)
        for multiple, got, wanted, most in zip((2, 8, 8, 8), plain, expected, permitted, strict=True):
            assert (np.abs(got - wanted) * multiple <= most * (1 + 1e-12)).all()


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("causal", [None, "top-left", "bottom-right"])
def test_the_plain_computation_rounds_as_pytorch_does(precision: Precision, causal: Any) -> None:
    rng = np.random.default_rng(14)
    Q, K, V = (round_to(rng.normal(size=(3, 31, width)), precision) for width in (16, 16, 8))
    visible = None if causal is None else torch.from_numpy(causal_mask(31, 31, causal))
    q, k, v = (tensor(array, precision) for array in (Q, K, V))
    by_torch = numbers(STYLES["exponentials_by_hand"](q, k, v, visible))
    ours = written_out(Q, K, V, causal, precision)
    # Sums in another order, and exp in another library, may tip a number that lies halfway, and what follows from it.
    steps = np.abs(ours - by_torch) / np.abs(by_torch).max() / ROUNDING[precision]
    assert steps.max() <= 4
    if precision in HALVES:
        assert (steps == 0).mean() > 0.97


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_plain_gradients_are_as_far_off_as_pytorchs(precision: Precision) -> None:
    rng = np.random.default_rng(15)
    Q, K, V, G = (round_to(rng.normal(size=(5, 31, 16)), precision) for _ in range(4))
    expected = attention_gradients(Q, K, V, G, causal="top-left")
    ours = written_out_gradients(Q, K, V, G, "top-left", precision)
    by_torch = in_style("plain", Case(Q, K, V, G, "top-left"), precision)[1:]
    for one, other, right in zip(ours, by_torch, expected, strict=True):
        ratio = np.abs(one - right).mean() / np.abs(other - right).mean()
        assert 0.7 < ratio < 2


def test_rows_that_see_nothing_are_zeros_and_allow_next_to_nothing() -> None:
    rng = np.random.default_rng(16)
    Q, K, V = (round_to(rng.normal(size=shape), "bfloat16") for shape in ((7, 3), (5, 3), (5, 2)))
    assert not written_out(Q, K, V, "bottom-right", "bfloat16")[:2].any()
    permitted = allowance(Q, K, V, True, "bottom-right", "bfloat16")
    assert permitted[:2].max() < 1e-37
    assert permitted[2:].min() > 1e-4


def test_nothing_is_asked_where_a_score_leaves_the_range() -> None:
    Q, K, V = np.array([[1.0], [300.0]]), np.array([[1.0], [300.0]]), np.array([[1.0], [2.0]])
    permitted = allowance(Q, K, V, False, "top-left", "float16")  # 300 · 300 > 65,504
    assert np.isfinite(permitted[0]).all()
    assert np.isinf(permitted[1]).all()
    assert np.isfinite(allowance(Q, K, V, False, "top-left", "bfloat16")).all()


# On ordinary cases these are right, or right but for less than any precision shows: their own cases catch them.
HIDING = {"mask-fills-small", "max-over-everything"}


def ordinary(name: str, precision: Precision) -> Iterator[tuple[Any, Any, Any]]:
    """Of two widths, so that no typed-in constant is right, nor near it, for all."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        queries, keys, width = (5, 7, 3) if seed % 2 else (11, 13, 11)
        shapes = [(keys if name == "causal-attention" else queries, width), (keys, width), (keys, 2)]
        scales = (1.5, 1.5, 1)
        Q, K, V = (
            round_to(rng.normal(size=shape) * scale, precision) for shape, scale in zip(shapes, scales, strict=True)
        )
        yield Q, K, V


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", ["attention", "causal-attention"])
def test_every_named_mistake_is_refused_on_ordinary_cases(name: str, precision: Precision) -> None:
    causal: Any = "top-left" if name == "causal-attention" else None
    cases = [tuple(array.astype(np.float64) for array in case) for case in ordinary(name, precision)]
    rights = [scaled_dot_product_attention(*case, causal=causal)[0] for case in cases]
    permitted = [allowance(Q, K, V, causal is not None, "top-left", precision) for Q, K, V in cases]
    survivors, caught = set(), 0
    for variant in OPERATIONS[name].variants:
        differs, refused = False, False
        for case, right, most in zip(cases, rights, permitted, strict=True):
            try:
                with np.errstate(all="ignore"):
                    got = np.asarray(variant.function(*(array.copy() for array in case))[0])
            except (ValueError, IndexError, TypeError):
                got = np.empty(0)
            if got.shape != right.shape:
                differs = refused = True
                break
            off = np.abs(got - right)
            differs |= not (off <= ROUNDING[precision] * np.abs(right).max()).all()
            refused |= not (np.abs(round_to(got, precision) - right) <= most).all()
        caught += refused
        if differs and not refused and variant.mistake not in HIDING:
            survivors.add((variant.mistake, variant.name))
    assert not survivors
    assert caught > 100


def test_every_blocked_or_wrong_gradient_is_refused_on_ordinary_cases() -> None:
    rng = np.random.default_rng(17)
    for precision in PRECISIONS:
        shapes = ((2, 3, 11, 5), (2, 3, 11, 5), (2, 3, 11, 7), (2, 3, 11, 7))
        Q, K, V, G = (round_to(rng.normal(size=shape), precision).astype(np.float64) for shape in shapes)
        dQ, dK, dV = right = attention_gradients(Q, K, V, G, causal="top-left")
        permitted = gradient_allowance(Q, K, V, G, True, "top-left", precision)
        # The softmax taken for a constant factor: its mean is not subtracted.
        _, weights = scaled_dot_product_attention(Q, K, V, causal="top-left")
        sloped = weights * (G @ np.swapaxes(V, -1, -2)) / math.sqrt(5)
        wrong = {
            "q blocked": (0 * dQ, dK, dV),
            "k blocked": (dQ, 0 * dK, dV),
            "v blocked": (dQ, dK, 0 * dV),
            "scale forgotten in dQ": (dQ * math.sqrt(5), dK, dV),
            "scale forgotten in dK": (dQ, dK * math.sqrt(5), dV),
            "half of it": tuple(gradient / 2 for gradient in right),
            "sign": (-dQ, dK, dV),
            "of the wrong mask": attention_gradients(Q, K, V, G),
            "mean not subtracted": (sloped @ K, np.swapaxes(sloped, -1, -2) @ Q, dV),
            "NaN": (dQ, dK * np.nan, dV),
        }
        for name, gradients in wrong.items():
            assert share_used(gradients, right, permitted) > 1, (name, precision)
