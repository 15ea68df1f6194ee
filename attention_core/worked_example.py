"""The lesson's worked example: four words, small whole numbers, and every arithmetic step on the way to the output.

`worked_example()` holds the matrices. `steps()` is the way from x to the output as data: one arithmetic
operation a step, in order. The row of *sat* is done number by number; what happens to the other rows in the
same way is one step each time. A page that steps through it shows, after step k, the cells that the first k
steps wrote (`written(k)`), and marks the cells that step k reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from attention_core.arguments import FloatArray
from attention_core.attention import attention
from attention_core.projections import project
from attention_core.scores import scaled_scores

WORDS = ("the", "cat", "sat", "down")
DETAILED = 2  # the row of "sat"


@dataclass(frozen=True)
class WorkedExample:
    """The matrices of the example, read-only. T = 4 words, D = 3, d = dv = 2.

    `products` is QKᵀ, `scores` QKᵀ/√d, `exponentials` exp(scores), `totals` (T, 1) their row sums.
    """

    words: tuple[str, ...]
    x: FloatArray
    Wq: FloatArray
    Wk: FloatArray
    Wv: FloatArray
    Q: FloatArray
    K: FloatArray
    V: FloatArray
    products: FloatArray
    scores: FloatArray
    exponentials: FloatArray
    totals: FloatArray
    weights: FloatArray
    output: FloatArray

    def matrix(self, name: str) -> FloatArray:
        """The matrix called `name`, as steps and cells name it."""
        if name not in MATRIX_NAMES:
            raise KeyError(f"matrix must be one of {', '.join(MATRIX_NAMES)}, got {name!r}")
        matrix: FloatArray = getattr(self, name)
        return matrix


GIVEN = ("x", "Wq", "Wk", "Wv")
COMPUTED = ("Q", "K", "V", "products", "scores", "exponentials", "totals", "weights", "output")
MATRIX_NAMES = GIVEN + COMPUTED


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of one matrix; row and column count from 0."""

    matrix: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Step:
    """One arithmetic step.

    `stage` is one of STAGES. `expression` is the sum to do, as text with the operands' values in it, such as
    "0·0 + 1·1 + 1·0". `operands` are the values it starts from and `results` what it comes to, in the order
    of `reads` and `writes`. A step with `row` None treats all rows other than the detailed one at once; its
    expression is then a formula.
    """

    id: str
    stage: str
    title: str
    expression: str
    operands: tuple[float, ...]
    results: tuple[float, ...]
    reads: tuple[Cell, ...]
    writes: tuple[Cell, ...]
    row: int | None


STAGES = ("project", "score", "scale", "softmax", "blend")


@cache
def worked_example() -> WorkedExample:
    """The lesson's numbers: the four given matrices, and all that follows from them by the references."""
    x = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], dtype=np.float64)
    Wq = np.array([[0, 1], [1, 0], [0, 1]], dtype=np.float64)
    Wk = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float64)
    Wv = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float64)
    Q, K, V = project(x, Wq, Wk, Wv)
    scores = scaled_scores(Q, K)
    exponentials = np.exp(scores)
    output, weights = attention(Q, K, V)
    totals = exponentials.sum(axis=1, keepdims=True)
    matrices = (x, Wq, Wk, Wv, Q, K, V, Q @ K.T, scores, exponentials, totals, weights, output)
    for matrix in matrices:
        matrix.flags.writeable = False
    return WorkedExample(WORDS, *matrices)


@cache
def steps() -> tuple[Step, ...]:
    """All steps in order: project, score, scale, softmax, blend."""
    return tuple(_all_steps())


def written(count: int) -> Mapping[str, NDArray[np.bool_]]:
    """Which cells of each matrix are known after the first `count` steps; given matrices always are.

    Raises:
        ValueError: `count` is not between 0 and the number of steps.
    """
    if not 0 <= count <= len(steps()):
        raise ValueError(f"count must be between 0 and {len(steps())}, got {count}")
    example = worked_example()
    known = {name: np.full(example.matrix(name).shape, name in GIVEN) for name in MATRIX_NAMES}
    for step in steps()[:count]:
        for cell in step.writes:
            known[cell.matrix][cell.row, cell.column] = True
    return MappingProxyType(known)


def _all_steps() -> Iterator[Step]:
    word = WORDS[DETAILED]
    for letter, weight, role in (("Q", "Wq", "query"), ("K", "Wk", "key"), ("V", "Wv", "value")):
        for column in range(2):
            yield _dot(
                f"{role}-{word}-{column + 1}",
                "project",
                f"The {role} of “{word}”, number {column + 1}",
                _row("x", DETAILED),
                _column(weight, column),
                Cell(letter, DETAILED, column),
            )
        yield _others(
            f"{role}-others", "project", f"The {role} of every other word", f"x · {weight}", letter, "x", weight
        )
    yield from _score_steps(word)
    yield from _softmax_steps(word)
    yield from _blend_steps(word)


