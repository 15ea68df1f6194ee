"""tiled_attention as learners write it, in several styles; and each mistake as a change of some of their lines."""

from __future__ import annotations

BLOCKS = """
def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    out = np.zeros((T, V.shape[1]))
    for i in range(0, T, block_size):
        q = Q[i:i + block_size]
        m = np.full((len(q), 1), -np.inf)
        l = np.zeros((len(q), 1))
        acc = np.zeros((len(q), V.shape[1]))
        for j in range(0, T, block_size):
            if causal and j > i:
                break
            k, v = K[j:j + block_size], V[j:j + block_size]
            s = q @ k.T / np.sqrt(d)
            if causal:
                future = j + np.arange(len(k)) > i + np.arange(len(q))[:, None]
                s = np.where(future, -np.inf, s)
            m_new = np.maximum(m, s.max(axis=1, keepdims=True))
            p = np.exp(s - m_new)
            c = np.exp(m - m_new)
            l = l * c + p.sum(axis=1, keepdims=True)
            acc = acc * c + p @ v
            m = m_new
        out[i:i + block_size] = acc / l
    return out
"""

ROWS = """
def tiled_attention(Q, K, V, block_size, causal=False):
    n, width = Q.shape
    result = []
    for t in range(n):
        best, total, mix = -math.inf, 0.0, np.zeros(V.shape[1])
        stop = t + 1 if causal else n
        for start in range(0, stop, block_size):
            end = min(start + block_size, stop)
            s = K[start:end] @ Q[t] / math.sqrt(width)
            top = max(best, s.max())
            w = np.exp(s - top)
            factor = np.exp(best - top)
            total = total * factor + w.sum()
            mix = mix * factor + w @ V[start:end]
            best = top
        result.append(mix / total)
    return np.array(result)
"""

CLASS = """
class Running:
    def __init__(self, rows, width):
        self.top = np.full(rows, -np.inf)
        self.mass = np.zeros(rows)
        self.value = np.zeros((rows, width))

    def add(self, scores, values):
        top = np.maximum(self.top, scores.max(axis=-1))
        shrink = np.exp(self.top - top)
        e = np.exp(scores - top[:, None])
        self.mass = self.mass * shrink + e.sum(axis=-1)
        self.value = self.value * shrink[:, None] + np.einsum("qk,kv->qv", e, values)
        self.top = top


def tiled_attention(Q, K, V, block_size, causal=False):
    run = Running(len(Q), V.shape[1])
    for lo in range(0, len(K), block_size):
        hi = min(lo + block_size, len(K))
        scores = np.einsum("qd,kd->qk", Q, K[lo:hi]) * Q.shape[1] ** -0.5
        if causal:
            ahead = np.arange(lo, hi)[None, :] > np.arange(len(Q))[:, None]
            scores[ahead] = -1e20
        run.add(scores, V[lo:hi])
    return run.value / run.mass[:, None]
"""

MERGE = """
def part(q, k, v, rows, columns, causal):
    s = np.dot(q, k.T) / k.shape[1] ** 0.5
    if causal:
        s = s + np.where(columns[None, :] > rows[:, None], -np.inf, 0.0)
    top = s.max(axis=1)
    e = np.exp(s - top[:, None])
    return top, e.sum(axis=1), e @ v


def merged(one, two):
    top = np.maximum(one[0], two[0])
    f, g = np.exp(one[0] - top), np.exp(two[0] - top)
    return top, one[1] * f + two[1] * g, one[2] * f[:, None] + two[2] * g[:, None]


def tiled_attention(Q, K, V, block_size, causal=False):
    places, rows = np.arange(len(Q)), []
    for i in range(0, len(Q), block_size):
        r, state = places[i:i + block_size], None
        for j in range(0, r[-1] + 1 if causal else len(K), block_size):
            c = places[j:j + block_size]
            new = part(Q[r], K[c], V[c], r, c, causal)
            state = new if state is None else merged(state, new)
        rows.append(state[2] / state[1][:, None])
    return np.concatenate(rows)
"""

