"""The wrong matrix in the right place: queries, keys, values, weights and results mixed up."""

from __future__ import annotations

import math

import numpy as np

from attention_core.mistakes.mistake import Mistake
from attention_core.mistakes.recipe import Array, Parts, scaled_product, transposed
from attention_core.operation import Variant


def keys_by_queries(Q: Array, K: Array) -> Array:
    return scaled_product(K, Q)


def keys_by_keys(Q: Array, K: Array) -> Array:  # noqa: ARG001 - that the queries are not used is the mistake
    return scaled_product(K, K)


def queries_by_queries(Q: Array, K: Array) -> Array:  # noqa: ARG001 - that the keys are not used is the mistake
    return scaled_product(Q, Q)


def keys_by_keys_that_fit(Q: Array, K: Array) -> Array:
    """K Kᵀ where it has the shape of Q Kᵀ, as a mask made for that asks of it; raises otherwise."""
    return keys_by_keys(Q, K) + np.zeros((Q.shape[-2], K.shape[-2]))


def keys_reshaped(Q: Array, K: Array) -> Array:
    *leading, tokens, width = K.shape
    return Q @ K.reshape(*leading, width, tokens) / math.sqrt(Q.shape[-1])


SCORES = (  # (Q, K) -> scores
    Variant("query-key-swapped", "K Qᵀ", keys_by_queries),
    Variant("query-from-key-matrix", "K Kᵀ", keys_by_keys),
    Variant("key-from-query-matrix", "Q Qᵀ", queries_by_queries),
    Variant("reshape-instead-of-transpose", "K.reshape(d, Tk)", keys_reshaped),
)


def keys_blended(parts: Parts) -> tuple[Array, Array]:
    return parts.weights @ parts.K, parts.weights


def blend_transposed(parts: Parts) -> tuple[Array, Array]:
    return transposed(parts.weights) @ parts.V, parts.weights


def weights_twice(parts: Parts) -> tuple[Array, Array]:
    return parts.weights, parts.weights


def weights_only(parts: Parts) -> Array:
    return parts.weights


def masked_scores_blended(parts: Parts) -> tuple[Array, Array]:
    return parts.masked @ parts.V, parts.weights


def all_scores_blended(parts: Parts) -> tuple[Array, Array]:
    return parts.scores @ parts.V, parts.weights


def unscaled_scores_blended(parts: Parts) -> tuple[Array, Array]:
    return parts.Q @ transposed(parts.K) @ parts.V, parts.weights


def results_swapped(parts: Parts) -> tuple[Array, Array]:
    return parts.weights, parts.weights @ parts.V


_OTHER_BLENDS = (
    Variant("keys-as-values", "P K", keys_blended),
    Variant("blend-transposed", "Pᵀ V", blend_transposed),
    Variant("returns-weights", "weights twice", weights_twice),
)
_SCORES_BLENDED = (
    Variant("scores-blended", "S V", masked_scores_blended),
    Variant("scores-blended", "Q Kᵀ V", unscaled_scores_blended),
)

OUTPUTS = _OTHER_BLENDS + _SCORES_BLENDED  # Parts -> results; these show in the output

COMBINATIONS = (  # Parts -> results
    *_OTHER_BLENDS,
    Variant("returns-weights", "weights only", weights_only),
    *_SCORES_BLENDED,
    Variant("results-swapped", "weights, output", results_swapped),
)

UNMASKED_COMBINATIONS = (Variant("scores-blended", "S V without the mask", all_scores_blended),)

Three = tuple[Array, Array, Array]


