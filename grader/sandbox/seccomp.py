"""The system calls that a learner's process may make, as a seccomp filter (classic BPF).

An allow list: what is not named is refused, so a call that a later kernel adds is refused too. Refused calls fail with
an error number instead of killing the process, so that libraries fall back and learners see an exception.
Numbers: Linux's arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (aarch64).
Format: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# name: (x86_64, aarch64); None where the architecture has no such call.
Numbers = dict[str, tuple[int | None, int | None]]

MEMORY: Numbers = {  # with mmap, below: RLIMIT_AS counts all that these can take
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216),
}  # fmt: skip
READING_AND_WRITING: Numbers = {  # the channel, output, the read-only root, the session's own /tmp
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67), "pwrite64": (18, 68),
    "lseek": (8, 62), "close": (3, 57), "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "fsync": (74, 82), "fdatasync": (75, 83), "ftruncate": (77, 46),
}  # fmt: skip
FILES: Numbers = {  # opening and looking; imports need them
    "open": (2, None), "openat": (257, 56), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78), "getdents64": (217, 61),
    "getcwd": (79, 17), "chdir": (80, 49), "statfs": (137, 43), "fstatfs": (138, 44), "umask": (95, 166),
}  # fmt: skip
TEMPORARY_FILES: Numbers = {  # names in the session's own /tmp; no links, no devices, no change of owner
    "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
}  # fmt: skip
WAITING: Numbers = {
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115), "sched_yield": (24, 124),
}  # fmt: skip
CLOCKS: Numbers = {  # the limit on time is kept by the worker's clock, not by these
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None),
    "times": (100, 153), "getrusage": (98, 165),
}  # fmt: skip
SIGNALS: Numbers = {  # handlers; raising one (abort) is looked at below
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
}  # fmt: skip
THREADS: Numbers = {  # clone and futex are looked at below; RLIMIT_NPROC counts threads
    "set_robust_list": (273, 99), "get_robust_list": (274, 100), "set_tid_address": (218, 96),
    "rseq": (334, 293), "exit": (60, 93), "exit_group": (231, 94), "arch_prctl": (158, None), "membarrier": (324, 283),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "getcpu": (309, 168),
}  # fmt: skip
ITS_OWN_IDENTITY: Numbers = {  # reading only
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148), "getresgid": (120, 150),
    "getgroups": (115, 158), "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156), "uname": (63, 160),
    "sysinfo": (99, 179), "getrlimit": (97, 163), "getpriority": (140, 141), "capget": (125, 90),
}  # fmt: skip
RANDOMNESS: Numbers = {"getrandom": (318, 278)}

ALLOWED: Numbers = {
    name: numbers
    for group in (
        MEMORY, READING_AND_WRITING, FILES, TEMPORARY_FILES, WAITING,
        CLOCKS, SIGNALS, THREADS, ITS_OWN_IDENTITY, RANDOMNESS,
    )
    for name, numbers in group.items()
}  # fmt: skip

# What the guest's parent and monitors need besides, before any source is there: for a sandbox container's own profile.
PROCESSES: Numbers = {
    "execve": (59, 221), "fork": (57, None), "wait4": (61, 260), "kill": (62, 129), "pidfd_open": (434, 434),
    "setsid": (112, 157),
}  # fmt: skip
NAMESPACES: Numbers = {
    "unshare": (272, 97), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "sethostname": (170, 161),
}  # fmt: skip
GIVING_UP: Numbers = {
    "capset": (126, 91), "seccomp": (317, 277), "setrlimit": (160, 164), "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445), "landlock_restrict_self": (446, 446),
}  # fmt: skip
UNIX_SOCKET: Numbers = {  # to workers: the container has no network
    "socket": (41, 198), "bind": (49, 200), "listen": (50, 201), "accept4": (288, 242), "getsockname": (51, 204),
    "getsockopt": (55, 209), "sendto": (44, 206), "recvfrom": (45, 207), "sendmsg": (46, 211), "recvmsg": (47, 212),
}  # fmt: skip

# Only where a GPU may be used: what CUDA's threads wake each other with. Its driver is spoken to by ioctl, whose many
# numbers are the driver's own, so that there ioctl is allowed whatever it says.
GPU: Numbers = {"pipe2": (293, 59), "eventfd2": (290, 19)}
GPU_ADVICE = 10  # MADV_DONTFORK, for the memory that the driver maps

# Allowed by what their arguments say.
MMAP = (9, 222)
MADVISE = (28, 233)
CLONE = (56, 220)
FUTEX = (202, 98)
TGKILL = (234, 131)  # to a thread of its own process; not kill, which takes process groups
CLONE3 = (435, 435)
IOCTL = (16, 29)
FCNTL = (72, 25)
PRCTL = (157, 167)
PRLIMIT64 = (302, 261)

# By its own filter a session is held to less.
IN_CONTAINER: Numbers = {
    **ALLOWED, **PROCESSES, **NAMESPACES, **GIVING_UP, **UNIX_SOCKET,
    "mmap": MMAP, "madvise": MADVISE, "clone": CLONE, "ioctl": IOCTL, "fcntl": FCNTL, "prctl": PRCTL,
    "prlimit64": PRLIMIT64, "futex": FUTEX, "tgkill": TGKILL,
}  # fmt: skip

CLONE_THREAD = 0x00010000
# Namespaces (mount, cgroup, uts, ipc, user, pid, network), and CLONE_VFORK and CLONE_PTRACE.
CLONE_REFUSED = (
    0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x4000 | 0x2000
)
MAP_HUGETLB = 0x40000  # the machine's reserved huge pages, which are not counted as resident
# MADV_NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP. Not MADV_COLD and
# MADV_PAGEOUT, with which memory moves to where it is not counted as resident.
ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
# TCGETS (isatty), TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. Not TIOCSTI, which types into a terminal.
IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. Not F_SETPIPE_SZ, F_SETOWN, F_NOTIFY, leases, locks.
FCNTLS = (0, 1, 2, 3, 4, 1030)
PRCTLS = (15, 16)  # PR_SET_NAME, PR_GET_NAME. Not PR_SET_PDEATHSIG, which ends the process with its monitor.
# RLIMIT_DATA, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_AS; no hard limit can be raised without a capability. Not
# RLIMIT_CPU, at which the kernel sends SIGKILL: that signal must mean that somebody outside the session sent it.
RLIMITS = (2, 3, 7, 9)

# A lock in shared memory can be waited for in one session and let go in another: a page of the C library is the same
# memory for all. So locks must be the process's own, but for the waits (FUTEX_WAIT, FUTEX_WAIT_BITSET, and that by the
# calendar) with which the C library awaits the end of a thread: the kernel tells of it as if the lock were shared.
FUTEX_PRIVATE, FUTEX_WAITS = 128, (0, 9, 9 | 256)
SIGKILL = 9

FIRST_NEW_CALL = 424  # from here on kernels answer alike on all architectures; libraries probe these and expect ENOSYS

# BPF: opcodes, and offsets into struct seccomp_data.
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE = 0, 4
FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT, FOURTH_ARGUMENT = 16, 24, 32, 40  # low 32 bits, little-endian
ALLOW, KILL_PROCESS, ERROR = 0x7FFF0000, 0x80000000, 0x00050000


@dataclass(frozen=True)
class Machine:
    """One architecture: its place in the tables above, and what the kernel calls it."""

    column: int
    audit: int
    first_foreign: int | None  # x86_64: numbers from here on are the x32 ABI's


MACHINES = {"x86_64": Machine(0, 0xC000003E, 0x40000000), "aarch64": Machine(1, 0xC00000B7, None)}


def program(machine: str | None = None, *, gpu: bool = False) -> bytes:
    """The filter for `machine` (default: this one), eight bytes an instruction. Raises KeyError for an unknown one.

    `gpu`: with what CUDA needs besides.
    """
    described = MACHINES[machine or platform.machine()]
    column = described.column
    code = [*_check_architecture(described)]
    allowed = {**ALLOWED, **GPU, "ioctl": IOCTL} if gpu else ALLOWED
    for name in allowed:
        number = allowed[name][column]
        if number is not None:
            code += [_instruction(JUMP_EQUAL, number, 0, 1), _answer(ALLOW)]
    code += _clone(CLONE[column])
    code += _mmap(MMAP[column])
    code += _futex(FUTEX[column])
    code += _tgkill(TGKILL[column])
    code += _by_argument(MADVISE[column], THIRD_ARGUMENT, (*ADVICE, GPU_ADVICE) if gpu else ADVICE)
    code += _by_argument(IOCTL[column], SECOND_ARGUMENT, IOCTLS)
    code += _by_argument(FCNTL[column], SECOND_ARGUMENT, FCNTLS)
    code += _by_argument(PRCTL[column], FIRST_ARGUMENT, PRCTLS)
    code += _by_argument(PRLIMIT64[column], SECOND_ARGUMENT, RLIMITS)
    # clone3 keeps its flags where a filter cannot read them; told that it is unknown, the C library uses clone.
    code += [_instruction(JUMP_AT_LEAST, FIRST_NEW_CALL, 0, 1), _refuse(errno.ENOSYS), _refuse(errno.EPERM)]
    return b"".join(code)


def allowing(calls: Numbers, machine: str | None = None) -> bytes:
    """A filter that allows these calls whatever they say, and no other; clone3 is answered as unknown."""
    described = MACHINES[machine or platform.machine()]
    code = [*_check_architecture(described)]
    for numbers in calls.values():
        number = numbers[described.column]
        if number is not None:
            code += [_instruction(JUMP_EQUAL, number, 0, 1), _answer(ALLOW)]
    code += [_instruction(JUMP_EQUAL, CLONE3[described.column], 0, 1), _refuse(errno.ENOSYS), _refuse(errno.EPERM)]
    return b"".join(code)


def container_profile() -> dict[str, Any]:
    """The seccomp profile of a sandbox container, as engines of containers read it."""
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.EPERM,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            {"names": sorted(IN_CONTAINER), "action": "SCMP_ACT_ALLOW"},
            # Its flags cannot be read by a filter; told that it is unknown, the C library uses clone.
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
        ],
    }


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _answer(action: int) -> bytes:
    return _instruction(RETURN, action)


def _refuse(number: int) -> bytes:
    return _answer(ERROR | number)


def _check_architecture(machine: Machine) -> Iterable[bytes]:
    """A 32-bit system call has other numbers: nothing honest makes one here."""
    yield _instruction(LOAD, ARCHITECTURE)
    yield _instruction(JUMP_EQUAL, machine.audit, 1, 0)
    yield _answer(KILL_PROCESS)
    yield _instruction(LOAD, NUMBER)
    if machine.first_foreign is not None:
        yield _instruction(JUMP_AT_LEAST, machine.first_foreign, 0, 1)
        yield _refuse(errno.ENOSYS)


def _clone(number: int) -> list[bytes]:
    """Threads, but no processes (RLIMIT_AS is per process) and no namespaces (they would come with capabilities)."""
    body = [
        _instruction(LOAD, FIRST_ARGUMENT),
        _instruction(JUMP_ANY_BIT, CLONE_REFUSED, 2, 0),
        _instruction(JUMP_ANY_BIT, CLONE_THREAD, 0, 1),
        _answer(ALLOW),
        _refuse(errno.EPERM),
    ]
    return [_instruction(JUMP_EQUAL, number, 0, len(body)), *body]


def _mmap(number: int) -> list[bytes]:
    body = [
        _instruction(LOAD, FOURTH_ARGUMENT),
        _instruction(JUMP_ANY_BIT, MAP_HUGETLB, 1, 0),
        _answer(ALLOW),
        _refuse(errno.EPERM),
    ]
    return [_instruction(JUMP_EQUAL, number, 0, len(body)), *body]


def _futex(number: int) -> list[bytes]:
    body = [
        _instruction(LOAD, SECOND_ARGUMENT),
        *(_instruction(JUMP_EQUAL, wait, len(FUTEX_WAITS) - index, 0) for index, wait in enumerate(FUTEX_WAITS)),
        _instruction(JUMP_ANY_BIT, FUTEX_PRIVATE, 0, 1),
        _answer(ALLOW),
        _refuse(errno.EPERM),
    ]
    return [_instruction(JUMP_EQUAL, number, 0, len(body)), *body]


def _tgkill(number: int) -> list[bytes]:
    """Any signal but SIGKILL: that must mean that somebody outside the session sent it.

    pid 1 ignores its own, but not in the moment in which the kernel is about to end it for a fault of its.
    """
    body = [
        _instruction(LOAD, THIRD_ARGUMENT),
        _instruction(JUMP_EQUAL, SIGKILL, 1, 0),
        _answer(ALLOW),
        _refuse(errno.EPERM),
    ]
    return [_instruction(JUMP_EQUAL, number, 0, len(body)), *body]


def _by_argument(number: int, offset: int, values: Iterable[int]) -> list[bytes]:
    """Allows the call where the argument at `offset` is one of `values`."""
    body = [_instruction(LOAD, offset)]
    for value in values:
        body += [_instruction(JUMP_EQUAL, value, 0, 1), _answer(ALLOW)]
    body.append(_refuse(errno.EPERM))
    return [_instruction(JUMP_EQUAL, number, 0, len(body)), *body]
