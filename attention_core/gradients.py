"""What learning needs: how much each number of Q, K and V moves the output, the softmax's own slope included."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_stack
from attention_core.masks import Alignment
from attention_core.scaled_dot_product import scaled_dot_product_attention


def attention_gradients(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, cotangent: ArrayLike, *, causal: Alignment | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gradients of L = Σ G ∘ O, O the output of attention and G, the cotangent, how much each of its numbers counts.

    With P the weights:  dV = Pᵀ G,  dP = G Vᵀ,  dS = P ∘ (dP − rowsum(P ∘ dP)),  dQ = dS K / √d,  dK = dSᵀ Q / √d

    Tq queries, Tk keys and values, d query and key width, dv value width.

    Args:
        Q: (..., Tq, d).
        K: (..., Tk, d), with the same leading axes.
        V: (..., Tk, dv), with the same leading axes.
        cotangent: G (..., Tq, dv), as the output.
        causal: None, "top-left" or "bottom-right", as in scaled_dot_product_attention.

    Returns:
        dQ, dK and dV, float64, each of the shape of its array. A query that sees no key moves nothing: its row of dQ
        is 0.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, a shape does not fit the others', or causal is none of the three.

    Source: Dao et al., "FlashAttention", 2022, appendix B.2 (memory-efficient backward pass).
    """
    queries = as_stack("Q", Q, "(..., Tq, d)")
    keys = as_stack("K", K, "(..., Tk, d)")
    values = as_stack("V", V, "(..., Tk, dv)")
    weighing = as_stack("cotangent", cotangent, "(..., Tq, dv)")
    for name, stack in (("K", keys), ("V", values)):
        if stack.shape[:-2] != queries.shape[:-2]:
            raise ValueError(f"{name} must have the leading axes of Q {queries.shape}, got shape {stack.shape}")
    output, weights = scaled_dot_product_attention(queries, keys, values, causal=causal)
    if weighing.shape != output.shape:
        raise ValueError(f"cotangent must have shape {output.shape}, as the output has, got {weighing.shape}")
    by_weights = weighing @ np.swapaxes(values, -1, -2)
    mean = np.sum(weights * by_weights, axis=-1, keepdims=True)
    by_scores = weights * (by_weights - mean) / math.sqrt(queries.shape[-1])
    return by_scores @ keys, np.swapaxes(by_scores, -1, -2) @ queries, np.swapaxes(weights, -1, -2) @ weighing