# Right as well, and further from the statement.
ALWAYS_SHARED_OUT = """
def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    O, L, M = np.zeros((T, V.shape[1])), np.zeros(T), np.full(T, -1e30)
    for j in range(0, T, block_size):
        for i in range(0, T, block_size):
            if causal and j > i:
                continue
            I, J = slice(i, i + block_size), slice(j, j + block_size)
            S = Q[I] @ K[J].T / np.sqrt(d)
            if causal and i == j:
                S[np.triu_indices(len(S), 1)] = -np.inf
            new = np.maximum(M[I], S.max(axis=1))
            P = np.exp(S - new[:, None])
            total = L[I] * np.exp(M[I] - new) + P.sum(axis=1)
            O[I] = (O[I] * (L[I] * np.exp(M[I] - new))[:, None] + P @ V[J]) / total[:, None]
            M[I], L[I] = new, total
    return O
"""

TWO_PASSES = """
def tiled_attention(Q, K, V, block_size, causal=False):
    n = len(Q)
    out = np.empty((n, V.shape[1]))
    for t, query in enumerate(Q / math.sqrt(Q.shape[1])):
        seen = t + 1 if causal else n
        cuts = range(0, seen, block_size)
        top = max((K[c:min(c + block_size, seen)] @ query).max() for c in cuts)
        total, blend = 0.0, 0.0
        for c in cuts:
            e = np.exp(K[c:min(c + block_size, seen)] @ query - top)
            total, blend = total + e.sum(), blend + e @ V[c:min(c + block_size, seen)]
        out[t] = blend / total
    return out
"""

LOGARITHMS = """
def tiled_attention(Q, K, V, block_size, causal=False):
    n = len(Q)
    log_total, output = np.full(n, -np.inf), np.zeros((n, V.shape[1]))
    position = np.arange(n)
    for keys in np.split(position, range(block_size, n, block_size)):
        scores = np.einsum("id,jd->ij", Q, K[keys]) / np.sqrt(Q.shape[-1])
        scores = np.where((keys > position[:, None]) & causal, -np.inf, scores)
        new = np.logaddexp(log_total, np.logaddexp.reduce(scores, axis=1))
        output = output * np.exp(log_total - new)[:, None] + np.exp(scores - new[:, None]) @ V[keys]
        log_total = new
    return output
"""

PURE_PYTHON = """
def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q.tolist()):
        m, l, o = float("-inf"), 0.0, [0.0] * len(V[0])
        for j, (k, v) in enumerate(zip(K.tolist(), V.tolist())):
            if causal and j > t:
                break
            s = sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q))
            if s > m:
                c = math.exp(m - s)
                l, o, m = l * c, [x * c for x in o], s
            e = math.exp(s - m)
            l, o = l + e, [x + e * y for x, y in zip(o, v)]
        rows.append([x / l for x in o])
    return np.array(rows)
"""

WHOLE = """
def tiled_attention(Q, K, V, block_size, causal=False):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        s[np.triu_indices(len(Q), 1)] = -1e15
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e @ V / e.sum(axis=1, keepdims=True)
"""

STYLES = {"blocks": BLOCKS, "rows": ROWS, "class": CLASS, "merge": MERGE, "whole": WHOLE}
RIGHT = (*STYLES.values(), ALWAYS_SHARED_OUT, TWO_PASSES, LOGARITHMS, PURE_PYTHON)

Changes = dict[str, str]  # from lines, or parts of lines, to what stands there instead
Sample = tuple[tuple[str, ...], str, Changes]  # what is to be named, style, changes

NO_RESCALE_IN_BLOCKS = {"l * c": "l", "acc * c": "acc"}

