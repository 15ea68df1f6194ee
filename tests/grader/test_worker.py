"""A pool process: what becomes of faults, what its thread promises, and that nothing is judged within a transaction."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Self

import pytest
from django.db import connection

from courses.models import ExerciseRevision, Learner
from grader import services, tasks, worker
from grader.gpu import NoGpu
from grader.models import GpuGrading, Submission, WorkerHeartbeat
from grader.sandbox import Finding, SandboxUnavailable
from grader.services import Claim
from grader.verdicts import Job, Report, Status
from grader.worker import Bench, Chore
from tests.grader.conftest import make_report
from tests.grader.exercises import RIGHT

pytestmark = pytest.mark.django_db(transaction=True)


class FakeSandbox:
    """Counts its starts; refuses to, where told so."""

    refusals: dict[str, str] = {}  # by framework

    def __init__(self, framework: str) -> None:
        self.framework = framework
        self.running = False
        self.starts = 0

    def start(self) -> None:
        if self.framework in FakeSandbox.refusals:
            raise SandboxUnavailable(FakeSandbox.refusals[self.framework])
        self.starts += not self.running
        self.running = True

    def stop(self) -> None:
        self.running = False


class FakeSandboxes:
    """The jails that were made last."""

    numpy: FakeSandbox
    torch: FakeSandbox
    lacking: set[str] = set()  # frameworks

    def __init__(self, _sockets: Any) -> None:
        FakeSandboxes.numpy, FakeSandboxes.torch = FakeSandbox("numpy"), FakeSandbox("torch")

    def of(self, framework: str) -> FakeSandbox:
        return {"numpy": FakeSandboxes.numpy, "torch": FakeSandboxes.torch}[framework]

    def lacks(self, framework: str) -> bool:
        return framework in FakeSandboxes.lacking

    def stop(self) -> None:
        FakeSandboxes.numpy.stop()
        FakeSandboxes.torch.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def settled() -> None:
    """Waits until the thread that starts PyTorch's jail has ended."""
    for thread in threading.enumerate():
        if thread.name == "torch":
            thread.join(5)


@pytest.fixture(autouse=True)
def fake_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "Sandboxes", FakeSandboxes)
    monkeypatch.setattr(worker, "audit", lambda _sandbox: [])
    monkeypatch.setattr(FakeSandboxes, "lacking", set())
    FakeSandbox.refusals = {}


@pytest.fixture
def bench() -> Bench:
    """Without its thread, which would write into the test's database."""
    made = Bench("")
    made.open()
    settled()
    return made


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], list[Job]]:
    """Have judging give a report or raise; returns the jobs it was asked to judge."""

    def _judged(outcome: Report | Exception) -> list[Job]:
        jobs: list[Job] = []

        def judge(job: Job, sandbox: FakeSandbox) -> Report:
            assert sandbox is FakeSandboxes.numpy
            assert not connection.in_atomic_block
            jobs.append(job)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        monkeypatch.setattr(worker, "judge", judge)
        return jobs

    return _judged


def test_a_report_is_recorded(bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]]) -> None:
    jobs = judged(make_report())
    bench.grade(claim)
    assert [(job.source, job.seed, job.spec.slug, job.spec.revision) for job in jobs] == [
        (RIGHT.encode(), claim.seed, "scaled-scores", 1)
    ]
    assert Submission.objects.get().verdict == "passed"
    assert (FakeSandboxes.numpy.starts, FakeSandboxes.torch.starts) == (1, 1)


@pytest.mark.parametrize("error", [RuntimeError("a bug of ours"), SandboxUnavailable("the jail is gone")])
def test_an_exception_is_our_fault_and_that_jail_starts_anew(
    bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]], error: Exception
) -> None:
    judged(error)
    bench.grade(claim)
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.attempts) == ("queued", None, 1)
    assert row.fault == f"{type(error).__name__}: {error}"
    assert (FakeSandboxes.numpy.starts, FakeSandboxes.torch.starts) == (2, 1)
    assert bench.ready


def test_a_report_of_a_fault_is_one_too(bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]]) -> None:
    judged(make_report(Status.FAULT, message="no answer from the jail"))
    bench.grade(claim)
    assert Submission.objects.get().fault == "no answer from the jail"
    assert FakeSandboxes.numpy.starts == 2


def test_a_spec_that_cannot_be_read_is_our_fault(
    bench: Bench, learner: Learner, revision: ExerciseRevision, claim: Claim
) -> None:
    claim.exercise_revision.data["spec"] = {"slug": "broken"}
    bench.grade(claim)
    assert "SpecError" in Submission.objects.get().fault
    assert FakeSandboxes.numpy.starts == 1  # none was touched


