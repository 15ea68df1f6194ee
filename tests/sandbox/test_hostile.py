"""Hostile programs, each with the outcome it must get, run while a worker and another learner have secrets.

After each: nothing was told or left, nobody called at the worker's, the other learner's session goes on, and the next
one finds all as it should be.
"""

from __future__ import annotations

import math
import os
import secrets
import select
import socket
import struct
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, Session
from grader.wire import Call, CallResult, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import family, floats, run, text

PROGRAMS = Path(__file__).with_name("hostile")
LIMITS = Limits(wall_seconds=1.0, memory_bytes=256 << 20)
# For what must come to its limit of memory before it comes to that of time, and for what imports a part of PyTorch.
LONGER_SECONDS = 10.0
LONGER = ("torch_poisons",)
OVERHEAD_SECONDS = 3.0  # beyond the limit of time, on a busy machine: making the session and ending it

# program: outcome (of loading where that does not return, else of the call)
EXPECTED: dict[str, Outcome | Collection[Outcome]] = {
    "abort": Outcome.CRASHED,
    "abstract_socket": Outcome.RETURNED,
    "array_subclass": Outcome.RETURNED,
    "asks_a_service": Outcome.RETURNED,
    "atexit_frame": Outcome.RETURNED,
    "attacks_at_import": Outcome.RETURNED,
    "background_thread": Outcome.RETURNED,
    "bpf": Outcome.RETURNED,
    "broadcast_result": Outcome.TOO_LARGE,
    "closes_channel_and_waits": Outcome.GARBLED,
    "closes_everything": (Outcome.GARBLED, Outcome.EXITED),
    "cpu_limit_of_its_own": Outcome.RAISED,
    "daemon": Outcome.RETURNED,
    "deep_json": Outcome.GARBLED,
    "drips": Outcome.TIMEOUT,
    "endless_sequence": Outcome.TIMEOUT,
    "equals_everything": Outcome.RETURNED,
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
    "io_uring": Outcome.RETURNED,
    "keyrings": Outcome.RETURNED,
    "kill_all": Outcome.RAISED,
    "kill_group": Outcome.RAISED,
    "kill_parent": Outcome.RAISED,
    "kills_itself_in_a_fault": Outcome.CRASHED,
    "kills_itself": Outcome.RAISED,
    "links_and_owners": Outcome.RETURNED,
    "lying_sequence": Outcome.RAISED,
    "malformed_syntax_error": Outcome.RAISED,
    "memfd": Outcome.RAISED,
    "memory_kept": Outcome.MEMORY,
    "mounts_a_disk": Outcome.RETURNED,
    "native_crash": Outcome.CRASHED,
    "nests_namespaces": Outcome.RETURNED,
    "never_reads": Outcome.TIMEOUT,
    "os_exit": Outcome.EXITED,
    "output_flood": Outcome.OUTPUT,
    "overloads_arrays": Outcome.RETURNED,
    "overwrites_the_interpreter": Outcome.RETURNED,
    "patched_builtins": Outcome.EXITED,
    "patched_clock": Outcome.TIMEOUT,
    "patched_exits": Outcome.RETURNED,
    "perf_events": Outcome.RETURNED,
    "poison_files": Outcome.RETURNED,
    "poison_json": Outcome.RETURNED,
    "poison_numpy": Outcome.RETURNED,
    "poisons_bytecode": Outcome.RETURNED,
    "queues_signals": Outcome.RETURNED,
    "raises_base_exception": Outcome.RAISED,
    "raises_memory_error": Outcome.MEMORY,
    "raw_output_flood": Outcome.OUTPUT,
    "reads_every_descriptor": Outcome.RETURNED,
    "reads_other_memory": Outcome.RETURNED,
    "reads_proc": Outcome.RETURNED,
    "reads_the_next_request": Outcome.RETURNED,
    "reads_the_workers_files": Outcome.RETURNED,
    "recursion": Outcome.RAISED,
    "reseeds": Outcome.RETURNED,
    "runs_a_program": Outcome.RAISED,
    "shared_mapping": Outcome.RAISED,
    "shared_memory": Outcome.RAISED,
    "shm_leftovers": Outcome.RETURNED,
    "signal_handlers": Outcome.TIMEOUT,
    "sleep": Outcome.TIMEOUT,
    "small_objects": (Outcome.MEMORY, Outcome.TIMEOUT),
    "speechless_error": Outcome.RAISED,
    "swallows_everything": Outcome.TIMEOUT,
    "symlink": Outcome.RAISED,
    "sys_exit": Outcome.EXITED,
    "sysv_ipc": Outcome.RETURNED,
    "tells_all": Outcome.RETURNED,
    "thread_bomb": Outcome.RAISED,
    "traces": Outcome.RETURNED,
    "types_into_a_terminal": Outcome.RETURNED,
    "undeletable_folders": Outcome.RAISED,
    "uninitialised_memory": Outcome.RETURNED,
    "unlimited_recursion": (Outcome.MEMORY, Outcome.CRASHED, Outcome.TIMEOUT),
    "unmounts_the_masks": Outcome.RETURNED,
    "userfaultfd": Outcome.RETURNED,
    "wakes_shared_locks": Outcome.RETURNED,
    "writes_everywhere": Outcome.GARBLED,
}
# The same in the jail with PyTorch: a choice of each sort, and what only PyTorch makes possible.
WITH_TORCH = (
    "abort", "array_subclass", "asks_a_service", "attacks_at_import", "background_thread", "closes_everything",
    "cpu_limit_of_its_own", "daemon", "fill_tmp", "fork_bomb", "fork_by_system_call", "huge_array", "infinite_loop",
    "io_uring", "kill_group", "kill_parent", "kills_itself", "kills_itself_in_a_fault", "memfd", "memory_kept",
    "native_crash",
    "nests_namespaces", "output_flood", "overwrites_the_interpreter", "patched_clock", "poison_files",
    "poison_numpy", "poisons_bytecode", "raises_memory_error", "reads_every_descriptor", "reads_other_memory",
    "reads_the_next_request", "recursion", "reseeds", "shared_mapping", "shared_memory", "signal_handlers",
    "tells_all", "thread_bomb", "undeletable_folders", "unmounts_the_masks", "writes_everywhere",
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
    "torch_tensor_subclass": Outcome.RETURNED,
    "torch_threads": Outcome.RETURNED,
    "torch_uninitialised_memory": Outcome.RETURNED,
}
ARGUMENT = floats(*([1.0] * 200_000))  # 1.6 MB: more than the channel holds unread
# What returns something else than it was given: what crosses is the name of a type, never the object.
RETURNED = {
    "array_subclass": Value(Kind.OTHER, text="Right"),
    "equals_everything": Value(Kind.OTHER, text="Always"),
    "overloads_arrays": Value(Kind.OTHER, text="numpy.Pretender"),
    "torch_tensor_subclass": Value(Kind.OTHER, text="Right"),
}
OBSERVER = Path(__file__).with_name("observer.py").read_text()
BESIDE = """
seen = []
def count(x):
    seen.append(x)
    return len(seen), x
"""
MARK = "heed" + "-secret-"  # in two pieces, so that no program's text is taken for a secret
LEFT = "heed-left"  # how all is called that a program tries to leave somewhere
FOLDERS = ("/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/run/heed")
LONG = Limits(wall_seconds=600.0)