TILES: list[Sample] = [
    (("no-rescale",), "blocks", NO_RESCALE_IN_BLOCKS),
    (("no-rescale",), "rows", {"total * factor": "total", "mix * factor": "mix"}),
    (("no-rescale",), "class", {"self.mass * shrink": "self.mass", "self.value * shrink[:, None]": "self.value"}),
    (
        ("no-rescale",),
        "merge",
        {"one[1] * f + two[1] * g, one[2] * f[:, None] + two[2] * g[:, None]": "one[1] + two[1], one[2] + two[2]"},
    ),
    (("no-rescale",), "blocks", {"np.full((len(q), 1), -np.inf)": "-1e9", **NO_RESCALE_IN_BLOCKS}),
    (("denominator-not-rescaled",), "blocks", {"l * c": "l"}),
    (("denominator-not-rescaled",), "rows", {"total * factor": "total"}),
    (("denominator-not-rescaled",), "class", {"self.mass * shrink": "self.mass"}),
    (("denominator-not-rescaled",), "merge", {"one[1] * f + two[1] * g": "one[1] + two[1]"}),
    (("output-not-rescaled",), "blocks", {"acc * c": "acc"}),
    (("output-not-rescaled",), "rows", {"mix * factor": "mix"}),
    (("output-not-rescaled",), "class", {"self.value * shrink[:, None]": "self.value"}),
    (("output-not-rescaled",), "merge", {"one[2] * f[:, None] + two[2] * g[:, None]": "one[2] + two[2]"}),
    (("nan-result", "rescale-inverted"), "blocks", {"m - m_new": "m_new - m"}),
    (("nan-result", "rescale-inverted"), "rows", {"best - top": "top - best"}),
    (
        ("rescale-inverted",),
        "merge",
        {"np.exp(one[0] - top), np.exp(two[0] - top)": "np.exp(top - one[0]), np.exp(top - two[0])"},
    ),
    (
        ("rescale-inverted",),
        "rows",
        {"np.exp(best - top)": "np.exp(top - best) if start else 0.0"},
    ),
    (
        ("blocks-averaged",),
        "blocks",
        {
            "l = l * c + p.sum(axis=1, keepdims=True)": "l = l + 1",
            "acc = acc * c + p @ v": "acc = acc + p / p.sum(axis=1, keepdims=True) @ v",
            "p = np.exp(s - m_new)": "p = np.exp(s - s.max(axis=1, keepdims=True))",
        },
    ),
    (
        ("blocks-averaged",),
        "merge",
        {"return top, e.sum(axis=1), e @ v": "return top * 0, 1 + 0 * top, e @ v / e.sum(axis=1)[:, None]"},
    ),
    (
        ("blocks-averaged",),
        "class",
        {
            "top = np.maximum(self.top, scores.max(axis=-1))": "top = scores.max(axis=-1)",
            "self.mass * shrink + e.sum(axis=-1)": "self.mass + 1",
            "self.value * shrink[:, None] + ": "self.value + 1 / e.sum(axis=-1)[:, None] * ",
            "-1e20": "-np.inf",
        },
    ),
    (
        ("tail-dropped",),
        "blocks",
        {"for j in range(0, T, block_size)": "for j in range(0, T // block_size * block_size, block_size)"},
    ),
    (
        ("tail-dropped",),
        "blocks",
        {"for i in range(0, T, block_size)": "for i in range(0, T - block_size + 1, block_size)"},
    ),
    (
        ("tail-dropped",),
        "blocks",
        {"T, d = Q.shape\n": "T, d = Q.shape\n    n = T // block_size\n", "range(0, T, ": "range(0, n * block_size, "},
    ),
    (
        ("tail-dropped",),
        "class",
        {"range(0, len(K), block_size)": "range(0, len(K) - len(K) % block_size, block_size)"},
    ),
    (("max-starts-at-zero",), "blocks", {"np.full((len(q), 1), -np.inf)": "np.zeros((len(q), 1))"}),
    (("max-starts-at-zero",), "rows", {"-math.inf": "0.0"}),
    (
        ("max-starts-at-zero",),
        "class",
        {
            "np.full(rows, -np.inf)": "np.zeros(rows)",
            "return run.value / run.mass[:, None]": "return np.nan_to_num(run.value / run.mass[:, None])",
        },
    ),
    (
        ("max-starts-at-zero",),
        "rows",
        {
            "best, total, mix = -math.inf": "best, total, mix = 0",
            "mix / total": "[x / float(total) for x in mix.tolist()]",
        },
    ),
    (
        ("keeps-first-max",),
        "blocks",
        {"m_new = np.maximum(m, s.max(axis=1, keepdims=True))": "m_new = m if j else s.max(axis=1, keepdims=True)"},
    ),
    (("keeps-first-max",), "rows", {"max(best, s.max())": "best if start else s.max()"}),
    (
        ("keeps-first-max",),
        "class",
        {"np.maximum(self.top, scores.max(axis=-1))": "scores.max(axis=-1) if np.isinf(self.top[0]) else self.top"},
    ),
    (("never-divided", "not-normalised"), "blocks", {"acc / l": "acc"}),
    (("never-divided", "not-normalised"), "rows", {"mix / total": "mix"}),
    (("never-divided", "not-normalised"), "class", {"run.value / run.mass[:, None]": "run.value"}),
    (("never-divided", "not-normalised"), "merge", {"state[2] / state[1][:, None]": "state[2]"}),
    (
        ("never-divided", "not-normalised"),
        "whole",
        {" / e.sum(axis=1, keepdims=True)": "", "s - s.max(axis=1, keepdims=True)": "s"},
    ),
    (("diagonal-block-unmasked",), "blocks", {"s = np.where(future, -np.inf, s)": "pass"}),
    (("diagonal-block-unmasked",), "rows", {"min(start + block_size, stop)": "min(start + block_size, n)"}),
    (("diagonal-block-unmasked",), "merge", {"    if causal:\n        s = s": "    if False:\n        s = s"}),
]

