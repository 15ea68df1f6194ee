"""start() and step(cache, q_t, k_t, v_t) as learners write them; and each mistake as a change of some lines."""

from __future__ import annotations

LISTS = """
def start():
    return {"k": [], "v": []}


def step(cache, q_t, k_t, v_t):
    cache["k"].append(k_t)
    cache["v"].append(v_t)
    K, V = np.array(cache["k"]), np.array(cache["v"])
    s = K @ q_t / np.sqrt(len(q_t))
    e = np.exp(s - s.max())
    w = e / e.sum()
    return w @ V, cache
"""

ROWS = """
def start():
    return None


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def step(cache, q_t, k_t, v_t):
    q, k, v = q_t[None, :], k_t[None, :], v_t[None, :]
    if cache is not None:
        k = np.concatenate([cache[0], k])
        v = np.concatenate([cache[1], v])
    scores = q @ k.T / k.shape[-1] ** 0.5
    output = softmax(scores) @ v
    return output[0], (k, v)
"""

CLASS = """
class Memory:
    def __init__(self):
        self.used, self.keys, self.values = 0, None, None

    def add(self, key, value):
        if self.keys is None:
            self.keys, self.values = np.zeros((4, len(key))), np.zeros((4, len(value)))
        if self.used == len(self.keys):
            self.keys = np.vstack([self.keys, np.zeros_like(self.keys)])
            self.values = np.vstack([self.values, np.zeros_like(self.values)])
        self.keys[self.used], self.values[self.used] = key, value
        self.used += 1


def start():
    return Memory()


def step(cache, q_t, k_t, v_t):
    cache.add(k_t, v_t)
    keys, values = cache.keys[:cache.used], cache.values[:cache.used]
    match = np.einsum("d,td->t", q_t, keys) * q_t.size ** -0.5
    share = np.exp(match - match.max())
    blend = np.einsum("t,tv->v", share, values) / share.sum()
    return blend, cache
"""

LOOPS = """
def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache = cache + [(k_t, v_t)]
    scores = []
    for key, _ in cache:
        scores.append(sum(float(a) * float(b) for a, b in zip(q_t, key)) / math.sqrt(len(q_t)))
    best = max(scores)
    powers = [math.exp(score - best) for score in scores]
    output = np.zeros(len(v_t))
    for power, (_, value) in zip(powers, cache):
        output += power / sum(powers) * value
    return output, cache
"""

# Right as well, and further from the statement.
LINKED = """
def start():
    return ()


def step(cache, q_t, k_t, v_t):
    cache = (k_t.copy(), v_t.copy(), cache)
    top, total, blend, link = -np.inf, 0.0, 0.0, cache
    while link:
        key, value, link = link
        score = key @ q_t / math.sqrt(q_t.size)
        new = max(top, score)
        shrink, power = np.exp(top - new), np.exp(score - new)
        total, blend, top = total * shrink + power, blend * shrink + power * value, new
    return blend / total, cache
"""

CLOSURE = """
def start():
    def attend(q, keys, values):
        s = keys @ q
        s = s - np.logaddexp.reduce(s)
        return np.exp(s) @ values

    return attend, np.empty((0, 0)), np.empty((0, 0))


def step(cache, q_t, k_t, v_t):
    attend, keys, values = cache
    keys = np.append(keys.reshape(-1, len(k_t)), k_t[None], axis=0)
    values = np.append(values.reshape(-1, len(v_t)), v_t[None], axis=0)
    return attend(q_t / len(q_t) ** 0.5, keys, values), (attend, keys, values)
"""

NAMED_TUPLE = """
from typing import NamedTuple


class Cache(NamedTuple):
    pairs: list


def start():
    return Cache([])


def step(cache, q_t, k_t, v_t):
    cache.pairs.append(np.concatenate([k_t / np.sqrt(k_t.shape[-1]), v_t]))
    pairs = np.stack(cache.pairs)
    scores = pairs[:, :len(k_t)].dot(q_t)
    weights = np.exp(scores - scores.max())
    return weights.dot(pairs[:, len(k_t):]) / weights.sum(), cache
"""

STYLES = {"lists": LISTS, "rows": ROWS, "class": CLASS, "loops": LOOPS}
RIGHT = (*STYLES.values(), LINKED, CLOSURE, NAMED_TUPLE)

Changes = dict[str, str]  # from lines, or parts of lines, to what stands there instead
Sample = tuple[tuple[str, ...], str, Changes]  # what is to be named, style, changes

