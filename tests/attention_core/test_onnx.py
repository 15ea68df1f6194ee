"""ONNX's own conformance cases of its Attention operator, all that onnx states directly, against our reference.

What only ONNX defines (heads folded into the width, output modes, masks that end early, windows) is adapted here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.backend.test.case.node import _NodeTestCases as node_cases
from onnx.backend.test.case.node import attention as attention_cases

from attention_core import attention_scores, merge_heads, scaled_dot_product_attention, split_heads

Call = Callable[..., tuple[Any, Any]]


@dataclass(frozen=True)
class Case:
    """One case: inputs, attributes and expected outputs by their names in the operator."""

    name: str
    inputs: dict[str, Any]
    attributes: dict[str, Any]
    expected: dict[str, Any]


INPUTS = [formal.name for formal in onnx.defs.get_schema("Attention").inputs]
OUTPUTS = [formal.name for formal in onnx.defs.get_schema("Attention").outputs]
READ = {
    *("is_causal", "scale", "softcap", "q_num_heads", "kv_num_heads", "qk_matmul_output_mode"),
    *("left_window_size", "right_window_size", "softmax_precision"),
}


def _given(formal: list[str], actual: Any, arrays: Any) -> dict[str, Any]:
    """Arrays by formal name; an optional argument left out has the name "" and no array."""
    present = [name for name, used in zip(formal, actual, strict=False) if used]
    return dict(zip(present, arrays, strict=True))


def _cases() -> list[Case]:
    assert attention_cases.Attention.__name__ == "Attention"  # importing it is what fills the list of cases
    cases = []
    for case in node_cases:
        if "_expanded" in case.name or case.model.graph.node[0].op_type != "Attention":
            continue
        ((inputs, outputs),) = case.data_sets
        node = case.model.graph.node[0]
        attributes = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        cases.append(
            Case(case.name, _given(INPUTS, node.input, inputs), attributes, _given(OUTPUTS, node.output, outputs))
        )
    return cases


CASES = _cases()


def window(queries: int, keys: int, offset: Any, left: int, right: int) -> Any:
    """(..., Tq, Tk), True where key j is at most `left` before and `right` after position offset + i; -1: no bound."""
    distance = np.arange(keys) - (np.arange(queries)[:, None] + offset)
    return (distance >= -left if left >= 0 else True) & (distance <= right if right >= 0 else True)


def mask_of(case: Case, queries: int, keys: int, past: int, lengths: Any) -> Any:
    """The case's mask up to the last key, with its window in it; None where it has neither."""
    mask = case.inputs.get("attn_mask")
    if mask is not None:
        mask = mask if mask.dtype == np.bool_ else mask.astype(np.float64)
        hidden = False if mask.dtype == np.bool_ else -np.inf
        missing = [(0, 0)] * (mask.ndim - 1) + [(0, keys - mask.shape[-1])]
        mask = np.pad(mask, missing, constant_values=hidden)
    left, right = (case.attributes.get(f"{side}_window_size", -1) for side in ("left", "right"))
    if left < 0 and right < 0:
        return mask
    offset = past if lengths is None else (lengths - queries)[:, None, None, None]
    within = window(queries, keys, offset, left, right)
    if mask is None:
        return within
    return within & mask if mask.dtype == np.bool_ else np.where(within, mask, -np.inf)


def answer(case: Case, call: Call = scaled_dot_product_attention) -> dict[str, Any]:
    """Every output the operator has, in float64."""
    assert set(case.attributes) <= READ
    arrays = {name: case.inputs[name].astype(np.float64) for name in case.inputs if name[:2] in ("Q", "K", "V", "pa")}
    Q, K, V = arrays["Q"], arrays["K"], arrays["V"]
    folded = Q.ndim == 3
    if folded:
        shared = case.attributes["kv_num_heads"]
        Q, K, V = split_heads(Q, case.attributes["q_num_heads"]), split_heads(K, shared), split_heads(V, shared)
    past_key, past_value = arrays.get("past_key"), arrays.get("past_value")
    past = 0 if past_key is None else past_key.shape[-2]
    lengths = case.inputs.get("nonpad_kv_seqlen")
    alignment = "top-left" if lengths is None else "bottom-right"
    options = {
        "mask": mask_of(case, Q.shape[-2], past + K.shape[-2], past, lengths),
        "causal": alignment if case.attributes.get("is_causal") else None,
        "key_lengths": lengths,
        "scale": case.attributes.get("scale"),
        "softcap": case.attributes.get("softcap"),
        "past_key": past_key,
    }
    output, weights = call(Q, K, V, past_value=past_value, **options)
    return {
        "Y": merge_heads(output) if folded else output,
        "present_key": K if past_key is None else np.concatenate((past_key, K), axis=-2),
        "present_value": V if past_value is None else np.concatenate((past_value, V), axis=-2),
        "qk_matmul_output": looked_into(case.attributes.get("qk_matmul_output_mode", 0), Q, K, weights, options),
    }


