"""Random cases in a lower precision, whose own errors pass. `with: {dtype: bfloat16, …}`, the rest as for random.

With `rows: 64` the numbers of 64 rows are compared, 32 in the middle of the output and 32 at its end; the whole output
must have the right shape and dtype, be where it should be, and hold no NaN. That is for many tokens: what is expected
and what is allowed take time and memory that grow with rows times tokens.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from attention_core import precision
from attention_core.operation import Arguments
from attention_core.scaled_dot_product import attention_output
from grader.checks import random_cases
from grader.checks.kind import Case, CheckSpecError, Context, Kind, Wanted, make_case, parameter
from grader.checks.numbers import judge_numbers
from grader.checks.values import DOUBLE


def cases(context: Context) -> list[Case]:
    dtype = context.dtype
    if context.operation.framework != "torch" or dtype == DOUBLE:
        raise CheckSpecError(f"check {context.check.id!r}: `with: dtype` must be a lower precision of tensors")
    if "rows" not in context.check.parameters:
        return random_cases.cases(context)
    expecting = partial(_in_some_rows, context, dtype)
    return [make_case(context, arguments, expecting=expecting) for arguments in random_cases.drawn(context)]


def middle_and_last(tokens: int, count: int) -> list[slice]:
    """`count` rows of as many as there are tokens: half of them end where the first half of all does, half at the end.

    `count` is even, and not above `tokens`.
    """
    return [slice(end - count // 2, end) for end in (tokens // 2, tokens)]


def in_rows(
    rows: slice, q: np.ndarray, k: np.ndarray, v: np.ndarray, is_causal: bool, dtype: precision.Precision
) -> tuple[np.ndarray, np.ndarray]:
    """Float64's output in neighbouring rows and what is allowed to be off there, both (..., n, dv).

    Causal, row i sees the keys up to i; there is a key for each row.
    """
    # The last of these rows sees the keys up to its own: aligned at the bottom, without the keys after it.
    keys = slice(rows.stop if is_causal else None)
    case = q[..., rows, :], k[..., keys, :], v[..., keys, :]
    exact = attention_output(*case, causal="bottom-right" if is_causal else None)
    return exact, precision.allowance(*case, is_causal, "bottom-right", dtype)


def _in_some_rows(context: Context, dtype: precision.Precision, arguments: Arguments) -> tuple[Wanted, ...]:
    q, k, v, is_causal = arguments.values()  # as every operation on tensors takes them
    count, tokens = parameter(context, "rows", int), q.shape[-2]
    if count % 2 or not 2 <= count <= tokens:
        told = f"is {count}; it must be even and 2 to {tokens}, as many as there are queries"
    elif is_causal and tokens > k.shape[-2]:
        told = f"needs a key for each query where the future is hidden; there are {tokens} queries, {k.shape[-2]} keys"
    elif not _is_in_range(q, k, dtype):
        told = f"needs scores that {dtype} can hold, or NaN in other rows may be right; take a smaller `scale`"
    else:
        value = np.zeros((*q.shape[:-1], v.shape[-1]))
        allowed = np.full_like(value, np.inf)
        for rows in middle_and_last(tokens, count):
            value[..., rows, :], allowed[..., rows, :] = in_rows(rows, q, k, v, is_causal, dtype)
        return (Wanted(value, allowed, whole=False),)
    raise CheckSpecError(f"check {context.check.id!r}: `with: rows` {told}")


def _is_in_range(q: np.ndarray, k: np.ndarray, dtype: precision.Precision) -> bool:
    """Whether no product of a query and a key can become infinite: none is above the product of the longest two."""
    longest = [np.linalg.norm(each, axis=-1).max() for each in (q, k)]
    return bool(np.isfinite(precision.round_to(np.prod(longest), dtype)))


PRECISION = Kind(cases, judge_numbers)
