"""The gradients against numbers worked by hand, finite differences, and PyTorch's differentiation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from attention_core import attention_gradients, causal_mask, scaled_dot_product_attention

CORNERS = (None, "top-left", "bottom-right")
SIZES = {"more keys": (5, 7), "more queries": (7, 5), "as many": (7, 7), "one query": (1, 7), "one key": (7, 1)}


def drawn(*shape: int, seed: int = 7) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def case(queries: int, keys: int, leading: tuple[int, ...] = ()) -> list[Any]:
    """Q, K, V and G with d = 3 and dv = 2."""
    shapes = [(queries, 3), (keys, 3), (keys, 2), (queries, 2)]
    return [drawn(*leading, *shape, seed=seed) for seed, shape in enumerate(shapes)]


def test_of_two_keys_by_hand() -> None:
    # P = (1/2, 1/2), dP = (1, 0), dS = (1/4, -1/4); q = 0 gives the keys nothing.
    dQ, dK, dV = attention_gradients([[0.0]], [[1.0], [-1.0]], [[1.0], [0.0]], [[1.0]])
    assert dQ.tolist() == [[0.5]]
    assert dK.tolist() == [[0.0], [0.0]]
    assert dV.tolist() == [[0.5], [0.5]]


def test_the_scale_by_hand() -> None:
    # The same with d = 4: dQ is halved, and q = (0, 0, 0, 0) keeps the weights at 1/2.
    dQ, _, _ = attention_gradients(np.zeros((1, 4)), [[1, 2, 3, 4], [-1, -2, -3, -4]], [[1.0], [0.0]], [[1.0]])
    assert dQ.tolist() == [[0.25, 0.5, 0.75, 1.0]]


@pytest.mark.parametrize("causal", CORNERS)
@pytest.mark.parametrize("sizes", SIZES)
def test_by_finite_differences(sizes: str, causal: Any) -> None:
    Q, K, V, G = case(*SIZES[sizes])

    def loss() -> float:
        return float(np.sum(G * scaled_dot_product_attention(Q, K, V, causal=causal)[0]))

    for array, gradient in zip((Q, K, V), attention_gradients(Q, K, V, G, causal=causal), strict=True):
        assert gradient.shape == array.shape
        for index in np.ndindex(*array.shape):
            kept, step = array[index], 1e-5
            array[index] = kept + step
            above = loss()
            array[index] = kept - step
            below = loss()
            array[index] = kept
            assert gradient[index] == pytest.approx((above - below) / (2 * step), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("leading", [(), (3,), (2, 3), (1, 1, 2)])
@pytest.mark.parametrize("causal", CORNERS)
def test_is_what_pytorch_differentiates(causal: Any, leading: tuple[int, ...]) -> None:
    arrays = case(5, 7, leading)
    before = [array.copy() for array in arrays]
    q, k, v = (torch.from_numpy(array.copy()).requires_grad_() for array in arrays[:3])
    mask = None if causal is None else torch.from_numpy(causal_mask(5, 7, causal))
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    output.backward(torch.from_numpy(arrays[3]))
    for tensor, gradient in zip((q, k, v), attention_gradients(*arrays, causal=causal), strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), rtol=1e-11, atol=1e-13)
    assert all((array == kept).all() for array, kept in zip(arrays, before, strict=True))


def test_a_query_that_sees_nothing_moves_nothing() -> None:
    Q, K, V, G = case(7, 5)
    dQ, dK, dV = attention_gradients(Q, K, V, G, causal="bottom-right")
    assert not dQ[:2].any()
    later = attention_gradients(Q[2:], K, V, G[2:], causal="bottom-right")
    for got, expected in zip((dQ[2:], dK, dV), later, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-15)


q, k, v, g = case(5, 7, (2,))


@pytest.mark.parametrize(
    ("error", "arrays", "causal", "message"),
    [
        (ValueError, (q[0, 0], k, v, g), None, r"Q must have shape \(\.\.\., Tq, d\), got shape \(3,\)"),
        (ValueError, (q, k[0], v, g), None, r"K must have the leading axes of Q \(2, 5, 3\), got shape \(7, 3\)"),
        (ValueError, (q, k, v[:1], g), None, r"V must have the leading axes of Q \(2, 5, 3\), got shape \(1, 7, 2\)"),
        (ValueError, (q, k[..., :2], v, g), None, r"K must have shape \(2, 7, 3\), .* got \(2, 7, 2\)"),
        (ValueError, (q, k, v[:, :5], g), None, r"V must have shape \(2, 7, 2\), .* got \(2, 5, 2\)"),
        (ValueError, (q, k, v, g[:1]), None, r"cotangent must have shape \(2, 5, 2\), .* got \(1, 5, 2\)"),
        (TypeError, (q, k, v, g.astype(str)), None, r"cotangent must hold real numbers, got dtype <U"),
        (ValueError, (q, k, v, g), True, r'causal must be None, "top-left" or "bottom-right", got True'),
    ],
)
def test_bad_arguments_are_named(error: type[Exception], arrays: Any, causal: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        attention_gradients(*arrays, causal=causal)
