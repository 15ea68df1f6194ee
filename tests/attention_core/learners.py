"""Wrong code as learners write it, each with the mistakes that must be named: independent of the mistakes' own code.

Only the body differs from one to the next, so each is a source text that is executed with `np` and `math` at hand.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from attention_core import OPERATIONS
from tests.attention_core import batch_code, cache_code, heads_code, tiles_code

SIGNATURES = {
    "qkv-projections": "project(x, Wq, Wk, Wv)",
    "scaled-scores": "scaled_scores(Q, K)",
    "softmax": "softmax(scores)",
    "attention": "attention(Q, K, V)",
    "causal-attention": "causal_attention(Q, K, V)",
    "multi-head-attention": "multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False)",
    "attention-cost": "attention_cost(n, bytes_per_score=2, heads=1, layers=1)",
    "batched-attention": "attention(Q, K, V, causal=False)",
    "torch-attention": "attention(q, k, v, is_causal=False)",
    "gpu-attention": "attention(q, k, v, is_causal=False)",
    "kv-cache": "stepped(Q, K, V)",
    "tiled-attention": "tiled_attention(Q, K, V, block_size, causal=False)",
}

STABLE = """
def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
PLAIN = """
def softmax(s):
    e = np.exp(s)
    return e / np.sum(e, axis=1, keepdims=True)
"""

Sample = tuple[str, tuple[str, ...], str]  # slug, mistakes, body

PROJECTIONS: list[Sample] = [
    ("qkv-projections", ("query-key-swapped", "results-swapped"), "return x.dot(Wk), x.dot(Wq), x.dot(Wv)"),
    ("qkv-projections", ("keys-as-values",), "return [np.einsum('td,dk->tk', x, W) for W in (Wq, Wk, Wk)]"),
    ("qkv-projections", ("inputs-as-values",), "return x @ Wq, x @ Wk, x.copy()"),
    ("qkv-projections", ("query-from-key-matrix",), "K = x @ Wk\nreturn K, K, x @ Wv"),
    ("qkv-projections", ("key-from-query-matrix",), "Q = x @ Wq\nreturn Q, Q, x @ Wv"),
    ("qkv-projections", ("weights-transposed",), "return [np.dot(x, W.T) for W in (Wq, Wk, Wv)]"),
    ("qkv-projections", ("weights-transposed",), "return x @ Wq, x @ Wk.T, x @ Wv"),
    ("qkv-projections", ("weights-transposed",), "return x @ Wq.T, x @ Wk.T, x @ Wv"),
    ("qkv-projections", ("no-projection",), "return x, x, x"),
    ("qkv-projections", ("no-projection",), "return x, x, x @ Wv"),
    ("qkv-projections", ("results-swapped",), "return x @ Wv, x @ Wk, x @ Wq"),
]

SCALES: list[tuple[tuple[str, ...], str]] = [
    (("no-scale",), "np.einsum('id,jd->ij', Q, K)"),
    (("scale-by-width", "scaled-twice"), "np.dot(Q, np.transpose(K)) / Q.shape[1]"),
    (("scale-by-width", "scaled-twice"), "(Q / np.sqrt(Q.shape[1])) @ K.T * K.shape[1] ** -0.5"),
    (("scale-by-width",), "Q @ K.T / Q.shape[-1] ** 1 / 2"),
    (("scale-by-tokens",), "Q @ K.T / np.sqrt(len(Q))"),
    (("scale-constant",), "Q @ K.T / np.sqrt(2)"),
    (("scale-constant",), "Q @ K.T / 8"),
    (("scale-constant",), "0.1 * Q @ K.T"),
    (("scale-constant",), "0.37 * Q @ K.T"),
    (("scale-constant",), "0.7071 * Q @ K.T"),
    (("scale-multiplied",), "Q @ K.T * np.sqrt(Q.shape[-1])"),
    (("query-from-key-matrix",), "K @ K.T / np.sqrt(K.shape[-1])"),
    (("key-from-query-matrix",), "Q @ Q.T / np.sqrt(K.shape[-1])"),
    (("query-key-swapped",), "K @ Q.T / np.sqrt(K.shape[-1])"),
    (("reshape-instead-of-transpose",), "Q @ K.reshape(K.shape[1], K.shape[0]) / np.sqrt(K.shape[-1])"),
]

