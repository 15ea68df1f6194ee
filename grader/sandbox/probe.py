"""What the audit hands in as a learner's source: each function tries to break one promise and says what it could do.

Runs in a session only; the empty text means that nothing could be done.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
import platform
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

np: Any = importlib.import_module("numpy")  # by name: it is a session that imports it, not the sandbox

# The interpreter's own folders, which in a container are where they are, and what beside them the root may have.
OWN = (sys.executable, os.__file__, np.__file__)
ROOT = {"dev", "guest.py", "lib", "lib64", "proc", "tmp", "usr"} | {path.split("/")[1] for path in OWN}
ENVIRONMENT = {
    "HOME", "LANG", "LD_LIBRARY_PATH", "MALLOC_ARENA_MAX", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "PWD", "PYTHONHASHSEED", "TORCHINDUCTOR_CACHE_DIR",
}  # fmt: skip
# name: (x86_64, aarch64)
DANGEROUS = {
    "ptrace": (101, 117), "mount": (165, 40), "unshare": (272, 97), "setns": (308, 268), "keyctl": (250, 219),
    "perf_event_open": (298, 241), "process_vm_readv": (310, 270), "memfd_create": (319, 279), "bpf": (321, 280),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "pidfd_open": (434, 434), "shmget": (29, 194),
}  # fmt: skip


def answer() -> float:
    return float(np.ones(3) @ np.ones(3))


def could(*attempts: tuple[str, Callable[[], object]]) -> str:
    """The names of the attempts that raised nothing."""
    done = []
    for name, attempt in attempts:
        try:
            attempt()
        except (OSError, MemoryError):
            continue
        done.append(name)
    return ", ".join(done)


def network() -> str:
    families = ("AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET")
    return could(*((name, lambda name=name: socket.socket(getattr(socket, name))) for name in families))


def files(project: str) -> str:
    seen = sorted(set(os.listdir("/")) - ROOT)
    others = [path for path in ("/etc", "/root", "/home", "/var", "/sys", "/run", project) if os.path.exists(path)]
    return ", ".join(seen + [path for path in others if not any(own.startswith(f"{path}/") for own in OWN)])


def environment() -> str:
    return ", ".join(sorted(set(os.environ) - ENVIRONMENT))


def processes() -> str:
    return ", ".join(os.listdir("/proc"))


def new_processes() -> str:
    return could(("fork", fork), ("exec", lambda: os.execv(sys.executable, ["python3"])))  # noqa: S606


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def threads() -> str:
    """More of them than a session may have."""
    done = threading.Event()
    started: list[threading.Thread] = []

    def start() -> None:
        thread = threading.Thread(target=done.wait)
        try:
            thread.start()
        except RuntimeError as error:  # Python's word for what the system refused
            raise OSError from error
        started.append(thread)

    def start_many() -> None:
        for _ in range(40):
            start()

    threading.stack_size(1 << 16)  # else the memory that they may take would run out first
    try:
        return could(("40 threads", start_many))
    finally:
        threading.stack_size(0)
        done.set()
        for thread in started:
            thread.join()


def writing() -> str:
    folders = ("/", "/dev", "/dev/shm", "/proc", "/usr", "/run", *(os.path.dirname(path) for path in OWN))  # noqa: S108
    return could(*((folder, lambda folder=folder: open(f"{folder}/left", "w").close()) for folder in folders))


def scratch() -> str:
    return could(("more than 16 MB in /tmp", lambda: open("/tmp/large", "wb").write(bytes(17 << 20))))  # noqa: S108


def identity() -> str:
    found = [f"uid {uid}" for uid in os.getresuid() if uid != 1000]
    held = ctypes.create_string_buffer(24)
    ctypes.CDLL(None).capget(b"\x22\x05\x08\x20\0\0\0\0", held)
    return ", ".join(found + (["capabilities"] if any(held.raw) else []))


def system_calls() -> str:
    column = 0 if platform.machine() == "x86_64" else 1
    libc = ctypes.CDLL(None, use_errno=True)
    done = []
    for name, numbers in DANGEROUS.items():
        ctypes.set_errno(0)
        libc.syscall(numbers[column], 0, 0, 0, 0, 0, 0)
        if ctypes.get_errno() not in {errno.EPERM, errno.ENOSYS}:
            done.append(name)
    return ", ".join(done)


def descriptors() -> str:
    found = []
    for descriptor in range(64):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return ", ".join(str(descriptor) for descriptor in found if descriptor > 3)


def leave_things_behind() -> str:
    with open("/tmp/left", "w") as file:  # noqa: S108
        file.write("left")
    np.exp = np.log
    np.random.seed(1)
    return ""


def left_behind() -> str:
    found = os.listdir("/tmp")  # noqa: S108
    return ", ".join(found + ([] if np.exp(0.0) == 1.0 else ["numpy.exp"]))


def take_memory() -> None:
    bytearray(200 << 20)


def take_time() -> None:
    while True:
        pass


def print_much() -> None:
    while True:
        print("x" * 4096)
