"""Samples of mistakes of behaviour on tensors: each shows its own mistake, and is right otherwise."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch

from attention_core.mistakes import torch_behaviour
from attention_core.operation import Variant
from attention_core.operations.torch_attention import TORCH_ATTENTION, draw
from attention_core.torch_attention import to_tensor

Tensor = Any
SIZES = {"Tq": 5, "Tk": 7, "d": 11, "dv": 3}
RIGHT_OTHERWISE = {"gradient-blocked", "device-moved", "mutates-input"}


def tensors(device: str = "cpu", *, leaves: bool = False) -> list[Tensor]:
    arguments = draw(np.random.default_rng(3), SIZES)
    made = [to_tensor(arguments[name], "float64").to(device) for name in "qkv"]
    return [each.requires_grad_() for each in made] if leaves else made


def exact(is_causal: bool) -> Tensor:
    q, k, v = (each.numpy() for each in tensors())
    return torch.from_numpy(TORCH_ATTENTION.reference(q, k, v, is_causal))


def samples(*mistakes: str) -> list[Any]:
    return [
        pytest.param(sample, id=f"{sample.mistake}, {sample.name}")
        for sample in torch_behaviour.SAMPLES
        if sample.mistake in mistakes
    ]


def gradients(sample: Variant) -> list[Tensor | None]:
    leaves = tensors(leaves=True)
    output = sample.function(*leaves)
    return list(torch.autograd.grad(output.sum(), leaves, allow_unused=True)) if output.requires_grad else [None] * 3


def test_importing_them_needs_no_torch() -> None:
    code = "import sys, attention_core.mistakes.torch_behaviour; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("is_causal", [False, True])
def test_what_they_spoil_is_right(is_causal: bool) -> None:
    q, k, v = tensors()
    torch.testing.assert_close(torch_behaviour.attention(q, k, v, is_causal), exact(is_causal))
    right = Variant("", "right", torch_behaviour.attention)
    assert all(gradient is not None and gradient.any() for gradient in gradients(right))


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("sample", samples(*RIGHT_OTHERWISE))
def test_their_numbers_are_right(sample: Variant, is_causal: bool) -> None:
    torch.testing.assert_close(sample.function(*tensors(), is_causal), exact(is_causal))


@pytest.mark.parametrize("sample", samples("gradient-blocked"))
def test_a_gradient_does_not_come_through(sample: Variant) -> None:
    if sample.name == "by way of NumPy":
        with pytest.raises(RuntimeError, match="requires grad"):
            gradients(sample)
    else:
        assert None in gradients(sample)


@pytest.mark.parametrize("sample", samples("device-moved"))
def test_tensors_of_two_devices_meet_or_one_is_copied(sample: Variant) -> None:
    """A mask only where there is one, an output always."""
    if sample.name.startswith("output"):
        for causal in (False, True):
            with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
                sample.function(*tensors("meta"), causal)
        return
    assert sample.function(*tensors("meta")).device.type == "meta"
    with pytest.raises(RuntimeError, match="device"):
        sample.function(*tensors("meta"), True)


@pytest.mark.parametrize("sample", samples("mutates-input"))
def test_an_argument_is_changed(sample: Variant) -> None:
    given, kept = tensors(), tensors()
    sample.function(*given)
    assert not all(torch.equal(one, other) for one, other in zip(given, kept, strict=True))


@pytest.mark.parametrize("sample", samples("lower-precision", "rounded"))
def test_digits_are_lost_and_the_dtype_is_not(sample: Variant) -> None:
    output = sample.function(*tensors())
    assert output.dtype == torch.float64
    assert 1e-9 < float((output - exact(False)).abs().max()) < 1e-2


@pytest.mark.parametrize("sample", samples("wrong-shape", "wrong-dtype", "not-an-array", "nan-result"))
def test_the_result_is_of_another_kind(sample: Variant) -> None:
    q, k, v = (each.float() for each in tensors()) if sample.name == "float64" else tensors()
    output = sample.function(q, k, v)
    match sample.mistake:
        case "not-an-array":
            assert not isinstance(output, torch.Tensor)
        case "wrong-shape":
            assert output.shape != exact(False).shape
        case "wrong-dtype":
            assert output.dtype != q.dtype
        case _:
            assert output.isnan().all()
