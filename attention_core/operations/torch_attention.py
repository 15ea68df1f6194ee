"""The exercise torch-attention: attention(q, k, v, is_causal=False) -> output, of tensors with any leading axes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_stack
from attention_core.mistakes import assembly, torch_behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations import batches
from attention_core.operations.batches import Extreme, Stack
from attention_core.scaled_dot_product import attention_output
from attention_core.worked_example import worked_example

NAMES = ("q", "k", "v", "is_causal")


def top_left_attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, is_causal: bool = False) -> FloatArray:
    """What PyTorch's scaled_dot_product_attention(q, k, v, is_causal=is_causal) gives, in float64 arrays.

    O = softmax(q kᵀ / √d) v; when causal, query i sees key j where j <= i

    Tq queries, Tk keys and values, d query and key width, dv value width.

    Args:
        q: (..., Tq, d).
        k: (..., Tk, d), with the same leading axes.
        v: (..., Tk, dv), with the same leading axes.
        is_causal: whether later keys are hidden, counted from the first query and the first key.

    Returns:
        O (..., Tq, dv), float64.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, or a shape does not fit the others'.

    Source: PyTorch 2.13, documentation of torch.nn.functional.scaled_dot_product_attention.
    """
    queries = as_stack("q", q, "(..., Tq, d)")
    for name, value, dimensions in (("k", k, "(..., Tk, d)"), ("v", v, "(..., Tk, dv)")):
        stack = as_stack(name, value, dimensions)
        if stack.shape[:-2] != queries.shape[:-2]:
            raise ValueError(f"{name} must have the leading axes of q {queries.shape}, got shape {stack.shape}")
    return attention_output(q, k, v, causal="top-left" if is_causal else None)


def renamed(case: Arguments) -> Arguments:
    """The arguments by PyTorch's names; the flag may be missing."""
    return dict(zip(NAMES, case.values(), strict=False))


def renaming(extreme: Extreme) -> Extreme:
    return lambda rng: [renamed(case) for case in extreme(rng)]


def draw(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Not causal, of sizes Tq, Tk, d and dv, before them B and H where they are given."""
    return renamed(batches.draw(rng, sizes, scale))


def worked() -> Arguments:
    """Matrices, and no flag."""
    example = worked_example()
    return renamed({name: example.matrix(name).copy() for name in ("Q", "K", "V")})


def cross(rng: np.random.Generator) -> list[Arguments]:
    """More queries than keys, of which the last see everything, and far fewer, which never see the last keys."""
    return [*Stack(Tq=7, Tk=5).both(rng), *Stack(Tq=3, Tk=11).both(rng)]


def diagnosis() -> list[Arguments]:
    """The cases of batched-attention."""
    return [renamed(case) for case in batches.diagnosis()]


def weighing() -> Arguments:
    return renamed(batches.weighing())


EXTREMES: Mapping[str, Extreme] = {
    name: renaming(extreme) for name, extreme in {**batches.EXTREMES, "cross": cross}.items()
}

TORCH_ATTENTION = Operation(
    name="torch-attention",
    entry="attention",
    signature="attention(q, k, v, is_causal=False)",
    returns=("output",),
    reference=top_left_attention,
    draw=draw,
    default_sizes=batches.SIZES,
    worked=worked,
    extremes=EXTREMES,
    diagnosis=diagnosis,
    variants=assembly.torch_attention(),
    fit=assembly.fit_top_left,
    framework="torch",
    weighing=weighing,
    behaviours=torch_behaviour.SAMPLES,
)
