"""multi_head_attention as learners write it, in several styles; and each mistake as a change of some of their lines."""

from __future__ import annotations

AT_ONCE = """
B, T, D = x.shape
d = D // num_heads
Q, K, V = x @ Wq, x @ Wk, x @ Wv
Q = Q.reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)
K = K.reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)
V = V.reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)
s = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d)
if causal:
    s = np.where(np.triu(np.ones((T, T), dtype=bool), k=1), -np.inf, s)
e = np.exp(s - s.max(axis=-1, keepdims=True))
w = e / e.sum(axis=-1, keepdims=True)
o = w @ V
o = o.transpose(0, 2, 1, 3).reshape(B, T, D)
return o @ Wo
"""

LOOPS = """
out = np.zeros(x.shape)
size = x.shape[2] // num_heads
for n in range(len(x)):
    parts = []
    for h in range(num_heads):
        columns = slice(h * size, (h + 1) * size)
        q, k, v = x[n] @ Wq[:, columns], x[n] @ Wk[:, columns], x[n] @ Wv[:, columns]
        score = np.dot(q, k.T) / size ** 0.5
        if causal:
            score[np.triu_indices(len(score), 1)] = -1e20
        share = np.exp(score - score.max(axis=1, keepdims=True))
        share = share / share.sum(axis=1, keepdims=True)
        parts.append(share @ v)
    out[n] = np.concatenate(parts, axis=1) @ Wo
return out
"""

EINSUM = """
B, T, D = x.shape
q, k, v = (np.einsum("btm,mn->btn", x, W).reshape(B, T, num_heads, -1) for W in (Wq, Wk, Wv))
a = np.einsum("bqhc,bkhc->bhqk", q, k) * q.shape[-1] ** -0.5
if causal:
    a = a + np.triu(np.full((T, T), -np.inf), 1)
a = a - np.max(a, axis=-1, keepdims=True)
p = np.exp(a) / np.exp(a).sum(-1, keepdims=True)
z = np.einsum("bhqk,bkhc->bqhc", p, v)
return np.einsum("btm,mn->btn", z.reshape(B, T, D), Wo)
"""

SPLIT = """
def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

heads = []
pieces = [np.split(x @ W, num_heads, axis=-1) for W in (Wq, Wk, Wv)]
for query, key, value in zip(*pieces):
    scores = query @ np.swapaxes(key, 1, 2) / math.sqrt(query.shape[-1])
    if causal:
        scores = scores - 1e15 * np.triu(np.ones(scores.shape[1:]), 1)
    heads.append(softmax(scores) @ value)
return np.concatenate(heads, axis=-1) @ Wo
"""

# Right as well, and further from the statement.
TOGETHER = """
D, H = Wq.shape[0], num_heads
joint = np.matmul(x, np.hstack([Wq, Wk, Wv])).reshape(*x.shape[:2], 3, H, D // H)
q, k, v = np.moveaxis(joint, (2, 3), (0, 2))
r = (D // H) ** 0.25
s = np.matmul(q / r, (k / r).swapaxes(-2, -1))
seen = np.tri(x.shape[1], dtype=bool) if causal else np.ones((x.shape[1],) * 2, dtype=bool)
top = np.max(np.where(seen, s, -np.inf), axis=-1, keepdims=True)
e = np.where(seen, np.exp(np.minimum(s - top, 0)), 0)
o = np.matmul(e, v) / e.sum(axis=-1)[..., None]
return sum(o[:, h] @ Wo[h * D // H : (h + 1) * D // H] for h in range(H))
"""

GROWING = """
B, T, D = x.shape
d = D // num_heads
result = np.empty_like(x)
for b in range(B):
    Q, K, V = x[b] @ Wq, x[b] @ Wk, x[b] @ Wv
    for t in range(T):
        last = t + 1 if causal else T
        row = []
        for start in range(0, D, d):
            s = K[:last, start : start + d] @ Q[t, start : start + d] / math.sqrt(d)
            p = [math.exp(one - max(s)) for one in s]
            row.extend(np.array(p) @ V[:last, start : start + d] / sum(p))
        result[b, t] = np.array(row) @ Wo
return result
"""

