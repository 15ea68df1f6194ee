"""The references on tensors: against the NumPy one, ONNX's cases, PyTorch's fused call, gradcheck, in every precision.

Each suite is a function of what it tests, and raises where that is wrong: so it can be shown to fail what is broken.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    PRECISIONS,
    attention_gradients,
    scaled_dot_product_attention,
)
from attention_core.precision import Precision, allowance, gradient_allowance
from attention_core.torch_attention import fused, gradients, to_array, to_tensor, visible_keys, written_out
from tests.attention_core import test_onnx as onnx_cases
from tests.attention_core import test_scaled_dot_product as numpy_cases
from tests.attention_core.test_scaled_dot_product import DV, PAST, SHARED, TK, TQ, B, D, H

Call = Callable[..., tuple[Any, Any]]  # as written_out: (output, weights)


def drawn(*shape: int, seed: int = 7) -> Any:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape))


def stacks(heads: int = H, queries: int = TQ) -> tuple[Any, Any, Any]:
    """q of 6 heads; k and v of so many."""
    return drawn(B, H, queries, D, seed=1), drawn(B, heads, TK, D, seed=2), drawn(B, heads, TK, DV, seed=3)


def tensors(options: dict[str, Any]) -> dict[str, Any]:
    return {
        name: torch.from_numpy(np.ascontiguousarray(value)) if isinstance(value, np.ndarray) else value
        for name, value in options.items()
    }


HIDDEN_ROW = torch.arange(TQ)[:, None] != 2
SOME = drawn(TQ, TK, seed=5) > -0.3
MASKS: dict[str, dict[str, Any]] = {
    "none": {},
    "boolean": {"mask": SOME},
    "boolean of each batch": {"mask": drawn(B, 1, 1, TK) > -0.5},
    "additive": {"mask": drawn(TQ, TK)},
    "additive with gaps": {"mask": drawn(TQ, TK).masked_fill(~SOME, -math.inf)},
    "a hidden row": {"mask": HIDDEN_ROW.expand(TQ, TK)},
    "a hidden row, added": {"mask": torch.zeros(TQ, TK).double().masked_fill(~HIDDEN_ROW, -math.inf)},
    "top-left": {"causal": "top-left"},
    "scale": {"scale": 0.3},
}
MORE: dict[str, dict[str, Any]] = {  # what the fused call does not take as such
    "bottom-right": {"causal": "bottom-right"},
    "bottom-right, boolean": {"causal": "bottom-right", "mask": SOME},
    "padding": {"key_lengths": torch.tensor([3, 7])},
    "nothing but padding": {"key_lengths": torch.tensor([0, 1])},
    "softcap": {"softcap": 0.8},
    "past": {
        "past_key": drawn(B, H, PAST, D, seed=8),
        "past_value": drawn(B, H, PAST, DV, seed=9),
        "causal": "top-left",
    },
}


def agrees_with_numpy(call: Call) -> None:
    """Every case of the NumPy reference's own tests, with shared heads too."""
    for name, case in numpy_cases.CASES.items():
        for heads in (1, SHARED, H):
            options = dict(case)
            for past in set(options) & {"past_key", "past_value"}:
                options[past] = np.concatenate([options[past]] * 2, axis=1)[:, :heads]
            q, k, v = stacks(heads)
            expected = scaled_dot_product_attention(*(each.numpy() for each in (q, k, v)), **options)
            got = call(q, k, v, **tensors(options))
            for one, other in zip(got, expected, strict=True):
                np.testing.assert_allclose(to_array(one), other, rtol=1e-12, atol=1e-13, err_msg=name)


def passes_onnx(call: Call) -> None:
    """All of ONNX's direct cases."""

    def adapted(Q: Any, K: Any, V: Any, **options: Any) -> tuple[Any, Any]:
        output, weights = call(
            *(torch.from_numpy(np.ascontiguousarray(each)) for each in (Q, K, V)), **tensors(options)
        )
        return output.numpy(), weights.numpy()

    failed = [case.name for case in onnx_cases.CASES if not onnx_cases.passes(case, adapted)]
    assert not failed, failed


