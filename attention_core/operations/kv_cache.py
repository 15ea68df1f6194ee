"""The exercise kv-cache: start() and step(cache, q_t, k_t, v_t), as the function (Q, K, V) -> outputs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_matrix, require_length
from attention_core.cache import start, step
from attention_core.mistakes import behaviour, cache
from attention_core.operation import Arguments, Operation
from attention_core.operations.cases import draw_causal, steer, unit_values
from attention_core.worked_example import worked_example

SIZES = {"T": 7, "d": 3, "dv": 2}


def stepped(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> FloatArray:
    """The outputs of one sequence, a step for each row.

    T tokens, d query and key width, dv value width.

    Args:
        Q: (T, d).
        K: (T, d).
        V: (T, dv).

    Returns:
        (T, dv), float64: row t is what step returned for token t.

    Raises:
        TypeError: an argument holds something other than real numbers.
        ValueError: an argument is empty, no matrix, or its shape does not fit the others.
    """
    queries, keys, values = as_matrix("Q", Q, "(T, d)"), as_matrix("K", K, "(T, d)"), as_matrix("V", V, "(T, dv)")
    require_length("K", keys, 0, queries.shape[0], f"the tokens of Q {queries.shape}")
    require_length("V", values, 0, queries.shape[0], f"the tokens of Q {queries.shape}")
    outputs, kept = [], start()
    for q_t, k_t, v_t in zip(queries, keys, values, strict=True):
        output, kept = step(kept, q_t, k_t, v_t)
        outputs.append(output)
    return np.array(outputs)


def worked() -> Arguments:
    """The lesson's four words, one after the other."""
    example = worked_example()
    return {name: example.matrix(name).copy() for name in ("Q", "K", "V")}


def one_step(rng: np.random.Generator) -> list[Arguments]:
    return [draw_causal(rng, {**SIZES, "T": 1})]


def many_steps(rng: np.random.Generator) -> list[Arguments]:
    return [draw_causal(rng, {**SIZES, "T": 31})]


def huge_scores(rng: np.random.Generator) -> list[Arguments]:
    """Scores near 1e4 and near -1e4 that are still spread over several keys; then saturated ones."""
    high, low, saturated = (draw_causal(rng, SIZES) for _ in range(3))
    return [
        steer(high, rng.uniform(9.9e3, 1e4, 7), np.ones(7)),
        steer(low, rng.uniform(-1e4, -9.9e3, 7), np.ones(7)),
        {**saturated, "Q": saturated["Q"] * 1e3},
    ]


def rising_scores(rng: np.random.Generator) -> list[Arguments]:
    """Each new key matches better than all before it, a little and then beyond what exp can take; then worse."""
    cases = [draw_causal(rng, SIZES, 0.7) for _ in range(4)]
    slopes = (1.0, 300.0, -1.0, -300.0)
    return [steer(case, np.ones(7), slope * np.arange(7.0)) for case, slope in zip(cases, slopes, strict=True)]


def all_equal_scores(rng: np.random.Generator) -> list[Arguments]:
    """Zero queries, then one key repeated: each output is the mean of the values so far."""
    case = draw_causal(rng, SIZES)
    return [{**case, "Q": np.zeros((7, 3))}, {**case, "K": np.tile(case["K"][:1], (7, 1))}]


def one_feature(rng: np.random.Generator) -> list[Arguments]:
    """Width 1 of queries and keys, then of values too: a lost axis shows as a wrong shape."""
    return [draw_causal(rng, {"T": 7, "d": 1, "dv": dv}) for dv in (2, 1)]


def wide(rng: np.random.Generator) -> list[Arguments]:
    """A width at which the division matters: without it, nearly all weight falls on one key."""
    return [draw_causal(rng, {"T": 7, "d": 251, "dv": 3})]


def diagnosis() -> list[Arguments]:
    """Distinct sizes twice, so that each divisor differs, and scores that exp cannot take, on either side.

    The moderate cases have scores of a common sign, so that a row divided by its own sum stays well conditioned.
    """
    rng = np.random.default_rng(20_191_106)
    sizes = ({"T": 5, "d": 3, "dv": 7}, {"T": 7, "d": 11, "dv": 2})
    moderate = [steer(draw_causal(rng, s, 1.3), np.full(s["T"], 3.0), np.ones(s["T"])) for s in sizes]
    high = steer(draw_causal(rng, SIZES), np.linspace(2e3, 9e3, 7), np.ones(7))
    low = steer(draw_causal(rng, SIZES), np.linspace(-3e3, -9e3, 7), np.ones(7))
    return [*moderate, high, low]


def weighing() -> Arguments:
    return unit_values(draw_causal(np.random.default_rng(20_171_206), {"T": 11, "d": 3, "dv": 11}))


KV_CACHE = Operation(
    name="kv-cache",
    entry="step",
    signature="start() and step(cache, q_t, k_t, v_t)",
    returns=("output",),
    reference=stepped,
    draw=draw_causal,
    default_sizes=SIZES,
    worked=worked,
    extremes={
        "one-step": one_step,
        "many-steps": many_steps,
        "huge-scores": huge_scores,
        "rising-scores": rising_scores,
        "all-equal-scores": all_equal_scores,
        "one-feature": one_feature,
        "wide": wide,
    },
    diagnosis=diagnosis,
    variants=cache.kv_cache(),
    fit=cache.fit_kv_cache,
    calling="steps",
    weighing=weighing,
    behaviours=behaviour.CACHED,
    measured=cache.RECOMPUTES_PAST,
)
