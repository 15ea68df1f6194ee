"""Properties of functions that return an output alone: of stacks of queries, keys and values, and of several heads.

Those of values and keys hold for the functions of matrices in `properties` too.

Arguments may be called Q, K and V or q, k and v. Symbols: Tq queries, Tk keys, d key width, B sequences, D model width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from attention_core.operation import Arguments
from grader.checks.claims import Claim, Outputs, Property, all_same, another_order, only

FLAGS = ("causal", "is_causal")


def _of(arguments: Arguments, letter: str) -> str:
    """What the argument is called here: "Q" or "q"."""
    return letter if letter in arguments else letter.lower()


def _changed(arguments: Arguments, changes: Mapping[str, Any]) -> Arguments:
    """`changes` by capital letter."""
    return {**arguments, **{_of(arguments, letter): value for letter, value in changes.items()}}


def _causal(arguments: Arguments) -> Arguments:
    return {name: True if name in FLAGS else value for name, value in arguments.items()}


# Values and keys


def within_values(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    values, output = arguments[0][_of(arguments[0], "V")], outputs[0]["output"]
    bounds = values.min(axis=-2, keepdims=True), values.max(axis=-2, keepdims=True)
    return [Claim("output", np.clip(output, *bounds), output)]


def _shifted_values(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    return [arguments, _changed(arguments, {"V": arguments[_of(arguments, "V")] + 2.0})]


def _shifted_output(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    return [Claim("output", outputs[0]["output"] + 2.0, outputs[1]["output"], 1)]


def permuted_keys(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    """Keys in another order, and values with them, where there are values."""
    order = another_order(arguments[_of(arguments, "K")].shape[-2], rng)
    moved = {name: value[..., order, :] for name, value in arguments.items() if name.upper() in ("K", "V")}
    return [arguments, {**arguments, **moved}]


def padded_width(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    """Zeros up to a width of 4d halve the scale 1/√d; doubled queries make up for it."""
    queries, keys = (arguments[_of(arguments, letter)] for letter in "QK")
    padding = [(0, 0)] * (queries.ndim - 1) + [(0, 3 * queries.shape[-1])]
    return [arguments, _changed(arguments, {"Q": np.pad(2.0 * queries, padding), "K": np.pad(keys, padding)})]


# Past and future


def _future_hidden(offset: Callable[[int, int], int]) -> Property:
    """`offset(Tq, Tk)`: query i sees key j where j <= i + offset."""

    def kept(arguments: Arguments) -> tuple[int, int]:
        """How many queries, and how many keys that they see, are left as they are: some of each, and not all."""
        count, keys = (arguments[_of(arguments, letter)].shape[-2] for letter in "QK")
        seen = offset(count, keys)
        rows = max(1, min(count, keys - seen) // 2)
        return rows, rows + seen

    def calls(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
        arguments = _causal(arguments)
        rows, keys = kept(arguments)
        changes = {}
        for letter, first in (("Q", rows), ("K", keys), ("V", keys)):
            value = arguments[_of(arguments, letter)].copy()
            value[..., first:, :] = 10.0 * rng.standard_normal(value[..., first:, :].shape)
            changes[letter] = value
        return [arguments, _changed(arguments, changes)]

    def claims(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
        rows, _ = kept(arguments[0])
        before, after = (each["output"][..., :rows, :] for each in outputs)
        return [Claim(f"output[..., :{rows}, :]", before, after, 1)]

    return Property(calls, claims)


def _last_queries(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    """All queries, then the later half of them, as where earlier ones have been answered and their keys are kept."""
    arguments = _causal(arguments)
    queries = arguments[_of(arguments, "Q")]
    return [arguments, _changed(arguments, {"Q": queries[..., queries.shape[-2] // 2 :, :]})]


def _last_rows_alike(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    whole, last = (each["output"] for each in outputs)
    rows = last.shape[-2]
    return [Claim(f"output[..., -{rows}:, :]", whole[..., -rows:, :], last, 1)]


def _other_future(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    """Of several heads: the later half of the tokens is another one."""
    x = arguments["x"].copy()
    later = x[:, _half(x) :]
    x[:, _half(x) :] = 10.0 * rng.standard_normal(later.shape)
    return [_causal(arguments), _causal({**arguments, "x": x})]


def _past_alike(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    kept = _half(arguments[0]["x"])
    return [Claim(f"output[:, :{kept}]", outputs[0]["output"][:, :kept], outputs[1]["output"][:, :kept], 1)]


def _half(x: np.ndarray) -> int:
    return max(1, (int(x.shape[1]) + 1) // 2)


# Sequences and heads


def _alone(*names: str) -> Property:
    """The first and the last sequence of a batch, each by itself."""

    def part(arguments: Arguments, which: slice) -> Arguments:
        return {name: value[which] if name in names else value for name, value in arguments.items()}

    def calls(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
        return [arguments, part(arguments, slice(1)), part(arguments, slice(-1, None))]

    def claims(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
        whole, first, last = (each["output"] for each in outputs)
        return [
            Claim("output of the first sequence alone", whole[:1], first, 1),
            Claim("output of the last sequence alone", whole[-1:], last, 2),
        ]

    return Property(calls, claims)


def _permuted_tokens(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    order = another_order(arguments["x"].shape[1], rng)
    return [arguments, {**arguments, "x": arguments["x"][:, order]}]


def _permuted_output(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    before, after = (each["x"][0] for each in arguments)
    order = [int(np.flatnonzero((before == row).all(axis=1))[0]) for row in after]
    return [Claim("output", outputs[0]["output"][:, order], outputs[1]["output"], 1)]


def _other_heads(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    """Nothing mixes the heads any more, and all heads but the first are others."""
    width = len(arguments["Wo"]) // arguments["num_heads"]
    apart = {**arguments, "Wo": np.eye(len(arguments["Wo"]))}
    others = {name: arguments[name].copy() for name in ("Wq", "Wk", "Wv")}
    for matrix in others.values():
        matrix[:, width:] = rng.standard_normal(matrix[:, width:].shape)
    return [apart, {**apart, **others}]


def _flag_left_out(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    """What the signature's default stands for, given and left out."""
    return [arguments, {name: value for name, value in arguments.items() if name not in FLAGS}]


