"""Resident memory of an idle site, by process."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from benchmarks.timing import Row
from tests.support.servers import Site

QUIET_SECONDS = 3.0


def role(process: psutil.Process) -> str:
    """What a process of the site is, from its command line."""
    line = " ".join(process.cmdline())
    for sign, name in (("bwrap", "jail"), ("guest", "jail"), ("gunicorn", "web"), ("celery", "worker")):
        if sign in line:
            return name
    return "runsite"


def proportional_bytes(pid: int) -> int:
    """The process's proportional set size: shared pages counted once among those that share them."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"no Pss line for process {pid}")


def web_modules(site: Site) -> list[str]:
    """Which of the libraries that the web process must not load are mapped into it (both have shared objects)."""
    found = set()
    for process in psutil.Process(site.process.pid).children(recursive=True):
        if role(process) == "web":
            maps = Path(f"/proc/{process.pid}/maps").read_text()
            found |= {name for name in ("numpy", "torch") if f"/{name}/" in maps}
    return sorted(found)


def measure(site: Site) -> list[Row]:
    time.sleep(QUIET_SECONDS)
    totals: dict[str, tuple[int, int]] = {}
    for process in [psutil.Process(site.process.pid), *psutil.Process(site.process.pid).children(recursive=True)]:
        count, size = totals.get(role(process), (0, 0))
        totals[role(process)] = (count + 1, size + proportional_bytes(process.pid))
    rows = [
        Row(
            f"idle memory, {name}",
            f"{size / 1e6:.0f} MB",
            f"{count} process{'es' * (count > 1)}, shared pages counted once",
        )
        for name, (count, size) in sorted(totals.items())
    ]
    whole = sum(size for _, size in totals.values())
    loaded = ", ".join(web_modules(site)) or "neither NumPy nor torch"
    return [*rows, Row("idle memory, the whole site", f"{whole / 1e6:.0f} MB", f"the web process has loaded {loaded}")]