FLATTENED = """
def heads_in_front(a):
    a = a.reshape(len(x), -1, num_heads, a.shape[-1] // num_heads)
    return np.concatenate([a[:, :, h] for h in range(num_heads)])

q, k, v = map(heads_in_front, (x @ Wq, x @ Wk, x @ Wv))
scores = np.array([one @ other.T for one, other in zip(q, k)]) / np.sqrt(q.shape[2])
if causal:
    scores += np.triu(np.full(scores.shape[1:], -1e30), 1)
scores -= scores.max(axis=2, keepdims=True)
p = np.exp(scores - np.log(np.exp(scores).sum(axis=2, keepdims=True)))
return np.concatenate(np.split(p @ v, num_heads), axis=2) @ Wo
"""

STYLES = {"at once": AT_ONCE, "loops": LOOPS, "einsum": EINSUM, "split": SPLIT}
RIGHT = (*STYLES.values(), TOGETHER, GROWING, FLATTENED)

Changes = dict[str, str]  # from lines, or parts of lines, to what stands there instead

# Softmaxes of each style: (what it is, the lines to change).
_E, _W = "e = np.exp(s - s.max(axis=-1, keepdims=True))", "w = e / e.sum(axis=-1, keepdims=True)"
_SHARE = "share = np.exp(score - score.max(axis=1, keepdims=True))"
_SHARED = "share = share / share.sum(axis=1, keepdims=True)"
_P = "p = np.exp(a) / np.exp(a).sum(-1, keepdims=True)"
_MAXIMUM = "a = a - np.max(a, axis=-1, keepdims=True)"
_POWERS = "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))"
_RETURN = "return powers / powers.sum(axis=-1, keepdims=True)"

SCALES: list[tuple[tuple[str, ...], str, Changes]] = [
    (("no-scale",), "at once", {" / np.sqrt(d)": ""}),
    (("no-scale",), "einsum", {" * q.shape[-1] ** -0.5": ""}),
    (("no-scale",), "split", {" / math.sqrt(query.shape[-1])": ""}),
    (("scale-by-width", "scaled-twice"), "at once", {"/ np.sqrt(d)": "/ d"}),
    (("scale-by-width", "scaled-twice"), "loops", {"size ** 0.5": "size"}),
    (("scale-by-width",), "loops", {"size ** 0.5": "size ** 1 / 2"}),
    (("scale-by-width", "scaled-twice"), "at once", {"x @ Wq,": "x @ Wq / np.sqrt(d),"}),
    (("scale-by-tokens",), "at once", {"np.sqrt(d)": "np.sqrt(T)"}),
    (
        ("scale-by-tokens",),
        "loops",
        {"size ** 0.5": "len(score_of) ** 0.5", "score = np": "score_of = q\n        score = np"},
    ),
    (("scale-by-tokens",), "split", {"query.shape[-1]": "query.shape[1]"}),
    (("scale-by-model-width",), "at once", {"np.sqrt(d)": "np.sqrt(D)"}),
    (("scale-by-model-width",), "loops", {"size ** 0.5": "x.shape[-1] ** 0.5"}),
    (("scale-by-model-width",), "split", {"query.shape[-1]": "x.shape[-1]"}),
    (("scale-constant",), "at once", {"np.sqrt(d)": "np.sqrt(64)"}),
    (("scale-constant",), "split", {"math.sqrt(query.shape[-1])": "1.4142"}),
    (("scale-constant",), "einsum", {"q.shape[-1] ** -0.5": "0.37"}),
    (("scale-multiplied",), "at once", {"/ np.sqrt(d)": "* np.sqrt(d)"}),
    (("scale-multiplied",), "einsum", {"** -0.5": "** 0.5"}),
    (("scale-after-softmax",), "at once", {" / np.sqrt(d)": "", "o = w @ V": "o = w @ V / np.sqrt(d)"}),
    (("scale-after-softmax",), "loops", {" / size ** 0.5": "", "append(share": "append(share / np.sqrt(size)"}),
]

