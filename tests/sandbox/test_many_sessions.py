"""Twenty learners at once in one sandbox, half of them hostile: the others get the verdicts that are theirs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader.judging import judge
from grader.sandbox import Sandbox
from grader.verdicts import Job, Report, Status
from grader.wire import Limits
from tests.sandbox.sessions import only_the_jail_is_left
from tests.verdicts.exercise import CHECKS, exercise

VERDICTS = Path(__file__).resolve().parent.parent / "verdicts" / "attention"
PROGRAMS = Path(__file__).with_name("hostile")
HONEST = {"right_tuple": Status.PASSED, "no_scale": Status.FAILED, "right_threads_and_files": Status.PASSED}
PATIENT = Limits(wall_seconds=60.0, memory_bytes=128 << 20)  # beside nineteen others, on two cores
SHORT = Limits(wall_seconds=2.0, memory_bytes=128 << 20)
HOSTILE = {  # which verdicts each may get: under such a load some come to their limit of time first
    "fork_bomb": {Status.ERROR},
    "fork_by_system_call": {Status.ERROR},
    "thread_bomb": {Status.ERROR, Status.TIMEOUT},
    "memory_kept": {Status.MEMORY, Status.TIMEOUT},
    "huge_array": {Status.MEMORY},
    "fill_tmp": {Status.ERROR, Status.TIMEOUT},
    "sleep": {Status.TIMEOUT},
    "signal_handlers": {Status.TIMEOUT},
    "output_flood": {Status.OUTPUT, Status.TIMEOUT},
    "raw_output_flood": {Status.OUTPUT, Status.TIMEOUT},
}


def verdict(sandbox: Sandbox, name: str, seed: int) -> Report:
    if name in HONEST:
        source = (VERDICTS / f"{name}.py").read_bytes()
    else:
        source = (PROGRAMS / f"{name}.py").read_bytes() + b"\n\ndef attention(Q, K, V):\n    return attack(Q)\n"
    limits = PATIENT if name in HONEST else SHORT
    return judge(Job(exercise("attention", *CHECKS, limits=limits), source, seed), sandbox)


def judged_at_once(sandbox: Sandbox) -> list[tuple[str, Report]]:
    """An honest and a hostile one in turn, all begun before the first has ended."""
    names = [name for pair in zip([*HONEST] * 4, HOSTILE, strict=False) for name in pair]
    assert len(names) == 20
    with ThreadPoolExecutor(len(names)) as learners:
        return [*zip(names, learners.map(lambda one: verdict(sandbox, one[1], one[0]), enumerate(names)), strict=True)]


def assert_all_get_theirs(sandbox: Sandbox) -> None:
    started = sandbox.pid
    reports = judged_at_once(sandbox)
    for name, report in reports:
        assert report.status in (HOSTILE.get(name) or {HONEST[name]}), (name, report.message)
        assert report.mistakes == (("no-scale",) if name == "no_scale" else ())
    assert sandbox.pid == started
    assert only_the_jail_is_left(sandbox)


def test_twenty_at_once_half_of_them_hostile(sandbox: Sandbox) -> None:
    assert_all_get_theirs(sandbox)


def test_twenty_at_once_beside_pytorch(torch_sandbox: Sandbox) -> None:
    assert_all_get_theirs(torch_sandbox)
