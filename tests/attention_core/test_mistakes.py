"""The table of mistakes, and the wrong implementations behind it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from attention_core import MISTAKES, OPERATIONS, RAISED, outcome, same_result
from attention_core.mistakes import FAMILIES

SCALE = {"no-scale", "scale-by-width", "scale-by-tokens", "scale-constant", "scale-multiplied", "scaled-twice"}
SOFTMAX = {
    *("softmax-over-queries", "softmax-over-everything", "no-softmax", "normalised-without-exp", "overflow"),
    *("max-over-everything", "missing-keepdims", "softmax-base-2", "softmax-twice", "sigmoid-weights"),
    *("not-normalised", "hard-max", "extra-one-in-denominator"),
}
CONFUSED_MATRICES = {
    *("query-key-swapped", "query-from-key-matrix", "key-from-query-matrix", "reshape-instead-of-transpose"),
}
ATTENTION = {
    *SCALE,
    *SOFTMAX,
    *CONFUSED_MATRICES,
    *("scale-by-value-width", "scale-after-softmax", "keys-as-values", "blend-transposed"),
    *("returns-weights", "scores-blended", "results-swapped"),
}
MASKS = {
    *("mask-missing", "mask-inverted", "mask-hides-self", "mask-lets-next-through", "mask-fills-zero"),
    *("mask-fills-small", "mask-after-softmax", "mask-added-as-ones", "mask-multiplied", "uniform-over-past"),
}
BATCHES = (ATTENTION - {"results-swapped"}) | MASKS | {"always-causal", "axis-fixed-for-2d"}
TILES = {
    *("no-rescale", "denominator-not-rescaled", "output-not-rescaled", "rescale-inverted", "blocks-averaged"),
    *("tail-dropped", "max-starts-at-zero", "keeps-first-max", "never-divided", "diagonal-block-unmasked"),
}
# With one query these are right, or raise, or cannot be returned.
NOT_OF_ONE_QUERY = {
    *("softmax-over-everything", "max-over-everything", "missing-keepdims"),
    *("blend-transposed", "returns-weights", "results-swapped"),
}
# What can go wrong in each operation, of the mistakes the grader names.
APPLIES = {
    "qkv-projections": {
        *("query-key-swapped", "keys-as-values", "inputs-as-values", "query-from-key-matrix"),
        *("key-from-query-matrix", "weights-transposed", "no-projection", "results-swapped"),
    },
    "scaled-scores": SCALE | CONFUSED_MATRICES,
    "softmax": {*SOFTMAX, "axis-fixed-for-2d"},
    "attention": {*ATTENTION, "always-causal"},
    "causal-attention": ATTENTION | MASKS,
    "multi-head-attention": {
        *SCALE,
        *SOFTMAX,
        *("scale-after-softmax", "scale-by-model-width", "axis-fixed-for-2d", "softmax-over-heads"),
        *("query-key-swapped", "keys-as-values", "inputs-as-values", "query-from-key-matrix"),
        *("key-from-query-matrix", "weights-transposed", "no-projection", "reshape-instead-of-transpose"),
        *("blend-transposed", "returns-weights", "scores-blended", "always-causal", "uniform-over-past"),
        *("mask-missing", "mask-inverted", "mask-hides-self", "mask-lets-next-through", "mask-fills-zero"),
        *("mask-fills-small", "mask-after-softmax", "mask-added-as-ones", "mask-multiplied"),
        *("mask-on-first-head-only", "heads-split-without-transpose", "heads-merged-without-transpose"),
        *("missing-output-projection", "heads-averaged", "one-head-reused", "heads-reordered"),
        "heads-mixed-with-batch",
    },
    "attention-cost": {
        *("pairs-linear", "pairs-triangle", "mebibytes", "bits-for-bytes", "heads-or-layers-forgotten"),
        "results-swapped",
    },
    "batched-attention": BATCHES | {"mask-top-left"},
    "torch-attention": BATCHES | {"mask-bottom-right"},
    "gpu-attention": {
        *(BATCHES - {"scale-by-value-width"}),
        *("softmax-over-heads", "mask-on-first-head-only", "heads-mixed-with-batch"),
    },
    "kv-cache": (ATTENTION - NOT_OF_ONE_QUERY) | {"mask-hides-self", "uniform-over-past"},
    "tiled-attention": (BATCHES - {"axis-fixed-for-2d"}) | TILES,
}
# Shown by memory or time, not by results.
MEASURED = {"stores-all-scores", "recomputes-past"}
ON_TENSORS = {"gradient-blocked", "device-moved"}
BEHAVIOUR = {
    *("lower-precision", "mutates-input", "rounded", "wrong-shape", "wrong-dtype", "not-an-array", "nan-result"),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_mistake_that_applies_has_variants(name: str) -> None:
    assert {variant.mistake for variant in OPERATIONS[name].variants} == APPLIES[name]


def test_the_table_holds_just_what_applies_somewhere() -> None:
    assert set(MISTAKES) == set.union(*APPLIES.values()) | BEHAVIOUR | ON_TENSORS | MEASURED
    assert {mistake.family for mistake in MISTAKES.values()} == set(FAMILIES)
    assert {mistake.id for mistake in MISTAKES.values() if mistake.family == "behaviour"} == BEHAVIOUR


def test_descriptions_are_sentences_addressed_to_the_learner() -> None:
    for key, mistake in MISTAKES.items():
        assert mistake.id == key
        assert mistake.title[0].isupper() or mistake.title[0].isdigit()
        assert not mistake.title.endswith(".")
        assert mistake.meaning.endswith(".")
        assert mistake.meaning.split()[0] in ("You", "Your")
        assert mistake.hides.endswith(".")


@pytest.mark.parametrize("name", OPERATIONS)
def test_behaviours_are_samples_of_behaviour(name: str) -> None:
    operation = OPERATIONS[name]
    found = {variant.mistake for variant in operation.behaviours}
    if operation.framework == "torch":
        assert found == BEHAVIOUR | ON_TENSORS
    else:
        assert found == ({"wrong-dtype", "rounded"} if name == "attention-cost" else BEHAVIOUR)


@pytest.mark.parametrize("name", OPERATIONS)
def test_variants_have_names_of_their_own(name: str) -> None:
    operation = OPERATIONS[name]
    names = [variant.name for variant in operation.variants]
    assert len(set(names)) == len(names)
    samples = [(sample.mistake, sample.name) for sample in operation.behaviours]
    assert len(set(samples)) == len(samples)


@pytest.mark.parametrize("name", OPERATIONS)
def test_mistakes_warn_of_nothing_and_take_arguments_by_name_too(name: str) -> None:
    operation = OPERATIONS[name]
    samples = operation.behaviours if operation.framework == "numpy" else ()
    for variant in (*operation.variants, *samples):
        for case in operation.diagnosis():
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                by_place = outcome(variant.function, case)
            if by_place is not RAISED:
                assert same_result(by_place, variant.function(**case)), variant


@pytest.mark.parametrize("name", OPERATIONS)
def test_results_do_not_hang_on_rounding(name: str) -> None:
    """Code that makes the same mistake multiplies in another order: its results still have to be recognised."""
    operation, rng = OPERATIONS[name], np.random.default_rng(11)
    for place, case in enumerate(operation.diagnosis()):
        shaken = {
            key: value * (1 + rng.choice([-1, 1], value.shape) * 4e-16) if isinstance(value, np.ndarray) else value
            for key, value in case.items()
        }
        for variant in operation.variants:
            function = variant.function
            assert same_result(outcome(function, case), outcome(function, shaken)), (variant, place)
