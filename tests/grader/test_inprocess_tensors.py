"""Functions of tensors, judged in this process as a session would judge them."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from attention_core.gradients import attention_gradients
from attention_core.mistakes import torch_behaviour
from attention_core.operations import OPERATIONS
from attention_core.operations.torch_attention import top_left_attention
from courses.package.exercises import load_exercise
from grader import judging
from grader.checks.values import Precision, Tensor, decode, encode, encode_tensor
from grader.gate import run_gate
from grader.inprocess_tensors import TensorSandbox
from grader.wire import Call, CallResult, Limits, Outcome

EXERCISE = load_exercise(Path(__file__).resolve().parents[2] / "courses" / "content" / "exercises" / "torch-attention")
RNG = np.random.default_rng(5)
Q, K, V = (RNG.standard_normal(shape) for shape in ((2, 3, 5), (2, 7, 5), (2, 7, 4)))
COTANGENT = RNG.standard_normal((2, 3, 4))


def called(function: Any, dtype: Precision = "float64", device: str = "cpu", **options: Any) -> CallResult:
    arguments = (*(encode_tensor(each, dtype, device) for each in (Q, K, V)), encode(True))
    with TensorSandbox(function).open("", limits=Limits()) as session:
        assert session.load("attention").outcome is Outcome.RETURNED
        return session.call(Call("attention", arguments, **options))


def array(value: Any) -> np.ndarray:
    decoded = decode(value)
    assert isinstance(decoded, Tensor)
    return decoded.array


def test_values_and_gradients_are_those_of_the_function() -> None:
    result = called(torch_behaviour.attention, cotangent=encode_tensor(COTANGENT, "float64"), arguments_back=True)
    assert result.outcome is Outcome.RETURNED
    np.testing.assert_allclose(array(result.value), top_left_attention(Q, K, V, True))
    expected = attention_gradients(Q, K, V, COTANGENT, causal="top-left")
    for got, wanted in zip(result.gradients, expected, strict=True):
        np.testing.assert_allclose(array(got), wanted, atol=1e-12)
    for got, sent in zip(result.arguments[:3], (Q, K, V), strict=True):
        np.testing.assert_array_equal(array(got), sent)
    assert "SoftmaxBackward0" in result.graph


@pytest.mark.parametrize(("dtype", "device"), [("bfloat16", "cpu"), ("float32", "meta")])
def test_a_tensor_comes_as_it_was_sent(dtype: Precision, device: str) -> None:
    seen: list[tuple[torch.dtype, str]] = []

    def attention(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
        seen.append((q.dtype, q.device.type))  # type: ignore[attr-defined]
        return torch_behaviour.attention(q, k, v, is_causal)  # type: ignore[no-any-return]

    back = decode(called(attention, dtype, device).value)  # type: ignore[arg-type]
    assert isinstance(back, Tensor)
    assert seen == [(getattr(torch, dtype), device)]
    assert (back.dtype, back.device, back.array.shape) == (dtype, device, (2, 3, 4))


def test_what_a_function_raises_is_told() -> None:
    result = called(torch_behaviour.mask_on_the_cpu, device="meta")
    assert result.outcome is Outcome.RAISED
    assert result.error is not None
    assert "device" in result.error.message


# ---- The gate -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "survivors"),
    [
        ("", set()),
        ("gradient", {"gradient-blocked"}),
        ("device", {"device-moved"}),
        ("unchanged", {"mutates-input"}),
    ],
)
def test_the_gate_refuses_an_exercise_that_lets_a_sample_pass(
    kind: str, survivors: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its variants, which have nothing to do with it and are many."""
    operation = replace(OPERATIONS["torch-attention"], variants=())
    monkeypatch.setattr(judging, "OPERATIONS", {**OPERATIONS, "torch-attention": operation})
    exercise = copy.deepcopy(EXERCISE.compiled)
    exercise["spec"]["checks"] = [check for check in exercise["spec"]["checks"] if check["kind"] != kind]
    errors = run_gate(exercise, EXERCISE, None, seeds=(1,)).errors
    told = [error for error in errors if "is failed by nothing" not in error]
    assert {error.split()[1] for error in told} == survivors
