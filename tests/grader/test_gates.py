"""Gates of several exercises at once: all are reported, in order, and no more is judged than there are processors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from attention_core.operations import OPERATIONS
from grader import gates
from grader.gates import GateNotRunError, run_gates
from grader.inprocess import FunctionSession
from grader.sandbox import SandboxFault
from grader.sandboxes import Sandboxes
from grader.wire import Limits
from tests.grader.test_gate import CHECKS, FUNCTIONS, Known, compiled, one_check

FORK = multiprocessing.get_context("fork")


@dataclass
class Named(Known):
    """An exercise that is called `name`; the texts of its submissions are names of FUNCTIONS."""

    name: str = ""
    checks: Sequence[dict[str, Any]] = tuple(CHECKS)
    operation: str = "scaled-scores"
    compiled: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.compiled = {**compiled(*self.checks), "slug": self.name}
        self.compiled["spec"]["operation"] = self.operation


def exercises(*names: str) -> list[Named]:
    return [Named({f"{n}.py": b"right" for n in range(4)}, name=name) for name in names]


class Crowd:
    """A stand-in for Sandboxes and its sandboxes that counts its sessions, in whatever process they are."""

    def __init__(self, file: Path, seconds: float = 0.01) -> None:
        self.file, self.seconds = file, seconds
        self.open_now, self.most = FORK.Value("i", 0), FORK.Value("i", 0)

    def of(self, _framework: str) -> Crowd:
        return self

    def start(self) -> None:
        with self.file.open("a") as file:
            file.write(f"{os.getpid()}\n")

    def stop(self) -> None:
        pass

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[FunctionSession]:  # noqa: ARG002 as a sandbox's
        with self.open_now:
            self.open_now.value += 1
            self.most.value = max(self.most.value, self.open_now.value)
        time.sleep(self.seconds)
        yield FunctionSession(FUNCTIONS[source])
        with self.open_now:
            self.open_now.value -= 1

    @property
    def processes(self) -> set[int]:
        return set(map(int, self.file.read_text().split()))


@pytest.fixture
def crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crowd:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return Crowd(tmp_path / "processes")


def on_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def test_every_exercise_is_reported_in_the_order_given(crowd: Crowd, capfd: pytest.CaptureFixture[str]) -> None:
    given = exercises("one", "two", "three")
    given[1].right["off.py"] = b"no scale"
    reports = run_gates(given, cast(Sandboxes, crowd), on_stderr, seeds=(1,))
    assert [report.exercise for report in reports] == ["one", "two", "three"]
    assert [report.passed for report in reports] == [True, False, True]
    assert len(crowd.processes - {os.getpid()}) == 2
    told = capfd.readouterr().err.splitlines()
    finished = [line for line in told if " of 3)" in line]
    assert [line.partition("(")[2] for line in finished] == ["1 of 3)", "2 of 3)", "3 of 3)"]
    assert {line.partition(" (")[0] for line in finished} == {"one: passed", "two: refused", "three: passed"}
    assert "three: 5 right submissions, 1 seeds each" in told


def test_together_they_judge_no_more_at_a_time_than_there_are_processors(crowd: Crowd) -> None:
    run_gates(exercises("one", "two", "three"), cast(Sandboxes, crowd))
    assert crowd.most.value == 2


def test_one_exercise_needs_no_other_process(crowd: Crowd) -> None:
    told: list[str] = []
    assert run_gates(exercises("one"), cast(Sandboxes, crowd), told.append)[0].passed
    assert crowd.processes == {os.getpid()}
    assert told[-1] == "one: passed (1 of 1)"


def test_where_there_is_one_processor_there_is_one_process(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    run_gates(exercises("one", "two"), cast(Sandboxes, crowd))
    assert crowd.processes == {os.getpid()}
    assert crowd.most.value == 1


@pytest.mark.parametrize("names", [["one"], ["one", "two"]])
def test_a_sandbox_that_breaks_is_told_with_the_exercise(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise SandboxFault("the jail is gone")

    monkeypatch.setattr(Crowd, "open", broken)
    with pytest.raises(GateNotRunError, match=r"^(one|two): the gate could not be run: the jail is gone$"):
        run_gates(exercises(*names), cast(Sandboxes, crowd))


def test_what_takes_longest_is_begun_first_and_tensors_stay_together() -> None:
    measured = [*CHECKS, one_check("memory", "memory")]
    given = [
        Named(name="few"),
        Named(name="torch", operation="torch-attention"),
        Named(wrong={"a.py": b"", "b.py": b""}, name="many"),
        Named(name="measured", checks=measured),
        Named(name="on a GPU too", operation="gpu-attention"),
        Named(wrong={"a.py": b""}, name="unknown", operation="astrology"),
    ]
    assert OPERATIONS["gpu-attention"].framework == OPERATIONS["torch-attention"].framework == "torch"
    assert gates._portions(given) == [[1, 4], [3], [2], [5], [0]]
    assert gates._portions(given[:1]) == [[0]]


def test_no_process_is_left_when_the_one_that_began_is_killed(crowd: Crowd) -> None:
    crowd.seconds = 60.0
    begun = FORK.Process(target=run_gates, args=(exercises("one", "two"), crowd))
    begun.start()
    assert begun.pid is not None
    until = time.monotonic() + 20
    while crowd.open_now.value < 2 and time.monotonic() < until:
        time.sleep(0.02)
    assert crowd.open_now.value == 2
    os.kill(begun.pid, signal.SIGKILL)
    begun.join()
    assert len(crowd.processes) == 2
    while any(alive(pid) for pid in crowd.processes) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(alive(pid) for pid in crowd.processes)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
