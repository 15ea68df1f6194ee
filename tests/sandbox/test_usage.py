"""What a session took, measured by the kernel from outside: where it shows, and that nobody in there can hide it."""

from __future__ import annotations

import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, Kind, Limits, Usage, Value
from tests.sandbox.sessions import run

MEGABYTE = 1 << 20
WAYS = """
import mmap, os, threading
import numpy as np

def nothing(megabytes):
    pass

def scores(megabytes):
    tokens = int((megabytes * 2**17) ** 0.5)
    features = np.ones((tokens, 4))
    return len(features @ features.T)

def mask(megabytes):
    tokens = int((megabytes * 2**20) ** 0.5)
    return len(np.tri(tokens, dtype=bool))

def many_small_arrays(megabytes):
    kept = [np.ones(1016) for _ in range(megabytes * 128)]

def mapping(megabytes):
    memory = mmap.mmap(-1, megabytes << 20)
    for page in range(0, len(memory), mmap.PAGESIZE):
        memory[page] = 1

def mapped_file(megabytes):
    with open("/tmp/scores", "wb+") as file:
        file.truncate(megabytes << 20)
        memory = mmap.mmap(file.fileno(), megabytes << 20)
        for page in range(0, len(memory), mmap.PAGESIZE):
            memory[page] = 1

def freed_again(megabytes):
    for _ in range(5):
        np.ones(megabytes << 17)

def of_a_thread(megabytes):
    thread = threading.Thread(target=scores, args=(megabytes,))
    thread.start()
    thread.join()

def before_a_crash(megabytes):
    np.ones(megabytes << 17)
    os._exit(0)

def before_a_kill(megabytes):
    kept = np.ones(megabytes << 17)
    while True:
        pass
"""
TORCH_WAYS = """
import torch

def scores(megabytes):
    tokens = int((megabytes * 2**17) ** 0.5)
    features = torch.ones(tokens, 4, dtype=torch.float64)
    return len(features @ features.T)

def mask(megabytes):
    tokens = int((megabytes * 2**20) ** 0.5)
    return len(torch.ones(tokens, tokens, dtype=torch.bool))
"""


def usage(sandbox: Sandbox, source: str, entry: str, megabytes: int = 0, seconds: float = 5.0) -> Usage:
    limits = Limits(wall_seconds=seconds, scratch_bytes=64 * MEGABYTE)
    with sandbox.open(source, limits=limits) as session:
        session.load(entry)
        session.call(Call(entry, (Value(Kind.INT, text=str(megabytes)),)))
        assert session.usage is None  # it may still take more
    assert session.usage is not None
    return session.usage


def growth(sandbox: Sandbox, source: str, entry: str, seconds: float = 5.0) -> float:
    """Of the peak, in megabytes, from one that takes 8 MB to one that takes 16 MB."""
    small, large = (usage(sandbox, source, entry, size, seconds).peak_bytes for size in (8, 16))
    return (large - small) / MEGABYTE


@pytest.mark.parametrize(
    "way",
    [
        "scores",
        "mask",
        "many_small_arrays",
        "mapping",
        "mapped_file",
        "freed_again",
        "of_a_thread",
        "before_a_crash",
    ],
)
def test_eight_megabytes_more_show_wherever_they_are(sandbox: Sandbox, way: str) -> None:
    assert growth(sandbox, WAYS, way) == pytest.approx(8.0, abs=1.0)


@pytest.mark.parametrize("way", ["scores", "mask"])
def test_they_show_in_tensors_too(torch_sandbox: Sandbox, way: str) -> None:
    assert growth(torch_sandbox, TORCH_WAYS, way) == pytest.approx(8.0, abs=1.0)


def test_they_show_though_the_session_was_killed(sandbox: Sandbox) -> None:
    assert growth(sandbox, WAYS, "before_a_kill", seconds=0.5) == pytest.approx(8.0, abs=1.0)


def test_what_takes_nothing_shows_nothing(sandbox: Sandbox) -> None:
    assert abs(growth(sandbox, WAYS, "nothing")) < 1.0


