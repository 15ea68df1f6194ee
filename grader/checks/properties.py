"""Relations that any right answer obeys, between calls of the learner's own function. `with: {property: …}`.

A property needs no expected value: it makes one or more calls from one drawn
case and claims that something computed from the results equals something else.
Symbols: Tq queries, Tk keys, T tokens, d key width, dv value width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from attention_core.operation import Arguments
from grader.checks.claims import Claim, Outputs, Property, all_same, only, same
from grader.checks.kind import PASSED, Case, CheckSpecError, Context, Finding, Kind, Wanted, choose, make_case, worst
from grader.checks.numbers import degenerate, judge_values
from grader.checks.output_claims import OUTPUT_PROPERTIES, padded_width, permuted_keys, within_values
from grader.checks.returned import read
from grader.checks.values import DOUBLE
from grader.verdicts import Status
from grader.wire import CallResult


def cases(context: Context) -> list[Case]:
    if context.dtype != DOUBLE:
        raise CheckSpecError(f"check {context.check.id!r}: what a property claims is only exact enough in {DOUBLE}")
    chosen = _chosen(context)
    drawn = context.operation.draw(context.rng, context.operation.default_sizes, 1.0)
    made = [make_case(context, arguments) for arguments in chosen.calls(drawn, context.rng)]
    return [replace(case, in_turn=0 < place < chosen.in_turn) for place, case in enumerate(made)]


def judge(context: Context, cases: Sequence[Case], results: Sequence[CallResult]) -> Finding:
    names = context.operation.returns
    outputs: list[Outputs] = []
    findings: list[Finding] = []
    for index, (case, result) in enumerate(zip(cases, results, strict=True)):
        returned = read(context, case, result, index)
        if isinstance(returned, Finding):
            findings.append(returned)
        else:
            outputs.append(dict(zip(names, returned, strict=True)))
            findings.append(degenerate(names, case.expected, returned, index) or PASSED if index == 0 else PASSED)
    first = worst(findings)
    if first.status is Status.PASSED:
        first = _constant_number(names, cases, outputs)
    if first.status is not Status.PASSED:
        return first
    claims = _chosen(context).claims([case.arguments for case in cases], outputs)
    found = worst(
        [judge_values(context, [(claim.name, Wanted(claim.expected), claim.got)], claim.case) for claim in claims]
    )
    # What holds NaN equals nothing, itself neither: that is all there is to say of it.
    return replace(found, unasked="nan-result" in found.mistakes)


def _constant_number(names: Sequence[str], cases: Sequence[Case], outputs: Sequence[Outputs]) -> Finding:
    """A number that is the same in every call, where the reference's is not, obeys a property by having no content."""
    for position, name in enumerate(names):
        expected, got = [case.expected[position] for case in cases], [output[name] for output in outputs]
        if not isinstance(expected[0], np.ndarray) and len(set(expected)) > 1 and len(set(got)) == 1:
            fact = f"{name} is the same whatever the arguments are."
            return Finding(Status.FAILED, fact, fact, unasked=True)
    return PASSED


def _chosen(context: Context) -> Property:
    chosen: Property = choose(context, "property", PROPERTIES.get(context.operation.name, {}))
    return chosen


# Rows and values