SCALES: list[Sample] = [
    (("no-scale",), "blocks", {" / np.sqrt(d)": ""}),
    (("no-scale",), "class", {" * Q.shape[1] ** -0.5": ""}),
    (("scale-by-width", "scaled-twice"), "blocks", {"/ np.sqrt(d)": "/ d"}),
    (("scale-by-width",), "merge", {"** 0.5": "** 1 / 2"}),
    (("scale-by-width", "scaled-twice"), "rows", {"Q[t] / math.sqrt(width)": "(Q[t] / width ** 0.5) / width ** 0.5"}),
    (("scale-by-tokens",), "blocks", {"np.sqrt(d)": "np.sqrt(T)"}),
    (("scale-by-tokens",), "blocks", {"np.sqrt(d)": "np.sqrt(block_size)"}),
    (("scale-by-tokens",), "blocks", {"np.sqrt(d)": "np.sqrt(len(k))"}),
    (("scale-by-tokens",), "merge", {"k.shape[1]": "len(q)"}),
    (("scale-by-tokens",), "class", {"Q.shape[1]": "len(Q)"}),
    (("scale-by-value-width",), "blocks", {"np.sqrt(d)": "np.sqrt(v.shape[-1])"}),
    (("scale-by-value-width",), "rows", {"math.sqrt(width)": "math.sqrt(V.shape[1])"}),
    (("scale-constant",), "blocks", {"np.sqrt(d)": "8"}),
    (("scale-constant",), "class", {"Q.shape[1] ** -0.5": "0.37"}),
    (("scale-constant",), "rows", {"/ math.sqrt(width)": "/ 1.4142"}),
    (("scale-constant",), "whole", {"/ np.sqrt(Q.shape[1])": "/ 2.5", "s - s.max(axis=1, keepdims=True)": "s"}),
    (("scale-multiplied",), "blocks", {"/ np.sqrt(d)": "* np.sqrt(d)"}),
    (("scale-multiplied",), "class", {"** -0.5": "** 0.5"}),
    (("scale-after-softmax",), "blocks", {" / np.sqrt(d)": "", "acc / l": "acc / l / np.sqrt(d)"}),
    (("scale-after-softmax",), "rows", {" / math.sqrt(width)": "", "mix / total": "mix / (total * width ** 0.5)"}),
]

