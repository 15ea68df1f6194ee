"""Judging without a sandbox: a function of the test, or a script of what a session answers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from attention_core.operation import Arguments, Operation
from grader.checks.kind import encode_arguments
from grader.checks.values import decode, encode
from grader.inprocess import FunctionSandbox
from grader.judging import judge
from grader.verdicts import CheckSpec, ExerciseSpec, Job, Report
from grader.wire import Call, CallResult, CodeError, Kind, Limits, Outcome, Value
from tests.verdicts.exercise import exercise

SEED = 99


def judged(function: Callable[..., Any], spec: ExerciseSpec | None = None, *, seed: int = SEED) -> Report:
    job = Job(spec or exercise(), b"# in this process\n", seed)
    return judge(job, FunctionSandbox(function), calling="function")


def one_check(function: Callable[..., Any], operation: str, check: CheckSpec, *, seed: int = SEED) -> Report:
    return judged(function, exercise(operation, check), seed=seed)


def put(operation: Operation, call: Callable[[Call], CallResult]) -> Callable[[Arguments], CallResult]:
    """Performs the case of some arguments, as one call."""
    return lambda arguments: call(Call(operation.entry, encode_arguments(operation, arguments)))


class ScriptedSession:
    """Loads as `loaded` says, then answers each call by `answer`, which gets its number and the call."""

    elapsed_ms = 12.34
    usage = None

    def __init__(self, loaded: CallResult, answer: Callable[[int, Call], CallResult]) -> None:
        self.loaded, self.answer, self.calls = loaded, answer, []

    calls: list[Call]

    def load(self, entry: str) -> CallResult:  # noqa: ARG002 as a session's
        return self.loaded

    def call(self, call: Call) -> CallResult:
        self.calls.append(call)
        return self.answer(len(self.calls) - 1, call)


class ScriptedSandbox:
    def __init__(
        self,
        answer: Callable[[int, Call], CallResult] = lambda _number, _call: CallResult(Outcome.TIMEOUT),
        loaded: CallResult | None = None,
    ) -> None:
        self.session = ScriptedSession(loaded or CallResult(Outcome.RETURNED, signature="(Q, K, V)"), answer)
        self.sources: list[str] = []
        self.limits: list[Limits] = []

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[ScriptedSession]:
        self.sources.append(source)
        self.limits.append(limits)
        yield self.session


class StepsSession:
    """start() and step() of our own in this process, their caches kept by name, as a session does."""

    elapsed_ms = 1.0
    usage = None

    def __init__(self, start: Callable[..., Any] | None, step: Callable[..., Any]) -> None:
        self.functions = {"start": start, "step": step}
        self.kept: dict[str, Any] = {}
        self.calls: list[Call] = []

    def load(self, entry: str) -> CallResult:
        return CallResult(Outcome.RETURNED, signature=str(inspect.signature(self.functions[entry])))  # type: ignore[arg-type]

    def call(self, call: Call) -> CallResult:
        self.calls.append(call)
        function = self.functions[call.entry]
        if function is None:
            return CallResult(Outcome.NO_ENTRY)
        given = [self.kept[value.text] if value.kind is Kind.KEPT else decode(value) for value in call.args]
        try:
            returned = function(*given)
        except EndsSessionError as ending:
            return CallResult(ending.outcome, stdout=b"end\n")
        except Exception as error:  # noqa: BLE001 as a session does with whatever code raises
            return CallResult(Outcome.RAISED, error=CodeError(type(error).__name__, str(error), line=1))
        back = tuple(
            sent if sent.kind is Kind.KEPT else encode(value) for sent, value in zip(call.args, given, strict=True)
        )
        value = self._described(returned, call)
        return CallResult(Outcome.RETURNED, value, back if call.arguments_back else (), stdout=b"called\n", wall_ms=2.0)

    def _described(self, returned: Any, call: Call) -> Value:
        if call.keep_item is None:
            self.kept[call.keep] = returned
            return Value(Kind.KEPT, text=call.keep)
        if not isinstance(returned, (tuple, list)) or len(returned) <= call.keep_item:
            return encode(returned)
        items = list(map(_encoded, returned))
        self.kept[call.keep], items[call.keep_item] = returned[call.keep_item], Value(Kind.KEPT, text=call.keep)
        return Value(Kind.SEQUENCE, items=tuple(items))


class EndsSessionError(Exception):
    """Raised by code that stands for what ends a session."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


def _encoded(value: Any) -> Value:
    try:
        return encode(value)
    except TypeError:
        return Value(Kind.OTHER, text=type(value).__name__)


class StepsSandbox:
    def __init__(self, start: Callable[..., Any] | None, step: Callable[..., Any]) -> None:
        self.session = StepsSession(start, step)

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[StepsSession]:  # noqa: ARG002 as the sandbox's
        yield self.session
