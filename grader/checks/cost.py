"""Time and peak memory beside PyTorch's fused call. `with: {dtype: bfloat16, is_causal: true, sizes: {T: 4096}}`.

For operations on tensors. One session has the submission's source, the other the fused call, and both the same
measuring function behind it. Memory is told on a GPU alone, as PyTorch counts what it holds there.

For information: the figures are the word of the process that runs the learner's code, which can say what it likes. So
no points may rest on them. With `stores_scores: false` a peak of one head's scores or more still fails the check.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.checks.kind import Case, CheckSpecError, Context, Finding, Kind, Meter, encode_arguments
from grader.checks.random_cases import draw, sizes_of
from grader.checks.returned import not_returned
from grader.checks.values import TENSOR_DTYPES, decode
from grader.verdicts import Status
from grader.wire import Call, CallResult, Outcome

MOST_TOKENS = 8192
SCORES_TO_OUTPUT = 64  # one head's scores to the whole output, so that copies in float64 are far from being scores
MOST = 1e12  # ms, or bytes: a figure above it is none
MEGABYTE = 1e6

# What is for information decides nothing: a GPU may be too small, or code right and slow.
UNMEASURED = "What it costs could not be measured."

MEASURE = "cost_of_calls"
# Not a name of the submission's is used but its entry. What PyTorch sets up on a GPU once and keeps (the workspace for
# products) is there before memory is counted; what the entry keeps between calls is counted. The first call, which is
# slower, counts only where it took so long that it is the only one.
MEASURING = """

def {measure}(*tensors_and_flags):
    import itertools, statistics, time
    import torch
    first = tensors_and_flags[0]
    wait = torch.cuda.synchronize if first.is_cuda else lambda: None
    small = first.new_ones(8, 8)
    small @ small
    wait()
    if first.is_cuda:
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
    milliseconds = []
    until = time.perf_counter() + 2
    for _ in itertools.repeat(None, 8):
        started = time.perf_counter()
        {entry}(*tensors_and_flags)
        wait()
        milliseconds.append((time.perf_counter() - started) * 1000)
        if time.perf_counter() > until:
            break
    taken = [torch.cuda.max_memory_allocated() - before] if first.is_cuda else []
    return (statistics.median(milliseconds[1:] or milliseconds), *taken)
"""
FUSED = """
import torch

def {entry}(q, k, v, is_causal=False):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """`peak_bytes`: beyond the inputs; None where memory is not measured."""

    milliseconds: float
    peak_bytes: float | None


def cases(context: Context) -> list[Case]:
    """One, without a reference."""
    check = context.check
    if check.points:
        told = f"what it finds is for information, so it must have 0 points, not {check.points}"
        raise CheckSpecError(f"check {check.id!r}: {told}")
    if context.operation.framework != "torch":
        raise CheckSpecError(f"check {check.id!r}: {context.operation.name} takes arrays; only tensors are measured")
    sizes = {**context.operation.default_sizes, **sizes_of(context)}
    if not all(type(size) is int and 0 < size <= MOST_TOKENS for size in sizes.values()):
        raise CheckSpecError(f"check {check.id!r}: `with: sizes` must be 1 to {MOST_TOKENS}, they are {sizes}")
    arguments = draw(context, sizes)
    sent = encode_arguments(context.operation, arguments, context.dtype, context.device)
    case = Case(arguments, (), Call(MEASURE, sent))
    q, _, v = _tensors(case)
    output = math.prod(q.shape[:-1]) * v.shape[-1]
    if not _may_store(context) and _scores(case) < SCORES_TO_OUTPUT * output:
        told = f"the scores of one head must be {SCORES_TO_OUTPUT} times the output or more, or nothing can be told"
        raise CheckSpecError(f"check {check.id!r}: with `stores_scores: false` {told}; it has {sizes}")
    return [case]


def _may_store(context: Context) -> bool:
    found = context.check.parameters.get("stores_scores", True)
    if type(found) is not bool:
        raise CheckSpecError(f"check {context.check.id!r}: `with: stores_scores` is {found!r}, not true or false")
    return found


def _tensors(case: Case) -> list[np.ndarray]:
    """q, k and v, as every operation on tensors takes them."""
    return [value for value in case.arguments.values() if isinstance(value, np.ndarray)]


def _scores(case: Case) -> int:
    """Numbers in the scores of one head."""
    q, k, _ = _tensors(case)
    return int(q.shape[-2] * k.shape[-2])


def measure(context: Context, cases: Sequence[Case], meter: Meter) -> Finding:
    (case,) = cases
    measuring = MEASURING.format(measure=MEASURE, entry=context.exercise.entry)
    result = meter.extended(measuring, case)
    if isinstance(result, str):
        return Finding(Status.PASSED, detail=f"{UNMEASURED} {result}")
    if (finding := not_returned(context, case, result)) is not None:
        return Finding(Status.PASSED, detail=f"{UNMEASURED} {finding.detail}")
    yours = cost_of(result, context.device)
    if yours is None:
        fact = "What came back were no figures: something was put in the place of what measures."
        return Finding(Status.FAILED, fact, fact)
    fused = cost_of(meter.ours(FUSED.format(entry=context.exercise.entry) + measuring, case), context.device)
    return judge_costs(context, case, yours, fused)


def cost_of(result: CallResult, device: str) -> Cost | None:
    """None where a call did not return the figures that it should on that device."""
    if result.outcome is not Outcome.RETURNED or result.value is None:
        return None
    found = decode(result.value)
    if not isinstance(found, tuple) or len(found) != (2 if device == "cuda" else 1):
        return None
    if not all(type(figure) in {int, float} and 0 <= figure <= MOST for figure in found):
        return None
    return Cost(found[0], found[1] if device == "cuda" else None)


def judge_costs(context: Context, case: Case, yours: Cost, fused: Cost | None) -> Finding:
    """`fused`: None where it could not be measured, which is no fault of a learner's."""
    beside = f"PyTorch's fused call {_figures(fused)}" if fused else "PyTorch's fused call could not be measured"
    beyond = "" if yours.peak_bytes is None else " beyond its inputs"
    detail = f"Yours took {_figures(yours)}{beyond}; {beside} ({_described(context, case)})."
    scores = _scores(case) * np.dtype(TENSOR_DTYPES[context.dtype]).itemsize
    if not _may_store(context) and yours.peak_bytes is not None and yours.peak_bytes >= scores:
        fact = "At its peak it took as much memory as all scores of one head do, or more."
        told = f"{fact} They are {_rounded(scores / MEGABYTE)} MB. {detail}"
        return Finding(Status.FAILED, fact, told, ("stores-all-scores",))
    return Finding(Status.PASSED, detail=detail)


def _figures(cost: Cost) -> str:
    milliseconds = f"{_rounded(cost.milliseconds)} ms"
    return milliseconds if cost.peak_bytes is None else f"{milliseconds} and {_rounded(cost.peak_bytes / MEGABYTE)} MB"


def _rounded(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _described(context: Context, case: Case) -> str:
    sizes = {**context.operation.default_sizes, **sizes_of(context)}
    causal = ["causal"] if any(value is True for value in case.arguments.values()) else []
    return ", ".join([*(f"{name} = {size:,}" for name, size in sizes.items()), context.dtype, *causal])


COST = Kind(cases, precise=False, in_process=False, measure=measure)
