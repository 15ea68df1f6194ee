"""Short ways to say what a test sends into a session, and to look at what is left of it."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

from grader.sandbox import Sandbox
from grader.wire import Call, CallResult, Kind, Limits, Value

HONEST = """
import numpy as np

def attack(x):
    np.random.seed(1)
    return np.exp(x) + open("/tmp/mine", "w").write("")
"""
JAIL_PROCESSES = 3  # bubblewrap, its pid 1 inside, the guest's parent
CONTAINER_PROCESSES = 5  # bubblewrap, its pid 1 inside, the process that listens, the keeper, the guest's parent


def floats(*numbers: float, shape: tuple[int, ...] | None = None) -> Value:
    """A float64 array argument."""
    return Value(Kind.ARRAY, "<f8", shape or (len(numbers),), struct.pack(f"<{len(numbers)}d", *numbers))


def tensor(dtype: str, layout: str, *numbers: float, shape: tuple[int, ...] | None = None) -> Value:
    """A tensor argument on the CPU; `layout` is struct's letter for one number."""
    data = struct.pack(f"<{len(numbers)}{layout}", *numbers)
    return Value(Kind.TENSOR, dtype, (len(numbers),) if shape is None else shape, data, text="cpu")


def doubles(*numbers: float, shape: tuple[int, ...] | None = None) -> Value:
    """A float64 tensor argument."""
    return tensor("float64", "d", *numbers, shape=shape)


def text(value: str) -> Value:
    return Value(Kind.TEXT, text=value)


def run(
    sandbox: Sandbox,
    source: str,
    entry: str,
    *args: Value,
    limits: Limits | None = None,
    arguments_back: bool = False,
    reply_bytes: int = 1_000_000,
) -> CallResult:
    """Loads `source` and calls `entry` once; the result of loading if that did not return."""
    with sandbox.open(source, limits=limits or Limits()) as session:
        loaded = session.load(entry)
        if loaded.outcome != "returned":
            return loaded
        return session.call(Call(entry, args, arguments_back=arguments_back, reply_bytes=reply_bytes))


def family(pid: int | None) -> set[int]:
    """The processes that descend from `pid`, itself included."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            parents[int(entry)] = int(stat.rpartition(")")[2].split()[1])
    found = {pid} if pid in parents else set()
    while grown := {child for child, parent in parents.items() if parent in found} - found:
        found |= grown
    return {member for member in found if member is not None}


def only_the_jail_is_left(sandbox: Sandbox, seconds: float = 1.0) -> bool:
    """Whether within `seconds` no process of a session is left beside the jail's own."""
    until = time.monotonic() + seconds
    processes = JAIL_PROCESSES if type(sandbox) is Sandbox else CONTAINER_PROCESSES
    while time.monotonic() < until:
        if len(family(sandbox.pid)) == processes:
            return True
        time.sleep(0.005)
    return False


def gone(pids: set[int], seconds: float = 1.0) -> bool:
    """Whether all of `pids` end within `seconds`. A zombie has ended: it waits for its parent only."""
    until = time.monotonic() + seconds
    while any(_alive(pid) for pid in pids):
        if time.monotonic() >= until:
            return False
        time.sleep(0.01)
    return True


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
