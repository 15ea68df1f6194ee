"""Hostile programs, each with the outcome it must get; after each, an honest one finds all as it should be."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from grader.sandbox import Sandbox
from grader.wire import Limits, Outcome
from tests.sandbox.sessions import HONEST, floats, only_the_jail_is_left, run

PROGRAMS = Path(__file__).with_name("hostile")
LIMITS = Limits(wall_seconds=1.0, memory_bytes=256 << 20)
FILLING_SECONDS = 10.0  # for what must come to its limit of memory before it comes to that of time
OVERHEAD_SECONDS = 3.0  # beyond the limit of time, on a busy machine: making the session and ending it

# program: outcome (of loading where that does not return, else of the call)
EXPECTED: dict[str, Outcome | Collection[Outcome]] = {
    "abort": Outcome.CRASHED,
    "atexit_frame": Outcome.RETURNED,
    "background_thread": Outcome.RETURNED,
    "broadcast_result": Outcome.TOO_LARGE,
    "closes_channel_and_waits": Outcome.GARBLED,
    "closes_everything": (Outcome.GARBLED, Outcome.EXITED),
    "cpu_limit_of_its_own": Outcome.RAISED,
    "deep_json": Outcome.GARBLED,
    "drips": Outcome.TIMEOUT,
    "endless_sequence": Outcome.TIMEOUT,
    "error_that_exits": Outcome.EXITED,
    "exit_at_import": Outcome.EXITED,
    "fill_tmp": Outcome.RAISED,
    "fill_tmp_with_names": Outcome.RAISED,
    "fork_bomb": Outcome.RAISED,
    "fork_by_system_call": Outcome.RAISED,
    "huge_array": Outcome.MEMORY,
    "huge_body": Outcome.TOO_LARGE,
    "huge_header": Outcome.GARBLED,
    "huge_shape": Outcome.GARBLED,
    "infinite_loop": Outcome.TIMEOUT,
    "infinite_loop_at_import": Outcome.TIMEOUT,
    "kill_all": Outcome.RAISED,
    "kill_group": Outcome.RAISED,
    "kill_parent": Outcome.RAISED,
    "kills_itself": Outcome.RETURNED,
    "lying_sequence": Outcome.RAISED,
    "malformed_syntax_error": Outcome.RAISED,
    "memfd": Outcome.RAISED,
    "memory_kept": Outcome.MEMORY,
    "native_crash": Outcome.CRASHED,
    "never_reads": Outcome.TIMEOUT,
    "os_exit": Outcome.EXITED,
    "output_flood": Outcome.OUTPUT,
    "poison_files": Outcome.RETURNED,
    "poison_json": Outcome.RETURNED,
    "poison_numpy": Outcome.RETURNED,
    "raises_base_exception": Outcome.RAISED,
    "raises_memory_error": Outcome.MEMORY,
    "raw_output_flood": Outcome.OUTPUT,
    "recursion": Outcome.RAISED,
    "runs_a_program": Outcome.RAISED,
    "shared_mapping": Outcome.RAISED,
    "shared_memory": Outcome.RAISED,
    "signal_handlers": Outcome.TIMEOUT,
    "sleep": Outcome.TIMEOUT,
    "small_objects": (Outcome.MEMORY, Outcome.TIMEOUT),
    "speechless_error": Outcome.RAISED,
    "swallows_everything": Outcome.TIMEOUT,
    "symlink": Outcome.RAISED,
    "sys_exit": Outcome.EXITED,
    "thread_bomb": Outcome.RAISED,
    "undeletable_folders": Outcome.RAISED,
    "unlimited_recursion": (Outcome.MEMORY, Outcome.CRASHED, Outcome.TIMEOUT),
}
# The same in the jail with PyTorch: a choice of each sort, and what only PyTorch makes possible.
WITH_TORCH = (
    "abort", "background_thread", "closes_everything", "cpu_limit_of_its_own", "fill_tmp", "fork_bomb",
    "fork_by_system_call", "huge_array", "infinite_loop", "kill_group", "kill_parent", "kills_itself", "memfd",
    "memory_kept", "native_crash", "output_flood", "poison_files", "poison_numpy", "raises_memory_error", "recursion",
    "shared_mapping", "shared_memory", "signal_handlers", "thread_bomb", "undeletable_folders",
)  # fmt: skip
EXPECTED_WITH_TORCH: dict[str, Outcome | Collection[Outcome]] = {
    **{program: EXPECTED[program] for program in WITH_TORCH},
    "torch_broken_memory": Outcome.EXITED,
    "torch_downloads": Outcome.RAISED,
    "torch_huge_expanded": Outcome.TOO_LARGE,
    "torch_huge_tensor": Outcome.MEMORY,
    "torch_poisons": Outcome.RETURNED,
    "torch_shares_memory": Outcome.RAISED,
    "torch_spawns_a_process": Outcome.RAISED,
    "torch_starts_a_process": Outcome.RAISED,
    "torch_threads": Outcome.RETURNED,
}
ARGUMENT = floats(*([1.0] * 200_000))  # 1.6 MB: more than the channel holds unread


def test_every_program_has_its_expected_outcome() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.py")} == {*EXPECTED, *EXPECTED_WITH_TORCH}


@pytest.mark.parametrize("program", sorted(EXPECTED))
def test_program(sandbox: Sandbox, program: str) -> None:
    assert_outcome(sandbox, program, EXPECTED[program])


@pytest.mark.parametrize("program", sorted(EXPECTED_WITH_TORCH))
def test_program_beside_pytorch(torch_sandbox: Sandbox, program: str) -> None:
    assert_outcome(torch_sandbox, program, EXPECTED_WITH_TORCH[program])


def assert_outcome(sandbox: Sandbox, program: str, expected: Outcome | Collection[Outcome]) -> None:
    jail = sandbox.pid
    started = time.monotonic()
    source = (PROGRAMS / f"{program}.py").read_text()
    limits = replace(LIMITS, wall_seconds=FILLING_SECONDS) if expected is Outcome.MEMORY else LIMITS
    result = run(sandbox, source, "attack", ARGUMENT, limits=limits, reply_bytes=2_000_000)
    assert result.outcome in ((expected,) if isinstance(expected, Outcome) else expected), result.error
    assert time.monotonic() - started < limits.wall_seconds + OVERHEAD_SECONDS
    if result.outcome is Outcome.RETURNED:
        assert result.value == ARGUMENT
    assert only_the_jail_is_left(sandbox)
    assert_the_next_is_unaffected(sandbox)
    assert sandbox.pid == jail


def assert_the_next_is_unaffected(sandbox: Sandbox) -> None:
    result = run(sandbox, HONEST, "attack", floats(0.0, 1.0))
    assert result.outcome is Outcome.RETURNED, result.error
    assert result.value is not None
    assert struct.unpack("<2d", result.value.data) == pytest.approx((1.0, math.e), rel=1e-15)
    assert result.stdout == b""
