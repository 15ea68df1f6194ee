"""The worked example for the page: each arithmetic step in words, with its matrices and what to look at in them.

The steps are attention_core's, made finer in two places. The first dot product of each part is done product by product,
then summed. And what attention_core does to all other rows at once is done to one row after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from attention_core.worked_example import DETAILED, WORDS, Cell, worked_example, written
from attention_core.worked_example import Step as ArithmeticStep
from attention_core.worked_example import steps as arithmetic_steps
from courses.figures.model import Matrix, Place, Step
from courses.figures.step_texts import GIVEN, STAGES, detailed_text, given_text, product_text, row_text, sum_text
from courses.figures.words import decimal, short

SHOWN_AS = {
    "Q": "Q, queries",
    "K": "K, keys",
    "V": "V, values",
    "products": "Q Kᵀ, products",
    "scores": "Q Kᵀ / √2, scores",
    "exponentials": "exp(scores)",
    "totals": "row sums",
}
FINE = ("query-sat-1", "product-sat-the", "output-sat-1")  # done product by product
WHOLE = ("Wq", "Wk", "Wv", "K", "V")  # read whole, where a row of another matrix meets it
NOT_YET = "·"
NO_LETTERS: Mapping[Cell, str] = MappingProxyType({})

Known = Mapping[str, NDArray[np.bool_]]


def worked_steps() -> list[Step]:
    """What is given, then every arithmetic step of attention_core's worked example, the finer ones included."""
    known = written(0)
    given = Step("What is given", given_text(), tuple(_matrix(name, known) for name in ("x", "Wq", "Wk", "Wv")), GIVEN)
    return [given, *(each for number, step in enumerate(arithmetic_steps()) for each in _finer(number, step))]


def _finer(number: int, step: ArithmeticStep) -> Iterator[Step]:
    """One or several steps for the one that follows the first `number`."""
    known = written(number)
    if step.row is None:
        yield from (_row_step(step, row, known) for row in range(len(WORDS)) if row != DETAILED)
    elif step.id in FINE:
        yield from (_product_step(step, pair, known) for pair in range(len(step.reads) // 2))
        yield _shown(step, sum_text(step), step.reads, step.writes, known)
    else:
        yield _shown(step, detailed_text(step), step.reads, step.writes, known)


def _product_step(step: ArithmeticStep, pair: int, known: Known) -> Step:
    """One product of a dot product; nothing is written yet."""
    left, right = _factors(step)
    reads = (left[pair], right[pair])
    letters = dict.fromkeys(reads, ascii_lowercase[pair])
    target = _matrix(step.writes[0].matrix, known)
    shown = tuple(_matrix(cell.matrix, known, (cell,), (), letters) for cell in reads)
    title, text = product_text(step, pair)
    return Step(title, text, (*shown, target), STAGES[step.stage])


def _row_step(step: ArithmeticStep, row: int, known: Known) -> Step:
    """What a step does to all rows but the detailed one, for one of them; `known` is what was before all of them."""
    reads = tuple(cell for cell in step.reads if cell.matrix in WHOLE or cell.row == row)
    writes = tuple(cell for cell in step.writes if cell.row == row)
    earlier = [cell for cell in step.writes if cell.row < row]
    so_far = {name: cells.copy() for name, cells in known.items()}
    for cell in earlier:
        so_far[cell.matrix][cell.row, cell.column] = True
    return _shown(step, row_text(step, row), reads, writes, so_far)


def _shown(
    step: ArithmeticStep, text: tuple[str, str], reads: tuple[Cell, ...], writes: tuple[Cell, ...], known: Known
) -> Step:
    title, said = text
    after = {name: cells.copy() for name, cells in known.items()}
    for cell in writes:
        after[cell.matrix][cell.row, cell.column] = True
    letters: dict[Cell, str] = {}
    if step.row is not None and step.stage in ("project", "score", "blend"):
        letters = {cell: letter for side in _factors(step) for cell, letter in zip(side, ascii_lowercase, strict=False)}
    names = dict.fromkeys(cell.matrix for cell in (*reads, *writes))
    matrices = tuple(_matrix(name, after, reads, writes, letters) for name in names)
    return Step(title, said, matrices, STAGES[step.stage])


def _factors(step: ArithmeticStep) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The cells of a dot product: those on its left, and those that they meet."""
    half = len(step.reads) // 2
    return step.reads[:half], step.reads[half:]


def _places(name: str, cells: tuple[Cell, ...]) -> tuple[Place, ...]:
    return tuple((cell.row, cell.column) for cell in cells if cell.matrix == name)


def _matrix(
    name: str,
    known: Known,
    reads: tuple[Cell, ...] = (),
    writes: tuple[Cell, ...] = (),
    letters: Mapping[Cell, str] = NO_LETTERS,
) -> Matrix:
    """The matrix as far as it is known, with what takes part in a step and what the step writes."""
    values = worked_example().matrix(name)
    write = short if np.array_equal(values, values.round()) else decimal
    rows = tuple(
        tuple(write(values[row, column]) if known[name][row, column] else NOT_YET for column in range(values.shape[1]))
        for row in range(values.shape[0])
    )
    row_labels = () if name.startswith("W") else WORDS
    column_labels = WORDS if name in ("products", "scores", "exponentials", "weights") else ()
    filled = frozenset(_places(name, writes))
    highlighted = frozenset(_places(name, reads)) | filled
    lettered = tuple(((cell.row, cell.column), letter) for cell, letter in letters.items() if cell.matrix == name)
    return Matrix(SHOWN_AS.get(name, name), rows, row_labels, column_labels, highlighted, filled, lettered)