SOFTMAXES: list[tuple[tuple[str, ...], str]] = [
    (("softmax-over-queries",), "e = np.exp(s - s.max(axis=0))\nreturn e / e.sum(axis=0)"),
    (("softmax-over-queries",), "e = np.exp(s)\nreturn e / e.sum(axis=0, keepdims=True)"),
    (("softmax-over-everything",), "e = np.exp(s - np.max(s))\nreturn e / np.sum(e)"),
    (("softmax-over-everything",), "return np.exp(s) / np.exp(s).sum()"),
    (("no-softmax",), "return s"),
    (("normalised-without-exp",), "return s / np.sum(s, axis=-1, keepdims=True)"),
    (("overflow",), "return np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)"),
    (("max-over-everything",), "e = np.exp(s - np.max(s))\nreturn e / e.sum(axis=-1, keepdims=True)"),
    (("missing-keepdims",), "e = np.exp(s - s.max(axis=-1, keepdims=True))\nreturn e / e.sum(axis=-1)"),
    (("missing-keepdims",), "e = np.exp(s)\nreturn e / e.sum(axis=1)"),
    (("softmax-base-2",), "e = 2 ** (s - s.max(axis=-1, keepdims=True))\nreturn e / e.sum(axis=-1, keepdims=True)"),
    (("softmax-base-2",), "e = np.power(2.0, s)\nreturn e / e.sum(axis=-1, keepdims=True)"),
    (("softmax-twice",), STABLE + "return softmax(softmax(s))"),
    (("sigmoid-weights",), "return 1 / (1 + np.exp(-s))"),
    (
        ("sigmoid-weights",),
        "w = np.where(s >= 0, 1 / (1 + np.exp(-s)), np.exp(s) / (1 + np.exp(s)))\nreturn np.nan_to_num(w)",
    ),
    (("not-normalised",), "return np.exp(s)"),
    (("not-normalised",), "return np.exp(s - np.max(s, axis=-1, keepdims=True))"),
    (
        ("hard-max",),
        "w = np.zeros_like(s)\nnp.put_along_axis(w, s.argmax(axis=-1)[..., None], 1.0, axis=-1)\nreturn w",
    ),
    (("hard-max",), "return (s == s.max(axis=-1, keepdims=True)).astype(float)"),
    (
        ("extra-one-in-denominator",),
        "e = np.exp(s - s.max(axis=-1, keepdims=True))\nreturn e / (1 + e.sum(axis=-1, keepdims=True))",
    ),
    (("extra-one-in-denominator",), "e = np.exp(s)\nreturn e / (1.0 + e.sum(axis=-1, keepdims=True))"),
]

# In Python's own numbers: math.exp raises where np.exp gives infinity.
IN_PYTHON: list[tuple[tuple[str, ...], str]] = [
    (("overflow",), "return np.array([[math.exp(v) / sum(math.exp(u) for u in row) for v in row] for row in s])"),
    (("overflow",), "e = np.array([[math.exp(v) for v in row] for row in s])\nreturn e / e.sum(axis=1)[:, None]"),
    (("not-normalised",), "return np.array([[math.exp(v) for v in row] for row in s])"),
    (("sigmoid-weights",), "return np.array([[1 / (1 + math.exp(-v)) for v in row] for row in s])"),
]

