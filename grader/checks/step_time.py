"""A step's work must grow no faster than the tokens seen. `with: {tokens: [256, 512]}`, the second twice the first.

Measured is the processor time of whole sessions, as the kernel counts it, without what as many calls cost in sequences
too short to have a past. Of what is left, twice the steps cost four times as much at most where a step's work grows
like the tokens seen, in whatever style it is written, and eight times as much where each step computes the past anew.
On a machine five times overloaded, right code was measured at 2.4 to 5.1 and such steps at 6.8 to 9.7.

RATIO lies between; below LEAST_MS nothing is said, as it would be of noise; and what is found must be found again, by
the least favourable of both measurements. Work that grows too fast, but not yet noticeably at these lengths, passes.
The values must be right too.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.kind import PASSED, Case, CheckSpecError, Context, Finding, Kind, Meter, make_case
from grader.checks.memory import lengths
from grader.checks.numbers import in_the_way, judge_numbers
from grader.checks.random_cases import draw
from grader.verdicts import Status

RATIO = 6.0
LEAST_MS = 200.0
SHORT = 8  # steps of a sequence without a past to speak of
TIMES = 2  # that it must be found

NUMBERS_FIRST = "The output itself is wrong here, so the time was not compared."


def cases(context: Context) -> list[Case]:
    """The longer sequence, the one half as long, and short ones that take as many calls together as the longer."""
    half, whole = lengths(context)
    if context.operation.calling != "steps" or whole["T"] != 2 * half["T"]:
        told = "it takes steps, and `with: tokens` of which the second is twice the first"
        raise CheckSpecError(f"check {context.check.id!r}: {told}")
    short = [{**whole, "T": SHORT}] * (whole["T"] // (SHORT + 1))
    return [make_case(context, draw(context, sizes)) for sizes in (whole, half, *short)]


def measure(context: Context, cases: Sequence[Case], meter: Meter) -> Finding:
    whole, half, *short = cases
    found: list[tuple[float, float]] = []
    for _ in range(TIMES):
        measured = meter.measure([whole])
        finding = judge_numbers(context, [whole], measured.results)
        if finding.status is not Status.PASSED:
            return in_the_way(finding, NUMBERS_FIRST)
        if measured.usage.cpu_ms < LEAST_MS:
            return PASSED
        idle = meter.measure(()).usage.cpu_ms
        calls = meter.measure(short).usage.cpu_ms - idle
        of_whole = measured.usage.cpu_ms - idle - calls
        if of_whole < LEAST_MS:
            return PASSED  # whatever the half takes
        found.append((meter.measure([half]).usage.cpu_ms - idle - calls / 2, of_whole))
        if not recomputes(found):
            return PASSED
    fact = "The work of a step grows faster than the tokens seen, as if each one computed all of the past again."
    steps = len(whole.expected[0])
    ratio = found[0][1] / found[0][0]
    detail = f"{fact} {steps} steps took {ratio:.1f} times the processor time of {steps // 2}."
    return Finding(Status.FAILED, fact, detail, ("recomputes-past",))


def recomputes(found: Sequence[tuple[float, float]]) -> bool:
    """Whether processor times, in ms, of the half and of the whole are those of steps that compute the past anew."""
    half, whole = max(half for half, _ in found), min(whole for _, whole in found)
    return whole >= LEAST_MS and whole > RATIO * half > 0


STEP_TIME = Kind(cases, precise=False, in_process=False, measure=measure, measured="recomputes-past")
