"""Job + sandbox -> Report. No ORM, no Celery; the sandbox is whatever has the two protocols below.

Theory of operation
===================
All cases are drawn and all expected values computed before a session opens. In
the session the source is loaded once; then come the calls of the checks that
are shown, then those of the others, so that nothing that is printed while a
shown call runs can hold an input that is hidden. Only what loading and shown
calls print is kept. If numbers came out wrong, the diagnosis set follows in the
same session; it decides no point. Checks that measure what a session takes come
last, each in sessions of its own.

A job is for one device. Checks for another are left out: they are SKIPPED here,
and have to be judged by a job of their own.

A fault of ours (SandboxFault, or any other exception) leaves `judge` as it is:
it is never a verdict, and who called decides whether to try again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from decimal import Decimal
from typing import Literal, Protocol

import numpy as np

from attention_core.diagnosis import diagnosis_of
from attention_core.operation import Arguments, Operation
from attention_core.operations import OPERATIONS
from grader.calling import Calling, load, perform
from grader.checks import KINDS
from grader.checks.kind import (
    DTYPES,
    Case,
    CheckSpecError,
    Context,
    Finding,
    Measurement,
    encode_arguments,
    make_case,
)
from grader.checks.precision import LOWER_PRECISION, Sample, is_lowered, measure
from grader.checks.returned import read
from grader.checks.values import DOUBLE, GarbledValueError
from grader.diagnosis import diagnose
from grader.endings import ENDINGS, Ending, load_failure
from grader.reporting import Judged, Plan, check_result, elsewhere, is_of_numbers, not_run, whole
from grader.rules import RULES, refusal
from grader.source import SourceRefused, normalise_source
from grader.verdicts import CheckSpec, ExerciseSpec, Job, Report, Status
from grader.wire import Call, CallResult, Limits, Outcome, Usage

MEASURED_SCRATCH_BYTES = 64 * 1024  # of files in /tmp, where memory is measured: they are memory too
MEASURED_SECONDS = 70.0  # of all sessions of one job that are measured: right but slow code must not look like a fault
_TOO_LONG = f"Your code took more than {MEASURED_SECONDS:g} seconds in all that was measured of it, so it was stopped."
MEASURED_TOO_LONG = Finding(Status.TIMEOUT, _TOO_LONG, _TOO_LONG)


class SessionLike(Protocol):
    @property
    def elapsed_ms(self) -> float: ...
    @property
    def usage(self) -> Usage | None: ...
    def load(self, entry: str) -> CallResult: ...
    def call(self, call: Call) -> CallResult: ...


class SandboxLike(Protocol):
    def open(self, source: str, *, limits: Limits) -> AbstractContextManager[SessionLike]: ...


def judge(
    job: Job, sandbox: SandboxLike, plans: Sequence[Plan] | None = None, calling: Calling | None = None
) -> Report:
    """The verdict on one submission. Raises SandboxFault; CheckSpecError for an exercise that is described wrongly.

    `plans` are those of the job's exercise and seed, where make_plans has made them before; they may be used again.
    `calling`: how a case is put to a session, where it is not as the operation says.
    """
    operation = operation_of(job.spec)
    try:
        source = _source(job)
    except SourceRefused as refused:
        return not_run(job, Status.REFUSED, str(refused), "Not run.")
    plans = plans or make_plans(job, operation)
    diagnosis_of(operation)  # now, not on the session's time
    run = _Run(job, operation, source, sandbox, calling or operation.calling)
    return run.report(plans)


def framework_of(spec: ExerciseSpec) -> Literal["numpy", "torch"]:
    """Which of Sandboxes a job of this exercise needs. Raises CheckSpecError."""
    return operation_of(spec).framework


def _source(job: Job) -> str:
    """The source as it is run. Raises SourceRefused."""
    if unknown := set(job.spec.rules) - set(RULES):
        raise CheckSpecError(f"exercise {job.spec.slug!r}: there is no rule {min(unknown)!r}")
    source = normalise_source(job.source, job.spec.source_bytes)
    sentence = refusal(source, job.spec.rules)
    if sentence:
        raise SourceRefused(sentence)
    return source


def operation_of(spec: ExerciseSpec) -> Operation:
    if spec.operation not in OPERATIONS:
        raise CheckSpecError(f"exercise {spec.slug!r}: there is no operation {spec.operation!r}")
    return OPERATIONS[spec.operation]


def make_plans(job: Job, operation: Operation) -> tuple[Plan, ...]:
    """Every check for the job's device, with its cases. Raises CheckSpecError."""
    checks = [check for check in job.spec.checks if check.device == job.device]
    if not checks:
        raise CheckSpecError(f"exercise {job.spec.slug!r} has no checks for the device {job.device!r}")
    return tuple(_plan(job, operation, check) for check in checks)


