"""The worked example carries the lesson's numbers, and its steps add up to them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attention_core import Cell, Step, steps, worked_example, written
from attention_core.worked_example import COMPUTED, DETAILED, GIVEN, MATRIX_NAMES, STAGES

EXAMPLE = worked_example()


def test_given_matrices_and_words() -> None:
    assert EXAMPLE.words == ("the", "cat", "sat", "down")
    assert EXAMPLE.x.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert EXAMPLE.Wq.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert EXAMPLE.Wk.tolist() == [[1, 0], [1, 1], [0, 1]]
    assert EXAMPLE.Wv.tolist() == [[1, 0], [0, 1], [1, 1]]


def test_computed_matrices_are_the_lessons() -> None:
    assert EXAMPLE.Q.tolist() == [[0, 1], [1, 0], [1, 1], [0, 1]]
    assert EXAMPLE.K.tolist() == [[1, 0], [1, 1], [1, 2], [0, 1]]
    assert EXAMPLE.V.tolist() == [[1, 0], [0, 1], [1, 2], [1, 1]]
    assert EXAMPLE.products.tolist() == [[0, 1, 2, 1], [1, 1, 1, 0], [1, 2, 3, 1], [0, 1, 2, 1]]
    assert EXAMPLE.weights.round(2).tolist() == [
        [0.11, 0.22, 0.45, 0.22],
        [0.29, 0.29, 0.29, 0.14],
        [0.12, 0.25, 0.51, 0.12],
        [0.11, 0.22, 0.45, 0.22],
    ]
    assert EXAMPLE.output.round(2).tolist() == [[0.78, 1.34], [0.71, 1.00], [0.75, 1.38], [0.78, 1.34]]


def test_matrices_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        EXAMPLE.x[0, 0] = 5
    with pytest.raises(KeyError, match="matrix must be one of x, Wq"):
        EXAMPLE.matrix("words")


def test_there_are_as_many_steps_as_one_has_patience_for() -> None:
    assert 20 <= len(steps()) <= 40
    assert len({step.id for step in steps()}) == len(steps())
    assert [
        stage for i, stage in enumerate(s.stage for s in steps()) if i == 0 or steps()[i - 1].stage != stage
    ] == list(STAGES)


def test_steps_write_every_computed_cell_once_and_read_only_what_is_known() -> None:
    known = {Cell(name, i, j) for name in GIVEN for i, j in np.ndindex(EXAMPLE.matrix(name).shape)}
    for step in steps():
        own = set(step.writes) if step.row is None else set()
        assert set(step.reads) <= known | own, step.id
        assert not set(step.writes) & known, step.id
        known |= set(step.writes)
    assert known == {Cell(name, i, j) for name in MATRIX_NAMES for i, j in np.ndindex(EXAMPLE.matrix(name).shape)}


def test_operands_and_results_are_the_cells() -> None:
    for step in steps():
        for values, cells in ((step.operands, step.reads), (step.results, step.writes)):
            assert list(values) == [EXAMPLE.matrix(c.matrix)[c.row, c.column] for c in cells], step.id


def arithmetic(step: Step) -> float:
    """What a detailed step comes to, from its operands alone."""
    operands = step.operands
    if step.id.startswith("exponential"):
        return math.exp(operands[0])
    if step.id.startswith("total"):
        return math.fsum(operands)
    if step.id.startswith("weight"):
        return operands[0] / operands[1]
    if step.stage == "scale":
        return operands[0] / math.sqrt(2)
    half = len(operands) // 2
    return math.fsum(a * b for a, b in zip(operands[:half], operands[half:], strict=True))


def test_each_step_in_detail_is_right_arithmetic() -> None:
    detailed = [step for step in steps() if step.row == DETAILED]
    assert len(detailed) == 25
    for step in detailed:
        assert step.results == pytest.approx((arithmetic(step),), rel=1e-12), step.id


def test_expressions_are_what_one_would_write() -> None:
    by_id = {step.id: step.expression for step in steps()}
    assert by_id["query-sat-1"] == "0·0 + 1·1 + 1·0"
    assert by_id["product-sat-sat"] == "1·1 + 1·2"
    assert by_id["score-sat-sat"] == "3 / √2"
    assert by_id["exponential-sat-sat"] == "exp(2.12)"
    assert by_id["total-sat"] == "2.03 + 4.11 + 8.34 + 2.03"
    assert by_id["weight-sat-sat"] == "8.34 / 16.51"
    assert by_id["output-sat-2"] == "0.12·0 + 0.25·1 + 0.51·2 + 0.12·1"


def test_written_grows_from_the_given_to_everything() -> None:
    assert {name for name, cells in written(0).items() if cells.all()} == set(GIVEN)
    assert not any(written(0)[name].any() for name in COMPUTED)
    assert all(cells.all() for cells in written(len(steps())).values())
    assert written(1)["Q"].tolist() == [[False, False], [False, False], [True, False], [False, False]]
    with pytest.raises(ValueError, match="count must be between 0 and 32, got 33"):
        written(33)
