"""Handed in by test_isolation as a learner's source: reaches for all that it can, and prints what it found."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import gc
import importlib
import json
import os
import platform
import re
import socket
import stat
import sys
from typing import Any

MARK = re.compile(b"heed" + b"-secret-[a-z0-9-]+")  # in two pieces, so as not to find itself
libc = ctypes.CDLL(None, use_errno=True)
PACKAGES = os.path.dirname(os.path.dirname(sys.modules["numpy"].__file__ or ""))
COLUMN = 0 if platform.machine() == "x86_64" else 1
SYSTEM_CALLS = {  # name: numbers of x86_64 and aarch64, arguments that would work for one with the right to it
    "ptrace": ((101, 117), (0, 0, 0, 0)),
    "process_vm_readv": ((310, 270), (1, 0, 0, 0, 0, 0)),
    "pidfd_open": ((434, 434), (1, 0)),
    "kill": ((62, 129), (1, 0)),
    "unshare user": ((272, 97), (0x10000000,)),
    "unshare mount": ((272, 97), (0x00020000,)),
    "setns": ((308, 268), (3, 0)),
    "umount": ((166, 39), (b"/proc", 2)),
    "mount": ((165, 40), (b"tmpfs", b"/tmp", b"tmpfs", 0, 0)),
    "pivot_root": ((155, 41), (b"/tmp", b"/tmp")),
    "chroot": ((161, 51), (b"/tmp",)),
    "bpf": ((321, 280), (0, 0, 0)),
    "userfaultfd": ((323, 282), (1,)),
    "io_uring_setup": ((425, 425), (1, b"\0" * 120)),
    "perf_event_open": ((298, 241), (b"\0" * 128, 0, -1, -1, 0)),
    "keyctl": ((250, 219), (0, -3, 1)),
    "add_key": ((248, 217), (b"user", b"a", b"b", 1, -3)),
    "memfd_create": ((319, 279), (b"a", 0)),
    "shmget": ((29, 194), (0, 4096, 0o1600)),
    "msgget": ((68, 186), (0, 0o1600)),
    "mq_open": ((240, 180), (b"a", 0o102, 0o600, 0)),
    "socket": ((41, 198), (1, 1, 0)),
    "socketpair": ((53, 199), (1, 1, 0, b"\0" * 8)),
    "execve": ((59, 221), (b"/python/bin/python3.11", 0, 0)),
    "clone": ((56, 220), (17, 0, 0, 0, 0)),
    "clone3": ((435, 435), (b"\0" * 64, 64)),
    "setuid": ((105, 146), (0,)),
    "capset": ((126, 91), (b"\x22\x05\x08\x20\0\0\0\0", b"\xff" * 24)),
    "seccomp": ((317, 277), (0, 0, 0)),
    "personality": ((135, 92), (0x0040000,)),
    "parent's death signal off": ((157, 167), (1, 0)),
    "dumpable again": ((157, 167), (4, 1)),
    "open_by_handle_at": ((304, 265), (-100, b"\0" * 64, 0)),
    "fanotify_init": ((300, 262), (0, 0)),
    "sendmsg": ((46, 211), (3, 0, 0)),
    "recvmsg": ((47, 212), (3, 0, 0)),
    "ioctl TIOCSTI": ((16, 29), (0, 0x5412, b"x")),
    "fcntl F_SETPIPE_SZ": ((72, 25), (1, 1031, 1 << 20)),
    "mlockall": ((151, 230), (1,)),
    "sched_setaffinity": ((203, 122), (0, 8, b"\xff" * 8)),
    "symlink": ((88, None), (b"/etc/passwd", b"/tmp/link")),
    "mknod": ((133, None), (b"/tmp/device", 0o60600, 0x801)),
    "32-bit number": ((0x40000000 + 39, None), ()),
}


def probe() -> None:
    found = {
        "environment": dict(os.environ),
        "arguments": sys.argv,
        "modules": sorted({name.split(".")[0] for name in sys.modules}),
        "importable": [
            name for name in ("django", "grader", "attention_core", "courses", "pip", "yaml") if imports(name)
        ],
        "files": files(),
        "packages": os.listdir(PACKAGES),
        "processes": os.listdir("/proc"),
        "pids": [pid for pid in range(1, 400) if signalled(pid)],
        "identity": [*os.getresuid(), *os.getresgid(), *os.getgroups(), os.getpid(), os.getppid()],
        "capabilities": capabilities(),
        "descriptors": descriptors(),
        "sockets": sockets(),
        "system calls": system_calls(),
        "locks": lockable(),
        "writable": writable(),
        "marks": sorted({mark.decode() for mark in marks()}),
    }
    print(json.dumps(found))


def imports(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def files() -> list[str]:
    """Everything outside the interpreter's, the libraries' and the C library's folders."""
    known = ("/python", PACKAGES, "/usr/lib", "/lib64", "/lib")
    seen = []
    for folder, _, names in os.walk("/"):
        if not folder.startswith(known):
            seen += [os.path.join(folder, name) for name in names]
    return sorted(seen)