def looked_into(mode: int, Q: Any, K: Any, weights: Any, options: dict[str, Any]) -> Any:
    """The scores at one of three stages, or the weights."""
    stages = [
        ("scale", "past_key"),
        ("scale", "past_key", "softcap"),
        ("scale", "past_key", "softcap", "mask", "causal", "key_lengths"),
    ]
    return weights if mode == 3 else attention_scores(Q, K, **{name: options[name] for name in stages[mode]})


def passes(case: Case, call: Call = scaled_dot_product_attention) -> bool:
    got = answer(case, call)
    for name, expected in case.expected.items():
        if got[name].shape != expected.shape:
            return False
        # Rounded as the expected output is: half a step of float16 alone can be near the tolerance.
        rounded = got[name].astype(expected.dtype).astype(np.float64)
        rtol = 1e-2 if expected.dtype.name == "bfloat16" else 1e-3
        if not np.allclose(rounded, expected.astype(np.float64), rtol=rtol, atol=1e-7):
            return False
    return True


def test_no_case_is_lost() -> None:
    assert onnx.__version__ == "1.23.2"  # other versions have other cases, and some earlier ones other rules
    assert len(CASES) == len({case.name for case in CASES}) == 93
    kinds = [case.inputs["Q"].dtype.name for case in CASES]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"float32": 82, "float16": 6, "bfloat16": 5}
    assert all("Y" in case.expected for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    assert passes(case)


def without(name: str) -> Call:
    return lambda *arrays, **options: scaled_dot_product_attention(*arrays, **(options | {name: None}))


def unscaled(*arrays: Any, **options: Any) -> tuple[Any, Any]:
    return scaled_dot_product_attention(*arrays, **(options | {"scale": 1.0}))


def aligned_at(corner: str) -> Call:
    def call(*arrays: Any, **options: Any) -> tuple[Any, Any]:
        return scaled_dot_product_attention(*arrays, **(options | {"causal": options["causal"] and corner}))

    return call


def inverted(*arrays: Any, **options: Any) -> tuple[Any, Any]:
    mask = options["mask"]
    flipped = ~mask if mask is not None and mask.dtype == np.bool_ else mask
    return scaled_dot_product_attention(*arrays, **(options | {"mask": flipped}))


def mean_where_nothing_is_seen(Q: Any, K: Any, V: Any, **options: Any) -> tuple[Any, Any]:
    _, weights = scaled_dot_product_attention(Q, K, V, **options)
    weights = np.where(weights.any(axis=-1, keepdims=True), weights, 1 / weights.shape[-1])
    past = options.pop("past_value")
    values = V if past is None else np.concatenate((past, V), axis=-2)
    return weights @ np.repeat(values, Q.shape[-3] // V.shape[-3], axis=-3), weights


def heads_tiled(Q: Any, K: Any, V: Any, **options: Any) -> tuple[Any, Any]:
    groups = Q.shape[-3] // K.shape[-3]
    for name in ("past_key", "past_value"):
        options[name] = None if options[name] is None else np.concatenate([options[name]] * groups, axis=-3)
    K, V = (np.concatenate([stack] * groups, axis=-3) for stack in (K, V))
    return scaled_dot_product_attention(Q, K, V, **options)


BROKEN: dict[str, Call] = {
    "no scale": unscaled,
    "no cap": without("softcap"),
    "no mask": without("mask"),
    "mask inverted": inverted,
    "no causality": without("causal"),
    "padding seen": without("key_lengths"),
    "always bottom-right": aligned_at("bottom-right"),
    "always top-left": aligned_at("top-left"),
    "mean where nothing is seen": mean_where_nothing_is_seen,
    "shared heads tiled": heads_tiled,
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_reference_fails_some_case(fault: str) -> None:
    assert not all(passes(case, BROKEN[fault]) for case in CASES)
