"""The exercise batched-attention: attention(Q, K, V, causal=False) -> output, with any leading axes."""

from __future__ import annotations

from attention_core.batched import batched_attention
from attention_core.mistakes import assembly, behaviour
from attention_core.operation import Arguments, Operation
from attention_core.operations import batches
from attention_core.worked_example import worked_example


def worked() -> Arguments:
    """Matrices, and no flag."""
    example = worked_example()
    return {name: example.matrix(name).copy() for name in ("Q", "K", "V")}


BATCHED_ATTENTION = Operation(
    name="batched-attention",
    entry="attention",
    signature="attention(Q, K, V, causal=False)",
    returns=("output",),
    reference=batched_attention,
    draw=batches.draw,
    default_sizes=batches.SIZES,
    worked=worked,
    extremes=batches.EXTREMES,
    diagnosis=batches.diagnosis,
    variants=assembly.batched_attention(),
    fit=assembly.fit_bottom_right,
    weighing=batches.weighing,
    behaviours=behaviour.BATCHED,
)