def agrees_with_fused(call: Call) -> None:
    """PyTorch's fused call on a CPU, as PyTorch's users make it, in float64 and float32."""
    for dtype, near in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
        for name, options in MASKS.items():
            for heads in (SHARED, H):
                q, k, v = (each.to(dtype) for each in stacks(heads))
                mask = options.get("mask")
                mask = mask.to(dtype) if mask is not None and mask.dtype != torch.bool else mask
                expected = torch.nn.functional.scaled_dot_product_attention(
                    *(q, k, v),
                    attn_mask=mask,
                    is_causal="causal" in options,
                    scale=options.get("scale"),
                    enable_gqa=heads != H,
                )
                output, _ = call(q, k, v, **(options | {"mask": mask}))
                assert output.dtype == dtype
                np.testing.assert_allclose(to_array(output), to_array(expected), rtol=near, atol=near, err_msg=name)


def passes_gradcheck(call: Call) -> None:
    """PyTorch's comparison of gradients with finite differences, by q, k, v, and an additive mask."""
    for name, options in (MASKS | MORE).items():
        fitting = {key: small(value) for key, value in options.items()}
        inputs = [small(each).requires_grad_() for each in stacks()]
        assert torch.autograd.gradcheck(lambda q, k, v, given=fitting: call(q, k, v, **given)[0], inputs), name
    q, k, v = map(small, stacks())
    assert torch.autograd.gradcheck(lambda added: call(q, k, v, mask=added)[0], [drawn(TQ, TK).requires_grad_()])


def small(value: Any) -> Any:
    """Of a stack one batch, two heads and a width of three; of lengths or a mask that differ by batch, the first."""
    if not isinstance(value, torch.Tensor) or value.ndim in (0, 2):
        return value
    if value.ndim == 1 or value.shape[-1] == TK:
        return value[:1].clone()
    return value[:1, :2, :, :3].clone()


SUITES: dict[str, Callable[[Call], None]] = {
    suite.__name__: suite for suite in (agrees_with_numpy, passes_onnx, agrees_with_fused, passes_gradcheck)
}


@pytest.mark.parametrize("suite", SUITES)
def test_the_written_out_reference_passes(suite: str) -> None:
    SUITES[suite](written_out)


def unscaled(q: Any, k: Any, v: Any, **options: Any) -> tuple[Any, Any]:
    return written_out(q, k, v, **(options | {"scale": 1.0}))


def heads_tiled(q: Any, k: Any, v: Any, **options: Any) -> tuple[Any, Any]:
    groups = q.shape[-3] // k.shape[-3]
    for name in set(options) & {"past_key", "past_value"}:
        options[name] = None if options[name] is None else torch.cat([options[name]] * groups, dim=-3)
    return written_out(q, torch.cat([k] * groups, dim=-3), torch.cat([v] * groups, dim=-3), **options)


def aligned_bottom_right(q: Any, k: Any, v: Any, **options: Any) -> tuple[Any, Any]:
    return written_out(q, k, v, **(options | {"causal": options.get("causal") and "bottom-right"}))


def nan_where_nothing_is_seen(q: Any, k: Any, v: Any, **options: Any) -> tuple[Any, Any]:
    output, weights = written_out(q, k, v, **options)
    empty = (weights == 0).all(dim=-1, keepdim=True)
    return output.masked_fill(empty, math.nan), weights.masked_fill(empty, math.nan)


def detached_keys(q: Any, k: Any, v: Any, **options: Any) -> tuple[Any, Any]:
    return written_out(q, k.detach(), v, **options)


def detached_weights(q: Any, k: Any, v: Any, **options: Any) -> tuple[Any, Any]:
    _, weights = written_out(q, k, v, **options)
    past = options.get("past_value")
    values = v if past is None else torch.cat((past, v), dim=-2)
    if q.ndim > 2 and values.shape[-3] not in (1, q.shape[-3]):
        values = values.repeat_interleave(q.shape[-3] // values.shape[-3], dim=-3)
    return weights.detach() @ values, weights


VALUES = {"agrees_with_numpy", "passes_onnx", "agrees_with_fused"}
BROKEN: dict[str, tuple[Call, set[str]]] = {  # and the suites that see it
    "no scale": (unscaled, VALUES),
    "shared heads tiled": (heads_tiled, VALUES),
    "bottom-right": (aligned_bottom_right, VALUES),
    "NaN where nothing is seen": (nan_where_nothing_is_seen, {*VALUES, "passes_gradcheck"}),
    "keys detached": (detached_keys, {"passes_gradcheck"}),
    "weights detached": (detached_weights, {"passes_gradcheck"}),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_reference_fails(fault: str) -> None:
    call, expected = BROKEN[fault]
    failed = set()
    for name, suite in SUITES.items():
        try:
            suite(call)
        except (AssertionError, RuntimeError):  # gradcheck raises the latter
            failed.add(name)
    assert failed == expected


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        *((name, TQ) for name in (*MASKS, "bottom-right", "bottom-right, boolean")),
        ("top-left", TK),
        ("bottom-right", TK),
    ],
)
@pytest.mark.parametrize("heads", [1, SHARED, H])
def test_the_fused_reference_agrees(name: str, queries: int, heads: int) -> None:
    q, k, v = stacks(heads, queries)
    options = (MASKS | MORE)[name]
    arrays = {key: value.numpy() if isinstance(value, torch.Tensor) else value for key, value in options.items()}
    expected, _ = scaled_dot_product_attention(q.numpy(), k.numpy(), v.numpy(), **arrays)
    np.testing.assert_allclose(fused(q, k, v, **options).numpy(), expected, rtol=1e-11, atol=1e-12)