def signalled(pid: int) -> bool:
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        return True
    return False


def capabilities() -> str:
    held = ctypes.create_string_buffer(24)
    libc.capget(b"\x22\x05\x08\x20\0\0\0\0", held)
    return held.raw.hex()


def descriptors() -> dict[int, str]:
    seen = {}
    for descriptor in range(1024):
        with contextlib.suppress(OSError):
            mode = os.fstat(descriptor).st_mode
            kinds = {"pipe": stat.S_ISFIFO, "device": stat.S_ISCHR, "socket": stat.S_ISSOCK, "file": stat.S_ISREG}
            seen[descriptor] = next(name for name, is_kind in kinds.items() if is_kind(mode))
    return seen


def sockets() -> list[int]:
    opened = []
    for family in range(46):
        with contextlib.suppress(OSError):
            socket.socket(family, socket.SOCK_DGRAM)
            opened.append(family)
    return opened


def system_calls() -> list[str]:
    allowed = []
    for name, (numbers, arguments) in SYSTEM_CALLS.items():
        number = numbers[COLUMN]
        if number is None:
            continue
        ctypes.set_errno(0)
        libc.syscall(ctypes.c_long(number), *arguments)
        if ctypes.get_errno() not in {errno.EPERM, errno.ENOSYS}:
            allowed.append(name)
    return allowed


def lockable() -> list[str]:
    """Shared files that can be locked, as a way to signal to another session."""
    locked = []
    for path in ("/guest.py", "/packages/numpy/__init__.py"):
        for lock in (fcntl.flock, fcntl.lockf):
            with contextlib.suppress(OSError), open(path) as file:
                lock(file, fcntl.LOCK_SH)
                locked.append(path)
    return locked


def writable() -> list[str]:
    written = []
    for folder, _, _ in os.walk("/"):
        with contextlib.suppress(OSError):
            open(os.path.join(folder, "left"), "w").close()
            written.append(folder)
    return written


def marks() -> set[bytes]:
    """Secrets in objects, frames, readable files and raw memory."""
    seen: set[bytes] = set()
    frame: Any = sys._getframe()
    while frame is not None:
        seen.update(MARK.findall(repr((frame.f_locals, frame.f_code.co_consts)).encode()))
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing) in {dict, list, tuple, set}:
            members = thing.values() if type(thing) is dict else thing
            for member in members:
                if type(member) in {str, bytes, bytearray}:
                    seen.update(MARK.findall(member.encode("utf-8", "replace") if type(member) is str else member))
    for page in memory():
        seen.update(MARK.findall(page))
    return seen


def memory() -> Any:
    """Readable pages around objects of ours: write() says EFAULT for an address where nothing is."""
    buffers = [ctypes.create_string_buffer(size) for size in (40, 4000, 1 << 20)]
    origins = [id(object()), id([]), id(sys), id(probe), *map(ctypes.addressof, buffers)]
    pages = {(origin >> 12) + offset for origin in origins for offset in range(-2048, 2048)}
    before = b""  # a secret may lie across two pages
    with open("/tmp/page", "w+b", buffering=0) as file:
        for page in sorted(pages):
            os.lseek(file.fileno(), 0, 0)
            if libc.write(file.fileno(), ctypes.c_void_p(page << 12), 4096) == 4096:
                now = os.pread(file.fileno(), 4096, 0)
                yield before[-100:] + now
                before = now