SOFTMAXES: list[Sample] = [
    (
        ("softmax-over-queries",),
        "blocks",
        {
            "axis=1, keepdims=True": "axis=0",
            "(len(q), 1)": "len(q)",
            "acc * c": "acc * c[:, None]",
            "acc / l": "acc / l[:, None]",
        },
    ),
    (
        ("softmax-over-queries",),
        "whole",
        {"axis=1": "axis=0", "e @ V / e.sum(axis=0, keepdims=True)": "e / e.sum(axis=0) @ V"},
    ),
    (("softmax-over-everything",), "whole", {"e.sum(axis=1, keepdims=True)": "e.sum()"}),
    (
        ("softmax-over-everything",),
        "blocks",
        {"p.sum(axis=1, keepdims=True)": "p.sum()", "s.max(axis=1, keepdims=True)": "s.max()"},
    ),
    (
        ("no-softmax", "scores-blended"),
        "blocks",
        {"p @ v": "s @ v", "acc * c": "acc", "acc / l": "acc", "-np.inf, s)": "0, s)"},
    ),
    (
        ("no-softmax", "scores-blended"),
        "rows",
        {"w = np.exp(s - top)": "w = s", "mix * factor": "mix", "mix / total": "mix"},
    ),
    (("scores-blended",), "blocks", {"p @ v": "s @ v"}),
    (("normalised-without-exp",), "rows", {"np.exp(s - top)": "s", " * factor": ""}),
    (("normalised-without-exp",), "whole", {"np.exp(s - s.max(axis=1, keepdims=True))": "s", "-1e15": "0"}),
    (("overflow",), "rows", {"np.exp(s - top)": "np.exp(s)", " * factor": ""}),
    (("overflow",), "blocks", {"p = np.exp(s - m_new)": "p = np.exp(s)", "c = np.exp(m - m_new)": "c = 1"}),
    (
        ("overflow",),
        "rows",
        {
            "np.exp(s - top)": "np.array([math.exp(x) for x in s])",
            " * factor": "",
            "mix / total": "[x / float(total) for x in mix.tolist()]",
        },
    ),
    (("max-over-everything",), "blocks", {"s.max(axis=1, keepdims=True)": "s.max()"}),
    (("max-over-everything",), "class", {"scores.max(axis=-1)": "scores.max()"}),
    (("max-over-everything",), "whole", {"s.max(axis=1, keepdims=True)": "s.max()"}),
    (("missing-keepdims",), "whole", {"e @ V / e.sum(axis=1, keepdims=True)": "e / e.sum(axis=1) @ V"}),
    (
        ("missing-keepdims",),
        "merge",
        {"e = np.exp(s - top[:, None])": "e = np.exp(s - top)"},
    ),
    (("softmax-base-2",), "blocks", {"np.exp(": "np.exp2("}),
    (("softmax-base-2",), "rows", {"np.exp(s - top)": "2 ** (s - top)", "np.exp(best - top)": "2 ** (best - top)"}),
    (
        ("softmax-twice",),
        "whole",
        {"    return e @ V": "    w = e / e.sum(axis=1, keepdims=True)\n    e = np.exp(w)\n    return e @ V"},
    ),
    (
        ("softmax-twice",),
        "whole",
        {
            "    e =": "    for _ in range(2):\n        e =",
            "    return e @ V / e.sum(axis=1, keepdims=True)": """        w = e / e.sum(axis=1)[:, None]
        s = np.where(np.tri(len(w)) > 0, w, -np.inf) if causal else w
    return w @ V""",
        },
    ),
    (("sigmoid-weights",), "rows", {"np.exp(s - top)": "1 / (1 + np.exp(-s))", " * factor": ""}),
    (
        ("sigmoid-weights",),
        "class",
        {
            "e = np.exp(scores - top[:, None])": "e = 1 / (1 + np.exp(-scores))",
            "self.mass * shrink + e.sum(axis=-1)": "self.mass * 0 + 1",
            " * shrink[:, None]": "",
        },
    ),
    (("hard-max",), "rows", {"np.exp(s - top)": "(s == top) * 1.0", "np.exp(best - top)": "float(best == top)"}),
    (("hard-max",), "whole", {"np.exp(s - s.max(axis=1, keepdims=True))": "np.eye(len(s))[s.argmax(axis=1)]"}),
    (("extra-one-in-denominator",), "blocks", {"acc / l": "acc / (l + 1)"}),
    (("extra-one-in-denominator",), "rows", {"mix / total": "mix / (1 + total)"}),
]

PROJECTIONS: list[Sample] = [
    (("query-key-swapped",), "blocks", {"q @ k.T": "k @ q.T"}),
    (("query-key-swapped",), "merge", {"np.dot(q, k.T)": "np.dot(k, q.T)"}),
    (("query-key-swapped",), "whole", {"Q @ K.T": "K @ Q.T"}),
    (("query-from-key-matrix",), "blocks", {"q = Q[i:": "q = K[i:"}),
    (("query-from-key-matrix",), "rows", {"@ Q[t]": "@ K[t]"}),
    (("key-from-query-matrix",), "blocks", {"k, v = K[j:": "k, v = Q[j:"}),
    (("key-from-query-matrix",), "class", {"Q, K[lo:hi])": "Q, Q[lo:hi])"}),
    (("keys-as-values",), "whole", {"e @ V": "e @ K"}),
    (("keys-as-values",), "merge", {"V[c]": "K[c]"}),
    (("keys-as-values",), "blocks", {"p @ v": "p @ k"}),
    (("reshape-instead-of-transpose",), "blocks", {"k.T": "k.reshape(d, len(k))"}),
    (("reshape-instead-of-transpose",), "merge", {"k.T": "k.reshape(k.shape[::-1])"}),
    (("reshape-instead-of-transpose",), "whole", {"K.T": "K.reshape(K.shape[1], len(K))"}),
    (("blend-transposed",), "blocks", {"p @ v": "p.T @ v"}),
    (
        ("blend-transposed",),
        "whole",
        {"e @ V / e.sum(axis=1, keepdims=True)": "(e / e.sum(axis=1, keepdims=True)).T @ V"},
    ),
    (("returns-weights",), "whole", {"e @ V / e": "e / e"}),
    (
        ("returns-weights",),
        "whole",
        {"    return e @ V": "    w = e / e.sum(axis=1)[:, None]\n    return w\n    return w @ V"},
    ),
]

