"""Gradients against the reference's: of a random blend of the outputs, for every tensor among the arguments.

With it, what the graph behind the result shows: where the exercise asks for attention written out, a node of the
framework's own attention gives a hidden call away. `with:` as for random cases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attention_core import precision
from attention_core.gradients import attention_gradients
from attention_core.operation import Arguments
from grader.checks.kind import (
    ALIGNMENT,
    Case,
    CheckSpecError,
    Context,
    Finding,
    Kind,
    Wanted,
    make_case,
    rounded,
    worst,
)
from grader.checks.numbers import in_the_way, judge_values
from grader.checks.random_cases import drawn
from grader.checks.returned import read
from grader.checks.values import DOUBLE, Foreign, GarbledValueError, Tensor, decode, encode_tensor
from grader.rules import NO_FUSED_ATTENTION, RULES
from grader.verdicts import Status
from grader.wire import CallResult, Outcome

# Nodes of PyTorch's own end in a digit; those of a learner's autograd.Function do not. Written-out code makes no
# SafeSoftmax: it is part of scaled_dot_product_attention where that has no fused kernel for its arguments.
FUSED_NODE = re.compile(
    r"(\w*(ScaledDotProduct|FlashAttention|EfficientAttention|CudnnAttention)\w*|SafeSoftmax)Backward\d+"
)
OUTPUT_FIRST = "The output itself is wrong here, so its gradients were not compared."
CANNOT_DETACH = "Can't call numpy() on Tensor that requires grad"


def cases(context: Context) -> list[Case]:
    if context.operation.framework != "torch":
        raise CheckSpecError(f"check {context.check.id!r}: {context.operation.name} has no gradients")
    return [_case(context, arguments) for arguments in drawn(context)]


def _case(context: Context, arguments: Arguments) -> Case:
    case = make_case(context, arguments)
    cotangent = rounded(context, {"cotangent": context.rng.standard_normal(case.expected[0].shape)})["cotangent"]
    q, k, v, is_causal = case.arguments.values()
    gradients = attention_gradients(q, k, v, cotangent, causal=ALIGNMENT if is_causal else None)
    allowed: Sequence[np.ndarray | None] = (None, None, None)
    if context.dtype != DOUBLE:
        allowed = precision.gradient_allowance(q, k, v, cotangent, is_causal, ALIGNMENT, context.dtype)
    wanted = dict(zip(case.arguments, map(Wanted, gradients, allowed), strict=False))
    call = replace(case.call, cotangent=encode_tensor(cotangent, context.dtype, context.device))
    return replace(case, call=call, gradients=wanted)


def judge(context: Context, cases: Sequence[Case], results: Sequence[CallResult]) -> Finding:
    together = enumerate(zip(cases, results, strict=True))
    return worst([_judge_one(context, case, result, index) for index, (case, result) in together])


def _judge_one(context: Context, case: Case, result: CallResult, index: int) -> Finding:
    outputs = read(context, case, result, index)
    if isinstance(outputs, Finding):
        return _blocked_by_numpy(outputs, result)
    found = judge_values(context, list(zip(context.operation.returns, case.wanted, outputs, strict=True)), index)
    if found.status is not Status.PASSED:
        return in_the_way(found, OUTPUT_FIRST)
    if NO_FUSED_ATTENTION in context.exercise.rules and any(map(FUSED_NODE.fullmatch, result.graph)):
        fact = f"The graph behind the result shows PyTorch's own attention. {RULES[NO_FUSED_ATTENTION].remedy}"
        return Finding(Status.FAILED, fact, fact, case=index)
    return _judge_gradients(context, case, result, index)


def _blocked_by_numpy(finding: Finding, result: CallResult) -> Finding:
    """What raises only where gradients are asked for, since it leaves PyTorch on the way."""
    left = result.error is not None and result.error.message.startswith(CANNOT_DETACH)
    return replace(finding, mistakes=("gradient-blocked",)) if left and result.outcome is Outcome.RAISED else finding


def _judge_gradients(context: Context, case: Case, result: CallResult, index: int) -> Finding:
    if len(result.gradients) != len(case.gradients):
        raise GarbledValueError(f"{len(result.gradients)} gradients came back of {len(case.gradients)}")
    decoded = dict(zip(case.gradients, map(decode, result.gradients), strict=True))
    blocked = [name for name, got in decoded.items() if _is_blocked(case.gradients[name].value, got)]
    if blocked:
        fact = f"No gradient reaches {_listed(blocked)}: something on the way is detached from the graph."
        return Finding(Status.FAILED, fact, fact, ("gradient-blocked",), index)
    unusual = [name for name, got in decoded.items() if isinstance(got, Foreign)]
    if unusual:
        fact = f"The gradient of {_listed(unusual)} is no dense tensor of floating-point numbers."
        return Finding(Status.FAILED, fact, fact, case=index)
    arrays = {name: got.array for name, got in decoded.items() if isinstance(got, Tensor)}
    if {name: array.shape for name, array in arrays.items()} != {
        name: wanted.value.shape for name, wanted in case.gradients.items()
    }:
        raise GarbledValueError("gradients of other shapes than those of their arguments")
    if any(got.dtype != context.dtype for got in decoded.values() if isinstance(got, Tensor)):
        raise GarbledValueError("gradients of other dtypes than those of their arguments")
    return judge_values(
        context, [(f"the gradient of {name}", case.gradients[name], array) for name, array in arrays.items()], index
    )


def _is_blocked(expected: np.ndarray, got: object) -> bool:
    if not isinstance(got, Tensor):
        return got is None
    return got.array.shape == expected.shape and not got.array.any() and bool(expected.any())


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


GRADIENT = Kind(cases, judge, in_process=False)
