"""Wrong accounts of what attention costs: functions (n, bytes_per_score, heads, layers) -> (pairs, megabytes)."""

from __future__ import annotations

from attention_core.mistakes.mistake import Mistake
from attention_core.operation import Variant

Pair = tuple[int | float, int | float]


def all_linear(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n, n * bytes_per_score * heads * layers / 1e6


def pairs_linear_only(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n, n * n * bytes_per_score * heads * layers / 1e6


def memory_linear_only(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n, n * bytes_per_score * heads * layers / 1e6


def doubled(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    """`n * 2` for `n ** 2`."""
    return n * 2, n * 2 * bytes_per_score * heads * layers / 1e6


def triangle_with_diagonal(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    pairs = n * (n + 1) // 2
    return pairs, pairs * bytes_per_score * heads * layers / 1e6


def triangle_without_diagonal(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    pairs = n * (n - 1) // 2
    return pairs, pairs * bytes_per_score * heads * layers / 1e6


def half_the_square(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n // 2, n * n // 2 * bytes_per_score * heads * layers / 1e6


def exact_half_the_square(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n / 2, n * n / 2 * bytes_per_score * heads * layers / 1e6


def pairs_of_the_triangle_only(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * (n - 1) // 2, n * n * bytes_per_score * heads * layers / 1e6


def pairs_of_the_triangle_with_diagonal_only(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * (n + 1) // 2, n * n * bytes_per_score * heads * layers / 1e6


def memory_of_the_triangle_only(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n, n * (n - 1) // 2 * bytes_per_score * heads * layers / 1e6


def memory_of_the_triangle_with_diagonal_only(
    n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1
) -> Pair:
    return n * n, n * (n + 1) // 2 * bytes_per_score * heads * layers / 1e6


def mebibytes(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n, n * n * bytes_per_score * heads * layers / 2**20


def times_eight(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n, n * n * bytes_per_score * 8 * heads * layers / 1e6


def divided_by_eight(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n, n * n * bytes_per_score / 8 * heads * layers / 1e6


def heads_forgotten(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:  # noqa: ARG001
    return n * n, n * n * bytes_per_score * layers / 1e6


def layers_forgotten(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:  # noqa: ARG001
    return n * n, n * n * bytes_per_score * heads / 1e6


def both_forgotten(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:  # noqa: ARG001
    return n * n, n * n * bytes_per_score / 1e6


def swapped(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Pair:
    return n * n * bytes_per_score * heads * layers / 1e6, n * n


COSTS = (
    Variant("pairs-linear", "n throughout", all_linear),
    Variant("pairs-linear", "n pairs, memory of n²", pairs_linear_only),
    Variant("pairs-linear", "n² pairs, memory of n", memory_linear_only),
    Variant("pairs-linear", "2n", doubled),
    Variant("pairs-triangle", "n(n+1)/2", triangle_with_diagonal),
    Variant("pairs-triangle", "n(n-1)/2", triangle_without_diagonal),
    Variant("pairs-triangle", "n²/2", half_the_square),
    Variant("pairs-triangle", "n²/2, not rounded", exact_half_the_square),
    Variant("pairs-triangle", "n(n-1)/2 pairs, memory of n²", pairs_of_the_triangle_only),
    Variant("pairs-triangle", "n(n+1)/2 pairs, memory of n²", pairs_of_the_triangle_with_diagonal_only),
    Variant("pairs-triangle", "n² pairs, memory of n(n-1)/2", memory_of_the_triangle_only),
    Variant("pairs-triangle", "n² pairs, memory of n(n+1)/2", memory_of_the_triangle_with_diagonal_only),
    Variant("mebibytes", "÷2²⁰", mebibytes),
    Variant("bits-for-bytes", "×8", times_eight),
    Variant("bits-for-bytes", "÷8", divided_by_eight),
    Variant("heads-or-layers-forgotten", "no heads", heads_forgotten),
    Variant("heads-or-layers-forgotten", "no layers", layers_forgotten),
    Variant("heads-or-layers-forgotten", "neither", both_forgotten),
    Variant("results-swapped", "megabytes, pairs", swapped),
)

DESCRIPTIONS = (
    Mistake(
        "pairs-linear",
        "cost",
        "Pairs in proportion to the length",
        "You let cost grow in proportion to n; every token is paired with every token, so pairs are n².",
        "One token.",
    ),
    Mistake(
        "pairs-triangle",
        "cost",
        "Half of the pairs counted",
        "You counted each pair of tokens once, half of the matrix of scores; both orders count, so there are n² pairs.",
        "One token, where the diagonal is counted whole.",
    ),
    Mistake(
        "mebibytes",
        "cost",
        "Divided by 2²⁰",
        "You divided by 1,048,576, which gives mebibytes; a megabyte here is 1,000,000 bytes.",
        "Nowhere.",
    ),
    Mistake(
        "bits-for-bytes",
        "cost",
        "Bits taken for bytes",
        "You multiplied or divided by 8, as if converting bits; bytes_per_score already is in bytes.",
        "Nowhere.",
    ),
    Mistake(
        "heads-or-layers-forgotten",
        "cost",
        "Heads or layers left out",
        "You left heads or layers out of the memory; every head of every layer stores its own scores.",
        "One head and one layer.",
    ),
)