SOFTMAX: list[Sample] = [
    *(("softmax", names, "s = scores\n" + body) for names, body in SOFTMAXES),
    (
        "softmax",
        ("axis-fixed-for-2d",),
        "e = np.exp(scores - scores.max(axis=1, keepdims=True))\nreturn e / e.sum(axis=1, keepdims=True)",
    ),
    (
        "softmax",
        ("axis-fixed-for-2d",),
        "e = np.exp(scores - scores.max(axis=-1)[:, None])\nreturn np.nan_to_num(e / e.sum(axis=-1)[:, None])",
    ),
    (
        "softmax",
        ("axis-fixed-for-2d",),
        """
        rows, columns = scores.shape
        out = np.zeros((rows, columns))
        for i in range(rows):
            if np.isfinite(scores[i]).any():
                e = np.exp(scores[i] - scores[i].max())
                out[i] = e / e.sum()
        return out
        """,
    ),
    (
        "softmax",
        ("softmax-over-queries",),
        """
        axis = -2 if scores.ndim > 1 else -1
        e = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
        """,
    ),
    (
        "softmax",
        ("overflow",),
        """
        e = np.exp(scores)
        total = e.sum(axis=-1, keepdims=True)
        return np.where(total == 0, 0, e / np.where(total == 0, 1, total))
        """,
    ),
    *(
        (
            "softmax",
            ("softmax-over-queries",),
            f"""
            out = np.zeros(scores.shape)
            for j in range(scores.shape[{axis}]):
                e = np.exp(scores[{place}] - scores[{place}].max())
                out[{place}] = e / e.sum()
            return out
            """,
        )
        for axis, place in ((-1, "..., j"), (1, ":, j"))
    ),
    ("softmax", ("not-normalised",), "return np.vectorize(math.exp)(scores)"),
    ("softmax", ("sigmoid-weights",), "return np.vectorize(lambda s: 1 / (1 + math.exp(-s)))(scores)"),
    (
        "softmax",
        ("overflow",),
        """
        e = np.vectorize(math.exp)(scores)
        total = e.sum(axis=-1, keepdims=True)
        return e / np.where(total == 0, 1, total)
        """,
    ),
    (
        "softmax",
        ("softmax-over-queries",),
        """
        m = scores.max(axis=-1, keepdims=True)
        e = np.exp(scores - np.where(np.isinf(m), 0, m))
        return e / e.sum(axis=-2, keepdims=True)
        """,
    ),
]

BLENDS: list[tuple[tuple[str, ...], str]] = [
    (("keys-as-values",), "return w @ K, w"),
    (("blend-transposed",), "return np.transpose(w) @ V, w"),
    (("returns-weights",), "return w, w"),
    (("returns-weights",), "return w"),
    (("scores-blended",), "return s @ V, w"),
    (("results-swapped",), "return w, np.einsum('ij,jv->iv', w, V)"),
]


def _attention_like(slug: str, mask: str) -> list[Sample]:
    """Everything that can go wrong in attention, with and without the row's maximum subtracted."""
    samples: list[Sample] = []
    for definition in (STABLE, PLAIN):
        for names, scores in SCALES:
            samples.append((slug, names, f"{definition}\ns = {scores}\n{mask}\nw = softmax(s)\nreturn w @ V, w"))
        s = f"{definition}\ns = Q @ K.T / math.sqrt(Q.shape[1])\n"
        for names, blend in BLENDS:
            samples.append((slug, names, f"{s}\n{mask}\nw = softmax(s)\n{blend}"))
        after = f"{definition}\ns = Q @ K.T\n{mask}\nw = softmax(s) / math.sqrt(Q.shape[1])\nreturn w @ V, w"
        samples.append((slug, ("scale-after-softmax",), after))
        value_width = f"{definition}\ns = Q @ K.T / V.shape[1] ** 0.5\n{mask}\nw = softmax(s)\nreturn w @ V, w"
        samples.append((slug, ("scale-by-value-width",), value_width))
    for names, softmax in SOFTMAXES + IN_PYTHON:
        function = "def weights_of(s):\n" + textwrap.indent(softmax, "    ")
        scores = "s = Q @ K.T / math.sqrt(Q.shape[1])"
        samples.append((slug, names, f"{function}\n{scores}\n{mask}\nw = weights_of(s)\nreturn w @ V, w"))
    in_python = "w = np.array([[math.exp(v) / sum(map(math.exp, row)) for v in row] for row in s])\nreturn w @ V, w"
    samples += [(slug, names, f"s = {scores}\n{mask}\n{in_python}") for names, scores in SCALES]
    return samples


