"""Whatever a session may answer, judging it is a verdict and never a fault of ours, and its report can be kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courses.package.exercises import load_exercise
from grader.checks.values import encode, encode_tensor
from grader.judging import judge, make_plans, operation_of
from grader.reporting import Plan
from grader.reports import report_to_json
from grader.sandbox import frames
from grader.specs import exercise_spec
from grader.storable import storable
from grader.verdicts import Job
from grader.wire import Call, CallResult, CodeError, Kind, Limits, Outcome, Usage, Value

EXERCISES = Path(__file__).resolve().parent.parent.parent / "courses" / "content" / "exercises"
SLUGS = sorted(path.name for path in EXERCISES.iterdir() if path.is_dir())
SOURCE = b"x = 1\ny = 2\nz = 3\n"
# What NumPy says of numbers that nobody sane computes with changes no verdict.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@cache
def judging(slug: str) -> tuple[Job, tuple[Plan, ...], dict[tuple[Value, ...], Value]]:
    """A job, its plans, and what a right answer to each of their calls is, by its arguments."""
    job = Job(exercise_spec(load_exercise(EXERCISES / slug).compiled["spec"], revision=0), SOURCE, seed=5)
    operation = operation_of(job.spec)
    plans = make_plans(job, operation)
    right = {}
    for plan in plans:
        for case in plan.cases:
            dtype = plan.context.dtype if operation.framework == "torch" else None
            numbers = [encode_tensor(each.value, dtype) if dtype else encode(each.value) for each in case.wanted]
            right[case.call.args] = numbers[0] if len(numbers) == 1 else Value(Kind.SEQUENCE, items=tuple(numbers))
    return job, plans, right


SHAPES = st.one_of(
    st.lists(st.integers(0, 4), max_size=4).map(tuple),
    st.sampled_from([(1,) * 64, (0, 10**9, 10**9, 2), (10**9, 0), (10**9, 10**9)]),
)
NUMPY_DTYPES = ("|b1", "|i1", "<u2", "<i8", "<u8", "<f2", "<f4", "<f8", "<f16", "<c8", "<c32")
FILLS = (b"\0", b"\1", b"\xff", b"\0\0\0\0\0\0\xf8\x7f", b"\0\0\0\0\0\0\xf0\x7f", b"\xff\xff\xff\xff\xff\xff\xef\x7f")
NUMBERS = (
    *(Value(Kind.INT, text="9" * 999), Value(Kind.INT, text="-7"), Value(Kind.FLOAT, text="nan")),
    *(Value(Kind.FLOAT, text="0x1p1023"), Value(Kind.BOOL, text="True"), Value(Kind.NONE)),
)
TEXTS = st.sampled_from(["", "x", "\0", "\ud800", "\u202e<script>", "9" * 999, "nan", "(Q, K", "step 3"])


@st.composite
def arrays(draw: st.DrawFn, like: Value | None = None) -> Value:
    """Arrays, scalars and tensors that the parser lets pass, some of them with the shape and dtype of `like`."""
    kind = draw(st.sampled_from([Kind.ARRAY, Kind.SCALAR, Kind.TENSOR]))
    shape = () if kind is Kind.SCALAR else draw(SHAPES)
    device = draw(st.sampled_from(["cpu", "meta"])) if kind is Kind.TENSOR else ""
    alike = like is not None and bool(like.shape) and draw(st.booleans())
    if like is not None and alike:
        kind, shape, device = like.kind, like.shape, like.text
    dtype = draw(st.sampled_from(NUMPY_DTYPES if kind is not Kind.TENSOR else tuple(frames.TENSOR_ITEM_BYTES)))
    if like is not None and alike and draw(st.booleans()):
        dtype = like.dtype
    size = frames._size(kind, dtype, shape, device)
    if size > 100_000:
        shape, size = (0,), 0
    fill = draw(st.sampled_from(FILLS)) if dtype not in {"|b1", "bool"} else b"\1"
    return Value(kind, dtype, shape, (fill * (size // len(fill) + 1))[:size], text=device)


@st.composite
def values(draw: st.DrawFn, like: Value | None = None, depth: int = 0) -> Value:
    if like is not None and draw(st.integers(0, 2)):
        return like
    kind = draw(st.sampled_from(["numbers", "numbers", "number", "text", "sequence"]))
    if kind == "number":
        return draw(st.sampled_from(NUMBERS))
    if kind == "text":
        return Value(draw(st.sampled_from([Kind.TEXT, Kind.OTHER])), text=draw(TEXTS))
    if kind == "sequence" and depth < 2:
        return Value(Kind.SEQUENCE, items=tuple(draw(st.lists(values(depth=depth + 1), max_size=3))))
    return draw(arrays(like))


def described(value: Value) -> tuple[dict[str, Any], bytes]:
    if value.kind is Kind.SEQUENCE:
        items = [described(item) for item in value.items]
        return {"kind": value.kind, "items": [item for item, _ in items]}, b"".join(data for _, data in items)
    header = {"kind": value.kind, "dtype": value.dtype, "shape": list(value.shape), "text": value.text}
    return header, value.data


class Session:
    """Answers as `data` draws, by way of frames and their parser, as a real one does."""

    elapsed_ms = 1.0

    def __init__(self, data: st.DataObject, slug: str) -> None:
        self.draw = data.draw
        job, _, self.right = judging(slug)
        self.tensors = operation_of(job.spec).framework == "torch"

    @property
    def usage(self) -> Usage:
        return self.draw(st.sampled_from([Usage(10**7, 0.0), Usage(10**9, 5000.0)]))

    def load(self, entry: str) -> CallResult:  # noqa: ARG002 as a session's
        if self.draw(st.integers(0, 9)) == 0:
            return self.broken(self.draw(st.sampled_from([Outcome.RAISED, Outcome.NO_ENTRY, Outcome.EXITED])))
        return CallResult(Outcome.RETURNED, signature=self.draw(TEXTS))

    def call(self, call: Call) -> CallResult:
        if self.draw(st.integers(0, 19)) == 0:
            ended = [Outcome.TIMEOUT, Outcome.OUTPUT, Outcome.TOO_LARGE, Outcome.CRASHED, Outcome.MEMORY]
            return self.broken(self.draw(st.sampled_from([Outcome.RAISED, *ended])))
        value = self.draw(values(self.right.get(call.args)))
        if call.keep:
            kept = Value(Kind.KEPT, text=call.keep)
            value = kept if call.keep_item is None else Value(Kind.SEQUENCE, items=(value, kept))
        parts = [described(value)]
        header: dict[str, Any] = {"nonce": "n", "outcome": "returned", "value": parts[0][0]}
        if call.arguments_back:
            sent = [each if each.kind is Kind.KEPT else self.draw(values(each)) for each in call.args]
            parts += (back := [described(each) for each in sent])
            header["arguments"] = [each for each, _ in back]
        if call.cotangent is not None:
            tensors = [each for each in call.args if each.kind is Kind.TENSOR]
            parts += (found := [described(self.draw(values(each, depth=2))) for each in tensors])
            header |= {"gradients": [each for each, _ in found], "graph": [self.draw(TEXTS)]}
        return self.parsed(header, b"".join(data for _, data in parts), call)

    def parsed(self, header: dict[str, Any], body: bytes, call: Call | None) -> CallResult:
        try:
            reply = frames.parse_reply(json.loads(json.dumps(header)), body, "n", call, tensors=self.tensors)
        except frames.FrameError:
            return CallResult(Outcome.GARBLED)
        return CallResult(
            reply.outcome, reply.value, reply.arguments, reply.error, gradients=reply.gradients, graph=reply.graph
        )

    def broken(self, outcome: Outcome) -> CallResult:
        if outcome is not Outcome.RAISED:
            return CallResult(outcome)
        name = self.draw(st.sampled_from(["", "TypeError", "SyntaxError", "MemoryError", "SystemExit", "NoSuchError"]))
        message = self.draw(TEXTS | st.just("non-printable character U+FFFFFF"))
        return CallResult(outcome, error=CodeError(name, message, line=self.draw(st.sampled_from([None, 2]))))


class SandboxOf:
    def __init__(self, session: Session) -> None:
        self.session = session

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[Session]:  # noqa: ARG002 as a sandbox's
        yield self.session


@pytest.mark.parametrize("slug", SLUGS)
@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_any_answer_has_a_verdict(slug: str, data: st.DataObject) -> None:
    job, plans, _ = judging(slug)
    report = judge(job, SandboxOf(Session(data, slug)), plans)
    assert not report.message or report.points == 0
    json.dumps(storable(report_to_json(report)), allow_nan=False)
    assert 0 <= report.points <= report.max_points


@pytest.mark.parametrize("slug", SLUGS)
def test_there_is_a_right_answer_to_mix_them_with(slug: str) -> None:
    """Else hardly any check would come to its numbers."""
    _, plans, right = judging(slug)
    assert len(right) > 5
    assert {case.call.args for plan in plans for case in plan.cases} == set(right)
