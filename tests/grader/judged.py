"""Judging without a sandbox: a function of the test, or a script of what a session answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from grader.inprocess import FunctionSandbox
from grader.judging import judge
from grader.verdicts import CheckSpec, ExerciseSpec, Job, Report
from grader.wire import Call, CallResult, Limits, Outcome
from tests.verdicts.exercise import exercise

SEED = 99


def judged(function: Callable[..., Any], spec: ExerciseSpec | None = None, *, seed: int = SEED) -> Report:
    return judge(Job(spec or exercise(), b"# in this process\n", seed), FunctionSandbox(function))


def one_check(function: Callable[..., Any], operation: str, check: CheckSpec, *, seed: int = SEED) -> Report:
    return judged(function, exercise(operation, check), seed=seed)


class ScriptedSession:
    """Loads as `loaded` says, then answers each call by `answer`, which gets its number and the call."""

    elapsed_ms = 12.34

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