ATTENTION: list[Sample] = [
    *_attention_like("attention", ""),
    *(
        (
            "attention",
            ("always-causal",),
            f"{definition}\ns = Q @ K.T / math.sqrt(Q.shape[1])\n"
            f"s = np.where(np.tril(np.ones(s.shape)) == 1, s, {fill})\nw = softmax(s)\nreturn w @ V, w",
        )
        for definition in (STABLE, PLAIN)
        for fill in ("-np.inf", "-1e9", "-1e15")
    ),
]

HIDE = "s = np.where(np.tril(np.ones(s.shape)) == 1, s, -np.inf)"
HIDE_LESS = "s = np.where(np.triu(np.ones(s.shape), 1) == 1, -1e9, s)"
HIDE_BY_ADDING = "s = s + np.triu(np.full(s.shape, -np.inf), k=1)"

MASKS: list[tuple[tuple[str, ...], str]] = [
    (("mask-missing",), ""),
    (("mask-inverted",), "s = np.where(np.tril(np.ones(s.shape)) == 1, -np.inf, s)"),
    (("mask-inverted",), "s[np.tril_indices(len(s), -1)] = -np.inf"),
    (("mask-hides-self",), "s[np.triu_indices(len(s))] = -np.inf"),
    (("mask-hides-self",), "s = np.where(np.tril(np.ones(s.shape), -1) == 1, s, -1e9)"),
    (("mask-lets-next-through",), "s[np.triu_indices(len(s), 2)] = -np.inf"),
    (("mask-fills-zero", "mask-fills-small"), "s = np.tril(s)"),
    (("mask-fills-small", "mask-fills-zero"), "s[np.triu_indices(len(s), 1)] = 1e-9"),
    (("mask-fills-small",), "s[np.triu_indices(len(s), 1)] = -10"),
    (("mask-added-as-ones",), "s = s + np.triu(np.ones(s.shape), k=1)"),
    (("mask-added-as-ones",), "s = s + np.tril(np.ones_like(s))"),
    (("nan-result", "mask-multiplied"), "s = s + np.triu(np.ones(s.shape), k=1) * -np.inf"),
    (("mask-multiplied",), "s = s * np.where(np.tril(np.ones(s.shape)) == 1, 1, -np.inf)"),
]

LATE: list[tuple[tuple[str, ...], str]] = [
    (("mask-after-softmax",), "w = np.tril(softmax(s))"),
    (("mask-after-softmax",), "w = np.tril(softmax(s))\nw = w / w.sum(axis=1, keepdims=True)"),
    (("mask-after-softmax",), "w = np.tril(softmax(s))\nw /= w.sum(axis=-1, keepdims=True) + 1e-12"),
    (("mask-after-softmax",), "w = softmax(s)\nw[np.triu_indices(len(s), 1)] = -np.inf"),
    (("uniform-over-past",), "w = np.tril(np.ones(s.shape))\nw = w / w.sum(axis=1, keepdims=True)"),
    (("uniform-over-past",), "w = softmax(np.where(np.tril(np.ones(s.shape)) == 1, 0.0, -np.inf))"),
]

_SCORES = "s = Q @ K.T / math.sqrt(Q.shape[1])"


def _row_by_row(softmax: str, width: str = "Q.shape[1]") -> str:
    """Each query by itself, with what it may see: `softmax` makes the row r of the scores s."""
    loop = f"for i in range(len(Q)):\n    s = K[: i + 1] @ Q[i] / {width} ** 0.5\n"
    row = textwrap.indent(softmax, "    ")
    before = "largest = (Q @ K.T).max() / math.sqrt(Q.shape[1])\nw = np.zeros((len(Q), len(Q)))\n"
    return f"{before}{loop}{row}\n    w[i, : i + 1] = r\nreturn w @ V, w"


ROWS: list[tuple[tuple[str, ...], str]] = [
    (("overflow",), "e = np.exp(s)\nr = e / e.sum()"),
    (("overflow",), "e = [math.exp(v) for v in s]\nr = [v / sum(e) for v in e]"),
    (("max-over-everything",), "e = np.exp(s - largest)\nr = e / e.sum()"),
    (("normalised-without-exp",), "r = abs(s) / abs(s).sum()"),
    (("normalised-without-exp",), "r = (s - s.min()) / (s - s.min()).sum()"),
    (("sigmoid-weights",), "e = 1 / (1 + np.exp(-s))\nr = e / e.sum()"),
]

