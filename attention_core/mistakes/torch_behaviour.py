"""Mistakes of behaviour on PyTorch's tensors: right numbers that are cut off from the gradient, or are elsewhere.

As in `behaviour`, the checks that measure them name them, and these are samples for showing that an exercise's checks
do: functions of real tensors, which have gradients, a dtype and a device. PyTorch is imported when one is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from attention_core.mistakes.mistake import Mistake
from attention_core.operation import Variant

Tensor = Any  # torch.Tensor, which this module must not need before one of its functions is called
Function = Callable[..., Any]


def attention(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    """softmax(q kᵀ / √d) v along the last two axes, in the precision of its arguments; what the samples spoil.

    Args:
        q: (..., Tq, d).
        k: (..., Tk, d).
        v: (..., Tk, dv).
        is_causal: whether later keys are hidden, counted from the first query and the first key.

    Returns:
        (..., Tq, dv), of q's dtype and on its device.
    """
    return unscaled(q / math.sqrt(q.shape[-1]), k, v, is_causal)


def unscaled(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False, device: Any = None) -> Tensor:
    """The same for queries that are scaled already. `device`: where the mask is made, if not where q is."""
    import torch

    scores = q @ k.mT
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=device or q.device).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, dim=-1) @ v


def with_arguments(change: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]) -> Function:
    def changed(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
        return attention(*change(q, k, v), is_causal)

    return changed


def with_output(change: Callable[[Tensor], Any]) -> Function:
    def changed(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Any:
        return change(attention(q, k, v, is_causal))

    return changed


def without_gradients(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    import torch

    with torch.no_grad():
        return attention(q, k, v, is_causal)


def by_way_of_numpy(tensor: Tensor) -> Tensor:
    """Raises where a gradient is wanted, which is where it would be lost."""
    import torch

    return torch.from_numpy(tensor.double().numpy()).to(tensor.dtype)


def in_precision(name: str) -> Function:
    """Computed in another dtype, and given back in that of the arguments."""

    def lowered(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
        import torch

        dtype = getattr(torch, name)
        return attention(q.to(dtype), k.to(dtype), v.to(dtype), is_causal).to(q.dtype)

    return lowered


def mask_on_the_cpu(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    return unscaled(q / math.sqrt(q.shape[-1]), k, v, is_causal, device="cpu")


def triangle_added_from_the_cpu(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    import torch

    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if is_causal:
        scores = scores + torch.full(scores.shape[-2:], -math.inf, dtype=q.dtype).triu(1)
    return torch.softmax(scores, dim=-1) @ v


def scaling_in_place(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    """`q /= √d`: right results and a changed q; PyTorch refuses it where q's gradient is wanted."""
    q /= math.sqrt(q.shape[-1])
    return unscaled(q, k, v, is_causal)


def cleaning_up(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    output = attention(q, k, v, is_causal)
    v.zero_()
    return output


def written_into_the_cpu(q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> Tensor:
    """Rows of the output, put into a tensor for which no device was given."""
    import torch

    exact = attention(q, k, v, is_causal)
    output = torch.zeros(exact.shape, dtype=exact.dtype)
    for row in range(q.shape[-2]):
        output[..., row, :] = exact[..., row, :]
    return output


SAMPLES = (
    Variant("gradient-blocked", "queries detached", with_arguments(lambda q, k, v: (q.detach(), k, v))),
    Variant("gradient-blocked", "values' data", with_arguments(lambda q, k, v: (q, k, v.data))),
    Variant("gradient-blocked", "output detached", with_output(lambda output: output.detach())),
    Variant("gradient-blocked", "no_grad", without_gradients),
    Variant("gradient-blocked", "by way of NumPy", with_output(by_way_of_numpy)),
    Variant("device-moved", "mask on the CPU", mask_on_the_cpu),
    Variant("device-moved", "triangle added from the CPU", triangle_added_from_the_cpu),
    Variant("device-moved", "output for the CPU", written_into_the_cpu),
    Variant("device-moved", "output to the CPU", with_output(lambda output: output.cpu())),
    Variant("lower-precision", "float32", in_precision("float32")),
    Variant("lower-precision", "float16", in_precision("float16")),
    Variant("rounded", "two decimals", with_output(lambda output: output.round(decimals=2))),
    Variant("rounded", "four decimals", with_output(lambda output: output.round(decimals=4))),
    Variant("mutates-input", "q scaled in place", scaling_in_place),
    Variant("mutates-input", "cleaned up", cleaning_up),
    Variant("wrong-shape", "an axis too many", with_output(lambda output: output[None])),
    Variant("wrong-shape", "flat", with_output(lambda output: output.flatten())),
    Variant("wrong-dtype", "float32", with_output(lambda output: output.float())),
    Variant("wrong-dtype", "float64", with_output(lambda output: output.double())),
    Variant("not-an-array", "lists", with_output(lambda output: output.tolist())),
    Variant("not-an-array", "NumPy", with_output(lambda output: output.detach().numpy())),
    Variant("nan-result", "NaN throughout", with_output(lambda output: output * math.nan)),
)

DESCRIPTIONS = (
    Mistake(
        "gradient-blocked",
        "torch",
        "The gradient does not come through",
        "Your output is right, and no gradient flows back from it to q, k or v: something is detached, computed under "
        "no_grad, or taken out of PyTorch on the way.",
        "Tests that look at results only.",
    ),
    Mistake(
        "device-moved",
        "torch",
        "Something made or left on another device",
        "You made a tensor, or left the result, on another device than the arguments'; use device=q.device and move "
        "nothing.",
        "Tests that run on a CPU only.",
    ),
)