SOFTMAXES: list[tuple[tuple[str, ...], str, Changes]] = [
    (("softmax-over-queries", "axis-fixed-for-2d"), "at once", {_W: "w = e / e.sum(axis=-2, keepdims=True)"}),
    (("softmax-over-queries", "axis-fixed-for-2d"), "loops", {_SHARED: "share = share / share.sum(axis=0)"}),
    (("softmax-over-queries", "axis-fixed-for-2d"), "split", {_RETURN: "return powers / powers.sum(axis=1)[:, None]"}),
    (("softmax-over-queries",), "at once", {_W: "w = e / e.sum(axis=0)"}),
    (("softmax-over-everything",), "at once", {_W: "w = e / e.sum()"}),
    (("softmax-over-everything",), "loops", {_SHARED: "share /= np.sum(share)"}),
    (("softmax-over-everything",), "split", {_RETURN: "return powers / np.sum(powers)"}),
    (("no-softmax", "scores-blended"), "at once", {_E: "", _W: "w = s"}),
    (("no-softmax", "scores-blended"), "einsum", {_MAXIMUM: "", _P: "p = a"}),
    (("normalised-without-exp",), "at once", {_E: "", _W: "w = s / s.sum(axis=-1, keepdims=True)"}),
    (("normalised-without-exp",), "einsum", {_MAXIMUM: "", _P: "p = a / np.sum(a, axis=-1, keepdims=True)"}),
    (("overflow",), "at once", {_E: "e = np.exp(s)"}),
    (("overflow",), "einsum", {_MAXIMUM: ""}),
    (("max-over-everything",), "at once", {_E: "e = np.exp(s - s.max())"}),
    (("max-over-everything",), "loops", {_SHARE: "share = np.exp(score - np.max(score))"}),
    (("max-over-everything",), "split", {_POWERS: "powers = np.exp(scores - np.max(scores))"}),
    (("missing-keepdims",), "at once", {_W: "w = e / e.sum(axis=-1)"}),
    (("missing-keepdims",), "loops", {_SHARED: "share = share / share.sum(axis=1)"}),
    (("missing-keepdims",), "split", {_RETURN: "return powers / powers.sum(axis=-1)"}),
    (("softmax-base-2",), "loops", {_SHARE: "share = 2 ** (score - score.max(axis=1, keepdims=True))"}),
    (("softmax-base-2",), "einsum", {_P: "p = np.exp2(a) / np.exp2(a).sum(-1, keepdims=True)"}),
    (("softmax-twice",), "at once", {_W: _W + "\ne = np.exp(w)\n" + _W}),
    (("softmax-twice",), "split", {"softmax(scores) @": "softmax(softmax(scores)) @"}),
    (("sigmoid-weights",), "at once", {_E: "", _W: "w = 1 / (1 + np.exp(-s))"}),
    (("sigmoid-weights",), "split", {_POWERS: "powers = 1 / (1 + np.exp(-scores))"}),
    (("not-normalised",), "loops", {_SHARED: ""}),
    (("not-normalised",), "einsum", {_P: "p = np.exp(a)"}),
    (("hard-max",), "at once", {_E: "", _W: "w = (s == s.max(axis=-1, keepdims=True)) * 1.0"}),
    (("hard-max",), "loops", {_SHARED: "share = np.eye(len(score))[share.argmax(axis=1)]"}),
    (("extra-one-in-denominator",), "at once", {_W: "w = e / (1 + e.sum(axis=-1, keepdims=True))"}),
    (("extra-one-in-denominator",), "split", {_RETURN: "return powers / (powers.sum(axis=-1, keepdims=True) + 1)"}),
    (
        ("softmax-over-heads", "axis-fixed-for-2d"),
        "at once",
        {_E: "e = np.exp(s - s.max(axis=1, keepdims=True))", _W: "w = e / e.sum(axis=1, keepdims=True)"},
    ),
    (("softmax-over-heads", "axis-fixed-for-2d"), "at once", {_W: "w = e / e.sum(axis=1, keepdims=True)"}),
    (
        ("softmax-over-heads", "axis-fixed-for-2d"),
        "einsum",
        {"->bhqk": "->bqkh", "-np.inf), 1)": "-np.inf), 1)[:, :, None]", "bhqk,": "bqkh,"},
    ),
    (
        ("missing-keepdims", "axis-fixed-for-2d"),
        "at once",
        {_E: "e = np.exp(s - s.max(axis=-1)[:, None])", _W: "w = e / e.sum(-1)[:, None]"},
    ),
    (
        ("missing-keepdims", "axis-fixed-for-2d"),
        "split",
        {
            _POWERS: "powers = np.exp(scores - scores.max(-1)[:, None])",
            _RETURN: "return powers / powers.sum(-1)[:, None]",
        },
    ),
    (("axis-fixed-for-2d",), "at once", {_W: "w = (e.T / e.sum(axis=-1)).T"}),
    (("axis-fixed-for-2d",), "split", {_RETURN: "return (powers.T / powers.sum(axis=-1)).T"}),
    (("axis-fixed-for-2d",), "at once", {"K.transpose(0, 1, 3, 2)": "K.T"}),
    (("axis-fixed-for-2d",), "split", {"np.swapaxes(key, 1, 2)": "key.T"}),
]