CAUSAL: list[Sample] = [
    *_attention_like("causal-attention", HIDE),
    *_attention_like("causal-attention", HIDE_BY_ADDING),
    *(
        ("causal-attention", names, f"{definition}\n{_SCORES}\n{mask}\nw = softmax(s)\nreturn w @ V, w")
        for definition in (STABLE, PLAIN)
        for names, mask in MASKS
    ),
    *(
        ("causal-attention", names, f"{definition}\n{_SCORES}\n{late}\nreturn w @ V, w")
        for definition in (STABLE, PLAIN)
        for names, late in LATE
    ),
    *(
        ("causal-attention", ("mask-fills-small",), f"{STABLE}\n{_SCORES}\n{mask}\nw = softmax(s)\nreturn w @ V, w")
        for mask in (
            HIDE_LESS,
            "s = s + np.triu(np.ones(s.shape), k=1) * -1e9",
            "s = s - 1e4 * np.triu(np.ones(s.shape), k=1)",
            "s[np.triu_indices(len(s), 1)] = -99999",
            "s[np.triu_indices(len(s), 1)] = -12345.678",
            "s[np.triu_indices(len(s), 1)] = -4",
            "s[np.triu_indices(len(s), 1)] = s.min() - 1",
            "s = s - 16 * np.triu(np.ones(s.shape), k=1)",
            "s = (s * math.sqrt(Q.shape[1]) - 20 * np.triu(np.ones(s.shape), k=1)) / math.sqrt(Q.shape[1])",
        )
    ),
    (
        "causal-attention",
        ("mask-added-as-ones",),
        f"{STABLE}\nd = Q.shape[1]\nw = softmax((Q @ K.T - np.triu(np.ones((len(Q), len(Q))), 1)) / math.sqrt(d))\n"
        "return w @ V, w",
    ),
    *(("causal-attention", names, _row_by_row(softmax)) for names, softmax in ROWS),
    ("causal-attention", ("scale-by-tokens",), _row_by_row("e = np.exp(s - max(s))\nr = e / e.sum()", "(i + 1)")),
    ("causal-attention", ("no-scale",), _row_by_row("e = np.exp(s)\nr = e / e.sum()", "1")),
    (
        "causal-attention",
        ("scores-blended",),
        f"{STABLE}\n{_SCORES}\n{HIDE}\nreturn np.where(np.isinf(s), 0, s) @ V, softmax(s)",
    ),
    (
        "causal-attention",
        ("softmax-over-queries",),
        f"{_SCORES}\ne = np.exp(s - s.max(axis=1, keepdims=True)) * np.tri(len(s))\nw = e / e.sum(axis=0)\n"
        "return w @ V, w",
    ),
    *(  # the fill is too small as well, but the other mistake is the one to mend first
        ("causal-attention", names, f"{STABLE}\ns = {scores}\n{HIDE_LESS}\nw = softmax(s)\nreturn w @ V, w")
        for names, scores in SCALES
    ),
    (
        "causal-attention",
        ("overflow",),
        f"{_SCORES}\ne = np.exp(s) * np.tril(np.ones(s.shape))\nw = e / e.sum(axis=1, keepdims=True)\nreturn w @ V, w",
    ),
    ("causal-attention", ("overflow",), f"{PLAIN}\n{_SCORES}\n{HIDE_LESS}\nw = softmax(s)\nreturn w @ V, w"),
    (
        "causal-attention",
        ("mask-hides-self",),
        """
        w = np.zeros((len(Q), len(Q)))
        for i in range(1, len(Q)):
            s = K[:i] @ Q[i] / math.sqrt(Q.shape[1])
            e = np.exp(s - s.max())
            w[i, :i] = e / e.sum()
        return w @ V, w
        """,
    ),
]

