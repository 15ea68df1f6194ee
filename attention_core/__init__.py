"""Attention in plain NumPy: references, the lesson's worked example, the cost model, named mistakes, comparison.

    >>> from attention_core import attention, worked_example
    >>> example = worked_example()
    >>> output, weights = attention(example.Q, example.K, example.V)
    >>> weights.round(2)[2].tolist()
    [0.12, 0.25, 0.51, 0.12]

Needs NumPy and nothing else, so what computes on PyTorch's tensors, `attention_core.torch_attention`, is imported by
that name. Every reference computes in float64 and changes none of its arguments.
"""

from attention_core.attention import attention, causal_attention
from attention_core.batched import batched_attention
from attention_core.cache import Cache, start, step
from attention_core.comparison import ATOL, RAISED, RTOL, Difference, compare, same_result, scale_of
from attention_core.cost import LESSON_CONTEXT_LENGTHS, Cost, attention_cost, lesson_costs
from attention_core.diagnosis import Diagnosis, diagnosis_of, outcome
from attention_core.gradients import attention_gradients
from attention_core.heads import merge_heads, multi_head_attention, split_heads
from attention_core.masks import Alignment, causal_mask
from attention_core.mistakes import MISTAKES, Mistake
from attention_core.operation import Arguments, Operation, Variant
from attention_core.operations import OPERATIONS
from attention_core.precision import PRECISIONS, Precision, allowance, gradient_allowance, round_to
from attention_core.projections import project
from attention_core.scaled_dot_product import attention_output, attention_scores, scaled_dot_product_attention
from attention_core.scores import scaled_scores
from attention_core.softmax import softmax
from attention_core.tiles import tiled_attention
from attention_core.worked_example import Cell, Step, WorkedExample, steps, worked_example, written

__all__ = [
    "ATOL",
    "LESSON_CONTEXT_LENGTHS",
    "MISTAKES",
    "OPERATIONS",
    "PRECISIONS",
    "RAISED",
    "RTOL",
    "Alignment",
    "Arguments",
    "Cache",
    "Cell",
    "Cost",
    "Diagnosis",
    "Difference",
    "Mistake",
    "Operation",
    "Precision",
    "Step",
    "Variant",
    "WorkedExample",
    "allowance",
    "attention",
    "attention_cost",
    "attention_gradients",
    "attention_output",
    "attention_scores",
    "batched_attention",
    "causal_attention",
    "causal_mask",
    "compare",
    "diagnosis_of",
    "gradient_allowance",
    "lesson_costs",
    "merge_heads",
    "multi_head_attention",
    "outcome",
    "project",
    "round_to",
    "same_result",
    "scale_of",
    "scaled_dot_product_attention",
    "scaled_scores",
    "softmax",
    "split_heads",
    "start",
    "step",
    "steps",
    "tiled_attention",
    "worked_example",
    "written",
]
