"""The gradable operations, by the slug of their exercise: reference, cases and known mistakes of each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attention_core.operation import Operation
from attention_core.operations.attention import ATTENTION
from attention_core.operations.attention_cost import ATTENTION_COST
from attention_core.operations.causal_attention import CAUSAL_ATTENTION
from attention_core.operations.qkv_projections import QKV_PROJECTIONS
from attention_core.operations.scaled_scores import SCALED_SCORES
from attention_core.operations.softmax import SOFTMAX

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        operation.name: operation
        for operation in (QKV_PROJECTIONS, SCALED_SCORES, SOFTMAX, ATTENTION, CAUSAL_ATTENTION, ATTENTION_COST)
    }
)

__all__ = ["OPERATIONS"]