def test_a_sandbox_that_does_not_start_again_makes_the_process_refuse(
    bench: Bench, claim: Claim, judged: Callable[[Any], list[Job]]
) -> None:
    judged(RuntimeError("fault"))
    FakeSandbox.refusals = {"numpy": "namespaces are not allowed"}
    bench.grade(claim)
    assert not bench.ready
    bench._beat()
    beat = WorkerHeartbeat.objects.get()
    assert (beat.name, beat.grading, beat.message) == (bench.name, False, "namespaces are not allowed")


def test_where_the_audit_failed_nothing_is_started_until_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Finding("a session opens no socket", False, "it did", "do not grade here")
    findings = [Finding("bubblewrap is there", True, ""), broken]
    monkeypatch.setattr(worker, "audit", lambda _sandbox: findings)
    missing = worker.machine_findings()
    assert missing == "a session opens no socket: no (it did). do not grade here"
    refusing = Bench(missing)
    refusing._reopen()
    assert not refusing.ready
    assert FakeSandboxes.numpy.starts == 0
    findings.remove(broken)
    refusing._reopen()
    assert refusing.ready
    refusing._beat()
    assert WorkerHeartbeat.objects.get().grading is True


def test_the_lease_is_renewed_while_grading_and_only_then(
    bench: Bench, claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = [Submission.objects.get().lease_until]

    def judge(_job: Job, _sandbox: FakeSandbox) -> Report:
        bench._renew()
        leases.append(Submission.objects.get().lease_until)
        return make_report()

    monkeypatch.setattr(worker, "judge", judge)
    bench.grade(claim)
    before, after = leases
    assert before
    assert after
    assert after > before
    bench._renew()
    assert Submission.objects.get().lease_until is None


def test_the_thread_beats_and_ends_with_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[bool] = []
    ended: list[str] = []
    monkeypatch.setattr(worker, "heartbeat", lambda **beat: beats.append(beat["grading"] and not beat["on_gpu"]))
    monkeypatch.setattr(worker, "heartbeat_end", lambda *, name: ended.append(name))
    running = Bench("")
    running.start()
    deadline = time.monotonic() + 5
    while not beats and time.monotonic() < deadline:
        time.sleep(0.01)
    running.stop()
    assert beats == [True]
    assert ended == [running.name]
    assert (FakeSandboxes.numpy.starts, FakeSandboxes.numpy.running) == (1, False)


def test_a_process_whose_main_process_was_killed_kills_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    running = Bench("")

    def kill(pid: int, number: int) -> None:
        sent.append((pid, number))
        running._stopped.set()

    monkeypatch.setattr(worker, "TICK", 0.01)
    monkeypatch.setattr(worker, "heartbeat", lambda **_: None)
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(os, "kill", kill)
    running._parent = 999_999
    running._keep()
    assert sent == [(os.getpid(), signal.SIGKILL)]


def test_a_chore_is_done_when_it_is_due_and_its_failure_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    done: list[float] = []

    def work() -> None:
        done.append(clock[0])
        raise RuntimeError("the database is away")

    chore = Chore(work, 5)
    for seconds in (0, 1, 4, 1, 3, 4):
        clock[0] += seconds
        chore.run_if_due()
    assert done == [100, 105, 113]


# ---- PyTorch's jail ----


@pytest.fixture
def torch_claim(claim: Claim) -> Claim:
    spec = {**claim.exercise_revision.data["spec"], "slug": "torch-attention", "operation": "torch-attention"}
    claim.exercise_revision.data["spec"] = spec
    return claim


@pytest.mark.parametrize("missing", ["torch cannot be imported", ""])
def test_a_worker_without_torch_grades_what_needs_numpy_alone(
    claim: Claim, judged: Callable[[Any], list[Job]], missing: str
) -> None:
    FakeSandbox.refusals = {"torch": missing} if missing else {}
    bench = Bench("")
    bench.open()
    settled()
    assert bench.ready
    judged(make_report())
    bench.grade(claim)
    assert Submission.objects.get().verdict == "passed"


def test_an_exercise_of_torch_is_judged_in_its_jail(
    bench: Bench, torch_claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def judge(_job: Job, sandbox: FakeSandbox) -> Report:
        seen.append(sandbox)
        return make_report()

    monkeypatch.setattr(worker, "judge", judge)
    bench.grade(torch_claim)
    assert seen == [FakeSandboxes.torch]


def test_a_fault_in_one_jail_leaves_the_other_as_it_is(
    bench: Bench, torch_claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(_job: Job, _sandbox: FakeSandbox) -> Report:
        FakeSandbox.refusals = {"torch": "no memory for it"}
        raise RuntimeError("fault")

    monkeypatch.setattr(worker, "judge", judge)
    bench.grade(torch_claim)
    assert (FakeSandboxes.numpy.starts, FakeSandboxes.numpy.running) == (1, True)
    assert not FakeSandboxes.torch.running
    assert bench.ready  # for what needs NumPy alone


def test_a_missing_torch_is_our_fault(bench: Bench, torch_claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeSandboxes, "lacking", {"torch"})
    bench.grade(torch_claim)
    row = Submission.objects.get()
    assert (row.state, row.verdict) == ("queued", None)
    assert "PyTorch is missing on this worker" in row.fault
    assert bench.ready
    assert FakeSandboxes.numpy.starts == 1


# ---- A GPU's jail ----


@pytest.fixture
def gpu_sandbox(monkeypatch: pytest.MonkeyPatch) -> FakeSandbox:
    sandbox = FakeSandbox("gpu")
    monkeypatch.setattr(worker, "gpu_sandbox", lambda _device: sandbox)
    monkeypatch.setattr(worker, "device_name", lambda _sandbox, _device: "a GPU of the test")
    return sandbox


@pytest.fixture
def gpu_claim(claim: Claim) -> Claim:
    assert services.submission_record(claim=claim, report=make_report())
    GpuGrading.objects.create(submission_id=claim.submission_id)
    taken = services.submission_claim(owner="worker", on_gpu=True)
    assert taken is not None
    return taken


def test_a_gpu_worker_judges_a_job_for_a_gpu_and_beats_as_one(
    gpu_sandbox: FakeSandbox, gpu_claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench("", on_gpu=True)
    bench.open()
    seen: list[Any] = []

    def judge(job: Job, sandbox: FakeSandbox) -> Report:
        seen.append((job.device, sandbox))
        return make_report(Status.FAILED)

    monkeypatch.setattr(worker, "judge", judge)
    bench.grade(gpu_claim)
    assert seen == [("cuda", gpu_sandbox)]
    assert GpuGrading.objects.get().verdict == "failed"
    assert Submission.objects.get().verdict == "passed"
    bench._beat()
    beat = WorkerHeartbeat.objects.get()
    assert (beat.on_gpu, beat.grading) == (True, True)


def test_where_no_session_can_use_the_gpu_nothing_is_claimed_and_the_heartbeat_says_why(
    gpu_sandbox: FakeSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def device_name(_sandbox: FakeSandbox, _device: str) -> str:
        raise NoGpu("CUDA does not work in a session: RuntimeError: no driver")

    monkeypatch.setattr(worker, "device_name", device_name)
    bench = Bench("", on_gpu=True)
    bench.open()
    assert not bench.ready
    assert not gpu_sandbox.running  # a jail that is of no use holds no memory
    bench._beat()
    beat = WorkerHeartbeat.objects.get()
    assert (beat.on_gpu, beat.grading, beat.message) == (
        True,
        False,
        "CUDA does not work in a session: RuntimeError: no driver",
    )
    monkeypatch.setattr(worker, "machine_findings", lambda **_: "")
    monkeypatch.setattr(worker, "device_name", lambda _sandbox, _device: "a GPU that came later")
    bench._reopen()
    assert bench.ready


@pytest.mark.parametrize(("on_gpu", "task"), [(True, tasks.grade), (False, tasks.grade_on_gpu)])
def test_a_process_leaves_what_is_for_the_other_kind(
    queued: Submission, gpu_sandbox: FakeSandbox, monkeypatch: pytest.MonkeyPatch, on_gpu: bool, task: Any
) -> None:
    GpuGrading.objects.create(submission=queued)
    bench = Bench("", on_gpu=on_gpu)
    bench.open()
    settled()
    monkeypatch.setattr(tasks, "_bench", bench)
    task(str(queued.pk))
    assert Submission.objects.get().attempts == GpuGrading.objects.get().attempts == 0


@pytest.mark.parametrize(
    ("queues", "on_gpu", "missing"),
    [
        (["grading", "upkeep"], False, ""),
        (["gpu"], True, ""),
        (["grading", "gpu"], True, tasks.ONE_OR_THE_OTHER),
    ],
)
def test_a_worker_is_what_its_queues_make_it(
    monkeypatch: pytest.MonkeyPatch, queues: list[str], on_gpu: bool, missing: str
) -> None:
    monkeypatch.setattr(tasks, "_missing", "")
    monkeypatch.setattr(tasks, "_on_gpu", False)
    monkeypatch.setattr(tasks, "machine_findings", lambda **_: "")
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues)))
    tasks._audit_machine(sender=SimpleNamespace(app=SimpleNamespace(amqp=amqp)))
    assert (tasks._on_gpu, tasks._missing) == (on_gpu, missing)
