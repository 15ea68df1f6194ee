"""Cases drawn from the job's seed, of the sizes that the check asks for.

`with: {cases: 3, scale: 1.0, sizes: {Tq: 5, Tk: 7}}`; sizes not named keep the
operation's own, which are distinct primes. `low` and `high` have all arrays
drawn evenly between them instead; a flag or number among the arguments can be
given by its name (`is_causal: true`), and a dtype where tensors are sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from attention_core.operation import Arguments
from grader.checks.kind import Case, CheckSpecError, Context, Kind, make_case, parameter, with_options
from grader.checks.numbers import judge_numbers

MOST_CASES = 20


def cases(context: Context) -> list[Case]:
    return [make_case(context, arguments) for arguments in drawn(context)]


def drawn(context: Context) -> list[Arguments]:
    """The arguments of as many cases as the check asks for."""
    count = parameter(context, "cases", int, 1)
    if not 1 <= count <= MOST_CASES:
        raise CheckSpecError(f"check {context.check.id!r}: `with: cases` is {count}; it must be 1 to {MOST_CASES}")
    return [draw(context, sizes_of(context)) for _ in range(count)]


def draw(context: Context, sizes: Mapping[str, int]) -> Arguments:
    """One case's arguments, of sizes among the operation's; those not named keep its own."""
    scale = float(parameter(context, "scale", (int, float), 1.0))
    arguments = context.operation.draw(context.rng, {**context.operation.default_sizes, **sizes}, scale)
    if {"low", "high"} & set(context.check.parameters):
        low, high = (float(parameter(context, name, (int, float))) for name in ("low", "high"))
        arguments = {name: _evenly(context, value, low, high) for name, value in arguments.items()}
    return with_options(context, arguments)


def _evenly(context: Context, value: Any, low: float, high: float) -> Any:
    return context.rng.uniform(low, high, value.shape) if isinstance(value, np.ndarray) else value


def sizes_of(context: Context) -> Mapping[str, int]:
    """Those that the check asks for. Raises CheckSpecError for one that the operation has not."""
    asked: Mapping[str, int] = parameter(context, "sizes", Mapping, {})
    known = context.operation.default_sizes
    if unknown := set(asked) - set(known):
        raise CheckSpecError(
            f"check {context.check.id!r}: {context.operation.name} has no size {min(unknown)!r}; "
            f"it has {', '.join(known)}"
        )
    return asked


RANDOM = Kind(cases, judge_numbers)
