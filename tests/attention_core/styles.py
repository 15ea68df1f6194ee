"""Right solutions written in the ways people write them. All must pass every case."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tests.attention_core import batch_code, cache_code, heads_code, tiles_code
from tests.attention_core.learners import compiled

Array = Any


def project_einsum(x: Array, Wq: Array, Wk: Array, Wv: Array) -> list[Array]:
    return [np.einsum("td,dk->tk", x, W) for W in (Wq, Wk, Wv)]


def project_at_once(x: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, ...]:
    together = x @ np.concatenate([Wq, Wk, Wv], axis=1)
    d = Wq.shape[1]
    return together[:, :d].copy(), together[:, d : 2 * d].copy(), together[:, 2 * d :].copy()


def project_by_loops(x: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, ...]:
    return tuple(np.array([[sum(t * w) for w in W.T] for t in x]) for W in (Wq, Wk, Wv))


def scores_query_first(Q: Array, K: Array) -> Array:
    return (Q / np.sqrt(Q.shape[1])) @ K.T


def scores_shared(Q: Array, K: Array) -> Array:
    root = Q.shape[-1] ** 0.25
    return (Q / root) @ (K / root).T


def scores_einsum(Q: Array, K: Array) -> Array:
    return np.einsum("id,jd->ij", Q, K) * Q.shape[-1] ** -0.5


def scores_by_loops(Q: Array, K: Array) -> Array:
    result = np.zeros((len(Q), len(K)))
    for i, query in enumerate(Q):
        for j, key in enumerate(K):
            result[i, j] = sum(float(a) * float(b) for a, b in zip(query, key, strict=True)) / math.sqrt(len(query))
    return result


def softmax_guarded(scores: Array) -> Array:
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(largest), largest, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)


def softmax_nan_to_num(scores: Array) -> Array:
    with np.errstate(all="ignore"):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))


def softmax_by_logarithm(scores: Array) -> Array:
    largest = np.max(scores, axis=-1, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)
    total = np.exp(scores - largest).sum(axis=-1, keepdims=True)
    return np.exp(scores - largest - np.log(np.where(total == 0, 1.0, total)))


def softmax_by_rows(scores: Array) -> Array:
    rows = scores.reshape(-1, scores.shape[-1])
    result = np.zeros_like(rows)
    for i, row in enumerate(rows):
        if np.isfinite(row).any():
            powers = np.exp(row - row.max())
            result[i] = powers / powers.sum()
    return result.reshape(scores.shape)


def softmax_sum_guard(scores: Array) -> Array:
    """A tiny number in the denominator, which is at least 1 unless the row is empty."""
    largest = np.nan_to_num(scores.max(axis=-1, keepdims=True), neginf=0.0)
    powers = np.exp(scores - largest)
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-12)


SCORES = (scores_query_first, scores_shared, scores_einsum, scores_by_loops)
SOFTMAXES = (softmax_guarded, softmax_nan_to_num, softmax_by_logarithm, softmax_by_rows, softmax_sum_guard)


def attention_of(scores: Callable[..., Array], softmax: Callable[..., Array]) -> Callable[..., Any]:
    def attention(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
        weights = softmax(scores(Q, K))
        return np.einsum("ij,jv->iv", weights, V), weights

    return attention


def hidden_where(fill: float) -> Callable[[Array], Array]:
    return lambda scores: np.where(np.triu(np.ones(scores.shape), 1) == 1, fill, scores)


def hidden_by_adding(fill: float) -> Callable[[Array], Array]:
    return lambda scores: scores + np.triu(np.full(scores.shape, fill), 1)


def hidden_by_assignment(scores: Array) -> Array:
    scores = scores.copy()
    scores[np.triu_indices(len(scores), 1)] = -np.inf
    return scores


MASKS = (
    hidden_where(-np.inf),
    hidden_where(-1e15),
    hidden_where(-1e30),
    hidden_where(float(np.finfo(np.float64).min)),
    hidden_by_adding(-np.inf),
    hidden_by_adding(-1e15),
    hidden_by_adding(-1e18),
    hidden_by_assignment,
)


def causal_of(
    scores: Callable[..., Array], mask: Callable[[Array], Array], softmax: Callable[..., Array]
) -> Callable[..., Any]:
    def causal(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
        weights = softmax(mask(scores(Q, K)))
        return weights @ V, weights

    return causal


def causal_prefix_by_prefix(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    output, weights = np.zeros_like(V), np.zeros((len(Q), len(Q)))
    for t in range(len(Q)):
        weights[t, : t + 1] = softmax_by_rows(scores_einsum(Q[t : t + 1], K[: t + 1]))[0]
        output[t] = weights[t, : t + 1] @ V[: t + 1]
    return output, weights


def causal_masked_powers(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    """The maximum is taken of what is visible, so nothing can overflow or vanish."""
    past = np.tril(np.ones((len(Q), len(Q)), dtype=bool))
    scores = scores_query_first(Q, K)
    largest = np.max(np.where(past, scores, -np.inf), axis=1, keepdims=True)
    powers = np.exp(np.where(past, scores - largest, -np.inf))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ V, weights


def cost_by_powers(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> list[Any]:
    pairs = n**2
    return [pairs, pairs / 1e6 * bytes_per_score * heads * layers]


def cost_by_steps(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[int, float]:
    one = n * n * bytes_per_score / 1_000_000
    return n * n, one * heads * layers


def fused(q: Array, k: Array, v: Array, is_causal: bool = False) -> Array:
    """PyTorch's own: no answer to the exercises, and right."""
    tensors = map(torch.from_numpy, (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(*tensors, is_causal=is_causal).numpy()


TENSORS = (*(compiled("torch-attention", body) for body in batch_code.TORCH.values()), fused)

RIGHT: dict[str, tuple[Callable[..., Any], ...]] = {
    "qkv-projections": (project_einsum, project_at_once, project_by_loops),
    "scaled-scores": SCORES,
    "softmax": SOFTMAXES,
    "attention": tuple(attention_of(scores, softmax) for scores in SCORES for softmax in SOFTMAXES),
    "causal-attention": (
        *(causal_of(scores, mask, SOFTMAXES[i % 5]) for scores in SCORES for i, mask in enumerate(MASKS)),
        causal_prefix_by_prefix,
        causal_masked_powers,
    ),
    "multi-head-attention": tuple(compiled("multi-head-attention", body) for body in heads_code.RIGHT),
    "attention-cost": (cost_by_powers, cost_by_steps),
    "batched-attention": tuple(compiled("batched-attention", body) for body in batch_code.NUMPY.values()),
    "kv-cache": tuple(compiled("kv-cache", cache_code.as_function(source)) for source in cache_code.RIGHT),
    "tiled-attention": tuple(compiled("tiled-attention", tiles_code.as_body(source)) for source in tiles_code.RIGHT),
    "torch-attention": TENSORS,
    "gpu-attention": TENSORS,
}
