"""The filter's numbers against the kernel's own headers, and its answers by running it."""

from __future__ import annotations

import errno
import json
import platform
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.sandbox import seccomp

ROOT = Path(__file__).resolve().parent.parent.parent
HEADERS = (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm-generic/unistd.h"))
CONDITIONAL = {
    "clone": seccomp.CLONE,
    "clone3": seccomp.CLONE3,
    "ioctl": seccomp.IOCTL,
    "fcntl": seccomp.FCNTL,
    "prctl": seccomp.PRCTL,
    "prlimit64": seccomp.PRLIMIT64,
    "mmap": seccomp.MMAP,
    "madvise": seccomp.MADVISE,
}
ALLOW = seccomp.ALLOW


@pytest.mark.parametrize("column", [0, 1], ids=["x86_64", "aarch64"])
def test_numbers_are_the_kernels(column: int) -> None:
    if column == 0 and platform.machine() != "x86_64":
        pytest.skip("the kernel headers of this architecture do not hold x86_64's numbers")
    assert HEADERS[column].exists(), f"{HEADERS[column]} is missing: `make services` installs linux-libc-dev"
    found = re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", HEADERS[column].read_text())
    numbers = {name: int(number) for name, number in found}
    numbers["newfstatat"] = numbers.get("newfstatat", numbers.get("fstatat", -1))
    for name, by_column in {**seccomp.IN_CONTAINER, **CONDITIONAL}.items():
        assert numbers.get(name) == by_column[column], name


def answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter answers, by interpreting it: RET, LD [k], JEQ, JGE and JSET are all that it uses."""
    audit = seccomp.MACHINES[machine].audit if architecture is None else architecture
    data = struct.pack("<iIQ6Q", number, audit, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    code = list(struct.iter_unpack("=HBBI", seccomp.program(machine)))
    accumulator = position = 0
    tests: dict[int, Callable[[int, int], bool]] = {
        0x15: lambda a, k: a == k,
        0x35: lambda a, k: a >= k,
        0x45: lambda a, k: bool(a & k),
    }
    while True:
        opcode, if_true, if_false, value = code[position]
        position += 1
        if opcode == 0x06:
            return int(value)
        if opcode == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        else:
            position += if_true if tests[opcode](accumulator, value) else if_false


REFUSED, UNKNOWN = seccomp.ERROR | errno.EPERM, seccomp.ERROR | errno.ENOSYS
THREAD = 0x003D0F00  # the flags that the C library starts a thread with


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_answers(machine: str) -> None:
    column = seccomp.MACHINES[machine].column
    clone, ioctl, fcntl, prctl = (CONDITIONAL[name][column] for name in ("clone", "ioctl", "fcntl", "prctl"))
    read = seccomp.ALLOWED["read"][column]
    assert read is not None
    assert answer(machine, read) == ALLOW
    assert answer(machine, clone, THREAD) == ALLOW
    assert answer(machine, clone, 17) == REFUSED  # fork
    for namespace in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert answer(machine, clone, THREAD | namespace) == REFUSED
    assert answer(machine, 435) == UNKNOWN  # clone3
    assert answer(machine, ioctl, 0, 0x5401) == ALLOW
    assert answer(machine, ioctl, 0, 0x5412) == REFUSED  # TIOCSTI
    assert answer(machine, ioctl, 0, 0x5412 | 1 << 32) == REFUSED
    assert answer(machine, fcntl, 0, 3) == ALLOW
    assert answer(machine, fcntl, 0, 1031) == REFUSED
    assert answer(machine, prctl, 15) == ALLOW
    assert answer(machine, prctl, 1) == REFUSED
    limit = CONDITIONAL["prlimit64"][column]
    assert answer(machine, limit, 0, 9) == ALLOW
    assert answer(machine, limit, 0, 0) == REFUSED  # RLIMIT_CPU
    mmap, madvise = CONDITIONAL["mmap"][column], CONDITIONAL["madvise"][column]
    assert answer(machine, mmap, 0, 4096, 3, 0x22) == ALLOW  # private and anonymous
    assert answer(machine, mmap, 0, 4096, 3, 0x40022) == REFUSED  # of huge pages
    assert answer(machine, madvise, 0, 4096, 4) == ALLOW
    assert answer(machine, madvise, 0, 4096, 21) == REFUSED  # MADV_PAGEOUT
    for operation in (0, 9, 9 | 256, 0 | 128, 1 | 128, 9 | 128, 13 | 128):
        assert answer(machine, seccomp.FUTEX[column], 0, operation) == ALLOW
    for operation in (1, 3, 4, 5, 6, 10, 11, 12, 13):  # of a lock that others may share
        assert answer(machine, seccomp.FUTEX[column], 0, operation) == REFUSED
    assert answer(machine, seccomp.TGKILL[column], 1, 1, 6) == ALLOW  # abort
    assert answer(machine, seccomp.TGKILL[column], 1, 1, 9) == REFUSED
    assert answer(machine, 425) == UNKNOWN  # io_uring_setup
    assert answer(machine, 9999) == UNKNOWN
    assert answer(machine, read, architecture=0x40000003) == seccomp.KILL_PROCESS


def test_the_x32_numbers_are_unknown() -> None:
    assert answer("x86_64", 0x40000000) == UNKNOWN


def test_only_what_is_listed_is_allowed() -> None:
    for machine, described in seccomp.MACHINES.items():
        allowed = (*seccomp.ALLOWED.values(), seccomp.FUTEX, seccomp.TGKILL)  # two of which most arguments are good
        listed = {numbers[described.column] for numbers in allowed}
        assert {number for number in range(1000) if answer(machine, number, *[0x7FFFFFFF] * 6) == ALLOW} == listed - {
            None
        }


def test_the_profile_for_containers_is_the_one_that_is_shipped() -> None:
    shipped = json.loads((ROOT / "deploy" / "sandbox-seccomp.json").read_text())
    assert shipped == seccomp.container_profile()  # whose json.dumps(…, indent=2) it is


def test_a_container_has_what_its_parent_and_monitors_need_and_no_more() -> None:
    (allowed, refused) = seccomp.container_profile()["syscalls"]
    assert set(allowed["names"]) - set(seccomp.ALLOWED) == {
        *("execve", "fork", "wait4", "kill", "pidfd_open", "setsid", "unshare", "mount", "umount2", "pivot_root"),
        "sethostname",
        *("capset", "seccomp", "setrlimit", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"),
        *(
            "socket",
            "bind",
            "listen",
            "accept4",
            "getsockname",
            "getsockopt",
            "sendto",
            "recvfrom",
            "sendmsg",
            "recvmsg",
        ),
        *("mmap", "madvise", "clone", "ioctl", "fcntl", "prctl", "prlimit64", "futex", "tgkill"),
    }
    assert refused == {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS}
