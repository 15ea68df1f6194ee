"""attention over batches as learners write it, in NumPy and in PyTorch; and each mistake as a change of some lines."""

from __future__ import annotations

AT_ONCE = """
Tq, Tk, d = Q.shape[-2], K.shape[-2], Q.shape[-1]
s = Q @ K.swapaxes(-1, -2) / np.sqrt(d)
if causal:
    hidden = np.triu(np.ones((Tq, Tk), dtype=bool), k=1 + Tk - Tq)
    s = np.where(hidden, -np.inf, s)
e = np.exp(s - s.max(axis=-1, keepdims=True))
w = e / e.sum(axis=-1, keepdims=True)
return w @ V
"""

EINSUM = """
s = np.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
rows, columns = np.indices(s.shape[-2:])
future = columns > rows + len(columns[0]) - len(rows)
if causal:
    s = s + np.where(future, -1e20, 0.0)
s = s - np.max(s, axis=-1, keepdims=True)
p = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
return np.einsum("...ij,...jv->...iv", p, V)
"""

ONE_BY_ONE = """
def one(q, k, v):
    score = np.dot(q, k.T) / q.shape[1] ** 0.5
    if causal:
        score[np.triu_indices(len(q), 1 + len(k) - len(q), len(k))] = -1e20
    share = np.exp(score - score.max(axis=1)[:, None])
    share = share / share.sum(axis=1)[:, None]
    return share @ v

stacks = [stack.reshape(-1, *stack.shape[-2:]) for stack in (Q, K, V)]
parts = [one(*matrices) for matrices in zip(*stacks)]
return np.array(parts).reshape(*Q.shape[:-2], *parts[0].shape)
"""

ROW_BY_ROW = """
if Q.ndim > 2:
    return np.stack([attention(*matrices, causal) for matrices in zip(Q, K, V)])
out = np.zeros((len(Q), V.shape[1]))
offset = len(K) - len(Q)
for i, q in enumerate(Q):
    seen = i + offset + 1 if causal else len(K)
    score = K[:seen] @ q / math.sqrt(len(q))
    power = np.exp(score - max(score))
    out[i] = power @ V[:seen] / sum(power)
return out
"""

MASKED_FILL = """
scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
if is_causal:
    mask = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool, device=q.device).triu(1)
    scores = scores.masked_fill(mask, float("-inf"))
weights = torch.softmax(scores, dim=-1)
return weights @ v
"""

TORCH_EINSUM = """
s = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
if is_causal:
    s = torch.where(torch.ones_like(s).tril() == 1, s, torch.finfo(s.dtype).min)
e = torch.exp(s - s.amax(dim=-1, keepdim=True))
p = e / e.sum(dim=-1, keepdim=True)
return torch.einsum("...ij,...jv->...iv", p, v)
"""

FUNCTIONAL = """
L, S = q.shape[-2], k.shape[-2]
bias = torch.zeros(L, S, dtype=q.dtype)
if is_causal:
    bias = torch.full((L, S), -torch.inf, dtype=q.dtype).triu(diagonal=1)
a = torch.matmul(q * (1 / q.shape[-1]) ** 0.5, k.mT)
return torch.matmul(F.softmax(a + bias, -1), v)
"""

NUMPY = {"at once": AT_ONCE, "einsum": EINSUM, "one by one": ONE_BY_ONE, "row by row": ROW_BY_ROW}
TORCH = {"masked_fill": MASKED_FILL, "torch einsum": TORCH_EINSUM, "functional": FUNCTIONAL}
STYLES = {**NUMPY, **TORCH}

Changes = dict[str, str]  # from lines, or parts of lines, to what stands there instead
Made = tuple[tuple[str, ...], str, Changes]  # mistakes, style, changes

_E, _W = "e = np.exp(s - s.max(axis=-1, keepdims=True))", "w = e / e.sum(axis=-1, keepdims=True)"
_MAXIMUM = "s = s - np.max(s, axis=-1, keepdims=True)"
_P = "p = np.exp(s) / np.exp(s).sum(-1, keepdims=True)"
_SHARE = "share = np.exp(score - score.max(axis=1)[:, None])"
_SHARED = "share = share / share.sum(axis=1)[:, None]"
_HIDDEN = "    s = np.where(hidden, -np.inf, s)"
_ADDED = "    s = s + np.where(future, -1e20, 0.0)"
_INDICES = "        score[np.triu_indices(len(q), 1 + len(k) - len(q), len(k))] = -1e20"
_SEEN = "seen = i + offset + 1 if causal else len(K)"