def test_what_the_parent_once_held_hides_nothing(torch_sandbox: Sandbox) -> None:
    """The first 2 MB show: importing PyTorch leaves as much free, and the parent gives it back to the machine."""
    empty, small = (usage(torch_sandbox, WAYS, "many_small_arrays", size).peak_bytes for size in (0, 2))
    assert small - empty > 1.5 * MEGABYTE


@pytest.mark.parametrize("size", [64 << 10, 4 << 20])
def test_files_that_are_not_mapped_do_not_show_but_are_of_limited_size(sandbox: Sandbox, size: int) -> None:
    """So who measures memory leaves no room for them."""
    source = """
import itertools
def fill():
    held = 0
    try:
        for name in itertools.count():
            with open(f"/tmp/{name}", "wb", buffering=0) as file:
                held += sum(file.write(bytes(4096)) for _ in range(4))
    except OSError:
        return held
"""
    with sandbox.open(source, limits=Limits(scratch_bytes=size)) as session:
        session.load("fill")
        assert session.call(Call("fill")).value == Value(Kind.INT, text=str(size))
    assert session.usage is not None
    assert session.usage.peak_bytes - usage(sandbox, WAYS, "nothing").peak_bytes < 2 * MEGABYTE


HIDING = """
import ctypes, os, resource, sys
import numpy as np

libc = ctypes.CDLL(None, use_errno=True)

def tries():
    for path in ("/proc/self/clear_refs", "/proc/1/clear_refs"):  # "5" would set the peak back
        with open(path, "w") as file:
            file.write("5")

def attack(megabytes):
    resource.getrusage = os.wait4 = os.times = lambda *_: (0,) * 16
    memory = np.ones(megabytes << 17)
    done = []
    try:
        tries()
        done.append("clear_refs")
    except OSError:
        pass
    address, size = memory.ctypes.data & ~4095, memory.nbytes & ~4095
    for advice in (20, 21):  # MADV_COLD, MADV_PAGEOUT
        if libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), advice) == 0:
            done.append(advice)
    libc.mmap.restype = ctypes.c_void_p
    if libc.mmap(None, ctypes.c_size_t(2 << 20), 3, 0x40022, -1, ctypes.c_size_t(0)) != ctypes.c_void_p(-1).value:
        done.append("huge pages")
    elif ctypes.get_errno() != 1:  # EPERM: not merely that the machine has none
        done.append("huge pages, if the machine had any")
    print(done)
    os.write(3, b'{"exit": 0, "peak_kb": 1, "cpu_ms": 0.0}')
    os._exit(0)
"""


def test_no_one_in_the_session_can_lower_it(sandbox: Sandbox) -> None:
    small, large = (usage(sandbox, HIDING, "attack", size) for size in (8, 16))
    assert (large.peak_bytes - small.peak_bytes) / MEGABYTE == pytest.approx(8.0, abs=1.0)
    assert small.cpu_ms > 1.0
    assert run(sandbox, HIDING, "attack", Value(Kind.INT, text="8")).stdout == b"[]\n"


def test_time_is_the_processors_and_of_all_threads(sandbox: Sandbox) -> None:
    source = """
import hashlib, threading, time
def sleep(_):
    time.sleep(0.3)
def work(_):
    data, until = bytes(1 << 20), time.thread_time() + 0.15
    while time.thread_time() < until:
        hashlib.sha256(data)
def work_in_threads(_):
    threads = [threading.Thread(target=work, args=(0,)) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""
    base = usage(sandbox, source, "sleep").cpu_ms
    assert base < 100
    assert usage(sandbox, source, "work").cpu_ms == pytest.approx(base + 150, abs=60)
    assert usage(sandbox, source, "work_in_threads").cpu_ms == pytest.approx(base + 450, abs=150)


def test_a_session_whose_jail_broke_has_none(sandbox: Sandbox) -> None:
    with Sandbox() as fresh, fresh.open("x = 1\n", limits=Limits()) as session:
        session.load("x")
        fresh.stop()
    assert session.usage is None
