"""The kind precision with `rows`: some rows of the output are compared, and all of it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import precision
from attention_core.operations import OPERATIONS
from attention_core.precision import Precision
from courses.package.exercises import load_exercise
from grader.checks.kind import Case, CheckSpecError, Wanted
from grader.degenerate import degenerate_answers
from grader.gate import run_gate
from grader.inprocess_tensors import TensorSandbox
from grader.judging import judge, make_plans
from grader.specs import exercise_spec
from grader.verdicts import CheckSpec, Job, Report, Status, Visibility
from tests.attention_core import independent
from tests.grader.judged import one_check
from tests.grader.test_gate import Known
from tests.verdicts.exercise import check, exercise

GPU_ATTENTION = Path(__file__).resolve().parents[2] / "courses/content/exercises/gpu-attention"
SIZES = {"B": 1, "H": 2, "T": 10, "d": 3}
ROWS = [3, 4, 8, 9]  # of ten, the last two of the first half, and the last two
LOW: tuple[Precision, ...] = ("float32", "float16", "bfloat16")


def some_rows(visibility: Visibility = Visibility.SHOWN, **parameters: Any) -> CheckSpec:
    return check(
        "precision", visibility, **{"dtype": "float16", "is_causal": True, "sizes": SIZES, "rows": 4, **parameters}
    )


def case_of(one: CheckSpec, operation: str = "gpu-attention") -> Case:
    (plan,) = make_plans(Job(exercise(operation, one), b"", 3), OPERATIONS[operation])
    (case,) = plan.cases
    return case


def wanted_of(one: CheckSpec, operation: str = "gpu-attention") -> Wanted:
    (wanted,) = case_of(one, operation).wanted
    return wanted


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool = False) -> torch.Tensor:
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if is_causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return torch.softmax(scores, dim=-1) @ v


def judged(change: Callable[[torch.Tensor], torch.Tensor], one: CheckSpec) -> Report:
    """Right code, whose output is changed."""
    sandbox = TensorSandbox(lambda q, k, v, is_causal=False: change(attention(q, k, v, is_causal)))
    return judge(Job(exercise("gpu-attention", one), b"# in this process\n", 3), sandbox, calling="function")


def put(number: float, *index: int) -> Callable[[torch.Tensor], torch.Tensor]:
    def change(output: torch.Tensor) -> torch.Tensor:
        output[index] = number
        return output

    return change


def independently(q: np.ndarray, k: np.ndarray, v: np.ndarray, head: tuple[int, int], causal: bool) -> np.ndarray:
    output, _ = independent.attention(q[head].tolist(), k[head].tolist(), v[head].tolist(), causal)
    return np.array(output)[ROWS]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", LOW)
def test_expected_and_allowed_are_those_of_the_whole_output(dtype: Precision, causal: bool) -> None:
    one = some_rows(dtype=dtype, is_causal=causal)
    q, k, v, is_causal = case_of(one).arguments.values()
    wanted = wanted_of(one)
    assert wanted.allowed is not None
    assert is_causal is causal
    allowed = precision.allowance(q, k, v, causal, "top-left", dtype)
    for head in (0, 1):
        np.testing.assert_allclose(wanted.value[0, head, ROWS], independently(q, k, v, (0, head), causal), rtol=1e-12)
        # A little less is allowed where keys that nobody sees are left out: their own roundings near 0.
        share = wanted.allowed[0, head, ROWS] / allowed[0, head, ROWS]
        assert 0.8 < share.min() <= share.max() < 1 + 1e-9
    assert wanted.value.shape == wanted.allowed.shape == (1, 2, 10, 3)
    assert np.isinf(np.delete(wanted.allowed, ROWS, axis=-2)).all()


def test_more_keys_than_queries() -> None:
    """Causal, row i sees the keys up to i, and none of the last ones."""
    one = some_rows(sizes={"Tq": 10, "Tk": 13, "d": 3, "dv": 2})
    q, k, v, _ = case_of(one, "torch-attention").arguments.values()
    wanted = wanted_of(one, "torch-attention").value[1, 2, ROWS]
    np.testing.assert_allclose(wanted, independently(q, k, v, (1, 2), causal=True), rtol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", LOW)
def test_right_code_passes(dtype: str, causal: bool) -> None:
    report = judged(lambda output: output, some_rows(dtype=dtype, is_causal=causal, cases=3, sizes={"T": 40}, rows=8))
    assert report.passed
    assert report.checks[0].case is not None
    assert report.checks[0].case["expected"] is None


@pytest.mark.parametrize("row", ROWS)
def test_a_number_off_in_a_row_that_is_compared_is_told_by_its_place_in_the_whole(row: int) -> None:
    (found,) = judged(put(7.0, 0, 1, row, 2), some_rows()).checks
    assert found.status is Status.FAILED
    assert f"output[0, 1, {row}, 2] is 7, expected " in found.message
    assert found.case is not None
    assert found.case["difference"]["index"] == [0, 1, row, 2]


@pytest.mark.parametrize("row", sorted({*range(10)} - {*ROWS}))
def test_of_other_rows_nothing_is_known_but_that_they_hold_numbers(row: int) -> None:
    assert judged(put(7.0, 0, 1, row, 2), some_rows()).passed
    report = judged(put(torch.nan, 0, 1, row, 2), some_rows())
    (found,) = report.checks
    assert (found.status, report.mistakes) == (Status.FAILED, ("nan-result",))
    assert found.message.endswith(f"output[0, 1, {row}, 2] is NaN.")
    assert found.case is not None
    assert (found.case["expected"], found.case["difference"]) == (None, None)
    (hidden,) = judged(put(torch.nan, 0, 1, row, 2), some_rows(Visibility.HIDDEN)).checks
    assert hidden.message.endswith(" output holds NaN.")


def test_nan_is_named_where_a_number_is_off_too() -> None:
    report = judged(lambda output: put(torch.nan, 0, 0, 0, 0)(put(7.0, 0, 1, 9, 2)(output)), some_rows())
    assert report.mistakes == ("nan-result",)
    assert "output[0, 1, 9, 2] is 7" in report.checks[0].message


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (lambda output: output[..., ROWS, :], "wrong-shape"),
        (lambda output: output.double(), "wrong-dtype"),
        (lambda output: output.to("meta"), "device-moved"),
        (lambda output: output.tolist(), "not-an-array"),
    ],
)
def test_what_comes_before_numbers_is_asked_of_the_whole(change: Callable[[Any], Any], mistake: str) -> None:
    assert judged(change, some_rows()).mistakes == (mistake,)


def test_without_rows_all_are_compared_and_shown() -> None:
    assert wanted_of(check("precision", Visibility.SHOWN, dtype="float16", sizes=SIZES)).whole
    whole = check("precision", Visibility.SHOWN, dtype="float16", is_causal=True, sizes=SIZES)
    (found,) = judged(put(7.0, 0, 1, 5, 2), whole).checks
    assert "output[0, 1, 5, 2] is 7" in found.message
    assert found.case is not None
    assert np.shape(found.case["expected"]["output"]) == (1, 2, 10, 3)


def test_functions_of_the_gate_are_put_to_it() -> None:
    operation, one = OPERATIONS["gpu-attention"], some_rows(sizes={"T": 10})
    assert one_check(operation.reference, "gpu-attention", one).passed
    for name, answer in degenerate_answers(operation).items():
        assert not one_check(answer, "gpu-attention", one).passed, name


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rows": 3}, "`with: rows` is 3; it must be even and 2 to 10, as many as there are queries"),
        ({"rows": 0}, "`with: rows` is 0; it must be even"),
        ({"rows": -2}, "`with: rows` is -2; it must be even"),
        ({"rows": 12}, "`with: rows` is 12; it must be even and 2 to 10"),
        ({"rows": True}, "`with: rows` is True, which is not what it takes"),
        ({"rows": "4"}, "`with: rows` is '4', which is not what it takes"),
        ({"rows": 4.0}, "`with: rows` is 4.0, which is not what it takes"),
        ({"scale": 300.0}, "`with: rows` needs scores that float16 can hold"),
    ],
)
def test_rows_that_cannot_be_are_a_fault_of_the_package(changes: dict[str, Any], sentence: str) -> None:
    one = some_rows(**changes)
    with pytest.raises(CheckSpecError) as raised:
        case_of(one)
    assert sentence in str(raised.value)
    exact = {"id": "odd", "kind": "precision", "points": "1", "visibility": "shown", "concept": "x", "message": "x."}
    spec = {"slug": "gpu-attention", "entry": "attention", "operation": "gpu-attention"}
    checks = [{**exact, "id": "worked", "kind": "worked"}, {**exact, "device": "cuda", "with": dict(one.parameters)}]
    report = run_gate({"slug": "gpu-attention", "spec": {**spec, "checks": checks}}, Known(), None)
    assert [sentence in error for error in report.errors] == [True]


def test_every_query_has_a_key_where_the_future_is_hidden() -> None:
    more_queries = {"Tq": 10, "Tk": 7, "d": 3, "dv": 2}
    with pytest.raises(CheckSpecError, match="there are 10 queries, 7 keys"):
        case_of(some_rows(sizes=more_queries), "torch-attention")
    assert not wanted_of(some_rows(sizes=more_queries, is_causal=False), "torch-attention").whole


def test_a_scale_that_is_large_but_in_range_is_taken() -> None:
    assert not wanted_of(some_rows(dtype="bfloat16", scale=300.0)).whole


def test_many_tokens_on_a_gpu() -> None:
    """The package's own check: thousands of tokens, a reply that may carry them, and outputs far from 0."""
    spec = exercise_spec(load_exercise(GPU_ATTENTION).compiled["spec"], revision=0)
    (many,) = (one for one in spec.checks if one.id == "gpu-many-tokens")
    (plan,) = make_plans(Job(replace(spec, checks=(many,)), b"", 3, "cuda"), OPERATIONS["gpu-attention"])
    (case,) = plan.cases
    assert case.expected[0].shape == (1, 1, 8192, 64)
    assert {len(value.data) for value in case.call.args[:3]} == {2**20}
    assert case.call.reply_bytes >= 2**20
    (wanted,) = case.wanted
    assert wanted.allowed is not None
    compared = np.r_[4064:4096, 8160:8192]
    assert np.isfinite(wanted.allowed[..., compared, :]).all()
    assert (np.abs(wanted.value) > wanted.allowed)[..., compared, :].any(axis=-1).all()
