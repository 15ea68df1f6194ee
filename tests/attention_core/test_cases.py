"""The cases of each operation: right solutions in any style pass all of them, wrong ones and bad manners do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core import OPERATIONS, Arguments, Operation, compare, outcome
from tests.attention_core.styles import RIGHT

STACKS = [
    *("causal", "huge-scores", "one-far-row", "future-giant", "scores-below-fill", "one-token", "one-feature"),
    *("all-equal-scores", "cross", "no-leading-axes", "many-leading-axes", "single-query", "wide"),
]
PALETTE = {
    "qkv-projections": ["one-token", "one-feature", "large-values"],
    "scaled-scores": ["one-token", "wide", "large-values"],
    "softmax": [
        *("huge-scores", "one-column", "all-equal", "minus-infinity"),
        *("empty-row", "batched", "one-dimensional", "one-far-row"),
    ],
    "attention": ["huge-scores", "one-far-row", "one-token", "one-feature", "all-equal-scores", "wide"],
    "causal-attention": [
        *("huge-scores", "future-giant", "scores-below-fill", "one-token"),
        *("one-feature", "all-equal-scores", "wide"),
    ],
    "multi-head-attention": [
        *("causal", "huge-scores", "one-far-row", "future-giant", "scores-below-fill", "one-head"),
        *("many-heads", "width-one", "one-token", "one-sequence", "all-equal-scores"),
    ],
    "attention-cost": ["one-token", "long-context", "many-heads-and-layers", "wide-scores"],
    "batched-attention": STACKS,
    "torch-attention": STACKS,
    "gpu-attention": [
        *("causal", "huge-scores", "one-far-row", "future-giant", "scores-below-fill", "one-token", "one-feature"),
        *("one-head", "all-equal-scores", "wide"),
    ],
    "kv-cache": [
        *("one-step", "many-steps", "huge-scores", "rising-scores", "all-equal-scores", "one-feature", "wide"),
    ],
    "tiled-attention": [
        *("causal", "block-sizes", "rising-scores", "huge-scores", "future-giant", "scores-below-fill"),
        *("one-token", "one-feature", "all-equal-scores", "wide"),
    ],
}
SEEDS = range(20)
ON_ARRAYS = [name for name, operation in OPERATIONS.items() if operation.framework == "numpy"]


def cases(operation: Operation, seed: int) -> list[Arguments]:
    """Everything an exercise may test with: worked example, random cases, extremes."""
    rng = np.random.default_rng(seed)
    extreme = [case for build in operation.extremes.values() for case in build(rng)]
    return [operation.worked(), *(operation.draw(rng, operation.default_sizes, 1.0) for _ in range(3)), *extreme]


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.weighing])
def test_where_values_are_unit_vectors_the_output_is_the_weights(name: str) -> None:
    """softmax(Q Kᵀ / √d) by hand; of steps, each over the tokens so far."""
    operation = OPERATIONS[name]
    assert operation.weighing is not None
    case = operation.weighing()
    Q, K, *_ = case.values()
    powers = np.exp(np.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5)
    if operation.calling == "steps":
        powers = powers * np.tri(len(Q))
    np.testing.assert_allclose(operation.reference(**case), powers / powers.sum(axis=-1, keepdims=True), rtol=1e-12)


def test_every_output_that_comes_without_its_weights_can_show_them() -> None:
    assert {name for name, operation in OPERATIONS.items() if operation.weighing} == {
        *("batched-attention", "torch-attention", "gpu-attention", "kv-cache", "tiled-attention")
    }


def passes(operation: Operation, function: Callable[..., Any], case: Arguments) -> bool:
    return compare(operation.reference(**case), outcome(function, case)) is None


def test_operations_and_their_palette() -> None:
    assert {name: list(operation.extremes) for name, operation in OPERATIONS.items()} == PALETTE
    for name, operation in OPERATIONS.items():
        assert operation.name == name
        sizes = list(operation.default_sizes.values())
        assert len(set(sizes)) == len(sizes)
        assert all(size > 1 and all(size % k for k in range(2, int(size**0.5) + 1)) for size in sizes), name


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_right_solutions_pass_in_every_style(name: str, seed: int) -> None:
    operation = OPERATIONS[name]
    for case in [*cases(operation, seed), *operation.diagnosis()]:
        expected = operation.reference(**case)
        for function in RIGHT[name]:
            difference = compare(expected, outcome(function, case))
            assert difference is None, f"{function}: {difference}"


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_wrong_variant_fails_some_case(name: str, seed: int) -> None:
    operation = OPERATIONS[name]
    every = cases(operation, seed)
    accepted = [v.name for v in operation.variants if all(passes(operation, v.function, case) for case in every)]
    assert accepted == []


@pytest.mark.parametrize("name", ON_ARRAYS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_misbehaviour_shows_in_some_case(name: str, seed: int) -> None:
    operation = OPERATIONS[name]
    every = cases(operation, seed)
    for behaviour in operation.behaviours:
        if behaviour.mistake == "mutates-input":
            assert any(changes(behaviour.function, case) for case in every), behaviour
        else:
            assert not all(passes(operation, behaviour.function, case) for case in every), behaviour


def changes(function: Callable[..., Any], case: Arguments) -> bool:
    given = {name: np.copy(value) for name, value in case.items()}
    function(**given)
    return any(not np.array_equal(given[name], value) for name, value in case.items())


@pytest.mark.parametrize("name", [name for name in ON_ARRAYS if name != "attention-cost"])
def test_samples_that_change_their_inputs_are_right_otherwise(name: str) -> None:
    operation = OPERATIONS[name]
    samples = [v for v in operation.behaviours if v.mistake == "mutates-input"]
    assert samples
    assert all(passes(operation, v.function, case) for v in samples for case in cases(operation, 5))


def scores_of(case: Arguments) -> Any:
    Q, K = list(case.values())[:2]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


@pytest.mark.parametrize("seed", SEEDS)
def test_steered_scores_are_where_they_are_said_to_be(seed: int) -> None:
    rng = np.random.default_rng(seed)
    high, low, _ = OPERATIONS["attention"].extremes["huge-scores"](rng)
    assert scores_of(high).min() > 9_500
    assert scores_of(low).max() < -9_500
    assert (OPERATIONS["attention"].reference(**high)[1].max(axis=1) < 0.9999).any()
    far = scores_of(OPERATIONS["attention"].extremes["one-far-row"](rng)[0])
    assert sorted(far.max(axis=1))[0] < -4_500 < -100 < sorted(far.max(axis=1))[1]
    for case in OPERATIONS["causal-attention"].extremes["future-giant"](rng):
        assert (scores_of(case)[:-1, -1] > 900).all()
    for case, depth in zip(OPERATIONS["causal-attention"].extremes["scores-below-fill"](rng), (1e6, 1e12), strict=True):
        scores = scores_of(case)
        assert scores.min() >= -depth
        assert scores[:, :-1].max() < -0.8 * depth
        assert np.diff(np.sort(scores[:, :-1], axis=1), axis=1).min() > 0.005 * depth
        assert np.abs(scores[:, -1]).max() < 100


@pytest.mark.parametrize("name", ["batched-attention", "torch-attention", "gpu-attention"])
@pytest.mark.parametrize("seed", SEEDS)
def test_steered_scores_of_stacks_are_where_they_are_said_to_be(name: str, seed: int) -> None:
    rng, extremes = np.random.default_rng(seed), OPERATIONS[name].extremes
    huge = extremes["huge-scores"](rng)
    assert all(scores_of(case).min() > 9_500 for case in huge[:2])
    assert all(scores_of(case).max() < -9_500 for case in huge[2:4])
    for case in extremes["one-far-row"](rng):
        highest = np.sort(scores_of(case).max(axis=-1), axis=-1)
        assert highest[..., 0].max() < -4_500 < -100 < highest[..., 1].min()
    for case in extremes["future-giant"](rng):
        assert (scores_of(case)[..., -1] > 900).all()
    for case, depth in zip(extremes["scores-below-fill"](rng), (1e6, 1e12), strict=True):
        scores = scores_of(case)
        assert scores.min() >= -depth
        assert scores[..., :-1].max() < -0.8 * depth
        assert np.diff(np.sort(scores[..., :-1], axis=-1), axis=-1).min() > 0.005 * depth
        assert np.abs(scores[..., -1]).max() < 100
    for steered in ("huge-scores", "one-far-row", "all-equal-scores", "wide"):
        assert {list(case.values())[3] for case in extremes[steered](rng)} == {False, True}
    for steered in ("causal", "future-giant", "scores-below-fill"):
        assert all(list(case.values())[3] for case in extremes[steered](rng))


def test_only_a_single_query_that_comes_last_sees_all_keys() -> None:
    rng = np.random.default_rng(3)
    for case in OPERATIONS["batched-attention"].extremes["single-query"](rng):
        everything = {**case, "causal": False}
        output = OPERATIONS["batched-attention"].reference
        np.testing.assert_array_equal(output(**case), output(**everything))
    for case in OPERATIONS["torch-attention"].extremes["single-query"](rng):
        np.testing.assert_allclose(OPERATIONS["torch-attention"].reference(**case), case["v"][..., :1, :], rtol=1e-15)


def test_arguments_are_fresh_and_writable() -> None:
    for operation in OPERATIONS.values():
        for first, second in (
            (operation.worked(), operation.worked()),
            (operation.diagnosis()[0], operation.diagnosis()[0]),
        ):
            for name, value in first.items():
                assert np.array_equal(value, second[name])
                if isinstance(value, np.ndarray):
                    assert value.dtype == np.float64
                    value[...] = 7.0
                    assert not np.array_equal(value, second[name])
