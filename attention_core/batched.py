"""Attention over a batch: the same computation for every sequence and head at once."""

from __future__ import annotations

from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_stack, require_length
from attention_core.scaled_dot_product import attention_output


def batched_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, causal: bool = False) -> FloatArray:
    """Scaled dot-product attention along the last two axes, whatever stands before them.

    O = softmax(Q Kᵀ / √d) V; when causal, query i sees key j where j <= i + (Tk - Tq)

    Tq queries, Tk keys and values, d query and key width, dv value width. The last query sees every key
    (bottom-right): the queries are the last Tq of Tk tokens, as in a decoder that keeps earlier keys and values.

    Args:
        Q: (..., Tq, d).
        K: (..., Tk, d), with the same leading axes.
        V: (..., Tk, dv), with the same leading axes.
        causal: whether later keys are hidden; then Tq <= Tk.

    Returns:
        O (..., Tq, dv), float64.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, a shape does not fit the others', or causal with Tq > Tk.

    Sources: Vaswani et al., "Attention Is All You Need", 2017, equation 1; Dao, "FlashAttention-2", 2023, whose
        release 2.1 aligns causal masks this way.
    """
    queries = as_stack("Q", Q, "(..., Tq, d)")
    keys = as_stack("K", K, "(..., Tk, d)")
    values = as_stack("V", V, "(..., Tk, dv)")
    for name, stack in (("K", keys), ("V", values)):
        if stack.shape[:-2] != queries.shape[:-2]:
            raise ValueError(f"{name} must have the leading axes of Q {queries.shape}, got shape {stack.shape}")
    require_length("V", values, values.ndim - 2, keys.shape[-2], f"the number of keys of K {keys.shape}")
    if causal and queries.shape[-2] > keys.shape[-2]:
        raise ValueError(
            f"Q must have at most {keys.shape[-2]} queries when causal, as K has keys, got {queries.shape}"
        )
    return attention_output(queries, keys, values, causal="bottom-right" if causal else None)