PROJECTIONS: list[tuple[tuple[str, ...], str, Changes]] = [
    (("query-key-swapped",), "at once", {"x @ Wq, x @ Wk,": "x @ Wk, x @ Wq,"}),
    (("query-key-swapped",), "einsum", {"bqhc,bkhc->": "bkhc,bqhc->"}),
    (("query-key-swapped",), "loops", {"np.dot(q, k.T)": "np.dot(k, q.T)"}),
    (("keys-as-values",), "at once", {"o = w @ V": "o = w @ K"}),
    (("keys-as-values",), "split", {"(Wq, Wk, Wv)": "(Wq, Wk, Wk)"}),
    (("inputs-as-values",), "at once", {"x @ Wv": "x"}),
    (("inputs-as-values",), "loops", {"x[n] @ Wv[:, columns]": "x[n][:, columns]"}),
    (("query-from-key-matrix",), "einsum", {"(Wq, Wk, Wv)": "(Wk, Wk, Wv)"}),
    (("query-from-key-matrix",), "split", {"query @": "key @"}),
    (("key-from-query-matrix",), "loops", {"x[n] @ Wk": "x[n] @ Wq"}),
    (("key-from-query-matrix",), "at once", {"x @ Wk": "x @ Wq"}),
    (("weights-transposed",), "at once", {"x @ Wq, x @ Wk, x @ Wv": "x @ Wq.T, x @ Wk.T, x @ Wv.T"}),
    (("weights-transposed",), "loops", {name: f"{name}.T" for name in ("Wq", "Wk", "Wv", "Wo")}),
    (("weights-transposed",), "einsum", {"btm,mn->btn": "btm,nm->btn"}),
    (("weights-transposed",), "split", {"@ Wo": "@ Wo.T"}),
    (("no-projection",), "at once", {"x @ Wq, x @ Wk, x @ Wv": "x, x, x"}),
    (("no-projection",), "split", {"x @ W,": "x,"}),
    (("reshape-instead-of-transpose",), "at once", {"K.transpose(0, 1, 3, 2)": "K.reshape(B, num_heads, d, T)"}),
    (("reshape-instead-of-transpose",), "loops", {"k.T": "k.reshape(size, len(k))"}),
    (("blend-transposed",), "at once", {"w @ V": "w.swapaxes(-1, -2) @ V"}),
    (("blend-transposed",), "einsum", {"bhqk,bkhc->bqhc": "bhkq,bkhc->bqhc"}),
    (("scores-blended",), "at once", {"o = w @ V": "o = Q @ K.transpose(0, 1, 3, 2) @ V"}),
    (("no-softmax", "scores-blended"), "split", {"softmax(scores) @": "scores @"}),
    (("returns-weights",), "at once", {"return o @ Wo": "return w"}),
    (("returns-weights",), "einsum", {"z = np": "return p.mean(axis=1)\nz = np"}),
]

