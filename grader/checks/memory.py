"""Peak memory must grow like the tokens, not like their square. `with: {tokens: [512, 3072], block_size: 16}`.

A session of its own for each length, whose peak the kernel counts, outside of it; the values must be right too. The
growth from T1 to T2 tokens is set against T2² - T1² bytes, which is what an array of a boolean for each score takes.
Measured from 512 to 3,072 tokens of width 4 in blocks of 16, in shares of that: tiles 0.03 to 0.05, rows of blocks
(every score of block_size queries at once, in five arrays) 0.27, an array of booleans 0.99 to 1.06, of float64 over 8.
The same code differs by 0.1 at most from one measurement to the next, on a machine that is five times overloaded.

Two ways remain to hold a sign for each score unseen: eight in a byte, and behind an earlier peak that was as high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from attention_core.operation import Arguments
from grader.checks.kind import (
    Case,
    CheckSpecError,
    Context,
    Finding,
    Kind,
    Meter,
    encode_arguments,
    make_case,
    parameter,
)
from grader.checks.numbers import in_the_way, judge_numbers
from grader.checks.random_cases import draw, sizes_of
from grader.verdicts import Status

SHARE = 0.7  # of a boolean for each score: what the peak may grow by
# As many times that: what the short case may take, for imports too. Behind such a peak no array of the longer case's
# scores can hide, in float32 or larger.
EARLIER = 4.8
LEAST_BLOCKS = 192  # of the longer case, so that rows of blocks stay well below SHARE
OUR_BLOCK = 256
MEGABYTE = 1e6
NUMBERS_FIRST = "The output itself is wrong here, so the memory was not compared."


def cases(context: Context) -> list[Case]:
    short, longer = lengths(context)
    block = parameter(context, "block_size", int)
    if not 0 < block * LEAST_BLOCKS <= longer["T"]:
        told = f"`with: block_size` must be 1 to the tokens / {LEAST_BLOCKS}, it is {block}"
        raise CheckSpecError(f"check {context.check.id!r}: {told}")
    return [_case(context, draw(context, sizes)) for sizes in (short, longer)]


def _case(context: Context, arguments: Arguments) -> Case:
    """What is expected is computed in larger blocks, in a tenth of the time: no output hangs on their size."""
    computed = make_case(context, {**arguments, "block_size": OUR_BLOCK})
    args = encode_arguments(context.operation, arguments, context.dtype, context.device)
    return replace(computed, arguments=arguments, call=replace(computed.call, args=args))


def lengths(context: Context) -> list[Mapping[str, int]]:
    """Sizes of a short and of a longer case, as `with: tokens` says. Raises CheckSpecError."""
    tokens = parameter(context, "tokens", list)
    if "T" not in context.operation.default_sizes:
        raise CheckSpecError(f"check {context.check.id!r}: {context.operation.name} has no size 'T'")
    if not (len(tokens) == 2 and all(type(each) is int for each in tokens) and 0 < tokens[0] < tokens[1]):
        raise CheckSpecError(f"check {context.check.id!r}: `with: tokens` must be two rising numbers, it is {tokens}")
    return [{**sizes_of(context), "T": each} for each in tokens]


def measure(context: Context, cases: Sequence[Case], meter: Meter) -> Finding:
    peaks = [meter.bare().peak_bytes]
    for case in cases:
        measured = meter.measure([case])
        finding = judge_numbers(context, [case], measured.results)
        if finding.status is not Status.PASSED:
            return in_the_way(finding, NUMBERS_FIRST)
        peaks.append(measured.usage.peak_bytes)
    return judge_peaks(peaks, [len(case.expected[0]) for case in cases])


def judge_peaks(peaks: Sequence[int], tokens: Sequence[int]) -> Finding:
    """`peaks`: of a session that runs nothing, of the short case and of the longer one, in bytes."""
    nothing, short, longer = peaks
    squares = tokens[1] ** 2 - tokens[0] ** 2
    if longer - short > SHARE * squares:
        fact = "Memory grows with the square of the tokens, as if every score were held at once."
        detail = (
            f"{fact} From {tokens[0]} to {tokens[1]} tokens its peak grew by {(longer - short) / MEGABYTE:.1f} MB; "
            f"one byte for each score would be {squares / MEGABYTE:.1f} MB."
        )
        return Finding(Status.FAILED, fact, detail, ("stores-all-scores",))
    if short - nothing > EARLIER * squares:
        fact = (
            f"With {tokens[0]} tokens the code already takes more memory than all scores of {tokens[1]} would, so that "
            "nothing can be said of how it grows."
        )
        return Finding(Status.FAILED, fact, fact)
    return Finding(Status.PASSED)


MEMORY = Kind(cases, precise=False, in_process=False, measure=measure, measured="stores-all-scores")
