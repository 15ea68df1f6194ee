"""Cases drawn from the job's seed, of the sizes that the check asks for.

`with: {cases: 3, scale: 1.0, sizes: {Tq: 5, Tk: 7}}`; sizes not named keep the
operation's own, which are distinct primes.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.checks.kind import Case, CheckSpecError, Context, Kind, make_case, parameter
from grader.checks.numbers import judge_numbers

MOST_CASES = 20


def cases(context: Context) -> list[Case]:
    count = parameter(context, "cases", int, 1)
    if not 1 <= count <= MOST_CASES:
        raise CheckSpecError(f"check {context.check.id!r}: `with: cases` is {count}; it must be 1 to {MOST_CASES}")
    scale = float(parameter(context, "scale", (int, float), 1.0))
    sizes = _sizes(context)
    return [make_case(context, context.operation.draw(context.rng, sizes, scale)) for _ in range(count)]


def _sizes(context: Context) -> dict[str, int]:
    defaults = context.operation.default_sizes
    asked: Mapping[str, int] = parameter(context, "sizes", Mapping, {})
    if unknown := set(asked) - set(defaults):
        known = ", ".join(defaults)
        raise CheckSpecError(
            f"check {context.check.id!r}: {context.operation.name} has no size {min(unknown)!r}; it has {known}"
        )
    return {**defaults, **asked}


RANDOM = Kind(cases, judge_numbers)