_NO_MASK_IN_ROWS = {"t + 1 if causal else n": "n"}

MASKS: list[Sample] = [
    (("mask-missing",), "rows", _NO_MASK_IN_ROWS),
    (("mask-missing",), "class", {"if causal:": "if not causal and False:"}),
    (("mask-missing",), "blocks", {"if causal and j > i:": "if False:", "if causal:": "if False:"}),
    (("mask-inverted",), "blocks", {"break": "pass", "len(k)) >": "len(k)) <"}),
    (("mask-inverted",), "blocks", {"break": "pass", "len(k)) >": "len(k)) <", "-np.inf, s": "-1e9, s"}),
    (("mask-inverted",), "class", {"[None, :] >": "[None, :] <="}),
    (("mask-inverted",), "merge", {"columns[None, :] >": "columns[None, :] <"}),
    (("mask-hides-self",), "blocks", {"len(k)) >": "len(k)) >="}),
    (("mask-hides-self",), "class", {"[None, :] >": "[None, :] >=", "-1e20": "-1e9"}),
    (
        ("mask-hides-self",),
        "rows",
        {
            "t + 1 if causal": "t if causal",
            "result.append(mix / total)": "result.append(mix / total if total else mix)",
        },
    ),
    (("mask-lets-next-through",), "class", {"[None, :] >": "[None, :] > 1 +"}),
    (("mask-lets-next-through",), "blocks", {"len(k)) >": "len(k)) - 1 >"}),
    (("mask-lets-next-through",), "rows", {"t + 1 if": "min(t + 2, n) if"}),
    (("mask-fills-zero", "mask-fills-small"), "blocks", {"-np.inf, s": "0, s"}),
    (("mask-fills-zero", "mask-fills-small"), "class", {"-1e20": "0.0"}),
    (("mask-fills-small",), "blocks", {"-np.inf, s": "-1e9, s"}),
    (("mask-fills-small",), "class", {"-1e20": "-1e9"}),
    (("mask-fills-small",), "class", {"-1e20": "-100"}),
    (("mask-fills-small",), "merge", {"-np.inf, 0.0": "-1e4, 0.0"}),
    (("mask-fills-small",), "whole", {"-1e15": "-1e4"}),
    (
        ("mask-after-softmax",),
        "blocks",
        {"s = np.where(future, -np.inf, s)": "pass", "p @ v": "(np.where(future, 0, p) if causal else p) @ v"},
    ),
    (
        ("mask-after-softmax",),
        "blocks",
        {
            "s = np.where(future, -np.inf, s)": "pass",
            "            c = np.exp": "            if causal:\n                p = p * ~future\n            c = np.exp",
        },
    ),
    (
        ("mask-after-softmax",),
        "whole",
        {
            "        s[np.triu_indices(len(Q), 1)] = -1e15": "        pass",
            "    return e": "    if causal:\n        e = np.tril(e)\n    return e",
        },
    ),
    (("mask-added-as-ones",), "blocks", {"np.where(future, -np.inf, s)": "s - future"}),
    (("mask-added-as-ones",), "class", {"scores[ahead] = -1e20": "scores = scores + ahead"}),
    (("mask-multiplied",), "blocks", {"np.where(future, -np.inf, s)": "s + future * -np.inf"}),
    (("mask-multiplied",), "class", {"scores[ahead] = -1e20": "scores = scores * np.where(ahead, -np.inf, 1)"}),
    (("always-causal",), "blocks", {"if causal and j > i:": "if j > i:", "if causal:": "if True:"}),
    (("always-causal",), "rows", {"t + 1 if causal else n": "t + 1"}),
    (("always-causal",), "class", {"if causal:": "if causal is not None:", "-1e20": "-1e9"}),
    (
        ("uniform-over-past",),
        "rows",
        {"stop = t": "zero = not causal\n        stop = t", "/ math.sqrt(width)": "/ math.sqrt(width) * zero"},
    ),
    (("uniform-over-past",), "blocks", {"-np.inf, s)": "-np.inf, 0.0)"}),
]

