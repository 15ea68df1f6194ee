"""Hostile programs, each with the outcome it must get; after each, an honest one finds all as it should be."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Collection
from pathlib import Path

import pytest

from grader.sandbox import Sandbox
from grader.wire import Limits, Outcome
from tests.sandbox.sessions import HONEST, floats, only_the_jail_is_left, run

PROGRAMS = Path(__file__).with_name("hostile")
LIMITS = Limits(wall_seconds=1.0, memory_bytes=256 << 20)
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
ARGUMENT = floats(*([1.0] * 200_000))  # 1.6 MB: more than the channel holds unread


def test_every_program_has_its_expected_outcome() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize("program", sorted(EXPECTED))
def test_program(sandbox: Sandbox, program: str) -> None:
    expected = EXPECTED[program]
    jail = sandbox.pid
    started = time.monotonic()
    source = (PROGRAMS / f"{program}.py").read_text()
    result = run(sandbox, source, "attack", ARGUMENT, limits=LIMITS, reply_bytes=2_000_000)
    assert result.outcome in ((expected,) if isinstance(expected, Outcome) else expected), result.error
    assert time.monotonic() - started < LIMITS.wall_seconds + OVERHEAD_SECONDS
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