def secret(of: str) -> str:
    return f"{MARK}{of}-{secrets.token_hex(8)}"


@dataclass(frozen=True)
class Worker:
    """What this process has that no session may reach: a file with a secret, and services that listen."""

    file: Path
    project: Path
    services: tuple[socket.socket, ...]

    def put_into(self, source: str) -> str:
        """The program, told where all of it is: it need not guess."""
        tcp, unix, abstract = (service.getsockname() for service in self.services[:3])
        places = {"port": tcp[1], "socket": unix, "abstract": abstract[1:].decode()}
        for name, place in {**places, "file": self.file, "project": self.project}.items():
            source = source.replace(f"{{{name}}}", str(place))
        return source

    def was_called(self) -> bool:
        return bool(select.select(self.services, [], [], 0)[0])


@dataclass
class Scene:
    """A sandbox in which another learner's session is open, and what an observer found there before any attack."""

    sandbox: Sandbox
    worker: Worker
    beside: Session
    held: Value  # the other learner's secret
    observed: bytes
    processes: int = 0
    files: dict[str, list[str]] = field(default_factory=dict)
    calls: int = 0


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("worker")
    (folder / "solution.py").write_text(secret("file"))
    with ExitStack() as stack:
        services = [stack.enter_context(socket.socket(family)) for family in (socket.AF_INET, *[socket.AF_UNIX] * 2)]
        datagrams = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        services[0].bind(("127.0.0.1", 0))
        services[1].bind(str(folder / "s"))
        services[2].bind(f"\0heed-{secrets.token_hex(4)}")
        for service in services:
            service.listen()
        datagrams.bind(services[0].getsockname())
        yield Worker(folder / "solution.py", Path(__file__).resolve().parents[2], (*services, datagrams))


@contextmanager
def scene_in(sandbox: Sandbox, worker: Worker) -> Iterator[Scene]:
    earlier = f"earlier = '{secret('source')}'\ndef attack(x):\n    global kept\n    kept = x\n    print(x)\n"
    assert run(sandbox, earlier, "attack", text(secret("argument"))).outcome is Outcome.RETURNED
    observed = run(sandbox, OBSERVER, "attack", floats(0.0, 1.0))
    assert observed.outcome is Outcome.RETURNED, observed.error
    with sandbox.open(f"{BESIDE}held = '{secret('beside')}'\n", limits=LONG) as beside:
        assert beside.load("count").outcome is Outcome.RETURNED
        scene = Scene(sandbox, worker, beside, text(secret("kept")), observed.stdout)
        scene.processes, scene.files = len(family(sandbox.pid)), files_seen(sandbox)
        yield scene


@pytest.fixture(scope="module")
def scene(sandbox: Sandbox, worker: Worker) -> Iterator[Scene]:
    with scene_in(sandbox, worker) as made:
        yield made