def test_an_additive_mask_and_causality_add_up_in_the_fused_reference() -> None:
    q, k, v = stacks()
    added = drawn(TQ, TK)
    for causal in ("top-left", "bottom-right"):
        expected, _ = written_out(q, k, v, mask=added, causal=causal)
        np.testing.assert_allclose(fused(q, k, v, mask=added, causal=causal), expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("call", [lambda *qkv, **options: written_out(*qkv, **options)[0], fused])
def test_in_each_precision_it_is_within_its_own_error(precision: Precision, call: Any) -> None:
    q, k, v, g = (to_tensor(drawn(2, 3, 31, width, seed=seed), precision) for seed, width in enumerate((16, 16, 8, 8)))
    Q, K, V, G = (to_array(each) for each in (q, k, v, g))
    before = [each.clone() for each in (q, k, v)]
    output = call(q, k, v, causal="top-left")
    assert output.dtype == q.dtype
    expected, _ = scaled_dot_product_attention(Q, K, V, causal="top-left")
    permitted = allowance(Q, K, V, True, "top-left", precision)
    assert (np.abs(to_array(output) - expected) <= permitted / 2).all()
    got = gradients(lambda *qkv: call(*qkv, causal="top-left"), q, k, v, g)
    limits = gradient_allowance(Q, K, V, G, True, "top-left", precision)
    for one, right, most in zip(got, attention_gradients(Q, K, V, G, causal="top-left"), limits, strict=True):
        assert one.dtype == q.dtype
        assert (np.abs(to_array(one) - right) <= most).all()
    assert all(torch.equal(each, kept) for each, kept in zip((q, k, v), before, strict=True))
    assert not q.requires_grad


def test_half_precision_is_rounded_once_only() -> None:
    q, k, v = (to_tensor(drawn(31, 16, seed=seed), "bfloat16") for seed in range(3))
    output, weights = written_out(q, k, v)
    exact, shares = scaled_dot_product_attention(*(to_array(each) for each in (q, k, v)))
    for got, right in ((output, exact), (weights, shares)):
        assert (np.abs(to_array(got) - right) <= 2.0**-8 * np.abs(right)).all()


def test_gradients_are_finite_where_nothing_is_seen() -> None:
    q, k, v = stacks()
    for options in (MASKS["a hidden row"], MASKS["a hidden row, added"], MORE["nothing but padding"]):
        got = gradients(lambda *qkv, given=options: written_out(*qkv, **given)[0], q, k, v, torch.ones(B, H, TQ, DV))
        assert all(torch.isfinite(each).all() for each in got)
    assert not got[0][0].any()


def test_keys_that_are_seen() -> None:
    q, k = torch.zeros(2, 3, 1), torch.zeros(2, 5, 1)
    assert visible_keys(q, k) is None
    corners: tuple[Any, ...] = ("top-left", "bottom-right")
    top, bottom = (visible_keys(q, k, causal=causal) for causal in corners)
    assert top is not None
    assert bottom is not None
    assert top.int().tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0]]
    assert bottom.int().tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    padded = visible_keys(q, k, causal="bottom-right", key_lengths=torch.tensor([5, 3]))
    assert padded is not None
    assert padded[1].int().tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0]]


q, k, v = stacks()