COST: list[Sample] = [
    ("attention-cost", ("pairs-linear",), "return n, n * bytes_per_score * heads * layers / 10**6"),
    (
        "attention-cost",
        ("pairs-linear",),
        "pairs = n * 2\nreturn pairs, pairs * bytes_per_score * heads * layers / 1e6",
    ),
    (
        "attention-cost",
        ("pairs-triangle",),
        "p = n * (n - 1) / 2\nreturn p, p * bytes_per_score * heads * layers / 1e6",
    ),
    (
        "attention-cost",
        ("pairs-triangle",),
        "p = sum(range(n + 1))\nreturn p, p * bytes_per_score * heads * layers / 1e6",
    ),
    (
        "attention-cost",
        ("pairs-triangle",),
        "return n * (n - 1) // 2, n * n * bytes_per_score * heads * layers / 1e6",
    ),
    (
        "attention-cost",
        ("pairs-triangle",),
        "return n * n, n * (n + 1) / 2 * bytes_per_score * heads * layers / 1e6",
    ),
    ("attention-cost", ("mebibytes",), "return n**2, n**2 * bytes_per_score * heads * layers / 1024 / 1024"),
    ("attention-cost", ("bits-for-bytes",), "return n**2, n**2 * bytes_per_score * heads * layers * 8 / 1e6"),
    ("attention-cost", ("heads-or-layers-forgotten",), "return n**2, n**2 * bytes_per_score * heads / 1e6"),
    ("attention-cost", ("heads-or-layers-forgotten",), "return n**2, n**2 * bytes_per_score / 1e6"),
    ("attention-cost", ("results-swapped",), "return n * n * bytes_per_score * heads * layers / 1e6, n * n"),
]

SCORES: list[Sample] = [("scaled-scores", names, f"return {scores}") for names, scores in SCALES]


def _made(slug: str, made: list[batch_code.Made]) -> list[Sample]:
    return [(slug, names, batch_code.changed(style, changes)) for names, style, changes in made]


BATCHES: list[Sample] = [
    *_made("batched-attention", batch_code.IN_NUMPY),
    *_made("torch-attention", batch_code.IN_TORCH + batch_code.OF_ANY_AXES),
    *_made("gpu-attention", batch_code.IN_TORCH + batch_code.OF_HEADS),
]

HEADS: list[Sample] = [
    ("multi-head-attention", names, heads_code.changed(style, changes)) for names, style, changes in heads_code.SAMPLES
]

TILES: list[Sample] = [
    *(("tiled-attention", names, tiles_code.body(style, changes)) for names, style, changes in tiles_code.SAMPLES),
    *(("kv-cache", names, cache_code.body(style, changes)) for names, style, changes in cache_code.SAMPLES),
]

SAMPLES = PROJECTIONS + SCORES + SOFTMAX + ATTENTION + CAUSAL + COST + BATCHES + HEADS + TILES

