"""What the playground begins with: a preset's words, numbers and switches, and its weights for a page without scripts.

The browser computes the same in static/js/attention.js; tests/browser/test_playground.py compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attention_core.arguments import FloatArray
from attention_core.attention import attention, causal_attention
from attention_core.worked_example import worked_example
from courses.figures.model import Table
from courses.figures.words import decimal

ROLES = {"Q": "query", "K": "key", "V": "value"}
OWN_WIDTH = 2  # at this width a word's numbers can be typed; at others they are made from its letters
SWITCHES = ("width", "causal", "scale", "temperature")
WORKED_EXAMPLE = "worked-example"
UINT32 = 0xFFFFFFFF


def play(preset: Mapping[str, Any]) -> tuple[dict[str, Any], Table]:
    """The state that a preset stands for, and its weights.

    Args:
        preset: either `example` (only "worked-example" is known) or `words`; at width 2 optionally `Q`, `K`, `V` of
            shape (words, 2); `width`, `causal`, `scale`, `temperature`.

    Raises:
        ValueError: the example is unknown.
    """
    state: dict[str, Any] = {"words": list(_words(preset)), **{name: preset[name] for name in SWITCHES}}
    matrices = _matrices(preset, state["words"])
    if state["width"] == OWN_WIDTH:
        state |= {name: matrix.tolist() for name, matrix in matrices.items()}
    return state, _table(state, matrices)


def weights(state: Mapping[str, Any], matrices: Mapping[str, FloatArray]) -> FloatArray:
    """(T, T): row i is what word i attends to. Leaving √d out, and a temperature, are the same as larger queries."""
    factor = (1 if state["scale"] else math.sqrt(state["width"])) / state["temperature"]
    compute = causal_attention if state["causal"] else attention
    return compute(matrices["Q"] * factor, matrices["K"], matrices["V"])[1]


def vector_of(word: str, role: str, width: int) -> list[float]:
    """`width` numbers made from a word's letters, as static/js/attention.js makes them: nothing here is learned.

    Whole numbers from -2 to 2 at width 2; else of mean 0 and variance 1.
    """
    random = _generator(f"{role}:{word.lower()}")
    if width == OWN_WIDTH:
        return [float(math.floor(next(random) * 5) - 2) for _ in range(width)]
    return [(next(random) * 2 - 1) * math.sqrt(3) for _ in range(width)]


def _generator(text: str) -> Iterator[float]:
    """Numbers in [0, 1): FNV-1a of the text to seed, mulberry32 to go on."""
    state = 0x811C9DC5
    for character in text:
        state = (state ^ ord(character)) * 0x01000193 & UINT32
    while True:
        state = (state + 0x6D2B79F5) & UINT32
        mixed = (state ^ (state >> 15)) * (state | 1) & UINT32
        mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) & UINT32
        yield (mixed ^ (mixed >> 14)) / 2**32


def _words(preset: Mapping[str, Any]) -> tuple[str, ...]:
    if preset["example"] is None:
        return tuple(preset["words"])
    if preset["example"] != WORKED_EXAMPLE:
        raise ValueError(f"the only example is {WORKED_EXAMPLE}, got {preset['example']!r}")
    return worked_example().words


def _matrices(preset: Mapping[str, Any], words: list[str]) -> dict[str, FloatArray]:
    if preset["example"] is not None:
        return {name: worked_example().matrix(name) for name in ROLES}
    made = {name: [vector_of(word, role, preset["width"]) for word in words] for name, role in ROLES.items()}
    return {name: np.array(preset[name] or made[name], dtype=np.float64) for name in ROLES}


def _table(state: Mapping[str, Any], matrices: Mapping[str, FloatArray]) -> Table:
    rows = tuple(
        (word, *map(decimal, row), decimal(row.sum()))
        for word, row in zip(state["words"], weights(state, matrices), strict=True)
    )
    return Table("Weights: a row for each query, a column for each key", ("query", *state["words"], "sum"), rows)