def _plan(job: Job, operation: Operation, check: CheckSpec) -> Plan:
    if check.kind not in KINDS:
        raise CheckSpecError(f"check {check.id!r}: no kind {check.kind!r}; there are {', '.join(KINDS)}")
    dtype = check.parameters.get("dtype", DOUBLE)
    tensors = operation.framework == "torch"
    if dtype not in DTYPES or not (tensors or (check.device == "cpu" and "dtype" not in check.parameters)):
        told = f"expected `with: dtype:` to be one of {', '.join(DTYPES)}, got {dtype!r}"
        arrays = f"{operation.name} takes arrays, which have neither a device nor a dtype to choose"
        raise CheckSpecError(f"check {check.id!r}: {told if tensors else arrays}")
    # A generator of its own for each check: its cases hang on the seed and its id, not on its neighbours.
    entropy = [job.seed % 2**64, *check.id.encode()]
    rng = np.random.default_rng(np.random.SeedSequence(entropy))
    context = Context(check, job.spec, operation, rng, dtype, job.device)
    kind = KINDS[check.kind]
    return Plan(context, kind, tuple(kind.cases(context)))


class _SessionEndedError(Exception):
    """A session that was opened to be measured ended early, as the finding says."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class _Run:
    """The checks of one job in one session, then those that measure sessions of their own."""

    def __init__(self, job: Job, operation: Operation, source: str, sandbox: SandboxLike, calling: Calling) -> None:
        self.job, self.spec, self.operation = job, job.spec, operation
        self.source, self.lines = source, source.count("\n") + 1
        self.sandbox, self.calling = sandbox, calling
        self.printed: list[bytes] = []
        self.signature = ""
        self.ended_by = ""  # the id of the check in which the session ended
        self.seconds_left = MEASURED_SECONDS

    def report(self, plans: Sequence[Plan]) -> Report:
        with self.sandbox.open(self.source, limits=self.spec.limits) as session:
            loaded = load(self.calling, self.spec.entry, session)
            self.printed.append(loaded.stdout)
            if loaded.outcome is Outcome.RETURNED:
                self.signature = loaded.signature
                shared = [plan for plan in plans if not plan.kind.measures]
                judged = [self._run_shared(plan, session) for plan in sorted(shared, key=lambda plan: not plan.shown)]
                named = () if self.ended_by else self._named(judged, session)
        if loaded.outcome is not Outcome.RETURNED:
            report = not_run(self.job, *self._load_failure(loaded), "Not run: the code could not be loaded.")
            return replace(report, stdout=self._stdout(), session_ms=session.elapsed_ms)
        judged += [self._run_apart(plan) for plan in plans if plan.kind.measures]
        return replace(self._assembled(judged, named), session_ms=session.elapsed_ms)

    def _load_failure(self, loaded: CallResult) -> tuple[Status, str]:
        return load_failure(loaded, self.spec, self.operation.signature)

    # ---- Calls ----

    def _run_shared(self, plan: Plan, session: SessionLike) -> Judged:
        """In the session that the checks share."""
        results: list[CallResult] = []

        def find() -> Finding:
            for cases in _in_turn(plan.cases):
                results.extend(self._performed(cases, session, shown=plan.shown))
            return plan.kind.judge(plan.context, plan.cases, results)

        return self._judged(plan, results, find)

    def _run_apart(self, plan: Plan) -> Judged:
        """In sessions of its own."""
        return self._judged(plan, [], lambda: plan.kind.measure(plan.context, plan.cases, self))

    def _judged(self, plan: Plan, results: list[CallResult], find: Callable[[], Finding]) -> Judged:
        """What `find` comes to, which adds to `results`; and nothing once a session has ended."""
        if self.ended_by:
            reason = f"Not run: the session had ended in the check {self.ended_by}."
            return Judged(plan, results, Finding(Status.SKIPPED, reason, reason))
        try:
            return Judged(plan, results, find())
        except _SessionEndedError as ended:
            finding = replace(ended.finding, case=min(len(results), len(plan.cases) - 1))
        except GarbledValueError:
            results.clear()
            garbled = ENDINGS[Outcome.GARBLED]
            assert garbled is not None  # noqa: S101 what a garbled reply is does not change at run time
            finding = self._ending(garbled)
        self.ended_by = plan.check.id
        return Judged(plan, results, finding)

    def _performed(self, cases: Sequence[Case], session: SessionLike, shown: bool) -> list[CallResult]:
        """Raises _SessionEndedError."""
        results = perform(self.calling, [case.call for case in cases], session.call)
        if shown:
            self.printed += [result.stdout for result in results]
        for result in results:
            ending = ENDINGS[result.outcome]  # no default: an outcome that is not in the table is a fault of ours
            if ending is not None:
                raise _SessionEndedError(self._ending(ending))
        return [self._sanitised(result) for result in results]

    def _ending(self, ending: Ending) -> Finding:
        sentence = ending.sentence(self.spec.limits)
        return Finding(ending.status, sentence, sentence)

    def _sanitised(self, result: CallResult) -> CallResult:
        """With the signature as it was before any input was sent, and no line that the source does not have."""
        error = result.error
        if error is not None and not (error.line is not None and 1 <= error.line <= self.lines):
            error = replace(error, line=None)
        return replace(result, signature=self.signature, error=error)

    # ---- Sessions to be measured: this is what grader.checks.kind.Meter asks for ----

    def measure(self, cases: Sequence[Case]) -> Measurement:
        """What `cases` come to in a session of their own, and what it takes. Raises _SessionEndedError."""
        last = self.seconds_left < self.spec.limits.wall_seconds
        if self.seconds_left <= 0:
            raise _SessionEndedError(MEASURED_TOO_LONG)
        try:
            with self._open(self.source, min(self.seconds_left, self.spec.limits.wall_seconds)) as session:
                results = self._alone(cases, session)
        except _SessionEndedError as ended:
            if last and ended.finding.status is Status.TIMEOUT:
                raise _SessionEndedError(MEASURED_TOO_LONG) from None
            raise
        self.seconds_left -= session.elapsed_ms / 1000
        return Measurement(tuple(results), _usage(session))

    def extended(self, added: str, case: Case) -> CallResult | str:
        with self.sandbox.open(self.source + added, limits=self.spec.limits) as session:
            try:
                return self._alone([case], session)[0]
            except _SessionEndedError as ended:
                return ended.finding.detail

    def _alone(self, cases: Sequence[Case], session: SessionLike) -> list[CallResult]:
        """Loads the submission, then performs the cases. Raises _SessionEndedError."""
        loaded = load(self.calling, self.spec.entry, session)
        if loaded.outcome is not Outcome.RETURNED:
            status, sentence = self._load_failure(loaded)
            raise _SessionEndedError(Finding(status, sentence, sentence))
        return [result for case in cases for result in self._performed([case], session, shown=False)]

    def ours(self, source: str, case: Case) -> CallResult:
        with self.sandbox.open(source, limits=self.spec.limits) as session:
            session.load(self.spec.entry)
            return session.call(case.call)

    def bare(self) -> Usage:
        with self._open("pass\n", self.spec.limits.wall_seconds) as session:
            session.load(self.spec.entry)
        return _usage(session)

    def _open(self, source: str, seconds: float) -> AbstractContextManager[SessionLike]:
        limits = replace(self.spec.limits, scratch_bytes=MEASURED_SCRATCH_BYTES, wall_seconds=seconds)
        return self.sandbox.open(source, limits=limits)

    # ---- Mistakes ----

    def _named(self, judged: Sequence[Judged], session: SessionLike) -> tuple[str, ...]:
        """Mistakes that explain the wrong numbers of the checks; empty where none is certain."""
        if not any(is_of_numbers(one.plan, one.finding) for one in judged):
            return ()

        def put(arguments: Arguments) -> CallResult:
            sent = encode_arguments(self.operation, arguments, device=self.job.device)
            return perform(self.calling, [Call(self.spec.entry, sent)], session.call)[0]

        diagnosed = diagnose(self.operation, put, rtol=self.spec.rtol, atol=self.spec.atol)
        if diagnosed:
            return diagnosed
        measured = measure([sample for one in judged if one.plan.kind.precise for sample in _samples(one)])
        if measured is None and is_lowered(self._weights(judged[0].plan, session)):
            measured = LOWER_PRECISION
        return (measured,) if measured else ()

    def _weights(self, plan: Plan, session: SessionLike) -> list[Sample]:
        """What the submission weighs values by. Blended in float64, any values but unit vectors hide its precision."""
        if self.operation.weighing is None:
            return []
        context = replace(plan.context, dtype=DOUBLE)
        case = make_case(context, self.operation.weighing())
        result = perform(self.calling, [case.call], session.call)[0]
        try:
            outputs = read(context, case, result, 0) if result.outcome is Outcome.RETURNED else ()
        except GarbledValueError:
            return []
        if isinstance(outputs, Finding):
            return []
        return [Sample("weights", *pair, ordinary=True) for pair in zip(case.expected, outputs, strict=False)]

    # ---- The report ----

    def _assembled(self, judged: Sequence[Judged], named: tuple[str, ...]) -> Report:
        """In the order of the exercise, with the checks that are for another device."""
        status = whole(one.finding.status for one in judged)
        run = {one.plan.check.id: check_result(one, named, passed=status is Status.PASSED) for one in judged}
        checks = tuple(run.get(check.id) or elsewhere(check) for check in self.spec.checks)
        mistakes = dict.fromkeys([*named, *(mistake for check in checks for mistake in check.mistakes)])
        return Report(
            exercise=self.spec.slug,
            revision=self.spec.revision,
            status=status,
            points=sum((check.points for check in checks), Decimal(0)),
            max_points=self.spec.max_points,
            checks=checks,
            mistakes=tuple(mistakes),
            device=self.job.device,
            stdout=self._stdout(),
        )

    def _stdout(self) -> str:
        """Head and tail of what loading and the shown calls printed."""
        printed = b"".join(self.printed)
        kept = self.spec.limits.kept_output_bytes
        if len(printed) <= kept:
            return printed.decode("utf-8", "replace")
        head, tail = printed[: kept // 2], printed[-(kept // 2) :]
        left_out = len(printed) - len(head) - len(tail)
        return f"{head.decode('utf-8', 'replace')}\n[{left_out:,} bytes left out]\n{tail.decode('utf-8', 'replace')}"


def _in_turn(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """The cases in the groups that are performed together: nearly always one by one."""
    group: list[Case] = []
    for case in cases:
        if group and not case.in_turn:
            yield group
            group = []
        group.append(case)
    yield group


def _usage(session: SessionLike) -> Usage:
    """Of a session that is closed."""
    if session.usage is None:
        raise RuntimeError("the sandbox did not say what a session took")
    return session.usage


def _samples(judged: Judged) -> list[Sample]:
    """The results of a check's calls beside the reference's, for those that returned what was asked for."""
    context, samples = judged.plan.context, []
    for index, (case, result) in enumerate(zip(judged.plan.cases, judged.results, strict=False)):
        outputs = read(context, case, result, index)
        if isinstance(outputs, Finding):
            continue
        if context.dtype != DOUBLE:
            continue  # to be of lower precision is no mistake there
        ordinary = context.check.kind != "extreme"
        together = zip(context.operation.returns, case.expected, outputs, strict=True)
        samples += [Sample(name, expected, got, ordinary) for name, expected, got in together]
    return samples