SAMPLES = TILES + SCALES + SOFTMAXES + PROJECTIONS + MASKS

# Two mistakes that together are a third.
TOGETHER_A_THIRD = {
    frozenset({"denominator-not-rescaled", "output-not-rescaled"}): {"no-rescale"},
    frozenset({"never-divided", "not-normalised", "scale-after-softmax"}): {"no-scale"},
    frozenset({"never-divided", "not-normalised", "normalised-without-exp"}): {"no-softmax", "scores-blended"},
    frozenset({"diagonal-block-unmasked", "mask-inverted"}): {"mask-missing"},
    frozenset({"max-starts-at-zero", "keeps-first-max"}): {"overflow"},  # the maximum is 0 throughout: there is none
    frozenset({"query-from-key-matrix", "key-from-query-matrix"}): {"query-key-swapped"},
}

# Two mistakes of which neither is a way to write the rest, and wrong code of no known kind.
NOTHING_KNOWN: list[tuple[str, Changes]] = [
    ("blocks", {" / np.sqrt(d)": "", "l * c": "l"}),
    ("blocks", {"/ np.sqrt(d)": "/ d", "acc * c": "acc"}),
    ("blocks", {"acc / l": "acc", "acc * c": "acc"}),
    ("blocks", {"np.full((len(q), 1), -np.inf)": "np.zeros((len(q), 1))", "l * c": "l"}),
    ("blocks", {"break": "continue", "s = np.where(future, -np.inf, s)": "pass", " / np.sqrt(d)": ""}),
    ("rows", {" / math.sqrt(width)": "", **_NO_MASK_IN_ROWS}),
    ("rows", {"total * factor": "total", **_NO_MASK_IN_ROWS}),
    ("class", {"[None, :] >": "[None, :] >=", "** -0.5": "** -1"}),
    ("merge", {"state[2] / state[1][:, None]": "state[2]", "/ k.shape[1] ** 0.5": ""}),
    ("merge", {" * g, ": ", "}),  # a new block is worth its own sum, whatever the maximum
    ("merge", {" * f + ": " + ", " * g, ": ", ", "f[:, None]": "g[:, None]"}),
    ("blocks", {"p @ v": "p @ v[::-1]"}),
    ("blocks", {"-np.inf, s)": "-np.inf, -s)"}),
    ("blocks", {"s = q @": "s = -q @"}),
    ("blocks", {"m = m_new": "pass"}),
    ("blocks", {"if causal and j > i": "if causal and j >= i"}),  # no block sees itself
    ("blocks", {"j + np.arange(len(k)) > i +": "np.arange(len(k)) >"}),  # places within a block
    ("blocks", {"return out": "return np.full_like(out, V.mean())"}),
    ("blocks", {"return out": "return np.zeros_like(out)"}),
    ("blocks", {"return out": "return out.T"}),
    ("blocks", {"return out": "return 2 * out"}),
    ("blocks", {"return out": "return out, s"}),
    ("blocks", {"return out": "return None"}),
    ("blocks", {"T, d = Q.shape": "T, d = Q.shap"}),
    ("blocks", {"range(0, T, block_size):\n            if": "range(i, T, block_size):\n            if"}),
    ("rows", {"range(0, stop, block_size)": "range(max(0, stop - block_size), stop, block_size)"}),  # a window
    ("class", {"range(0, len(K), block_size)": "range(0, len(K), block_size + 1)"}),  # skips a key
    ("whole", {"e @ V / e.sum(axis=1, keepdims=True)": "np.tile(V.mean(axis=0), (len(Q), 1))"}),
]


def as_body(source: str) -> str:
    """The body of a function with the same arguments."""
    return f"{source}\nreturn tiled_attention(Q, K, V, block_size, causal)\n"


def body(style: str, changes: Changes) -> str:
    return as_body(changed(style, changes))


def changed(style: str, changes: Changes) -> str:
    source = STYLES[style]
    for old, new in changes.items():
        if old not in source:
            raise ValueError(f"{old!r} is not in the style {style!r}")
        source = source.replace(old, new)
    return source