_MASK = "    s = np.where(np.triu(np.ones((T, T), dtype=bool), k=1), -np.inf, s)"
_INDICES = "score[np.triu_indices(len(score), 1)] = -1e20"
_ADDED = "a = a + np.triu(np.full((T, T), -np.inf), 1)"
_TAKEN = "scores = scores - 1e15 * np.triu(np.ones(scores.shape[1:]), 1)"

HEADS: list[tuple[tuple[str, ...], str, Changes]] = [
    (
        ("heads-split-without-transpose",),
        "at once",
        {".reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)": ".reshape(B, num_heads, T, d)"},
    ),
    (
        ("heads-split-without-transpose",),
        "einsum",
        {"reshape(B, T, num_heads, -1)": "reshape(B, num_heads, T, -1).swapaxes(1, 2)"},
    ),
    (
        ("heads-split-without-transpose",),
        "at once",
        {
            ".reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)": ".reshape(B, T, num_heads, d)",
            "np.ones((T, T)": "np.ones(s.shape[-2:]",
            "o = o.transpose(0, 2, 1, 3).reshape": "o = o.reshape",
        },
    ),
    (
        ("heads-split-without-transpose",),
        "at once",
        {
            ".reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)": ".reshape(B, T, num_heads, d)",
            "o = o.transpose(0, 2, 1, 3).reshape": "o = o.reshape",
        },
    ),
    (
        ("heads-split-without-transpose", "heads-merged-without-transpose"),
        "at once",
        {
            ".reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)": ".reshape(B, num_heads, T, d)",
            "o = o.transpose(0, 2, 1, 3).reshape": "o = o.reshape",
        },
    ),
    (("heads-merged-without-transpose",), "at once", {"o = o.transpose(0, 2, 1, 3).reshape": "o = o.reshape"}),
    (("heads-merged-without-transpose",), "einsum", {"->bqhc": "->bhqc"}),
    (
        ("heads-merged-without-transpose",),
        "loops",
        {"np.concatenate(parts, axis=1)": "np.concatenate(parts, axis=0).reshape(x[n].shape)"},
    ),
    (
        ("heads-merged-without-transpose", "heads-mixed-with-batch"),
        "split",
        {"np.concatenate(heads, axis=-1)": "np.array(heads).reshape(x.shape)"},
    ),
    (("missing-output-projection",), "at once", {"return o @ Wo": "return o"}),
    (("missing-output-projection",), "loops", {" @ Wo": ""}),
    (("missing-output-projection",), "split", {" @ Wo": ""}),
    (("heads-averaged",), "split", {"np.concatenate(heads, axis=-1)": "np.tile(np.mean(heads, axis=0), num_heads)"}),
    (("heads-averaged",), "loops", {"np.concatenate(parts, axis=1) @ Wo": "sum(parts) / num_heads @ Wo[:size]"}),
    (("heads-averaged",), "at once", {"o = w @ V": "o = w.mean(axis=1, keepdims=True) @ V"}),
    (("heads-averaged",), "einsum", {"return np": "return 1 / num_heads * np"}),
    (
        ("one-head-reused",),
        "split",
        {"np.concatenate(heads, axis=-1)": "np.concatenate(heads[:1] * num_heads, axis=-1)"},
    ),
    (("one-head-reused",), "loops", {"slice(h * size, (h + 1) * size)": "slice(0, size)"}),
    (("one-head-reused",), "at once", {"w @ V": "w[:, :1] @ V"}),
    (("one-head-reused",), "einsum", {"q, k, v = (": "num_heads = 1\nq, k, v = ("}),
    (("one-head-reused",), "at once", {"K = K.reshape": "K = np.tile(K[:, :, :d], num_heads).reshape"}),
    (
        ("heads-reordered",),
        "loops",
        {"slice(h * size, (h + 1) * size)": "slice(h, None, num_heads)"},
    ),
    (
        ("heads-reordered",),
        "at once",
        {".reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)": ".reshape(B, T, d, num_heads).transpose(0, 3, 1, 2)"},
    ),
    (("heads-reordered",), "split", {"np.concatenate(heads, axis=-1)": "np.stack(heads, axis=-1).reshape(x.shape)"}),
    (("heads-reordered",), "split", {"np.concatenate(heads, axis=-1)": "np.concatenate(heads[::-1], axis=-1)"}),
    (("heads-reordered",), "einsum", {'->bqhc", p, v)': '->bqch", p, v)'}),
    (
        ("heads-mixed-with-batch",),
        "at once",
        {"o = o.transpose(0, 2, 1, 3)": "o = o.reshape(num_heads, B, T, d).transpose(1, 2, 0, 3)"},
    ),
    (
        ("heads-mixed-with-batch",),
        "split",
        {
            "np.concatenate(heads, axis=-1)": (
                "np.array(heads).reshape(len(x), num_heads, *heads[0].shape[1:]).transpose(0, 2, 1, 3).reshape(x.shape)"
            )
        },
    ),
    (
        ("heads-mixed-with-batch", "heads-split-without-transpose"),
        "at once",
        {".reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)": ".reshape(num_heads, B, T, d).transpose(1, 0, 2, 3)"},
    ),
    (("mask-on-first-head-only",), "loops", {"if causal:": "if causal and h == 0:"}),
    (
        ("mask-on-first-head-only",),
        "at once",
        {_MASK: "    s[:, 0] = np.where(np.tri(T) == 0, -np.inf, s[:, 0])"},
    ),
    (("mask-on-first-head-only",), "split", {"if causal:": "if causal and not heads:"}),
]

