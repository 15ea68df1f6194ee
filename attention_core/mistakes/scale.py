"""Wrong scaling of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from attention_core.comparison import ATOL, scale_of
from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import Array, Parts, transposed
from attention_core.operation import Variant

# What people type in: roots of the widths they have just seen, in full or rounded, and round numbers.
TYPED_IN = (
    *(math.sqrt(width) for width in (2, 3, 5, 7, 32, 128, 512)),
    *(1.4, 1.41, 1.414, 1.4142, 1.7, 1.73, 1.732),
    *(0.5, 0.1, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 16.0, 64.0, 100.0),
)
OFTEN_TYPED_IN = (math.sqrt(2), 2.0, 8.0, 10.0)

# Where the search for a number typed in begins: 1 over it, from 1/1000 to 100.
FACTORS = np.geomspace(1e-3, 1e2, 101)
GAUSS_NEWTON_STEPS = 8


def no_scale(Q: Array, K: Array) -> Array:
    return Q @ transposed(K)


def by_width(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / Q.shape[-1]


def by_width_then_half(Q: Array, K: Array) -> Array:
    """`/ d ** 1 / 2`: the power binds first, so this is ÷d, then ÷2."""
    return Q @ transposed(K) / Q.shape[-1] / 2


def by_half_the_width(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / (Q.shape[-1] / 2)


def by_width_squared(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / Q.shape[-1] ** 2


def by_root_of_queries(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / math.sqrt(Q.shape[-2])


def by_root_of_keys(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / math.sqrt(K.shape[-2])


def by_queries(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / Q.shape[-2]


def by_keys(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) / K.shape[-2]


def multiplied(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) * math.sqrt(Q.shape[-1])


def multiplied_by_width(Q: Array, K: Array) -> Array:
    return Q @ transposed(K) * Q.shape[-1]


def scaled_twice(Q: Array, K: Array) -> Array:
    root = math.sqrt(Q.shape[-1])
    return (Q / root) @ transposed(K / root)


def scaled_three_times(Q: Array, K: Array) -> Array:
    return scaled_twice(Q, K) / math.sqrt(Q.shape[-1])


def by_root_of_value_width(Q: Array, K: Array, V: Array) -> Array:
    return Q @ transposed(K) / math.sqrt(V.shape[-1])


def by_value_width(Q: Array, K: Array, V: Array) -> Array:
    return Q @ transposed(K) / V.shape[-1]


def weights_scaled(parts: Parts) -> tuple[Array, Array]:
    weights = parts.weights / math.sqrt(parts.Q.shape[-1])
    return weights @ parts.V, weights


def output_scaled(parts: Parts) -> tuple[Array, Array]:
    return parts.weights @ parts.V / math.sqrt(parts.Q.shape[-1]), parts.weights


def by_constant(constant: float) -> Callable[[Array, Array], Any]:
    def divided(Q: Array, K: Array) -> Array:
        return Q @ transposed(K) / constant

    return divided


def divisor_of_scores(Q: Array, K: Array, scores: Any) -> float | None:
    """The number by which Q Kᵀ was divided to give these scores, as far as that can be said; 1 is none."""
    product = Q @ transposed(K)
    if not _is_like(scores, product):
        return None
    return _divisor(np.sum(product * scores), np.sum(product * product))


def divisor_of_weights(Q: Array, K: Array, weights: Any) -> float | None:
    """The number by which Q Kᵀ was divided before a softmax gave these weights: in a row, log-weights differ as scores.

    Weights of 0, which a mask leaves, are passed over.
    """
    product = Q @ transposed(K)
    if not _is_like(weights, product) or (weights < 0).any():
        return None
    seen = weights > 0
    count = np.maximum(seen.sum(axis=1, keepdims=True), 1)
    logs = np.log(np.where(seen, weights, 1.0))
    logs = np.where(seen, logs - logs.sum(axis=1, keepdims=True) / count, 0.0)
    product = np.where(seen, product - np.where(seen, product, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    return _divisor(np.sum(product * logs), np.sum(product * product))


def divisor_of_output(Q: Array, K: Array, V: Array, output: Any) -> float | None:
    """The number by which Q Kᵀ was divided before a softmax and the blend of V gave this output, if there is one.

    The best of FACTORS, made exact by the Gauss-Newton method.
    """
    product = Q @ transposed(K)
    if not _is_like(output, product @ V):
        return None

    def weights_of(factor: Any) -> Array:
        powers = np.exp(factor * product - np.max(factor * product, axis=-1, keepdims=True))
        return powers / np.sum(powers, axis=-1, keepdims=True)

    candidates = FACTORS.reshape(-1, *(1 for _ in product.shape))
    misses = weights_of(candidates) @ V - output
    factor = float(FACTORS[np.argmin(np.sum(misses**2, axis=tuple(range(1, misses.ndim))))])
    for _ in range(GAUSS_NEWTON_STEPS):
        weights = weights_of(factor)
        miss = weights @ V - output
        slope = (weights * (product - np.sum(weights * product, axis=-1, keepdims=True))) @ V
        factor -= float(np.sum(slope * miss) / np.sum(slope * slope))
    exact = np.max(np.abs(weights_of(factor) @ V - output)) <= ATOL * scale_of(output)
    return _divisor(factor, 1.0) if exact else None


def _is_like(result: Any, product: Array) -> bool:
    """Whether a result, which may be anything, is an array of finite real numbers of this shape."""
    if not isinstance(result, np.ndarray) or result.dtype.kind not in "iuf" or result.shape != product.shape:
        return False
    return bool(np.isfinite(result).all())


def _divisor(covariance: float, variance: float) -> float | None:
    """The divisor, unless another mistake gives it: no division is ÷1, or ÷(1/ln b) where b stands for e in exp.

    Nor a negative one: nobody types that in, and where a sign is wrong, it need not be the divisor's.
    """
    factor = covariance / variance if variance > 0 else 0.0
    explained = any(abs(factor - other) <= 1e-6 for other in (1.0, math.log(2), math.log(10)))
    return None if explained or factor <= 1e-9 else float(1 / factor)


BY_SHAPE = (  # (Q, K) -> scores
    Variant("no-scale", "no division", no_scale),
    Variant("scale-by-width", "÷d", by_width),
    Variant("scale-by-width", "÷d÷2 by precedence", by_width_then_half),
    Variant("scale-by-width", "÷(d/2)", by_half_the_width),
    Variant("scale-by-width", "÷d²", by_width_squared),
    Variant("scale-by-tokens", "÷√Tq", by_root_of_queries),
    Variant("scale-by-tokens", "÷√Tk", by_root_of_keys),
    Variant("scale-by-tokens", "÷Tq", by_queries),
    Variant("scale-by-tokens", "÷Tk", by_keys),
    Variant("scale-multiplied", "×√d", multiplied),
    Variant("scale-multiplied", "×d", multiplied_by_width),
    Variant("scaled-twice", "Q and K each ÷√d", scaled_twice),
    Variant("scaled-twice", "Q, K and the product each ÷√d", scaled_three_times),
)

SCORES = (  # (Q, K) -> scores
    *BY_SHAPE,
    *(Variant("scale-constant", f"÷{constant:.6g}", by_constant(constant)) for constant in TYPED_IN),
)

SCORES_FROM_VALUES = (  # (Q, K, V) -> scores
    Variant("scale-by-value-width", "÷√dv", by_root_of_value_width),
    Variant("scale-by-value-width", "÷dv", by_value_width),
)

OUTPUT_AFTER_SOFTMAX = (  # Parts -> results; the scores that went into the softmax were not scaled
    Variant("scale-after-softmax", "output ÷√d", output_scaled),
)

AFTER_SOFTMAX = (Variant("scale-after-softmax", "weights ÷√d", weights_scaled), *OUTPUT_AFTER_SOFTMAX)

DESCRIPTIONS = (
    Mistake(
        "no-scale",
        "scale",
        "Not divided by √d",
        "You used the dot products as they are; divide them by √d, the root of the query and key width.",
        "Width 1, and scores that are all equal.",
    ),
    Mistake(
        "scale-by-width",
        "scale",
        "Divided by d, not √d",
        "You divided the scores by the width d itself (or by it times a number); divide by its square root.",
        "Width 1, and scores that are all equal.",
    ),
    Mistake(
        "scale-by-tokens",
        "scale",
        "Divided by the number of tokens",
        "You divided the scores by the number of tokens, all or those of a tile, or by its root; the divisor is √d, "
        "with d the width of a query.",
        "As many tokens as features, and scores that are all equal.",
    ),
    Mistake(
        "scale-by-value-width",
        "scale",
        "Divided by the width of the values",
        "You took the width from V; the divisor is √d, with d the width of the queries and keys.",
        "Values as wide as keys, and scores that are all equal.",
    ),
    Mistake(
        "scale-constant",
        "scale",
        "Divided by a number typed in",
        "You divided the scores by a fixed number; compute √d from the shape of Q, so that it fits any width.",
        "The one width that the number was made for.",
    ),
    Mistake(
        "scale-multiplied",
        "scale",
        "Multiplied where it should be divided",
        "You multiplied the scores by √d (or d); divide them, to bring large dot products back.",
        "Width 1, and scores that are all equal.",
    ),
    Mistake(
        "scaled-twice",
        "scale",
        "Scaled more than once",
        "You divided by √d more than once, for instance in Q, in K and in their product; once in all is right.",
        "Width 1, and scores that are all equal.",
    ),
    Mistake(
        "scale-after-softmax",
        "scale",
        "Scaled after the softmax",
        "You divided by √d after the softmax; divide the scores before it, or the shares no longer sum to 1.",
        "Width 1.",
    ),
)
