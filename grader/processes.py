"""Who a process is, whether it still lives, and dying with one's parent. Linux only, as the sandbox is."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
from pathlib import Path

PR_SET_PDEATHSIG = 1  # linux/prctl.h
# Loaded before any fork: a child must not import or look anything up between fork and exec.
_LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int, deadly: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel send `deadly` to this process when the thread that made it ends. `parent`: the maker's pid."""
    if _LIBC.prctl(PR_SET_PDEATHSIG, int(deadly), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it ended before the call above
        os.kill(os.getpid(), deadly)


def process_name() -> str:
    """This process, as no other process ever was or will be called: host, pid namespace, pid and start time."""
    return f"{_place()}/{os.getpid()}/{_started(os.getpid())}"


def surely_dead(name: str) -> bool:
    """Whether the process called `name` by process_name() is known to have ended. False where that cannot be seen."""
    place, _, rest = name.rpartition("/")
    place, _, pid = place.rpartition("/")
    if place != _place() or not pid.isdecimal():
        return False
    return _started(int(pid)) != rest


def _place() -> str:
    return f"{socket.gethostname()[:100]}/{os.readlink('/proc/self/ns/pid')}"


def _started(pid: int) -> str:
    """Ticks between boot and the start of process `pid`; empty if there is none, or only its zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    fields = stat.rpartition(")")[2].split()  # the name before it may hold spaces and brackets
    return "" if fields[0] in "ZX" else fields[19]