@pytest.mark.parametrize(
    ("error", "arrays", "options", "message"),
    [
        (TypeError, (q.numpy(), k, v), {}, r"q must be a tensor, got ndarray"),
        (TypeError, (q, k.float(), v), {}, r"k must hold torch.float64, as q does, got torch.float32"),
        (TypeError, (q.long(), k, v), {}, r"q must hold a floating-point dtype, as q does, got torch.int64"),
        (ValueError, (q, k, v.to("meta")), {}, r"v must be on cpu, as q is, got meta"),
        (ValueError, (q, k, v), {"past_key": k}, r"past_key and past_value must be given together"),
        (ValueError, (q, k, v), {"causal": True}, r'causal must be None, "top-left" or "bottom-right", got True'),
        (RuntimeError, (q, k[..., :2], v), {}, r"3.* 2|size"),
        (ValueError, (q, k[..., :0, :], v[..., :0, :]), {}, r"k must not be empty, got shape \(2, 6, 0, 11\)"),
        (ValueError, (q[:0], k, v), {}, r"q must not be empty, got shape \(0, 6, 5, 11\)"),
        (ValueError, (q[0, 0, 0], k, v), {}, r"q must have shape \(..., tokens, width\), got shape \(11,\)"),
        (ValueError, (q, k, v[0, 0]), {}, r"v must have shape \(2, 6, 7, 13\), to agree with k .*, got \(7, 13\)"),
        (TypeError, (q, k, None), {}, r"v must be a tensor, got NoneType"),
        (TypeError, (q, k, v), {"mask": SOME.tolist()}, r"mask must be a tensor, got list"),
        (TypeError, (q, k, v), {"mask": SOME.int()}, r"mask must be boolean or floating point, got dtype torch.int32"),
        (ValueError, (q, k, v), {"mask": SOME.to("meta")}, r"mask must be on cpu, as q is, got meta"),
        (ValueError, (q, k, v), {"mask": SOME / 0.0}, r"mask must be finite or -inf, got NaN or \+inf"),
        (ValueError, (q, k, v), {"scale": math.nan}, r"scale must be finite, got nan"),
        (TypeError, (q, k, v), {"scale": "1"}, r"scale must be a number, got str"),
    ],
)
def test_bad_arguments_are_named(error: type[Exception], arrays: Any, options: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        written_out(*arrays, **options)
    if "past_key" not in options and error is not RuntimeError:
        with pytest.raises(error, match=message):
            fused(*arrays, **options)


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (ValueError, {"mask": SOME.expand(2, 2, 6, TQ, TK)}, r"mask must be broadcastable to \(2, 6, 5, 7\), got"),
        (ValueError, {"mask": drawn(TK, TQ)}, r"mask must be broadcastable to \(2, 6, 5, 7\), got shape \(7, 5\)"),
        (ValueError, {"softcap": 0}, r"softcap must be above 0, got 0"),
        (TypeError, {"softcap": torch.tensor(1.0)}, r"softcap must be a number, got Tensor"),
        (TypeError, {"key_lengths": [3, 7]}, r"key_lengths must be a tensor, got list"),
        (TypeError, {"key_lengths": torch.ones(2)}, r"key_lengths must be whole numbers, got dtype (torch.)?float32"),
        (ValueError, {"key_lengths": torch.tensor([3, 8])}, r"key_lengths must be from 0 to 7, got 3 to 8"),
        (ValueError, {"key_lengths": torch.tensor([3, -1])}, r"key_lengths must be from 0 to 7, got -1 to 3"),
        (ValueError, {"key_lengths": torch.ones(3).int()}, r"key_lengths must have the shape of the first axes of"),
    ],
)
def test_bad_options_are_named_as_the_numpy_reference_names_them(
    error: type[Exception], options: Any, message: str
) -> None:
    with pytest.raises(error, match=message):
        written_out(q, k, v, **options)
    arrays = {name: value.numpy() for name, value in options.items() if isinstance(value, torch.Tensor)}
    if len(arrays) == len(options) and "softcap" not in options:
        with pytest.raises(error, match=message):
            scaled_dot_product_attention(q.numpy(), k.numpy(), v.numpy(), **arrays)


def test_lengths_may_differ_where_only_the_keys_have_a_batch() -> None:
    lengths = torch.tensor([3, 7, 1, 5, 6])  # as many as there are queries
    q, k, v = drawn(TQ, D, seed=1), drawn(5, TK, D, seed=2), drawn(5, TK, DV, seed=3)
    expected, _ = scaled_dot_product_attention(q.numpy(), k.numpy(), v.numpy(), key_lengths=lengths.numpy())
    np.testing.assert_allclose(to_array(written_out(q, k, v, key_lengths=lengths)[0]), expected, rtol=1e-12)


def test_no_gpu_is_touched_by_importing() -> None:
    program = "import attention_core.torch_attention, torch; print(torch.cuda.is_initialized())"
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, cwd=root, check=True
    )
    assert run.stdout == "False\n"