SCALES: list[Sample] = [
    (("no-scale",), "lists", {" / np.sqrt(len(q_t))": ""}),
    (("no-scale",), "class", {" * q_t.size ** -0.5": ""}),
    (("scale-by-width", "scaled-twice"), "lists", {"np.sqrt(len(q_t))": "len(q_t)"}),
    (("scale-by-width",), "rows", {"** 0.5": "** 1 / 2"}),
    (("scale-by-width", "scaled-twice"), "loops", {"math.sqrt(len(q_t))": "math.sqrt(len(q_t)) / math.sqrt(len(key))"}),
    (("scale-by-tokens",), "lists", {"len(q_t)": "len(K)"}),
    (("scale-by-tokens",), "rows", {"k.shape[-1]": "k.shape[0]"}),
    (("scale-by-tokens",), "loops", {"math.sqrt(len(q_t))": "len(cache)"}),
    (("scale-by-value-width",), "lists", {"len(q_t)": "len(v_t)"}),
    (("scale-by-value-width",), "class", {"q_t.size": "values.shape[1]"}),
    (("scale-constant",), "lists", {"np.sqrt(len(q_t))": "8"}),
    (("scale-constant",), "class", {"q_t.size ** -0.5": "0.37"}),
    (("scale-constant",), "rows", {"/ k.shape[-1] ** 0.5": "/ 1.4142"}),
    (("scale-multiplied",), "lists", {"/ np.sqrt": "* np.sqrt"}),
    (("scale-multiplied",), "class", {"** -0.5": "** 0.5"}),
    (("scale-after-softmax",), "lists", {" / np.sqrt(len(q_t))": "", "e / e.sum()": "e / e.sum() / np.sqrt(len(q_t))"}),
    (("scale-after-softmax",), "rows", {" / k.shape[-1] ** 0.5": "", "output[0]": "output[0] / k.shape[1] ** 0.5"}),
]

SOFTMAXES: list[Sample] = [
    (("softmax-over-queries",), "rows", {"axis=-1": "axis=0"}),
    (("softmax-over-queries",), "rows", {"np.sum(e, axis=-1, keepdims=True)": "e.sum(0)"}),
    (("no-softmax", "scores-blended"), "lists", {"w @ V": "s @ V"}),
    (("no-softmax", "scores-blended"), "rows", {"softmax(scores)": "scores"}),
    (("no-softmax", "scores-blended"), "loops", {"power / sum(powers)": "power", "math.exp(score - best)": "score"}),
    (("scores-blended",), "lists", {"w @ V": "K @ q_t @ V"}),
    (("normalised-without-exp",), "lists", {"w = e / e.sum()": "w = s / s.sum()"}),
    (("normalised-without-exp",), "class", {"np.exp(match - match.max())": "match"}),
    (("overflow",), "lists", {"s - s.max()": "s"}),
    (("overflow",), "class", {"match - match.max()": "match"}),
    (("overflow",), "loops", {"math.exp(score - best)": "math.exp(score)"}),
    (("softmax-base-2",), "lists", {"np.exp(": "np.exp2("}),
    (("softmax-base-2",), "loops", {"math.exp(score - best)": "2 ** (score - best)"}),
    (("softmax-twice",), "rows", {"softmax(scores)": "softmax(softmax(scores))"}),
    (("softmax-twice",), "lists", {"w = e / e.sum()": "w = np.exp(e / e.sum())\n    w /= w.sum()"}),
    (("sigmoid-weights",), "lists", {"w = e / e.sum()": "w = 1 / (1 + np.exp(-s))"}),
    (("sigmoid-weights",), "class", {"np.exp(match - match.max())": "1 / (1 + np.exp(-match))"}),
    (("not-normalised",), "lists", {"w = e / e.sum()": "w = e"}),
    (("not-normalised",), "class", {" / share.sum()": ""}),
    (("hard-max",), "lists", {"w @ V": "V[w.argmax()]"}),
    (("hard-max",), "loops", {"math.exp(score - best)": "float(score == best)"}),
    (("extra-one-in-denominator",), "lists", {"e.sum()": "(1 + e.sum())"}),
    (("extra-one-in-denominator",), "class", {"share.sum()": "(share.sum() + 1)"}),
]

MATRICES: list[Sample] = [
    (("query-key-swapped",), "lists", {"append(k_t)": "append(q_t)", "K @ q_t": "K @ k_t"}),
    (("query-key-swapped",), "rows", {"q, k, v = q_t[None, :], k_t[None, :]": "q, k, v = k_t[None, :], q_t[None, :]"}),
    (("key-from-query-matrix",), "lists", {"append(k_t)": "append(q_t)"}),
    (("key-from-query-matrix",), "class", {"add(k_t,": "add(q_t,"}),
    (("query-from-key-matrix",), "lists", {"K @ q_t": "K @ k_t"}),
    (("query-from-key-matrix",), "rows", {"q, k, v = q_t": "q, k, v = k_t"}),
    (("keys-as-values",), "lists", {"w @ V": "w @ K"}),
    (("keys-as-values",), "class", {"add(k_t, v_t)": "add(k_t, k_t)"}),
    (("reshape-instead-of-transpose",), "rows", {"k.T": "k.reshape(k.shape[1], -1)"}),
    (("reshape-instead-of-transpose",), "lists", {"K @ q_t": "q_t @ K.reshape(len(q_t), len(K))"}),
]