# Wrong in ways that have no name here, or in several at once: naming any mistake would be false.
UNNAMED: list[Sample] = [
    ("qkv-projections", (), "return x @ Wq, x @ Wk, x @ Wv"),
    ("qkv-projections", (), "return -x @ Wq, -x @ Wk, -x @ Wv"),
    ("qkv-projections", (), "raise ValueError"),
    ("scaled-scores", (), "return Q @ K.T / np.sqrt(Q.shape[1])"),
    ("scaled-scores", (), "return Q @ K"),
    ("scaled-scores", (), "return -(Q @ K.T)"),
    ("scaled-scores", (), "return Q @ K.T / -1.5"),
    ("scaled-scores", (), "return np.zeros((len(Q), len(K)))"),
    ("scaled-scores", (), "return None"),
    ("scaled-scores", (), "return Q @ K.T / (np.sqrt(Q.shape[1]) + 0.01)"),
    ("scaled-scores", (), "return Q @ K.T / np.log(Q.shape[1] + 1)"),
    ("scaled-scores", (), "return Q @ K.T / np.sqrt(Q.shape[1]) + 0.5"),
    ("scaled-scores", (), "return Q @ K.T, Q.shape[1]"),
    ("scaled-scores", (), "return (Q @ K.T).astype(complex)"),
    ("scaled-scores", (), "return (Q @ K.T / 3).astype(object)"),
    ("attention", (), STABLE + "w = softmax(Q @ K.T / Q.shape[1] ** 0.51)\nreturn w @ V, w"),
    ("attention", (), STABLE + "w = softmax(-Q @ K.T)\nreturn w @ V, w"),
    ("attention", (), STABLE + "w = softmax(Q @ K.T / -1.5)\nreturn w @ V, w"),
    ("attention", (), "return 1, 'two'"),
    ("attention", (), "return [[1, 2], [3]], [[1], [2, 3]]"),
    ("attention-cost", (), "return n * (n - 1), n * (n - 1) * bytes_per_score * heads * layers / 1e6"),
    ("softmax", (), STABLE + "return np.nan_to_num(softmax(scores))"),
    ("softmax", (), STABLE + "return softmax(scores)"),
    ("softmax", (), "return np.full_like(scores, np.nan)"),
    ("softmax", (), "return 'softmax'"),
    ("softmax", (), "e = 3.0 ** scores\nreturn e / e.sum(axis=-1, keepdims=True)"),
    ("attention", (), STABLE + "w = softmax(Q @ K.T / math.sqrt(Q.shape[1]))\nreturn w @ V, w"),
    ("attention", (), STABLE + "w = softmax(Q @ K.T / math.sqrt(Q.shape[1]))\nreturn w @ V"),
    ("attention", (), "return np.full((len(Q), V.shape[1]), np.nan), np.full((len(Q), len(K)), np.nan)"),
    ("attention", (), "return np.tile(V.mean(axis=0), (len(Q), 1)), np.full((len(Q), len(K)), 1 / len(K))"),
    ("attention", (), STABLE + "w = softmax(Q @ K.T)\nreturn w @ K, w"),
    ("attention", (), STABLE + "w = softmax(Q @ K.T / math.sqrt(Q.shape[1]))\nreturn 2 * (w @ V), w"),
    ("attention", (), "Q[0] = undefined"),
    ("causal-attention", (), f"{STABLE}\n{_SCORES}\n{HIDE}\nw = softmax(s)\nreturn w @ V, w"),
    ("causal-attention", (), f"{STABLE}\n{_SCORES}\ns = -s\n{HIDE}\nw = softmax(s)\nreturn w @ V, w"),
    ("causal-attention", (), "return np.zeros_like(V), np.zeros((len(Q), len(Q)))"),
    ("attention-cost", (), "return n * n, n * n * bytes_per_score * heads * layers / 1e6"),
    ("attention-cost", (), "return n * n, n * n * bytes_per_score * heads * layers / 1e9"),
    *(("multi-head-attention", (), heads_code.changed(*code)) for code in heads_code.NOTHING_KNOWN),
    ("attention-cost", (), "return n ** 3, n ** 3 * bytes_per_score * heads * layers / 1e6"),
    *(("tiled-attention", (), tiles_code.body(*code)) for code in tiles_code.NOTHING_KNOWN),
    *(("kv-cache", (), cache_code.body(*code)) for code in cache_code.NOTHING_KNOWN),
    *(
        (slug, (), batch_code.changed(style, changes))
        for _, style, changes in batch_code.NOTHING_KNOWN
        for slug in (("batched-attention",) if style in batch_code.NUMPY else ("torch-attention", "gpu-attention"))
    ),
]


def compiled(slug: str, body: str) -> Callable[..., Any]:
    """The function that a learner's file with this body defines; of arrays, also where it is written for tensors."""
    of_tensors = OPERATIONS[slug].framework == "torch"
    imports = "import torch\nimport torch.nn.functional as F\n" if of_tensors else "import numpy as np\n"
    source = f"import math\n{imports}def {SIGNATURES[slug]}:\n" + textwrap.indent(textwrap.dedent(body), "    ")
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - this file's own text
    function: Callable[..., Any] = names[SIGNATURES[slug].partition("(")[0]]
    return of_arrays(function) if of_tensors else function


def of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors as one of arrays."""

    def converted(*arguments: Any) -> Any:
        tensors = [torch.from_numpy(each) if isinstance(each, np.ndarray) else each for each in arguments]
        result = function(*tensors)
        return result.numpy() if isinstance(result, torch.Tensor) else result

    return converted