def _score_steps(word: str) -> Iterator[Step]:
    for column, other in enumerate(WORDS):
        title = f"The query of “{word}” with the key of “{other}”"
        target = Cell("products", DETAILED, column)
        yield _dot(f"product-{word}-{other}", "score", title, _row("Q", DETAILED), _row("K", column), target)
    yield _others("product-others", "score", "Every other query with every key", "Q · Kᵀ", "products", "Q", "K")
    for column, other in enumerate(WORDS):
        product = Cell("products", DETAILED, column)
        expression = f"{_text(product)} / √2"
        title = f"The score of “{word}” with “{other}”: divided by √d, d = 2"
        yield _step(
            f"score-{word}-{other}", "scale", title, expression, (product,), (Cell("scores", DETAILED, column),)
        )
    yield _others("score-others", "scale", "All other scores", "Q · Kᵀ / √2", "scores", "products")


def _softmax_steps(word: str) -> Iterator[Step]:
    exponentials = _row("exponentials", DETAILED)
    total = Cell("totals", DETAILED, 0)
    for column, other in enumerate(WORDS):
        score = Cell("scores", DETAILED, column)
        title = f"The exponential of the score of “{word}” with “{other}”"
        yield _step(
            f"exponential-{word}-{other}", "softmax", title, f"exp({_text(score)})", (score,), (exponentials[column],)
        )
    summed = " + ".join(map(_text, exponentials))
    yield _step(f"total-{word}", "softmax", f"The sum of the exponentials of “{word}”", summed, exponentials, (total,))
    for column, other in enumerate(WORDS):
        expression = f"{_text(exponentials[column])} / {_text(total)}"
        title = f"The weight that “{word}” gives to “{other}”"
        yield _step(
            f"weight-{word}-{other}",
            "softmax",
            title,
            expression,
            (exponentials[column], total),
            (Cell("weights", DETAILED, column),),
        )
    writes = tuple(cell for name in ("exponentials", "totals", "weights") for cell in _other_rows(name))
    yield _step(
        "weight-others",
        "softmax",
        "The weights of every other word",
        "exp(score) / sum of the row's exp(score)",
        tuple(_other_rows("scores")),
        writes,
        row=None,
    )


def _blend_steps(word: str) -> Iterator[Step]:
    for column in range(2):
        title = f"The output of “{word}”, number {column + 1}: the weighted average of the values"
        target = Cell("output", DETAILED, column)
        yield _dot(
            f"output-{word}-{column + 1}", "blend", title, _row("weights", DETAILED), _column("V", column), target
        )
    title = "The output of every other word"
    yield _others("output-others", "blend", title, "weights · V", "output", "weights", "V")


def _dot(id_: str, stage: str, title: str, left: tuple[Cell, ...], right: tuple[Cell, ...], target: Cell) -> Step:
    expression = " + ".join(f"{_text(a)}·{_text(b)}" for a, b in zip(left, right, strict=True))
    return _step(id_, stage, title, expression, left + right, (target,))


def _others(id_: str, stage: str, title: str, formula: str, target: str, source: str, whole: str | None = None) -> Step:
    """The same for every other row at once: rows of `source`, and all of `whole` where that is needed."""
    reads = tuple(_other_rows(source)) + (tuple(_cells(whole)) if whole else ())
    return _step(id_, stage, title, formula, reads, tuple(_other_rows(target)), row=None)


def _step(
    id_: str,
    stage: str,
    title: str,
    expression: str,
    reads: tuple[Cell, ...],
    writes: tuple[Cell, ...],
    row: int | None = DETAILED,
) -> Step:
    operands, results = tuple(map(_value, reads)), tuple(map(_value, writes))
    return Step(id_, stage, title, expression, operands, results, reads, writes, row)


def _value(cell: Cell) -> float:
    return float(worked_example().matrix(cell.matrix)[cell.row, cell.column])


def _text(cell: Cell) -> str:
    """Whole numbers as they are, others to two decimals."""
    value = _value(cell)
    return str(int(value)) if value.is_integer() else f"{value:.2f}"


def _row(matrix: str, row: int) -> tuple[Cell, ...]:
    return tuple(Cell(matrix, row, column) for column in range(worked_example().matrix(matrix).shape[1]))


def _column(matrix: str, column: int) -> tuple[Cell, ...]:
    return tuple(Cell(matrix, row, column) for row in range(worked_example().matrix(matrix).shape[0]))


def _cells(matrix: str) -> Iterator[Cell]:
    for row in range(worked_example().matrix(matrix).shape[0]):
        yield from _row(matrix, row)


def _other_rows(matrix: str) -> Iterator[Cell]:
    return (cell for cell in _cells(matrix) if cell.row != DETAILED)
