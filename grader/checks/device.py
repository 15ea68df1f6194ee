"""The result must be where the arguments are, and of their dtype, on a device that holds no numbers.

On PyTorch's device "meta" tensors have shapes and dtypes only, so that a constant made on the CPU beside them, or a
result moved away, shows on a machine without a GPU. Code that looks at a number cannot run there: of it nothing can be
said, and the check passes. So that raising everywhere does not, the same code is first called on the CPU.

Of a copy to another device PyTorch says that there is no data. It says so of tolist() too, which is a look at numbers
and no move: a line with that name is not accused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.checks.kind import Case, CheckSpecError, Context, Finding, Kind, make_case
from grader.checks.numbers import degenerate
from grader.checks.random_cases import drawn
from grader.checks.returned import read
from grader.checks.values import META
from grader.verdicts import Status
from grader.wire import CallResult, CodeError, Outcome

# What PyTorch says where an operation is given tensors of two devices.
TWO_DEVICES = re.compile(
    r"Tensor on device \w+(:\d+)? is not on the expected device|[Ee]xpected all tensors to be on the same device"
)
# What it says of a copy away from "meta": `.cpu()`, `.to`, copy_, or writing into a tensor that was made elsewhere.
COPIED_AWAY = "Cannot copy out of meta tensor"
LOOKS = "tolist"


def cases(context: Context) -> list[Case]:
    """Two calls for each drawn case: an ordinary one, then one on "meta"."""
    if context.operation.framework != "torch":
        raise CheckSpecError(
            f"check {context.check.id!r}: arrays, which {context.operation.name} takes, have no device"
        )
    return [
        make_case(context, arguments, device=device)
        for arguments in drawn(context)
        for device in (context.device, META)
    ]


def judge(context: Context, cases: Sequence[Case], results: Sequence[CallResult]) -> Finding:
    for index, (case, result) in enumerate(zip(cases, results, strict=True)):
        finding = (
            _judge_ordinary(context, case, result, index)
            if index % 2 == 0
            else _judge_meta(context, case, result, index)
        )
        if finding.status is not Status.PASSED:
            return finding
    return Finding(Status.PASSED)


def _judge_ordinary(context: Context, case: Case, result: CallResult, index: int) -> Finding:
    outputs = read(context, case, result, index)
    if isinstance(outputs, Finding):
        return outputs
    return degenerate(context.operation.returns, case.expected, outputs, index) or Finding(Status.PASSED, case=index)


def _judge_meta(context: Context, case: Case, result: CallResult, index: int) -> Finding:
    if result.outcome is Outcome.RAISED and result.error is not None:
        moved = _moved(result.error)
        if not moved:
            return Finding(Status.PASSED, case=index)
        place = f" (line {result.error.line})" if result.error.line is not None else ""
        fact = f"{moved}{place}: make it where the arguments are."
        return Finding(Status.FAILED, fact, fact, ("device-moved",), index)
    outputs = read(context, case, result, index)
    return outputs if isinstance(outputs, Finding) else Finding(Status.PASSED, case=index)


def _moved(error: CodeError) -> str:
    """What was done between two devices; nothing where the error tells of none."""
    if TWO_DEVICES.search(error.message):
        return "A tensor made on the CPU met one of another device"
    if error.message.startswith(COPIED_AWAY) and LOOKS not in error.traceback:
        return "A tensor was copied to another device, or into one made on the CPU"
    return ""


DEVICE = Kind(cases, judge, precise=False, in_process=False)