def query_and_key_swapped(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wk, x @ Wq, x @ Wv


def keys_as_values(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - Wv unused: the mistake
    return x @ Wq, x @ Wk, x @ Wk


def inputs_as_values(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - Wv unused: the mistake
    return x @ Wq, x @ Wk, x


def query_from_key_matrix(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - Wq unused
    return x @ Wk, x @ Wk, x @ Wv


def key_from_query_matrix(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - Wk unused
    return x @ Wq, x @ Wq, x @ Wv


def all_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq.T, x @ Wk.T, x @ Wv.T


def query_matrix_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq.T, x @ Wk, x @ Wv


def key_matrix_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq, x @ Wk.T, x @ Wv


def value_matrix_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq, x @ Wk, x @ Wv.T


def query_and_key_matrices_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq.T, x @ Wk.T, x @ Wv


def query_and_value_matrices_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq.T, x @ Wk, x @ Wv.T


def key_and_value_matrices_transposed(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq, x @ Wk.T, x @ Wv.T


def multiplied_from_the_left(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    """(W xᵀ)ᵀ = x Wᵀ."""
    return (Wq @ x.T).T, (Wk @ x.T).T, (Wv @ x.T).T


def nothing_projected(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - unused: the mistake
    return x, x, x


def query_not_projected(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - Wq unused
    return x, x @ Wk, x @ Wv


def key_not_projected(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - Wk unused
    return x @ Wq, x, x @ Wv


def only_values_projected(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:  # noqa: ARG001 - unused: the mistake
    return x, x, x @ Wv


def order_kqv(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    """The same as query_and_key_swapped: which of the two it was, no result can tell."""
    return x @ Wk, x @ Wq, x @ Wv


def order_qvk(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wq, x @ Wv, x @ Wk


def order_kvq(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wk, x @ Wv, x @ Wq


def order_vkq(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wv, x @ Wk, x @ Wq


def order_vqk(x: Array, Wq: Array, Wk: Array, Wv: Array) -> Three:
    return x @ Wv, x @ Wq, x @ Wk


PROJECTIONS = (  # (x, Wq, Wk, Wv) -> (Q, K, V)
    Variant("query-key-swapped", "x Wk for Q, x Wq for K", query_and_key_swapped),
    Variant("keys-as-values", "x Wk for V", keys_as_values),
    Variant("inputs-as-values", "x for V", inputs_as_values),
    Variant("query-from-key-matrix", "x Wk for Q", query_from_key_matrix),
    Variant("key-from-query-matrix", "x Wq for K", key_from_query_matrix),
    Variant("weights-transposed", "all three", all_transposed),
    Variant("weights-transposed", "Wq", query_matrix_transposed),
    Variant("weights-transposed", "Wk", key_matrix_transposed),
    Variant("weights-transposed", "Wv", value_matrix_transposed),
    Variant("weights-transposed", "Wq and Wk", query_and_key_matrices_transposed),
    Variant("weights-transposed", "Wq and Wv", query_and_value_matrices_transposed),
    Variant("weights-transposed", "Wk and Wv", key_and_value_matrices_transposed),
    Variant("weights-transposed", "W xᵀ", multiplied_from_the_left),
    Variant("no-projection", "x three times", nothing_projected),
    Variant("no-projection", "x for Q", query_not_projected),
    Variant("no-projection", "x for K", key_not_projected),
    Variant("no-projection", "x for Q and K", only_values_projected),
    Variant("results-swapped", "K, Q, V", order_kqv),
    Variant("results-swapped", "Q, V, K", order_qvk),
    Variant("results-swapped", "K, V, Q", order_kvq),
    Variant("results-swapped", "V, K, Q", order_vkq),
    Variant("results-swapped", "V, Q, K", order_vqk),
)

DESCRIPTIONS = (
    Mistake(
        "query-key-swapped",
        "projection",
        "Queries and keys swapped",
        "You swapped queries and keys, so the scores are transposed; queries are the rows, keys the columns.",
        "One token, equal Wq and Wk, and symmetric scores.",
    ),
    Mistake(
        "keys-as-values",
        "projection",
        "Keys where values belong",
        "You used the keys as values; what is blended comes from V, made with Wv.",
        "Values equal to the keys.",
    ),
    Mistake(
        "inputs-as-values",
        "projection",
        "Inputs where values belong",
        "You handed over the inputs x as values; project them by Wv first.",
        "Wv the identity.",
    ),
    Mistake(
        "query-from-key-matrix",
        "projection",
        "Keys where queries belong",
        "You took the keys (or the key matrix) for the queries; the queries are Q, made with Wq.",
        "Equal Wq and Wk.",
    ),
    Mistake(
        "key-from-query-matrix",
        "projection",
        "Queries where keys belong",
        "You took the queries (or the query matrix) for the keys; the keys are K, made with Wk.",
        "Equal Wq and Wk.",
    ),
    Mistake(
        "weights-transposed",
        "projection",
        "A weight matrix transposed",
        "You multiplied by the transpose of a weight matrix; it is x @ W, with W of shape (D, d).",
        "Symmetric weight matrices; it raises unless they are square.",
    ),
    Mistake(
        "no-projection",
        "projection",
        "Inputs not projected",
        "You returned the inputs x themselves; multiply them by Wq, Wk and Wv.",
        "Weight matrices equal to the identity.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "projection",
        "Reshaped where it should be transposed",
        "You reshaped K to fit, which scrambles its numbers; the transpose K.T turns its rows into columns.",
        "Width 1, one key, and constant keys.",
    ),
    Mistake(
        "blend-transposed",
        "projection",
        "Weights transposed in the blend",
        "You multiplied the values by the transposed weights; each row of the weights makes one row of the output.",
        "One token, and symmetric weights; it raises unless there are as many queries as keys.",
    ),
    Mistake(
        "returns-weights",
        "projection",
        "Weights returned as the output",
        "You returned the weights where the output belongs; multiply them by V.",
        "V the identity.",
    ),
    Mistake(
        "scores-blended",
        "projection",
        "Scores blended, not weights",
        "You multiplied the values by the scores; multiply them by the weights that softmax made of them.",
        "Values that are all zero.",
    ),
    Mistake(
        "results-swapped",
        "projection",
        "Results in the wrong order",
        "Your results are right and in the wrong order; return them in the order of the statement.",
        "Results that are equal.",
    ),
)
