"""Every computed number that the lesson's text names, written as the text shows it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from attention_core.cost import LESSON_CONTEXT_LENGTHS, attention_cost
from attention_core.softmax import softmax
from attention_core.worked_example import WORDS, worked_example
from courses.figures.who_sees_whom import equal_scores_weights, fraction
from courses.figures.widths import spread_at
from courses.figures.words import GLUE, decimal, grouped, megabytes, percent, short, vector

Number = Callable[[], str | float]

THE, CAT, SAT, DOWN = range(4)
WIDE = 128  # the width from which the lesson calls vectors wide


def _vectors() -> dict[str, Number]:
    return {
        "query-the": lambda: vector(worked_example().Q[THE]),
        "query-cat": lambda: vector(worked_example().Q[CAT]),
        "query-sat": lambda: vector(worked_example().Q[SAT]),
        "key-sat": lambda: vector(worked_example().K[SAT]),
        "key-down": lambda: vector(worked_example().K[DOWN]),
    }


def _matches() -> dict[str, Number]:
    return {
        "score-sat-sat": lambda: short(worked_example().products[SAT, SAT]),
        "score-cat-the": lambda: short(worked_example().products[CAT, THE]),
        "score-cat-down": lambda: short(worked_example().products[CAT, DOWN]),
        "scaled-sat-sat": lambda: decimal(worked_example().scores[SAT, SAT]),
        "scaled-cat-the": lambda: decimal(worked_example().scores[CAT, THE]),
        "sat-share-the": lambda: percent(worked_example().weights[SAT, THE]),
        "sat-share-cat": lambda: percent(worked_example().weights[SAT, CAT]),
        "sat-share-sat": lambda: percent(worked_example().weights[SAT, SAT]),
        "weight-cat-down": lambda: decimal(worked_example().weights[CAT, DOWN]),
    }


def _softmax() -> dict[str, Number]:
    """Shares of the scores 0, 1 and 2, and where the exponential of a float64 ends."""
    shares: dict[str, Number] = {f"softmax-of-{score}": partial(_share_of_three, score) for score in range(3)}
    return {**shares, "exp-limit": lambda: decimal(math.log(np.finfo(np.float64).max))}


def _share_of_three(score: int) -> str:
    return percent(softmax(np.arange(3.0))[score])


def _widths() -> dict[str, Number]:
    return {
        "spread-at-128": lambda: decimal(math.sqrt(WIDE), 1),
        "exp-spread-at-128": lambda: grouped(float(f"{math.exp(math.sqrt(WIDE)):.2g}")),
        "largest-share-128": lambda: percent(spread_at(WIDE).shares[0]),
        "largest-share-scaled-128": lambda: percent(spread_at(WIDE).scaled_shares[0]),
        "slope-sat": lambda: decimal(_slope(float(worked_example().weights[SAT, SAT]))),
        "slope-9999": lambda: decimal(_slope(0.9999), 4),
    }


def _slope(share: float) -> float:
    """The derivative of a share with respect to its own score."""
    return share * (1 - share)


def _causal_row(index: int) -> str:
    return f"[{GLUE.join(fraction(share) for share in equal_scores_weights()[index])}]"


def _pairs(n: int) -> str:
    return grouped(attention_cost(n)[0])


def _memory(n: int) -> str:
    return megabytes(attention_cost(n)[1])


# What is worked out on paper, all in the row of *the*: names, each with its matrix and its column.
ON_PAPER: dict[str, tuple[str, int]] = {
    **{
        f"paper-{kind}-{word}": (matrix, column)
        for kind, matrix in (("score", "products"), ("scaled", "scores"), ("weight", "weights"))
        for column, word in enumerate(WORDS)
    },
    "paper-output-first": ("output", 0),
    "paper-output-second": ("output", 1),
}


def _on_paper(matrix: str, column: int) -> float:
    """A number of the row of *the*, unrounded: what a learner's own is compared with."""
    return float(worked_example().matrix(matrix)[THE, column])


def _paper() -> dict[str, Number]:
    return {
        "paper-scaled-1": lambda: decimal(worked_example().scores[THE, CAT]),
        "paper-scaled-2": lambda: decimal(worked_example().scores[THE, SAT]),
        "paper-exp-1": lambda: decimal(worked_example().exponentials[THE, CAT]),
        "paper-exp-2": lambda: decimal(worked_example().exponentials[THE, SAT]),
        **{name: partial(_on_paper, matrix, column) for name, (matrix, column) in ON_PAPER.items()},
    }


def _quizzes() -> dict[str, Number]:
    """What numeric quizzes expect, and what the wrong numbers that they explain come from."""
    longer, shorter = 32_768, 8_192
    return {
        "quiz-pairs-growth": lambda: attention_cost(longer)[0] / attention_cost(shorter)[0],
        "quiz-length-growth": lambda: longer / shorter,
        "quiz-share-of-three": lambda: float(equal_scores_weights()[SAT, THE]),
        "quiz-share-unmasked": lambda: float(softmax(np.zeros(len(WORDS)))[THE]),
        "quiz-share-without-itself": lambda: float(softmax(np.zeros(SAT))[THE]),
    }


NUMBERS: dict[str, Number] = {
    **_vectors(),
    **_matches(),
    **_softmax(),
    **_widths(),
    **{f"causal-row-{index + 1}": partial(_causal_row, index) for index in range(len(WORDS))},
    **{f"pairs-{n}": partial(_pairs, n) for n in LESSON_CONTEXT_LENGTHS},
    **{f"mb-{n}": partial(_memory, n) for n in LESSON_CONTEXT_LENGTHS},
    **_paper(),
    **_quizzes(),
}