IN_NUMPY: list[Made] = [
    (("no-scale",), "at once", {" / np.sqrt(d)": ""}),
    (("no-scale",), "row by row", {" / math.sqrt(len(q))": ""}),
    (("scale-by-width", "scaled-twice"), "at once", {"np.sqrt(d)": "d"}),
    (("scale-by-width", "scaled-twice"), "one by one", {"np.dot(q, k.T)": "np.dot(q / q.shape[1] ** 0.5, k.T)"}),
    (("scale-by-width",), "one by one", {"** 0.5": "** 1 / 2"}),
    (("scale-by-tokens",), "at once", {"np.sqrt(d)": "np.sqrt(Tk)"}),
    (("scale-by-tokens",), "at once", {"np.sqrt(d)": "np.sqrt(len(Q))"}),
    (("scale-by-tokens",), "row by row", {"math.sqrt(len(q))": "math.sqrt(len(Q))"}),
    (("scale-by-value-width",), "at once", {"np.sqrt(d)": "np.sqrt(V.shape[-1])"}),
    (("scale-by-value-width",), "one by one", {"q.shape[1] ** 0.5": "v.shape[1] ** 0.5"}),
    (("scale-constant",), "at once", {"np.sqrt(d)": "8"}),
    (("scale-constant",), "einsum", {"Q.shape[-1] ** -0.5": "0.37"}),
    (("scale-constant",), "row by row", {"math.sqrt(len(q))": "1.732"}),
    (("scale-constant",), "at once", {"np.sqrt(d)": "1e3", "-np.inf": "-1e9", _E: "e = np.exp(s)"}),
    (("scale-multiplied",), "einsum", {"** -0.5": "** 0.5"}),
    (("scale-multiplied",), "at once", {"/ np.sqrt(d)": "* np.sqrt(d)"}),
    (("scale-after-softmax",), "at once", {" / np.sqrt(d)": "", "w @ V": "w @ V / np.sqrt(d)"}),
    (("scale-after-softmax",), "einsum", {" * Q.shape[-1] ** -0.5": "", _P: _P + " * Q.shape[-1] ** -0.5"}),
    (("softmax-over-queries",), "at once", {_W: "w = e / e.sum(axis=-2, keepdims=True)"}),
    (("softmax-over-queries",), "at once", {_W: "w = e / e.sum(axis=0)"}),
    (
        ("softmax-over-queries",),
        "one by one",
        {_SHARE: "share = np.exp(score - score.max(axis=0))", _SHARED: "share /= share.sum(0)"},
    ),
    (("softmax-over-everything",), "at once", {_W: "w = e / e.sum()"}),
    (("softmax-over-everything",), "one by one", {_SHARED: "share /= np.sum(share)"}),
    (("no-softmax", "scores-blended"), "at once", {_W: "w = s"}),
    (("no-softmax", "scores-blended"), "one by one", {_SHARED: "share = score"}),
    (
        ("no-softmax", "scores-blended"),
        "row by row",
        {"power = np.exp(score - max(score))": "power = score", " / sum(power)": ""},
    ),
    (("scores-blended",), "at once", {"w @ V": "Q @ (K.swapaxes(-1, -2) @ V)"}),
    (("normalised-without-exp",), "at once", {_W: "w = s / s.sum(axis=-1, keepdims=True)"}),
    (("normalised-without-exp",), "row by row", {"np.exp(score - max(score))": "score"}),
    (("overflow",), "at once", {_E: "e = np.exp(s)"}),
    (("overflow",), "einsum", {_MAXIMUM: ""}),
    (("overflow",), "row by row", {" - max(score)": ""}),
    (
        ("overflow",),
        "at once",
        {"if causal:": "if False:", _E: "e = np.exp(s) * (np.tri(Tq, Tk, Tk - Tq) if causal else 1)"},
    ),
    (("max-over-everything",), "at once", {_E: "e = np.exp(s - s.max())"}),
    (("max-over-everything",), "one by one", {_SHARE: "share = np.exp(score - np.max(score))"}),
    (("missing-keepdims",), "at once", {_W: "w = e / e.sum(axis=-1)"}),
    (("missing-keepdims",), "one by one", {_SHARED: "share = share / share.sum(axis=1)"}),
    (("softmax-base-2",), "einsum", {_P: "p = np.exp2(s) / np.exp2(s).sum(-1, keepdims=True)"}),
    (("softmax-base-2",), "row by row", {"np.exp(score - max(score))": "2 ** (score - max(score))"}),
    (("softmax-twice",), "at once", {_W: f"{_W}\ne = np.exp(w)\n{_W}"}),
    (("softmax-twice",), "row by row", {"out[i]": "power = np.exp(power / sum(power))\n    out[i]"}),
    (("sigmoid-weights",), "at once", {_W: "w = 1 / (1 + np.exp(-s))"}),
    (("sigmoid-weights",), "one by one", {_SHARED: "share = 1 / (1 + np.exp(-score))"}),
    (("not-normalised",), "at once", {_W: "w = e"}),
    (("not-normalised",), "row by row", {" / sum(power)": ""}),
    (("hard-max",), "at once", {_W: "w = np.eye(Tk)[s.argmax(-1)]"}),
    (("hard-max",), "row by row", {"power = np.exp(score - max(score))": "power = score == max(score)"}),
    (("extra-one-in-denominator",), "at once", {_W: "w = e / (1 + e.sum(axis=-1, keepdims=True))"}),
    (("extra-one-in-denominator",), "row by row", {"/ sum(power)": "/ (sum(power) + 1)"}),
    (("axis-fixed-for-2d",), "at once", {"K.swapaxes(-1, -2)": "K.T"}),
    (("axis-fixed-for-2d",), "at once", {"K.swapaxes(-1, -2)": "K.transpose(1, 0)"}),
    (("axis-fixed-for-2d",), "einsum", {"...id,...jd->...ij": "id,jd->ij"}),
    (("axis-fixed-for-2d",), "at once", {"axis=-1": "axis=1"}),
    (("axis-fixed-for-2d",), "at once", {_W: "w = e / e.sum(axis=1, keepdims=True)", _E: "e = np.exp(s)"}),
    (("axis-fixed-for-2d",), "einsum", {"Q.shape[-1]": "Q.shape[1]"}),
    (
        ("axis-fixed-for-2d",),
        "at once",
        {"Tq, Tk, d = Q.shape[-2], K.shape[-2], Q.shape[-1]": "(Tq, d), Tk = Q.shape, len(K)"},
    ),
    (("axis-fixed-for-2d",), "at once", {"Tq, Tk, d = Q.shape[-2], K.shape[-2]": "Tq, Tk, d = len(Q), len(K)"}),
    (("axis-fixed-for-2d",), "at once", {_HIDDEN: "    s[np.triu_indices(Tq, 1 + Tk - Tq, Tk)] = -np.inf"}),
    (("axis-fixed-for-2d",), "at once", {"return w @ V": "return np.dot(w, V)"}),
    (("axis-fixed-for-2d",), "row by row", {"if Q.ndim > 2:": "if False:"}),
    (("query-key-swapped",), "at once", {"Q @ K.swap": "K @ Q.swap"}),
    (("query-key-swapped",), "einsum", {"...id,...jd->": "...jd,...id->"}),
    (("query-from-key-matrix",), "at once", {"Q @ K.swap": "K @ K.swap"}),
    (("query-from-key-matrix",), "einsum", {", Q, K)": ", K, K)"}),
    (("key-from-query-matrix",), "at once", {"Q @ K.swap": "Q @ Q.swap"}),
    (("key-from-query-matrix",), "einsum", {", Q, K)": ", Q, Q)"}),
    (("reshape-instead-of-transpose",), "at once", {"K.swapaxes(-1, -2)": "K.reshape(*K.shape[:-2], d, Tk)"}),
    (("reshape-instead-of-transpose",), "one by one", {"k.T": "k.reshape(k.shape[1], -1)"}),
    (("keys-as-values",), "at once", {"w @ V": "w @ K"}),
    (("keys-as-values",), "one by one", {"in (Q, K, V)": "in (Q, K, K)"}),
    (("blend-transposed",), "at once", {"w @ V": "w.swapaxes(-1, -2) @ V"}),
    (("blend-transposed",), "einsum", {"...ij,...jv": "...ji,...jv"}),
    (("returns-weights",), "at once", {"return w @ V": "return w"}),
    (("returns-weights",), "einsum", {'np.einsum("...ij,...jv->...iv", p, V)': "p"}),
    (("mask-missing",), "at once", {_HIDDEN: "    np.where(hidden, -np.inf, s)"}),
    (("mask-missing",), "row by row", {_SEEN: "seen = len(K)"}),
    (("mask-inverted",), "at once", {"np.where(hidden, -np.inf, s)": "np.where(hidden, s, -np.inf)"}),
    (("mask-inverted",), "einsum", {"np.where(future, -1e20, 0.0)": "np.where(future, 0.0, -1e9)"}),
    (("mask-inverted",), "one by one", {"triu_indices(len(q), 1 + len": "tril_indices(len(q), -1 + len"}),
    (("mask-hides-self",), "at once", {"k=1 + Tk": "k=Tk"}),
    (("mask-hides-self",), "einsum", {"columns > rows": "columns >= rows", "-1e20": "-1e9"}),
    (("mask-lets-next-through",), "at once", {"k=1 + Tk": "k=2 + Tk"}),
    (("mask-lets-next-through",), "row by row", {"i + offset + 1": "i + offset + 2"}),
    (("mask-fills-zero", "mask-fills-small"), "at once", {"-np.inf": "0"}),
    (("mask-fills-zero", "mask-fills-small"), "einsum", {_ADDED: "    s = s * ~future"}),
    (("mask-fills-small",), "at once", {"-np.inf": "-1e9"}),
    (("mask-fills-small",), "einsum", {"-1e20": "-1e4"}),
    (("mask-fills-small",), "one by one", {"-1e20": "-30"}),
    (
        ("mask-after-softmax",),
        "at once",
        {_HIDDEN: "    pass", "return w @ V": "return (w * ~hidden if causal else w) @ V"},
    ),
    (
        ("mask-after-softmax",),
        "einsum",
        {
            _ADDED: "    pass",
            _P: f"{_P}\nif causal:\n    p = np.where(future, 0, p)\n    p = p / p.sum(-1, keepdims=True)",
        },
    ),
    (("mask-added-as-ones",), "at once", {_HIDDEN: "    s = s + hidden"}),
    (("mask-added-as-ones",), "einsum", {"-1e20": "-1"}),
    (("mask-multiplied",), "at once", {_HIDDEN: "    s = s + hidden * -np.inf"}),
    (("mask-multiplied",), "einsum", {_ADDED: "    s = s * np.where(future, -np.inf, 1)"}),
    (("mask-top-left",), "at once", {"k=1 + Tk - Tq": "k=1"}),
    (("mask-top-left",), "einsum", {" + len(columns[0]) - len(rows)": ""}),
    (("mask-top-left",), "one by one", {"1 + len(k) - len(q)": "1"}),
    (("mask-top-left",), "row by row", {"i + offset + 1": "i + 1"}),
    (("always-causal",), "at once", {"if causal:": "if True:"}),
    (("always-causal",), "row by row", {_SEEN: "seen = i + offset + 1"}),
    (("uniform-over-past",), "at once", {_HIDDEN: "    s = np.where(hidden, -np.inf, 0 * s)"}),
    (("uniform-over-past",), "row by row", {"score = K[:seen] @ q / math.sqrt(len(q))": "score = np.zeros(seen)"}),
]

