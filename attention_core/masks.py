"""Who may look at whom."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attention_core.arguments import require_count

Alignment = Literal["top-left", "bottom-right"]


def causal_mask(queries: int, keys: int | None = None, align: Alignment = "top-left") -> NDArray[np.bool_]:
    """True where a query may see a key, that is, where the key does not come later.

    Top-left:      query i sees key j when j <= i.
    Bottom-right:  query i sees key j when j <= i + (keys - queries), so the last query sees every key.

    The two differ only when there are not as many keys as queries. PyTorch's scaled_dot_product_attention
    and JAX align top-left, FlashAttention from 2.1 on bottom-right, which is what a decoder with a cache needs.

    Args:
        queries: Tq, their number.
        keys: Tk, their number; as many as queries when not given.
        align: "top-left" or "bottom-right".

    Returns:
        (Tq, Tk), bool.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is below 1, or `align` is neither of the two.

    Sources: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.3 (no position sees a later one); PyTorch's
        documentation, torch.nn.attention.bias.CausalVariant (both alignments).
    """
    rows = require_count("queries", queries)
    columns = rows if keys is None else require_count("keys", keys)
    if align not in ("top-left", "bottom-right"):
        raise ValueError(f'align must be "top-left" or "bottom-right", got {align!r}')
    offset = columns - rows if align == "bottom-right" else 0
    return np.tri(rows, columns, k=offset, dtype=np.bool_)