PASTS: list[Sample] = [
    (("uniform-over-past",), "lists", {"w @ V": "V.mean(axis=0)"}),
    (("uniform-over-past",), "loops", {"math.exp(score - best)": "1"}),
    (
        ("mask-hides-self",),
        "loops",
        {
            "    cache = cache + [(k_t, v_t)]": "    if not cache:\n        return np.zeros(len(v_t)), [(k_t, v_t)]",
            "return output, cache": "return output, cache + [(k_t, v_t)]",
        },
    ),
    (
        ("mask-hides-self",),
        "rows",
        {
            "    if cache is not None:": "    old_k, old_v = cache or (k, v)\n    if cache is not None:",
            "q @ k.T": "q @ old_k.T",
            "softmax(scores) @ v": "softmax(scores) @ old_v",
        },
    ),
    (
        ("mask-hides-self",),
        "lists",
        {"w = e / e.sum()": "e[-1] = 0\n    w = e / e.sum()", "s - s.max()": "s - s[:-1].max(initial=-1e99)"},
    ),
]

SAMPLES = SCALES + SOFTMAXES + MATRICES + PASTS

# Two mistakes at once, and wrong code of no known kind: most of it forgets, or remembers what it should not.
NOTHING_KNOWN: list[tuple[str, Changes]] = [
    ("lists", {" / np.sqrt(len(q_t))": "", "e.sum()": "(1 + e.sum())"}),
    ("lists", {"np.sqrt(len(q_t))": "len(q_t)", "w @ V": "w @ K"}),
    ("rows", {" ** 0.5": "", "softmax(scores) @": "softmax(softmax(scores)) @"}),
    ("class", {"match - match.max()": "match", " / share.sum()": "", "q_t.size": "len(v_t)"}),
    ("rows", {"return output[0], (k, v)": "return output[0], None"}),  # keeps nothing
    ("rows", {"return output[0], (k, v)": "return output[0], (k[-2:], v[-2:])"}),  # a window
    ("rows", {"return output[0], (k, v)": "return output[0], (k[:2], v[:2])"}),  # keeps the first two
    ("rows", {"return output[0], (k, v)": "return output[0], (k[:1], v[:1])"}),
    ("rows", {"output = softmax(scores) @ v": "output = v[:1]"}),  # always the first value
    ("lists", {"return w @ V, cache": "return v_t, cache"}),
    ("lists", {'return {"k": [], "v": []}': "return shared\n\n\nshared = {'k': [], 'v': []}"}),
    ("lists", {'cache["v"].append(v_t)': 'cache["v"].insert(0, v_t)'}),
    ("lists", {'cache["k"].append(k_t)': 'cache["k"].insert(0, k_t)'}),
    (
        "lists",
        {
            'cache["k"].append(k_t)': 'cache["k"] += [k_t, k_t]',
            'cache["v"].append(v_t)': 'cache["v"] += [v_t, 0 * v_t]',
        },
    ),
    ("class", {"cache.keys[:cache.used]": "cache.keys", "cache.values[:cache.used]": "cache.values"}),  # empty places
    ("class", {"self.used += 1": "self.used = min(self.used + 1, 4)", "if self.used == len(self.keys)": "if False"}),
    ("loops", {"output += power": "output = power"}),
    ("lists", {"return w @ V, cache": "return 2 * (w @ V), cache"}),
    ("lists", {"s = K @ q_t": "s = -K @ q_t"}),
    ("lists", {"return w @ V, cache": "return np.full(len(v_t), np.nan), cache"}),
    ("lists", {"return w @ V, cache": "return np.zeros(len(v_t)), cache"}),
    ("lists", {"return w @ V, cache": "return w @ V, cach"}),
    ("lists", {"return w @ V, cache": "return cache, w @ V"}),
    ("lists", {"return w @ V, cache": "return w, cache"}),
    ("lists", {"return w @ V, cache": "return w @ V"}),
]


STEPPING = """
cache, outputs = start(), []
for row in zip(Q, K, V, strict=True):
    output, cache = step(cache, *(vector.copy() for vector in row))
    outputs.append(output)
return np.array(outputs)
"""


def as_function(source: str) -> str:
    """The body of the function (Q, K, V) -> outputs that steps come to, every row a fresh array."""
    return f"{source}\n{STEPPING}"


def body(style: str, changes: Changes) -> str:
    return as_function(changed(style, changes))


def changed(style: str, changes: Changes) -> str:
    source = STYLES[style]
    for old, new in changes.items():
        if old not in source:
            raise ValueError(f"{old!r} is not in the style {style!r}")
        source = source.replace(old, new)
    return source