def _first_head_alike(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    width = len(arguments[0]["Wo"]) // arguments[0]["num_heads"]
    before, after = (each["output"][..., :width] for each in outputs)
    return [Claim(f"output[..., :{width}]", before, after, 1)]


# Blocks and steps


def _other_blocks(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    size = arguments["block_size"]
    return [arguments, {**arguments, "block_size": size + 2}, {**arguments, "block_size": 1}]


def _blocks_alike(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    first = outputs[0]["output"]
    return [Claim("output", first, other["output"], case) for case, other in enumerate(outputs[1:], start=1)]


def _two_sequences(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    """Two, the second one token shorter, stepped in turn; then each by itself."""
    other = {name: rng.standard_normal(value[1:].shape) for name, value in arguments.items()}
    return [arguments, other, arguments, other]


def _as_alone(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    return [
        Claim("output of the first of two sequences", outputs[2]["output"], outputs[0]["output"], 0),
        Claim("output of the second of two sequences", outputs[3]["output"], outputs[1]["output"], 1),
    ]


def _prefix(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    kept = max(1, (len(arguments["Q"]) + 1) // 2)
    return [arguments, {name: value[:kept] for name, value in arguments.items()}]


def _prefix_alike(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    whole, short = (each["output"] for each in outputs)
    return [Claim(f"output[:{len(short)}]", whole[: len(short)], short, 1)]


OF_VALUES: Mapping[str, Property] = {
    "output-within-values": Property(only, within_values),
    "values-shifted": Property(_shifted_values, _shifted_output),
    "zero-padded-width": Property(padded_width, all_same("output")),
}
OF_KEYS: Mapping[str, Property] = {
    **OF_VALUES,
    "keys-permuted": Property(permuted_keys, all_same("output")),
    "flag-left-out": Property(_flag_left_out, all_same("output")),
}
TOP_LEFT = _future_hidden(lambda _queries, _keys: 0)
BOTTOM_RIGHT = _future_hidden(lambda queries, keys: keys - queries)

OUTPUT_PROPERTIES: Mapping[str, Mapping[str, Property]] = {
    "batched-attention": {
        **OF_KEYS,
        "future-hidden": BOTTOM_RIGHT,
        "batch-by-batch": _alone("Q", "K", "V"),
        "last-queries": Property(_last_queries, _last_rows_alike),
    },
    "torch-attention": {**OF_KEYS, "future-hidden": TOP_LEFT, "batch-by-batch": _alone("q", "k", "v")},
    "gpu-attention": {**OF_KEYS, "future-hidden": TOP_LEFT, "batch-by-batch": _alone("q", "k", "v")},
    "multi-head-attention": {
        "future-hidden": Property(_other_future, _past_alike),
        "batch-by-batch": _alone("x"),
        "tokens-permuted": Property(_permuted_tokens, _permuted_output),
        "heads-apart": Property(_other_heads, _first_head_alike),
        "flag-left-out": Property(_flag_left_out, all_same("output")),
    },
    "tiled-attention": {
        **OF_KEYS,
        "future-hidden": TOP_LEFT,
        "any-block-size": Property(_other_blocks, _blocks_alike),
    },
    "kv-cache": {
        **OF_VALUES,
        "prefix-consistent": Property(_prefix, _prefix_alike),
        "two-sequences": Property(_two_sequences, _as_alone, in_turn=2),
    },
}
