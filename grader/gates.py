"""The gate for several exercises, in several processes, so that every processor has something to do until the end.

A gate by itself is by turns one thread that judges functions, threads that wait for sessions, and the last of these. So
as many gates are run as there are processors, those that take longest first; but all of them together judge no more at
a time than there are processors, so that what is measured has as much of the machine as it has beside one gate alone.

The exercises on tensors stay together in one process: importing PyTorch, and starting its jail, take seconds.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from typing import Any, Protocol

from attention_core.operations import OPERATIONS
from grader.checks import KINDS
from grader.gate import GateReport, KnownSubmissions, Progress, Slot, run_gate
from grader.processes import die_with_parent
from grader.sandbox import SandboxFault
from grader.sandboxes import Sandboxes

Portion = Sequence[int]  # places of exercises that one process gates, one after the other


class GatedExercise(KnownSubmissions, Protocol):
    """courses.package's LoadedExercise is one."""

    @property
    def compiled(self) -> Mapping[str, Any]: ...


class GateNotRunError(Exception):
    """The sandbox broke, which is no verdict on the exercise that the text names."""


def run_gates(
    exercises: Sequence[GatedExercise],
    sandboxes: Sandboxes | None,
    progress: Progress = lambda _line: None,
    *,
    seeds: Sequence[int] = (1, 2, 3),
    matrix: bool = False,
) -> list[GateReport]:
    """The report of each, as run_gate's. `progress` is called in the process that judges. Raises GateNotRunError.

    Without `sandboxes` only what needs none is done. Those that are given may be stopped: each process has its own.
    """
    processors = os.cpu_count() or 1
    portions = _portions(exercises)
    fork = multiprocessing.get_context("fork")
    gates = _Gates(exercises, sandboxes, progress, seeds, matrix, fork.Semaphore(processors), fork.Value("i", 0))
    processes = min(processors, len(portions))
    if processes < 2:
        found = [gates.run(portion) for portion in portions]
    else:
        if sandboxes is not None:
            sandboxes.stop()  # else each process would hold an end of a jail that is not its own
        with ProcessPoolExecutor(processes, fork, _begin, (gates, os.getpid())) as pool:
            found = list(pool.map(_run, portions))
    by_place = {place: report for reports in found for place, report in reports.items()}
    return [by_place[place] for place in range(len(exercises))]


def _portions(exercises: Sequence[GatedExercise]) -> list[Portion]:
    """The longest first, as far as can be told ahead."""
    on_tensors = [place for place, exercise in enumerate(exercises) if _framework(exercise) == "torch"]
    others = [place for place in range(len(exercises)) if place not in on_tensors]
    others.sort(key=lambda place: _length(exercises[place]), reverse=True)
    return [portion for portion in (on_tensors, *([place] for place in others)) if portion]


def _framework(exercise: GatedExercise) -> str:
    operation = OPERATIONS.get(exercise.compiled["spec"]["operation"])
    return operation.framework if operation else "numpy"  # an unknown one is told by the gate


def _length(exercise: GatedExercise) -> tuple[int, int]:
    kinds = [KINDS.get(check["kind"]) for check in exercise.compiled["spec"]["checks"]]
    return sum(kind.measures for kind in kinds if kind), len(exercise.wrong)


@dataclass(frozen=True, slots=True)
class _Gates:
    """What all processes are told, and share."""

    exercises: Sequence[GatedExercise]
    sandboxes: Sandboxes | None
    progress: Progress
    seeds: Sequence[int]
    matrix: bool
    slot: Slot
    finished: Synchronized[int]

    def run(self, portion: Portion) -> dict[int, GateReport]:
        return {place: self._run_one(self.exercises[place]) for place in portion}

    def _run_one(self, exercise: GatedExercise) -> GateReport:
        slug = exercise.compiled["slug"]
        sandbox = self.sandboxes.of(_framework(exercise)) if self.sandboxes else None
        try:
            if sandbox is not None:
                with self.slot:
                    sandbox.start()  # here, as the kernel ties it to the main thread only
            report = run_gate(
                exercise.compiled,
                exercise,
                sandbox,
                self.progress,
                seeds=self.seeds,
                matrix=self.matrix,
                slot=self.slot,
            )
        except SandboxFault as fault:
            raise GateNotRunError(f"{slug}: the gate could not be run: {fault}") from fault
        with self.finished:
            self.finished.value += 1
            outcome = "passed" if report.passed else "refused"
            self.progress(f"{slug}: {outcome} ({self.finished.value} of {len(self.exercises)})")
        return report


# ---- In the processes of the pool -----------------------------------------------------------------------------------

_of_this_process: list[_Gates] = []


def _begin(gates: _Gates, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches each of them, and they have nothing to tell
    die_with_parent(parent)
    _of_this_process.append(gates)


def _run(portion: Portion) -> dict[int, GateReport]:
    return _of_this_process[0].run(portion)
