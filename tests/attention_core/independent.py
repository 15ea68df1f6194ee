"""Attention once more, in plain Python floats and loops: shares no line with what it is compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence

Matrix = Sequence[Sequence[float]]


def product(left: Matrix, right: Matrix) -> list[list[float]]:
    columns = list(zip(*right, strict=True))
    return [[math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def scores(Q: Matrix, K: Matrix) -> list[list[float]]:
    return [
        [math.fsum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query)) for key in K] for query in Q
    ]


def softmax_row(row: Sequence[float]) -> list[float]:
    largest = max(row)
    if largest == -math.inf:
        return [0.0] * len(row)
    powers = [math.exp(score - largest) for score in row]
    return [power / math.fsum(powers) for power in powers]


def attention(Q: Matrix, K: Matrix, V: Matrix, causal: bool = False) -> tuple[list[list[float]], list[list[float]]]:
    weights = []
    for i, row in enumerate(scores(Q, K)):
        visible = row[: i + 1] if causal else row
        weights.append(softmax_row(visible) + [0.0] * (len(row) - len(visible)))
    return product(weights, V), weights
