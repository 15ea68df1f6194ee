"""PyTorch's own samples of scaled_dot_product_attention, those without dropout, against both references.

The suite is a function of what it tests, so that it can be shown to fail what is broken.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db

from attention_core import causal_mask, scaled_dot_product_attention
from attention_core.torch_attention import to_array, written_out

Call = Callable[..., Any]  # (q, k, v, mask=…, causal=…) -> output, on tensors

((OPERATION),) = [each for each in op_db if each.name == "nn.functional.scaled_dot_product_attention"]
SAMPLES = [
    sample
    for sample in OPERATION.sample_inputs("cpu", torch.float64, requires_grad=False)
    if not sample.kwargs.get("dropout_p")
]
READ = {"attn_mask", "is_causal", "dropout_p"}


def passes(sample: Any, call: Call) -> bool:
    """Whether a call gives what PyTorch's own gives for a sample, in float64."""
    assert set(sample.kwargs) <= READ
    q, (k, v) = sample.input, sample.args
    expected = OPERATION.op(q, k, v, **sample.kwargs)
    mask, causal = sample.kwargs.get("attn_mask"), "top-left" if sample.kwargs["is_causal"] else None
    got = call(q, k, v, mask=mask, causal=causal)
    return got.shape == expected.shape and np.allclose(to_array(got), to_array(expected), rtol=1e-11, atol=1e-12)


def by_numpy(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    arrays = [to_array(each) for each in (q, k, v)]
    output, _ = scaled_dot_product_attention(*arrays, mask=None if mask is None else to_array(mask), causal=causal)
    return torch.from_numpy(output)


def by_torch(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return written_out(q, k, v, mask=mask, causal=causal)[0]


def test_no_sample_is_lost() -> None:
    assert len(SAMPLES) == 13
    kinds = [(sample.kwargs["is_causal"], "attn_mask" in sample.kwargs, sample.input.ndim) for sample in SAMPLES]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        (True, False, 3): 4,
        (False, False, 3): 4,
        (True, False, 4): 2,
        (False, False, 4): 2,
        (False, True, 4): 1,
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{tuple(sample.input.shape)}".replace(" ", ""))
@pytest.mark.parametrize("call", [by_numpy, by_torch])
def test_sample(call: Call, sample: Any) -> None:
    assert passes(sample, call)


def unscaled(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return written_out(q, k, v, mask=mask, causal=causal, scale=1.0)[0]


def aligned_bottom_right(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return written_out(q, k, v, mask=mask, causal=causal and "bottom-right")[0]


def never_causal(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return written_out(q, k, v, mask=mask)[0]


def without_mask(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return written_out(q, k, v, causal=causal)[0]


def over_queries(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    scores = q @ k.mT / math.sqrt(q.shape[-1]) + (0 if mask is None else mask)
    if causal:
        scores = scores.masked_fill(~torch.from_numpy(causal_mask(q.shape[-2], k.shape[-2])), -1e30)
    return torch.softmax(scores, dim=-2) @ v


def in_float32(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return by_torch(q.float(), k.float(), v.float(), mask, causal).double()


def cut_short(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = None) -> Any:
    return by_torch(q, k, v, mask, causal)[..., :1, :]  # would broadcast


BROKEN: dict[str, tuple[Call, int]] = {  # and how many of the 13 it still passes
    "no scale": (unscaled, 0),
    "bottom-right": (aligned_bottom_right, 7),
    "no causality": (never_causal, 7),
    "no mask": (without_mask, 12),
    "softmax over queries": (over_queries, 0),
    "lower precision": (in_float32, 0),
    "one row": (cut_short, 0),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_reference_fails_them(fault: str) -> None:
    call, left = BROKEN[fault]
    assert sum(passes(sample, call) for sample in SAMPLES) == left