MASKS: list[tuple[tuple[str, ...], str, Changes]] = [
    (("mask-missing",), "at once", {_MASK: "    pass"}),
    (("mask-missing",), "split", {_TAKEN: "np.where(np.tri(len(scores[0])), scores, -np.inf)"}),
    (("mask-inverted",), "at once", {"np.triu(np.ones((T, T), dtype=bool), k=1)": "np.tri(T, dtype=bool)"}),
    (("mask-inverted",), "loops", {"triu_indices(len(score), 1)": "tril_indices(len(score), -1)"}),
    (("mask-hides-self",), "at once", {"k=1": "k=0"}),
    (("mask-hides-self",), "loops", {"len(score), 1": "len(score)", "-1e20": "-np.inf"}),
    (("mask-hides-self",), "einsum", {"-np.inf), 1)": "-1e9))"}),
    (("mask-lets-next-through",), "einsum", {"-np.inf), 1)": "-np.inf), 2)"}),
    (("mask-lets-next-through",), "split", {"[1:]), 1)": "[1:]), 2)"}),
    (("mask-fills-zero", "mask-fills-small"), "at once", {"-np.inf": "0"}),
    (("mask-fills-zero", "mask-fills-small"), "split", {_TAKEN: "scores = np.tril(scores)"}),
    (("mask-fills-small",), "at once", {"-np.inf": "-1e9"}),
    (("mask-fills-small",), "loops", {"-1e20": "-100"}),
    (("mask-fills-small",), "split", {"1e15": "1e4"}),
    (("mask-fills-small",), "einsum", {"-np.inf": "-30"}),
    (("mask-after-softmax",), "at once", {_MASK: "    pass", "o = w @ V": "o = (np.tril(w) if causal else w) @ V"}),
    (
        ("mask-after-softmax",),
        "einsum",
        {_ADDED: "pass", "z = np": "if causal:\n    p = np.tril(p)\n    p /= p.sum(-1, keepdims=True)\nz = np"},
    ),
    (
        ("mask-added-as-ones",),
        "at once",
        {"np.where(np.triu(np.ones((T, T), dtype=bool), k=1), -np.inf, s)": "s - np.triu(np.ones((T, T)), k=1)"},
    ),
    (("mask-added-as-ones",), "split", {"1e15 * ": ""}),
    (("mask-multiplied",), "einsum", {"np.triu(np.full((T, T), -np.inf), 1)": "np.triu(np.ones((T, T)), 1) * -np.inf"}),
    (("mask-multiplied",), "loops", {_INDICES: "score = score * np.where(np.tri(len(score)) == 0, -np.inf, 1)"}),
    (("always-causal",), "at once", {"if causal:": "if True:"}),
    (("always-causal",), "loops", {"if causal:": "if causal or not causal:"}),
    (("uniform-over-past",), "at once", {"    s = np.where": "    s = np.where(True, 0 * s, s)\n    s = np.where"}),
    (
        ("uniform-over-past",),
        "split",
        {_TAKEN: "scores = np.where(np.tri(len(scores[0])) > 0, 1.0, -np.inf) + 0 * query[:, :, :1]"},
    ),
    (("axis-fixed-for-2d",), "split", {_TAKEN: "scores[np.triu_indices(scores.shape[1], 1)] = -np.inf"}),
    (("axis-fixed-for-2d",), "at once", {_MASK: "    s[np.triu_indices(T, 1)] = -np.inf"}),
]