_SCORES = "q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"
_MASK = "mask = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool, device=q.device).triu(1)"
_FILLED = '    scores = scores.masked_fill(mask, float("-inf"))'
_WEIGHTS = "weights = torch.softmax(scores, dim=-1)"
_WHERE = "    s = torch.where(torch.ones_like(s).tril() == 1, s, torch.finfo(s.dtype).min)"
_POWERS, _SHARES = "e = torch.exp(s - s.amax(dim=-1, keepdim=True))", "p = e / e.sum(dim=-1, keepdim=True)"
_SOFTMAX = "F.softmax(a + bias, -1)"

IN_TORCH: list[Made] = [  # for torch-attention and gpu-attention
    (("no-scale",), "masked_fill", {" / math.sqrt(q.size(-1))": ""}),
    (("no-scale",), "functional", {"q * (1 / q.shape[-1]) ** 0.5": "q"}),
    (("scale-by-width", "scaled-twice"), "masked_fill", {"math.sqrt(q.size(-1))": "q.size(-1)"}),
    (("scale-by-width", "scaled-twice"), "functional", {"k.mT": "k.mT / q.shape[-1] ** 0.5"}),
    (("scale-by-tokens",), "masked_fill", {"q.size(-1)": "k.size(-2)"}),
    (("scale-by-tokens",), "torch einsum", {"q.shape[-1]": "q.shape[-2]"}),
    (("scale-constant",), "masked_fill", {"math.sqrt(q.size(-1))": "math.sqrt(64)"}),
    (("scale-constant",), "torch einsum", {"q.shape[-1] ** -0.5": "0.125"}),
    (("scale-constant",), "functional", {"(1 / q.shape[-1]) ** 0.5": "3.3"}),
    (("scale-multiplied",), "masked_fill", {"/ math": "* math"}),
    (("scale-multiplied",), "torch einsum", {"** -0.5": "** 0.5"}),
    (
        ("scale-after-softmax",),
        "masked_fill",
        {"k.transpose(-2, -1) / math.sqrt(q.size(-1))": "k.transpose(-2, -1)", "@ v": "@ v / math.sqrt(q.size(-1))"},
    ),
    (
        ("scale-after-softmax",),
        "functional",
        {"q * (1 / q.shape[-1]) ** 0.5": "q", ", v)": ", v) / q.shape[-1] ** 0.5"},
    ),
    (("softmax-over-queries",), "masked_fill", {"dim=-1": "dim=-2"}),
    (("softmax-over-queries",), "torch einsum", {_SHARES: "p = e / e.sum(dim=-2, keepdim=True)"}),
    (("softmax-over-everything",), "torch einsum", {_SHARES: "p = e / e.sum()"}),
    (("softmax-over-everything",), "functional", {_SOFTMAX: "F.softmax((a + bias).flatten(), 0).reshape(a.shape)"}),
    (("softmax-over-everything",), "functional", {_SOFTMAX: "F.softmax((a + bias).flatten(-2), -1).reshape(a.shape)"}),
    (("no-softmax", "scores-blended"), "masked_fill", {_WEIGHTS: "weights = scores"}),
    (("no-softmax", "scores-blended"), "functional", {_SOFTMAX: "a + bias"}),
    (("scores-blended",), "masked_fill", {"weights @ v": "q @ k.transpose(-2, -1) @ v"}),
    (("scores-blended",), "functional", {_SOFTMAX: "a"}),
    (("normalised-without-exp",), "torch einsum", {_POWERS: "e = s"}),
    (("normalised-without-exp",), "masked_fill", {_WEIGHTS: "weights = scores / scores.sum(-1, keepdim=True)"}),
    (("overflow",), "torch einsum", {_POWERS: "e = s.exp()"}),
    (("overflow",), "masked_fill", {_WEIGHTS: "weights = scores.exp() / scores.exp().sum(-1, keepdim=True)"}),
    (("max-over-everything",), "torch einsum", {"s.amax(dim=-1, keepdim=True)": "s.max()"}),
    (
        ("max-over-everything",),
        "masked_fill",
        {_WEIGHTS: "e = (scores - scores.amax((-2, -1), True)).exp()\nweights = e / e.sum(-1, True)"},
    ),
    (("missing-keepdims",), "torch einsum", {_SHARES: "p = e / e.sum(dim=-1)"}),
    (("missing-keepdims",), "masked_fill", {_WEIGHTS: "weights = scores.exp() / scores.exp().sum(-1)"}),
    (("softmax-base-2",), "torch einsum", {"torch.exp": "torch.exp2"}),
    (("softmax-base-2",), "functional", {_SOFTMAX: "F.softmax((a + bias) * math.log(2), -1)"}),
    (("softmax-twice",), "functional", {_SOFTMAX: "F.softmax(F.softmax(a + bias, -1), -1)"}),
    (
        ("softmax-twice",),
        "masked_fill",
        {
            _WEIGHTS: f"{_WEIGHTS}\n{_WEIGHTS}".replace(
                "(scores, dim=-1)\nweights", "(scores, dim=-1)\nscores = weights\nweights"
            )
        },
    ),
    (("sigmoid-weights",), "masked_fill", {"torch.softmax(scores, dim=-1)": "torch.sigmoid(scores)"}),
    (("sigmoid-weights",), "torch einsum", {_POWERS: "", _SHARES: "p = 1 / (1 + torch.exp(-s))"}),
    (("not-normalised",), "torch einsum", {_SHARES: "p = e"}),
    (("not-normalised",), "masked_fill", {_WEIGHTS: "weights = scores.exp()"}),
    (("hard-max",), "torch einsum", {_SHARES: "p = F.one_hot(s.argmax(-1), s.shape[-1]).to(s.dtype)"}),
    (("hard-max",), "masked_fill", {_WEIGHTS: "weights = (scores == scores.amax(-1, keepdim=True)).double()"}),
    (
        ("extra-one-in-denominator",),
        "torch einsum",
        {"e.sum(dim=-1, keepdim=True)": "(e.sum(dim=-1, keepdim=True) + 1)"},
    ),
    (
        ("extra-one-in-denominator",),
        "masked_fill",
        {_WEIGHTS: "weights = scores.exp() / (1 + scores.exp().sum(-1, True))"},
    ),
    (("axis-fixed-for-2d",), "masked_fill", {"k.transpose(-2, -1)": "k.transpose(0, 1)"}),
    (("axis-fixed-for-2d",), "torch einsum", {"q.shape[-1]": "q.shape[1]"}),
    (
        ("axis-fixed-for-2d",),
        "functional",
        {
            "L, S = q.shape[-2], k.shape[-2]": "L, S = len(q), len(k)",
            "if is_causal:": "if is_causal:\n    bias = 0\nif is_causal:",
            "zeros(L, S": "zeros(1, 1",
        },
    ),
    (("axis-fixed-for-2d",), "masked_fill", {_MASK: "mask = torch.ones(q.size(0), k.size(0)).triu(1) == 1"}),
    (("query-key-swapped",), "masked_fill", {"q @ k.trans": "k @ q.trans"}),
    (("query-key-swapped",), "torch einsum", {"...id,...jd->": "...jd,...id->"}),
    (("query-from-key-matrix",), "masked_fill", {"q @ k.trans": "k @ k.trans"}),
    (("query-from-key-matrix",), "torch einsum", {", q, k)": ", k, k)"}),
    (("key-from-query-matrix",), "masked_fill", {"q @ k.trans": "q @ q.trans"}),
    (("key-from-query-matrix",), "functional", {"k.mT": "q.mT"}),
    (
        ("reshape-instead-of-transpose",),
        "masked_fill",
        {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"},
    ),
    (("reshape-instead-of-transpose",), "functional", {"k.mT": "k.view(k.mT.shape)"}),
    (("keys-as-values",), "masked_fill", {"weights @ v": "weights @ k"}),
    (("keys-as-values",), "functional", {", v)": ", k)"}),
    (("blend-transposed",), "masked_fill", {"weights @ v": "weights.mT @ v"}),
    (("blend-transposed",), "torch einsum", {"...ij,...jv": "...ji,...jv"}),
    (("returns-weights",), "masked_fill", {"return weights @ v": "return weights"}),
    (("returns-weights",), "torch einsum", {'torch.einsum("...ij,...jv->...iv", p, v)': "p"}),
    (("mask-missing",), "masked_fill", {_FILLED: _FILLED.replace("scores = ", "")}),
    (("mask-missing",), "functional", {"if is_causal:": "if False:"}),
    (("mask-inverted",), "masked_fill", {"masked_fill(mask": "masked_fill(~mask"}),
    (("mask-inverted",), "torch einsum", {"== 1": "== 0"}),
    (("mask-inverted",), "functional", {"triu(diagonal=1)": "tril(diagonal=-1)"}),
    (("mask-hides-self",), "masked_fill", {"triu(1)": "triu()"}),
    (("mask-hides-self",), "functional", {"diagonal=1": "diagonal=0"}),
    (("mask-lets-next-through",), "masked_fill", {"triu(1)": "triu(2)"}),
    (("mask-lets-next-through",), "torch einsum", {"tril()": "tril(1)"}),
    (("mask-fills-zero", "mask-fills-small"), "masked_fill", {'float("-inf")': "0"}),
    (("mask-fills-zero", "mask-fills-small"), "torch einsum", {_WHERE: "    s = s.tril()"}),
    (("mask-fills-small",), "masked_fill", {'float("-inf")': "-1e9"}),
    (("mask-fills-small",), "torch einsum", {"torch.finfo(s.dtype).min": "torch.finfo(torch.float16).min"}),
    (("mask-fills-small",), "functional", {"-torch.inf": "-1e4"}),
    (
        ("mask-after-softmax",),
        "masked_fill",
        {_FILLED: "", _WEIGHTS: f"{_WEIGHTS}\nif is_causal:\n    weights = weights.masked_fill(mask, 0)"},
    ),
    (
        ("mask-after-softmax",),
        "torch einsum",
        {_WHERE: "    pass", _SHARES: f"{_SHARES}\nif is_causal:\n    p = p.tril()\n    p = p / p.sum(-1, True)"},
    ),
    (("mask-added-as-ones",), "masked_fill", {_FILLED: "    scores = scores + mask"}),
    (("mask-added-as-ones",), "functional", {"-torch.inf": "-1.0"}),
    (("mask-multiplied",), "masked_fill", {_FILLED: '    scores = scores + mask * float("-inf")'}),
    (
        ("mask-multiplied",),
        "torch einsum",
        {_WHERE: "    s = s * torch.where(torch.ones_like(s).tril() == 1, 1.0, -torch.inf)"},
    ),
    (("always-causal",), "masked_fill", {"if is_causal:": "if True:"}),
    (("always-causal",), "functional", {"if is_causal:": "if is_causal or L:"}),
    (
        ("uniform-over-past",),
        "masked_fill",
        {_FILLED: '    scores = torch.zeros_like(scores).masked_fill(mask, float("-inf"))'},
    ),
    (("uniform-over-past",), "functional", {_SOFTMAX: "F.softmax(bias.expand(a.shape), -1)"}),
]

OF_ANY_AXES: list[Made] = [  # for torch-attention alone
    (("scale-by-value-width",), "masked_fill", {"q.size(-1)": "v.size(-1)"}),
    (("scale-by-value-width",), "torch einsum", {"q.shape[-1]": "v.shape[-1]"}),
    (("softmax-over-queries",), "masked_fill", {"dim=-1": "dim=0"}),
    (("scale-by-tokens",), "torch einsum", {"q.shape[-1]": "len(q)"}),
    (("axis-fixed-for-2d",), "masked_fill", {"dim=-1": "dim=1"}),
    (("axis-fixed-for-2d",), "masked_fill", {"k.transpose(-2, -1)": "k.t()"}),
    (("axis-fixed-for-2d",), "masked_fill", {_SCORES: "torch.mm(q, k.transpose(0, 1)) / math.sqrt(q.size(-1))"}),
    (("mask-bottom-right",), "masked_fill", {"triu(1)": "triu(1 + k.size(-2) - q.size(-2))"}),
    (("mask-bottom-right",), "functional", {"diagonal=1": "diagonal=S - L + 1"}),
]

OF_HEADS: list[Made] = [  # for gpu-attention alone
    (("softmax-over-heads", "axis-fixed-for-2d"), "masked_fill", {"dim=-1": "dim=1"}),
    (("softmax-over-heads", "axis-fixed-for-2d"), "torch einsum", {_SHARES: "p = e / e.sum(1, keepdim=True)"}),
    (("softmax-over-queries",), "functional", {_SOFTMAX: "F.softmax(a + bias, 2)"}),
    (("mask-on-first-head-only",), "masked_fill", {"    scores = scores.": "    scores[:, 0] = scores[:, 0]."}),
    (("mask-on-first-head-only",), "torch einsum", {_WHERE: "    s[0, 0] += torch.full_like(s[0, 0], -1e20).triu(1)"}),
    (("heads-mixed-with-batch",), "masked_fill", {"weights @ v": "(weights @ v).transpose(0, 1)"}),
    (
        ("heads-mixed-with-batch",),
        "torch einsum",
        {'"...ij,...jv->...iv", p, v)': '"bhij,bhjv->hbiv", p, v).reshape(q.shape)'},
    ),
    (
        ("heads-mixed-with-batch",),
        "functional",
        {", v)": ", v).reshape(len(q[0]), len(q), L, -1).transpose(0, 1)"},
    ),
]

# Two mistakes of which neither is a way to write the rest, and wrong code of no known kind.
NOTHING_KNOWN: list[Made] = [
    ((), "at once", {" / np.sqrt(d)": "", "w @ V": "w @ K"}),
    ((), "at once", {"np.sqrt(d)": "d", "if causal:": "if False:"}),
    ((), "at once", {"np.sqrt(d)": "np.sqrt(Tq)", "k=1 + Tk - Tq": "k=1"}),
    ((), "at once", {"if causal:": "if not causal:"}),
    ((), "at once", {"if causal:": "if True:", "k=1 + Tk - Tq": "k=1"}),
    ((), "at once", {"Tk), dtype": "Tq), dtype"}),
    ((), "row by row", {"math.sqrt(len(q))": "-1.5"}),
    ((), "at once", {"np.sqrt(d)": "(np.sqrt(d) + 0.01)"}),
    ((), "at once", {"np.sqrt(d)": "np.log(d + 1)"}),
    ((), "at once", {"w @ V": "w @ V + V.mean()"}),
    ((), "at once", {"return w @ V": "return np.zeros((*Q.shape[:-1], V.shape[-1]))"}),
    ((), "at once", {"return w @ V": "return Q"}),
    ((), "at once", {"return w @ V": "return w @ V, w"}),
    ((), "at once", {"return w @ V": "return None"}),
    ((), "at once", {"K.swapaxes(-1, -2)": "K.transpose(0, 2, 1)"}),
    ((), "einsum", {_P: "p = np.exp2(s) / np.exp2(s).sum(-1, keepdims=True)", " * Q.shape[-1] ** -0.5": ""}),
    ((), "one by one", {_SHARED: "share = share / share.sum()", "1 + len(k) - len(q)": "1"}),
    ((), "one by one", {"one(*matrices) for": "one(matrices[0], stacks[1][0], matrices[2]) for"}),
    ((), "row by row", {"seen = i": "seen = 1"}),
    (
        (),
        "row by row",
        {
            "seen = i + offset + 1 if causal else len(K)": "seen = max(1, i + offset) if causal else len(K)",
            "out[i] =": "out[i] = 0.5 *",
        },
    ),
    ((), "masked_fill", {_WEIGHTS: "weights = torch.softmax(scores, dim=-2)", "@ v": "@ k"}),
    ((), "masked_fill", {" / math.sqrt(q.size(-1))": "", "triu(1)": "triu(2)"}),
    ((), "masked_fill", {"weights @ v": "torch.zeros_like(weights @ v)"}),
    ((), "masked_fill", {"weights @ v": "weights @ v.flip(-1)"}),
    ((), "torch einsum", {"torch.exp": "torch.exp2", "** -0.5": "** -1"}),
    ((), "functional", {"if is_causal:": "if not is_causal:"}),
    ((), "functional", {_SOFTMAX: "F.relu(a + bias)"}),
]


def changed(style: str, changes: Changes) -> str:
    """The lines of a style with these changes, every one of which must change something."""
    text = STYLES[style]
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"{old!r} is nowhere in the style {style!r}")
        text = text.replace(old, new)
    return text