def _rows_sum_to_one(name: str) -> Property:
    def claims(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
        sums = outputs[0][name].sum(axis=-1)
        return [Claim(f"the row sums of {name}", np.ones_like(sums), sums)]

    return Property(only, claims)


def _first_value(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    first = np.zeros_like(outputs[0]["weights"][0])
    first[0] = 1.0
    return [
        Claim("row 0 of output", arguments[0]["V"][0], outputs[0]["output"][0]),
        Claim("row 0 of weights", first, outputs[0]["weights"][0]),
    ]


def _shifted(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    scores = arguments["scores"]
    shift = rng.uniform(-50.0, 50.0, size=(*scores.shape[:-1], 1))  # one constant for each row
    return [arguments, {"scores": scores + shift}]


# Keys and widths


def _order_between(arguments: Sequence[Arguments]) -> list[int]:
    before, after = arguments[0]["K"], arguments[1]["K"]
    return [int(np.flatnonzero((before == row).all(axis=1))[0]) for row in after]


def _keys_permuted(columns: str, *others: str) -> Property:
    def claims(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
        moved = outputs[0][columns][:, _order_between(arguments)]
        return [Claim(columns, moved, outputs[1][columns], 1), *(same(name, outputs) for name in others)]

    return Property(permuted_keys, claims)


def _doubled_query(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    return [arguments, {**arguments, "Q": 2.0 * arguments["Q"]}]


def _doubled_scores(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    return [Claim("scores", 2.0 * outputs[0]["scores"], outputs[1]["scores"], 1)]


# Projections


def _combined(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    other = rng.normal(size=arguments["x"].shape)
    return [arguments, {**arguments, "x": other}, {**arguments, "x": 2.0 * arguments["x"] + other}]


def _linear(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    first, other, combined = outputs
    return [Claim(name, 2.0 * first[name] + other[name], combined[name], 2) for name in first]


def _single_tokens(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    x = arguments["x"]
    return [arguments, {**arguments, "x": x[:1]}, {**arguments, "x": x[-1:]}]


def _token_by_token(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    whole, first, last = outputs
    return [
        *(Claim(f"{name} of the first token alone", whole[name][:1], first[name], 1) for name in whole),
        *(Claim(f"{name} of the last token alone", whole[name][-1:], last[name], 2) for name in whole),
    ]


# Past and future: `kept` tokens are the past


def _changed_future(arguments: Arguments, rng: np.random.Generator) -> list[Arguments]:
    kept = _kept(arguments)
    changed = {name: value.copy() for name, value in arguments.items()}
    for value in changed.values():
        value[kept:] = 10.0 * rng.normal(size=value[kept:].shape)
    return [arguments, changed]


def _prefix(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    kept = _kept(arguments)
    return [arguments, {name: value[:kept] for name, value in arguments.items()}]


def _kept(arguments: Arguments) -> int:
    tokens: int = len(arguments["Q"])
    return max(1, (tokens + 1) // 2)


def _past_alike(arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    """The past's rows are the same whether the future is another one or none at all."""
    kept = _kept(arguments[0])
    whole, other = outputs
    return [
        Claim(f"output[:{kept}]", whole["output"][:kept], other["output"][:kept], 1),
        Claim(f"weights[:{kept}, :{kept}]", whole["weights"][:kept, :kept], other["weights"][:kept, :kept], 1),
    ]


# Costs


def _doubled_length(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    return [arguments, {**arguments, "n": 2 * arguments["n"]}]


def _quadrupled(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    return [Claim(name, 4 * outputs[0][name], outputs[1][name], 1) for name in outputs[0]]


def _left_out(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    """What the signature's defaults stand for, given and left out in turn."""
    n = arguments["n"]
    width = 4 if arguments["bytes_per_score"] == 2 else arguments["bytes_per_score"]  # never the default
    given: Arguments = {"n": n, "bytes_per_score": 2, "heads": 1, "layers": 1}
    return [given, {"n": n}, {**given, "bytes_per_score": width}, {"n": n, "bytes_per_score": width}]


def _defaults(_arguments: Sequence[Arguments], outputs: Sequence[Outputs]) -> list[Claim]:
    pairs = ((0, 1), (2, 3))
    return [
        Claim(f"{name} with the defaults", outputs[given][name], outputs[left_out][name], left_out)
        for given, left_out in pairs
        for name in outputs[0]
    ]


PROPERTIES: Mapping[str, Mapping[str, Property]] = {
    "qkv-projections": {
        "linear": Property(_combined, _linear),
        "token-by-token": Property(_single_tokens, _token_by_token),
    },
    "scaled-scores": {
        "query-doubled": Property(_doubled_query, _doubled_scores),
        "keys-permuted": _keys_permuted("scores"),
        "zero-padded-width": Property(padded_width, all_same("scores")),
    },
    "softmax": {
        "rows-sum-to-one": _rows_sum_to_one("weights"),
        "shift-invariant": Property(_shifted, all_same("weights")),
    },
    "attention": {
        "rows-sum-to-one": _rows_sum_to_one("weights"),
        "output-within-values": Property(only, within_values),
        "keys-permuted": _keys_permuted("weights", "output"),
        "zero-padded-width": Property(padded_width, all_same("output", "weights")),
    },
    "causal-attention": {
        "rows-sum-to-one": _rows_sum_to_one("weights"),
        "future-hidden": Property(_changed_future, _past_alike),
        "first-row-is-first-value": Property(only, _first_value),
        "prefix-consistent": Property(_prefix, _past_alike),
    },
    "attention-cost": {
        "doubling-quadruples": Property(_doubled_length, _quadrupled),
        "defaults": Property(_left_out, _defaults),
    },
    **OUTPUT_PROPERTIES,
}

PROPERTY = Kind(cases, judge)
