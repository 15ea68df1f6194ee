"""The gradable operations, by the slug of their exercise: reference, cases and known mistakes of each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attention_core.operation import Operation
from attention_core.operations.attention import ATTENTION
from attention_core.operations.attention_cost import ATTENTION_COST
from attention_core.operations.batched_attention import BATCHED_ATTENTION
from attention_core.operations.causal_attention import CAUSAL_ATTENTION
from attention_core.operations.gpu_attention import GPU_ATTENTION
from attention_core.operations.kv_cache import KV_CACHE
from attention_core.operations.multi_head_attention import MULTI_HEAD_ATTENTION
from attention_core.operations.qkv_projections import QKV_PROJECTIONS
from attention_core.operations.scaled_scores import SCALED_SCORES
from attention_core.operations.softmax import SOFTMAX
from attention_core.operations.tiled_attention import TILED_ATTENTION
from attention_core.operations.torch_attention import TORCH_ATTENTION

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        operation.name: operation
        for operation in (
            QKV_PROJECTIONS,
            SCALED_SCORES,
            SOFTMAX,
            ATTENTION,
            CAUSAL_ATTENTION,
            ATTENTION_COST,
            BATCHED_ATTENTION,
            TORCH_ATTENTION,
            MULTI_HEAD_ATTENTION,
            KV_CACHE,
            TILED_ATTENTION,
            GPU_ATTENTION,
        )
    }
)

__all__ = ["OPERATIONS"]
