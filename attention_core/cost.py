"""What attention costs when every score is stored: the square of the context length."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.arguments import require_count

BYTES_PER_MEGABYTE = 1_000_000
LESSON_CONTEXT_LENGTHS = (512, 2_048, 8_192, 32_768, 131_072)


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one context length: `n` tokens, `pairs` of one head and layer, `megabytes` (10⁶ bytes) in all."""

    n: int
    pairs: int
    megabytes: float


def attention_cost(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[int, float]:
    """Scores to compute, and the memory it takes to store them all.

    pairs = n²,  megabytes = pairs · bytes_per_score · heads · layers / 10⁶

    Args:
        n: context length in tokens.
        bytes_per_score: 2 for half precision.
        heads: attention heads of a layer.
        layers: layers of the model.

    Returns:
        pairs, a Python int, for one head of one layer; megabytes, a float, for all heads and layers.

    Raises:
        TypeError: an argument is no int.
        ValueError: an argument is below 1.

    Source: Dao et al., "FlashAttention", 2022, section 2.2 (the n × n matrix that the plain computation stores).
    """
    tokens = require_count("n", n)
    size = require_count("bytes_per_score", bytes_per_score)
    copies = require_count("heads", heads) * require_count("layers", layers)
    pairs = tokens * tokens
    return pairs, pairs * size * copies / BYTES_PER_MEGABYTE


def lesson_costs() -> tuple[Cost, ...]:
    """The lesson's table: one half-precision score a pair, one head, one layer."""
    return tuple(Cost(n, *attention_cost(n)) for n in LESSON_CONTEXT_LENGTHS)