@pytest.fixture(scope="module")
def torch_scene(torch_sandbox: Sandbox, worker: Worker) -> Iterator[Scene]:
    with scene_in(torch_sandbox, worker) as made:
        yield made


def test_every_program_has_its_expected_outcome() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.py")} == {*EXPECTED, *EXPECTED_WITH_TORCH}


@pytest.mark.parametrize("program", sorted(EXPECTED))
def test_program(scene: Scene, program: str) -> None:
    assert_outcome(scene, program, EXPECTED[program])


@pytest.mark.parametrize("program", sorted(EXPECTED_WITH_TORCH))
def test_program_beside_pytorch(torch_scene: Scene, program: str) -> None:
    assert_outcome(torch_scene, program, EXPECTED_WITH_TORCH[program])


def assert_outcome(scene: Scene, program: str, expected: Outcome | Collection[Outcome]) -> None:
    jail = scene.sandbox.pid
    started = time.monotonic()
    source = scene.worker.put_into((PROGRAMS / f"{program}.py").read_text())
    longer = expected is Outcome.MEMORY or program in LONGER
    limits = replace(LIMITS, wall_seconds=LONGER_SECONDS) if longer else LIMITS
    result = run(scene.sandbox, source, "attack", ARGUMENT, limits=limits, reply_bytes=2_000_000)
    assert result.outcome in ((expected,) if isinstance(expected, Outcome) else expected), result.error
    assert time.monotonic() - started < limits.wall_seconds + OVERHEAD_SECONDS
    if result.outcome is Outcome.RETURNED:
        assert result.value == RETURNED.get(program, ARGUMENT)
    assert_nothing_was_told(result)
    assert not scene.worker.was_called()
    assert_the_other_is_unaffected(scene)
    assert_nothing_is_left(scene)
    assert_the_next_is_unaffected(scene)
    assert scene.sandbox.pid == jail


def assert_nothing_was_told(result: CallResult) -> None:
    told = repr(replace(result, value=None) if result.value == ARGUMENT else result)
    assert MARK not in told


def assert_the_other_is_unaffected(scene: Scene) -> None:
    """Its session has what it had, and answers to nobody else."""
    scene.calls += 1
    result = scene.beside.call(Call("count", (scene.held,)))
    assert result.value == Value(Kind.SEQUENCE, items=(Value(Kind.INT, text=str(scene.calls)), scene.held))
    assert result.stdout == b""


def assert_nothing_is_left(scene: Scene, seconds: float = 1.0) -> None:
    until = time.monotonic() + seconds
    while (left := len(family(scene.sandbox.pid))) != scene.processes:
        assert time.monotonic() < until, f"{left} processes, expected {scene.processes}"
        time.sleep(0.005)
    assert files_seen(scene.sandbox) == scene.files


def files_seen(sandbox: Sandbox) -> dict[str, list[str]]:
    """What stands in the folders of the jail's processes, and of this one what is called as programs call things."""
    found = {folder: [name for name in names_in(folder) if LEFT in name] for folder in FOLDERS}
    for pid in family(sandbox.pid) - {sandbox.pid}:  # the outermost sees this machine's files
        found |= {f"{pid}:{folder}": names_in(f"/proc/{pid}/root{folder}") for folder in FOLDERS}
    return found


def names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def assert_the_next_is_unaffected(scene: Scene) -> None:
    result = run(scene.sandbox, OBSERVER, "attack", floats(0.0, 1.0))
    assert result.outcome is Outcome.RETURNED, result.error
    assert result.value is not None
    assert struct.unpack("<2d", result.value.data) == pytest.approx((1.0, math.e), rel=1e-15)
    assert result.stdout == scene.observed


# ---- Each of these assertions can fail ------------------------------------------------------------------------------


def test_a_secret_that_was_told_is_seen(sandbox: Sandbox) -> None:
    """In what is printed, returned, raised, and in numbers."""
    source = """
import numpy as np
def printed(x): print(x)
def returned(x): return [x]
def raised(x): raise ValueError(x)
def numbers(x): return np.frombuffer(x.encode(), np.uint8)
"""
    for way in ("printed", "returned", "raised", "numbers"):
        assert_nothing_was_told(run(sandbox, source, way, text("no secret")))
        with pytest.raises(AssertionError):
            assert_nothing_was_told(run(sandbox, source, way, text(secret(way))))


def test_a_call_at_the_workers_is_seen(worker: Worker) -> None:
    assert not worker.was_called()
    for service in worker.services[:3]:
        with socket.socket(service.family) as calling:
            calling.connect(service.getsockname())
            assert worker.was_called()
            service.accept()[0].close()
    assert not worker.was_called()


def test_what_is_left_is_seen(scene: Scene) -> None:
    with scene.sandbox.open("", limits=LONG), pytest.raises(AssertionError, match="processes, expected"):
        assert_nothing_is_left(scene, seconds=0.05)
    file = Path(f"/dev/shm/{LEFT}-{os.getpid()}")
    file.touch()
    try:
        with pytest.raises(AssertionError, match=LEFT):
            assert_nothing_is_left(scene)
    finally:
        file.unlink()
    assert_nothing_is_left(scene)