# Two mistakes of which neither is a way to write the rest, and wrong code of no known kind.
NOTHING_KNOWN: list[tuple[str, Changes]] = [
    ("at once", {" / np.sqrt(d)": "", "return o @ Wo": "return o"}),
    ("at once", {"o = o.transpose(0, 2, 1, 3).reshape": "o = o.reshape", "np.sqrt(d)": "d"}),
    ("loops", {"x[n] @ Wv": "x[n] @ Wk", "size ** 0.5": "size"}),
    ("split", {" @ Wo": "", "if causal:": "if False:"}),
    ("split", {"heads, axis=-1)": "heads[::-1], axis=-1)", "(Wq, Wk, Wv)": "(Wq, Wk, Wk)"}),
    ("einsum", {_P: "p = np.exp2(a) / np.exp2(a).sum(-1, keepdims=True)", " * q.shape[-1] ** -0.5": ""}),
    ("einsum", {"if causal:": "if not causal:"}),
    ("at once", {"np.sqrt(d)": "np.sqrt(num_heads)"}),
    ("at once", {"o = w @ V": "o = w @ V + V"}),
    ("at once", {"return o @ Wo": "return o @ Wo + x"}),
    ("at once", {"return o @ Wo": "return Wo @ o.swapaxes(1, 2)"}),
    ("loops", {"slice(h * size, (h + 1) * size)": "slice(h, h + size)"}),
    ("loops", {"for n in range(len(x))": "for n in range(1)"}),
    ("loops", {"x[n] @ Wv[:, columns]": "x[0] @ Wv[:, columns]"}),
    ("split", {"np.concatenate(heads, axis=-1)": "sum(heads)"}),
    ("split", {"np.concatenate(heads, axis=-1)": "np.tile(sum(heads), num_heads)"}),
    ("at once", {"return o @ Wo": "return np.zeros(x.shape)"}),
    ("at once", {"return o @ Wo": "return x"}),
]


SAMPLES = [
    (mistakes, style, changes)
    for group in (SCALES, SOFTMAXES, PROJECTIONS, HEADS, MASKS)
    for mistakes, style, changes in group
]


def changed(style: str, changes: Changes) -> str:
    """The lines of a style with these changes, every one of which must change something."""
    text = STYLES[style]
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"{old!r} is nowhere in the style {style!r}")
        text = text.replace(old, new)
    return text
