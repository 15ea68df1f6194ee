"""The only file of ours that runs beside a learner's code. It imports nothing else of ours.

Theory of operation
===================
Three kinds of process run this file, each forked from the one before:

*Parent*: started by bubblewrap with an empty environment, without network, on a read-only root that holds the
interpreter, the listed libraries and this file. It imports the libraries once, does with them what every session would
otherwise do for the first time, then waits on its control socket. Each request brings three descriptors: a session's
lifeline, its channel, and the write end of its output pipe.

*Monitor* (one a session): leaves the parent's process group, closes all but its descriptors, enters fresh user, pid,
mount, network, ipc, uts and cgroup namespaces, forks the learner's process, and waits. It never runs a learner's code
and keeps no channel to it. When the lifeline closes (the worker ended the session, or died) it kills the learner's
process and with it, as that is pid 1 of its namespace, every thread and process there. It alone reports how that
process ended and what it took, over the lifeline, which the learner's process does not hold.

*Learner's process*: pid 1 of its own namespace. Before it reads any source it takes from itself, in this order: every
descriptor but the channel and the standard streams; the view of other processes (/proc is covered); a /tmp that anyone
else uses (it gets an empty one of limited size); memory, threads and files beyond its limits; every capability, for
good; and every system call that is not in the list that the worker sent (the seccomp filter comes last, so nothing
after it can undo a step). Then it looks at what it has become, and only then says that it is ready. If any step fails
it reports a fault and ends: it fails closed, and no source was ever there.

What it may know: the source, the arguments of the call it is on, and objects that earlier calls had it keep (the worker
knows their names, never the objects). References, expected values, seeds, tolerances, clock and verdict live in the
worker, which reads nothing from here but bytes. So no check in this file defends a verdict: whoever takes over this
process can write any frame to the channel, and that is no more than a wrong answer. The functions bound early below
only keep *honest* code that shadows or patches a library from confusing this file.

Frames, both ways: two 32-bit big-endian lengths, a JSON header of the first length, raw buffers of the second together.
"""

from __future__ import annotations

import array
import collections.abc
import contextlib
import ctypes
import gc
import importlib
import inspect
import json
import linecache
import math
import os
import random
import resource
import select
import signal
import socket
import struct
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

PACKAGES = "/packages"  # where the jail has the listed libraries
SUBMISSION = "submission"  # the module's name; its file is shown to learners as submission.py
SCRATCH_FILES = 1024
SETTINGS_BYTES = 1 << 17  # the filter is most of them
CHANNEL = 3  # the channel's descriptor in a learner's process
HOST_NAME = "sandbox"
SIGNALS_WAITING = 128  # that a session may have sent itself and not received: they are the kernel's memory
NEW_ROOT = "/tmp"  # noqa: S108 a folder that every container has, and that is covered while the root is built
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
ORDINARY_ID = 65533  # what a jail that root started becomes: no user of a distribution, and mapped in containers
INSIDE_ID = 1000  # the user's and group's id as a learner's process sees it
WARM_IMPORTS = ("numpy.random", "numpy.linalg", "numpy.fft", "dataclasses", "typing")
TENSOR_DTYPES = (
    "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool",
    "complex64", "complex128",
)  # fmt: skip
TENSOR_DEVICES = ("cpu", "cuda", "meta")

MESSAGE_CHARACTERS = 2_000
TEXT_CHARACTERS = 1_000
TRACEBACK_CHARACTERS = 4_000
INTEGER_BITS = 3_300  # below 1,000 decimal digits
SEQUENCE_ITEMS = 8
SEQUENCE_DEPTH = 2
AXES, AXIS_LENGTH = 64, 10**9
GRAPH_NAMES, GRAPH_CHARACTERS = 200, 100
MEMORY_RESERVE = 32 * 1024 * 1024  # above the soft limit, to answer from after a MemoryError

# Linux's numbers; the same on every architecture.
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, SECCOMP_MODE_FILTER = 38, 47, 4, 2
NEW_NAMESPACES = 0x10000000 | 0x20000000 | 0x00020000 | 0x40000000 | 0x08000000 | 0x04000000 | 0x02000000
#                user         pid          mount        network      ipc          uts          cgroup
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 16384
MS_PRIVATE, MNT_DETACH = 1 << 18, 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}  # by machine; the C library has no function for it
PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS = 2, 3, 23, 39
CAPABILITY_VERSION_3 = 0x20080522
HUGE_PAGE, MADV_COLLAPSE = 1 << 21, 25
NAMESPACES = ("user", "pid_for_children", "mnt", "net", "ipc", "uts", "cgroup")  # as /proc names them

# Landlock's numbers are the same on every architecture. How many rights a kernel knows, by its version of the
# interface: the second has REFER, the third TRUNCATE, the fifth IOCTL_DEV. The fourth knows TCP, the sixth scopes.
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT, LANDLOCK_VERSION, LANDLOCK_BENEATH = 444, 445, 446, 1, 1
LANDLOCK_RIGHTS = {2: 14, 3: 15, 4: 15, 5: 16}
LANDLOCK_TCP, LANDLOCK_SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5
MAKE_DIR, MAKE_REG, REFER, TRUNCATE, IOCTL_DEV = 1 << 7, 1 << 8, 1 << 13, 1 << 14, 1 << 15

libc = ctypes.CDLL(None, use_errno=True)


class ConfinementError(Exception):
    """A step of ours did not work: the jail must not run anything."""


def checked(step: str, status: int) -> None:
    """Raises ConfinementError for the status -1 of a libc function."""
    if status == -1:
        code = ctypes.get_errno()
        raise ConfinementError(f"{step}: {os.strerror(code)}")


def prctl(step: str, option: int, *arguments: int) -> None:
    padded = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    checked(step, libc.prctl(option, *padded))


# ---- The parent -----------------------------------------------------------------------------------------------------


def main() -> None:
    """`guest.py DESCRIPTOR` (of the control socket) or `guest.py SOCKET SETTINGS` (see listen)."""
    if len(sys.argv) > 2:
        listen(sys.argv[1], json.loads(sys.argv[2]))
    control = socket.socket(fileno=int(sys.argv[1]))
    give_up_root()
    settings = json.loads(control.recv(SETTINGS_BYTES))
    codec = prepare(PACKAGES, settings["libraries"])
    serve_worker(control, settings, codec)


def listen(address: str, settings: dict[str, Any]) -> None:
    """In a container, which is the outer jail: a parent for each connection, forked from this warm process."""
    give_up_root()
    codec = prepare(settings["packages"], settings["libraries"])
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # as pid 1 of its container it would be ignored
    os.umask(0o007)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(address)  # of the one before this one
            listening.bind(address)
        except OSError as error:
            sys.exit(f"cannot listen at {address}: {error}; its folder must be there, and user {os.getuid()} may write")
        listening.listen(64)
        print(f"listening at {address}, with {', '.join(settings['libraries'])}", flush=True)
        while True:
            control, _ = listening.accept()
            with control:
                try:
                    child = os.fork()
                except OSError as error:  # the container has no processes left: of others' sessions, which go on
                    print(f"no parent for a worker: {error}", flush=True)
                    continue
                if child == 0:
                    try:
                        keep_parent(control, settings["root"], codec)
                    finally:
                        traceback.print_exc()
                        os._exit(1)


def keep_parent(control: socket.socket, root: list[dict[str, str]], codec: Codec) -> None:
    """A parent that is pid 1 of a namespace of its own, so that all its sessions end with it.

    This process outlives every one there and holds the connection until then: the worker sees by it that none is left.
    """
    leave_group()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    keep_descriptors([0, 1, 2, control.fileno()])
    settings = json.loads(control.recv(SETTINGS_BYTES))  # now: what was sent and not read would drown what is answered
    try:
        enter_namespaces()
        child = os.fork()
        if child == 0:
            prctl("parent's death", PR_SET_PDEATHSIG, signal.SIGKILL)
            enter_root(root)
            drop_capabilities()
            serve_worker(control, settings, codec)
        drop_capabilities()
        os.waitpid(child, 0)
    except (ConfinementError, OSError) as error:
        control.send(f"{type(error).__name__}: {error}".encode())
    os._exit(0)


def enter_root(places: list[dict[str, str]]) -> None:
    """A read-only root of nothing but these places, each at its own path: the files and folders of the container that
    are to be seen ("bind"), and folders that are to be empty ("cover"). And three devices.

    Bubblewrap does the same outside of containers.
    """
    checked("private mounts", libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    mount_tmpfs(NEW_ROOT, "size=1m,mode=0755", 0)
    for folder in ("/tmp", "/proc", "/dev"):  # noqa: S108 covered in each session
        os.makedirs(NEW_ROOT + folder)
    bind("/proc", MS_REC)
    for device in DEVICES:
        bind(device)
    for place in places:
        if "cover" in place:
            mount_tmpfs(NEW_ROOT + place["cover"], "size=1m,mode=0755", 0)
        else:
            bind(place["bind"])
    for place in places:
        make_read_only(NEW_ROOT + (place.get("bind") or place["cover"]))
    checked("pivot_root", libc.syscall(PIVOT_ROOT[os.uname().machine], NEW_ROOT.encode(), NEW_ROOT.encode()))
    checked("umount2", libc.umount2(b"/", MNT_DETACH))  # the old root, which lies over the new one
    os.chdir("/")
    make_read_only("/")


def bind(source: str, flags: int = 0) -> None:
    target = NEW_ROOT + source
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "a", encoding="utf-8"):
            pass
    checked(f"bind {source}", libc.mount(source.encode(), target.encode(), None, MS_BIND | flags, None))


def make_read_only(path: str) -> None:
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
    checked(f"remount {path}", libc.mount(None, path.encode(), None, flags, None))


def prepare(packages: str, libraries: collections.abc.Iterable[str]) -> Codec:
    """Imports the libraries, and makes all of it memory that sessions share."""
    sys.path.append(packages)
    for library in libraries:
        importlib.import_module(library)
    codec = warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the kernel
    gc.collect()
    libc.malloc_trim(0)  # memory that is free here, but resident, would hide as much of what a session takes
    gc.freeze()  # a session's collector neither visits nor copies what the parent holds
    use_huge_pages()
    return codec


def use_huge_pages() -> None:
    """Halves the time of a fork, which copies the tables of pages, not the pages. Where a kernel (before 6.1) has none
    to give, sessions only start more slowly."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        mapped = [line.split() for line in maps]
    for places, rights, _, _, _, *name in mapped:
        if rights == "rw-p" and name in ([], ["[heap]"]):
            start, end = (int(place, 16) for place in places.split("-"))
            for page in range(-(-start // HUGE_PAGE) * HUGE_PAGE, end // HUGE_PAGE * HUGE_PAGE, HUGE_PAGE):
                libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(HUGE_PAGE), MADV_COLLAPSE)


def serve_worker(control: socket.socket, settings: dict[str, Any], codec: Codec) -> None:
    """Sessions for one worker, until it closes the control socket. Never returns."""
    if missing := [library for library in settings["libraries"] if library not in sys.modules]:
        control.send(f"the sandbox has no {', '.join(missing)}".encode())
        os._exit(1)
    program = bytes.fromhex(settings["filter"])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)
    control.send(b"ready")
    while True:
        request, descriptors = receive_request(control)
        fork_monitor(request, descriptors, program, codec)
        for descriptor in descriptors:
            os.close(descriptor)


def warm_up() -> Codec:
    """Does once what every session would otherwise do anew: lazy imports, BLAS's buffers, first uses."""
    for module in WARM_IMPORTS:
        importlib.import_module(module)
    numpy = sys.modules["numpy"]
    numpy.exp(numpy.ones((8, 8)) @ numpy.ones((8, 8))).sum()
    if "torch" in sys.modules:
        warm_up_torch(sys.modules["torch"])
    signature(main)
    sys.argv = sys.orig_argv = [f"{SUBMISSION}.py"]
    return Codec()


def warm_up_torch(torch: Any) -> None:
    """Forwards only, and never CUDA: neither the threads of the engine for gradients nor a GPU survives a fork."""
    torch.set_num_threads(1)  # before any operation: a forked process would wait for threads that it did not inherit
    torch.set_num_interop_threads(1)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = "/tmp"  # noqa: S108 else the imports want to make a folder there, now
    do_without_compiler()
    # The first operation finds out what the processor can do, in /proc, which sessions do not see. The first on "meta"
    # imports for most of a second, and so would the first gradient.
    for device in ("cpu", "meta"):
        for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
            tokens = torch.ones(2, 8, 8, dtype=dtype, device=device)
            scores = torch.einsum("btd,bsd->bts", tokens, tokens) / 8**0.5 + tokens @ tokens.transpose(-2, -1)
            hidden = torch.ones(8, 8, dtype=torch.bool, device=device).triu(1)
            scores = torch.where(hidden, float("-inf"), scores).masked_fill(~hidden.tril(), float("-inf"))
            exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
            torch.softmax(scores, dim=-1) @ tokens + exponentials / exponentials.sum(dim=-1, keepdim=True)


def do_without_compiler() -> None:
    """Spares every session the 40 MB of torch.compile's machinery, which the first call of many a function of
    PyTorch's would import, only to be marked as nothing to compile. Marks them all; who compiles still can.
    """
    compiling = sys.modules["torch._compile"]
    wrapper = next(each for each in compiling._disable_dynamo.__code__.co_consts if type(each) is types.CodeType)
    for function in gc.get_objects():
        if type(function) is types.FunctionType and function.__code__ is wrapper:
            wrapped = inspect.getclosurevars(function).nonlocals["fn"]
            vars(wrapped)["__dynamo_disable"] = wrapped


def give_up_root() -> None:
    """A jail that root started becomes an ordinary user, for good. (As root, limits on processes would not hold.)"""
    if os.getuid() != 0 and os.geteuid() != 0:
        return
    os.setgroups([])
    os.setresgid(ORDINARY_ID, ORDINARY_ID, ORDINARY_ID)
    os.setresuid(ORDINARY_ID, ORDINARY_ID, ORDINARY_ID)
    try:
        os.setuid(0)
    except PermissionError:
        prctl("dumpable", PR_SET_DUMPABLE, 1)  # else the monitor may not write its own uid_map
    else:
        raise ConfinementError("could become root again")


def receive_request(control: socket.socket) -> tuple[dict[str, int], list[int]]:
    """The next session's limits and its descriptors (lifeline, channel, output). Ends with the worker."""
    descriptors = array.array("i")
    message, ancillary, _, _ = control.recvmsg(4096, socket.CMSG_SPACE(3 * descriptors.itemsize))
    if not message:
        os._exit(0)  # the worker closed the control socket, or died
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) // descriptors.itemsize * descriptors.itemsize])
    return json.loads(message), list(descriptors)


def fork_monitor(limits: dict[str, int], descriptors: list[int], program: bytes, codec: Codec) -> None:
    try:
        child = os.fork()
    except OSError as error:  # no process or no memory is left: this session's fault, and the others go on
        with contextlib.suppress(OSError):  # the worker may have let go of it
            os.write(descriptors[0], json.dumps({"fault": f"no process for a session: {error}"}).encode())
        return
    if child != 0:
        return
    try:
        monitor(limits, descriptors, program, codec)
    finally:
        os._exit(1)


# ---- The monitor ----------------------------------------------------------------------------------------------------


def monitor(limits: dict[str, int], descriptors: list[int], program: bytes, codec: Codec) -> None:
    lifeline = socket.socket(fileno=descriptors[0])
    parent = {"parent_kb": resident_kb()}  # a process just forked holds what its parent does
    try:
        leave_group()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        keep_descriptors([0, 1, 2, *descriptors])
        enter_namespaces()
        child = os.fork()
        if child == 0:
            try:
                lifeline.close()
                learner_process(limits, descriptors[1], descriptors[2], program, codec)
            finally:
                os._exit(70)
        os.close(descriptors[1])
        os.close(descriptors[2])
        report = wait_for_end(lifeline, child)
    except BaseException as error:  # noqa: BLE001 told to the worker, whatever it is
        report = {"fault": f"{type(error).__name__}: {error}"}
    lifeline.send(json.dumps({**report, **parent}).encode())
    os._exit(0)


def resident_kb() -> int:
    with open("/proc/self/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def leave_group() -> None:
    """A signal to "my process group" from the learner's process must not reach the parent."""
    os.setsid()
    if os.getpgrp() != os.getpid():
        raise ConfinementError("still in the process group of its parent")


def keep_descriptors(kept: list[int]) -> None:
    low = 0
    for descriptor in sorted(kept):
        if low < descriptor:  # an empty range closes everything
            os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, 1 << 20)


def enter_namespaces() -> None:
    """Fresh namespaces; the next child is pid 1 of its own. The uid is mapped to an ordinary one, not to 0."""
    user, group = os.getuid(), os.getgid()
    before = namespaces()
    checked("unshare", libc.unshare(NEW_NAMESPACES))
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{INSIDE_ID} {user} 1"),
        ("gid_map", f"{INSIDE_ID} {group} 1"),
    ):
        write_file(f"/proc/self/{name}", text)
    checked("host's name", libc.sethostname(HOST_NAME.encode(), ctypes.c_size_t(len(HOST_NAME))))
    if kept := before & namespaces():
        raise ConfinementError(f"still in the namespaces of its parent: {', '.join(sorted(kept))}")


def namespaces() -> set[str]:
    """Each with its number; of pids the one that the next child will be in, which has none before that child."""
    found = set()
    for name in NAMESPACES:
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(f"/proc/self/ns/{name}"))
    return found


def wait_for_end(lifeline: socket.socket, child: int) -> dict[str, Any]:
    """How the learner's process ended and what it took; kills it once the worker shuts its end of the lifeline."""
    process = os.pidfd_open(child)
    poller = select.poll()
    poller.register(lifeline, select.POLLIN)
    poller.register(process, select.POLLIN)
    if process not in [descriptor for descriptor, _ in poller.poll()]:
        os.kill(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    usage = {"peak_kb": used.ru_maxrss, "cpu_ms": (used.ru_utime + used.ru_stime) * 1000}
    if os.WIFSIGNALED(status):
        return {"signal": os.WTERMSIG(status), **usage}
    return {"exit": os.WEXITSTATUS(status), **usage}


# ---- The learner's process, before any source -----------------------------------------------------------------------


def learner_process(limits: dict[str, int], channel: int, output: int, program: bytes, codec: Codec) -> None:
    channel = arrange_descriptors(channel, output)
    try:
        most = confine(limits)
        verify_confinement(limits, most)
        install_filter(program)
        verify_filter()
        if limits["gpu"]:
            start_cuda(sys.modules["torch"])
    except BaseException as error:  # noqa: BLE001 told to the worker, whatever it is
        write_frame(channel, {"fault": f"{type(error).__name__}: {error}"}, [])
        os._exit(71)
    write_frame(channel, {"ready": True}, [])
    serve(channel, codec)


def arrange_descriptors(channel: int, output: int) -> int:
    """Standard input empty, output and errors to the worker's pipe, the channel, and nothing else."""
    channel, output = os.dup(channel), os.dup(output)  # out of the way of 0 to 3
    null = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((null, 0), (output, 1), (output, 2), (channel, CHANNEL)):
        os.dup2(source, target)
    keep_descriptors([0, 1, 2, CHANNEL])
    # One stream for both, so that what is printed keeps its order.
    stream = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = stream  # type: ignore[misc]
    return CHANNEL


def confine(limits: dict[str, int]) -> dict[int, tuple[int, int]]:
    """Returns the limits that were set."""
    prctl("parent's death", PR_SET_PDEATHSIG, signal.SIGKILL)
    write_file("/proc/self/oom_score_adj", "1000")  # if the machine runs short, not the worker
    most = resource_limits(limits)
    checked("private mounts", libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    mount_tmpfs("/tmp", f"size={limits['scratch']},nr_inodes={SCRATCH_FILES},mode=0700", 0)  # noqa: S108 in the jail
    mount_tmpfs("/proc", "size=4k,nr_inodes=1,mode=0555", MS_RDONLY)  # no view of any process
    os.chdir("/tmp")  # noqa: S108
    os.umask(0o077)
    for kind, limit in most.items():
        resource.setrlimit(kind, limit)
    seed_random_state()
    drop_capabilities()
    prctl("dumpable", PR_SET_DUMPABLE, 0)  # no core dump, not even to a handler of the machine's
    prctl("no new privileges", PR_SET_NO_NEW_PRIVS, 1)
    restrict_by_landlock(bool(limits["gpu"]))
    return most


def resource_limits(limits: dict[str, int]) -> dict[int, tuple[int, int]]:
    """The soft and the hard limit of each kind. To be asked while /proc still tells what this process takes."""
    with open("/proc/self/statm", encoding="utf-8") as file:
        pages = [int(count) for count in file.read().split()]
    # CUDA reserves more addresses than any machine has memory: with a GPU what is written to is limited, and not all.
    counted, taken = (resource.RLIMIT_DATA, pages[5]) if limits["gpu"] else (resource.RLIMIT_AS, pages[0])
    memory = taken * resource.getpagesize() + limits["memory"]
    most = {
        resource.RLIMIT_NPROC: limits["threads"],
        resource.RLIMIT_FSIZE: limits["scratch"],
        resource.RLIMIT_NOFILE: 256 if limits["gpu"] else 64,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: SIGNALS_WAITING,
        resource.RLIMIT_STACK: 8 << 20,
    }
    for kind, limit in most.items():
        ceiling = resource.getrlimit(kind)[1]  # the machine's, which may be lower already
        most[kind] = limit if ceiling == resource.RLIM_INFINITY else min(limit, ceiling)
    return {counted: (memory, memory + MEMORY_RESERVE), **{kind: (limit, limit) for kind, limit in most.items()}}


def write_file(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def mount_tmpfs(path: str, options: str, flags: int) -> None:
    flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC
    checked(f"mount {path}", libc.mount(b"tmpfs", path.encode(), b"tmpfs", flags, options.encode()))


def seed_random_state() -> None:
    """The same in every session, so that unseeded code behaves alike, and nothing of the parent's is inherited."""
    random.seed(0)
    sys.modules["numpy"].random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def start_cuda(torch: Any) -> None:
    """The first touch of CUDA, of which nothing survives a fork. Before any source is there: it is not on its time."""
    (torch.ones(8, 8, device="cuda") @ torch.ones(8, 8, device="cuda")).sum().item()


def drop_capabilities() -> None:
    """All of them, from every set: with them the process could unmount what covers /proc."""
    number = 0
    while libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0) == 0:
        number += 1
    if number < 38:  # Linux 5.3 has 38; the first number refused is the first unknown one
        raise ConfinementError(f"capability {number} could not be dropped from the bounding set")
    prctl("ambient capabilities", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    checked("capset", libc.capset(header, bytes(24)))


def restrict_by_landlock(gpu: bool) -> None:
    """A layer more, where the kernel has it: files may be read, changed in /tmp only, and no program run."""
    version = libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), LANDLOCK_VERSION)
    if version < 2:  # the first refuses to move a file between folders, which honest code does in its /tmp
        return
    known = (1 << LANDLOCK_RIGHTS[min(version, max(LANDLOCK_RIGHTS))]) - 1
    described = struct.pack("QQQ", known, LANDLOCK_TCP if version >= 4 else 0, LANDLOCK_SCOPES if version >= 6 else 0)
    described = described[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset = libc.syscall(LANDLOCK_CREATE, described, ctypes.c_size_t(len(described)), 0)
    checked("landlock", ruleset)
    changing = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
    allowed = {"/": READ_FILE | READ_DIR, "/tmp": changing, "/dev": WRITE_FILE | (IOCTL_DEV if gpu else 0)}  # noqa: S108
    for place, rights in allowed.items():
        beneath = os.open(place, os.O_PATH)
        rule = struct.pack("=Qi", rights & known, beneath)
        checked(f"landlock {place}", libc.syscall(LANDLOCK_ADD, ruleset, LANDLOCK_BENEATH, rule, 0))
        os.close(beneath)
    checked("landlock", libc.syscall(LANDLOCK_RESTRICT, ruleset, 0))
    os.close(ruleset)


def install_filter(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    described = Program(len(program) // 8, program)
    checked("seccomp", libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), ctypes.byref(described), 0, 0))


def verify_confinement(limits: dict[str, int], most: dict[int, tuple[int, int]]) -> None:
    """What can be seen from inside, while it can still be asked. A miss: a step above did not do what it says."""
    capabilities = ctypes.create_string_buffer(24)
    checked("capget", libc.capget(struct.pack("Ii", CAPABILITY_VERSION_3, 0), capabilities))
    death = ctypes.c_int()
    libc.prctl(PR_GET_PDEATHSIG, ctypes.byref(death), 0, 0, 0)
    scratch, root, covered = os.statvfs("/tmp"), os.statvfs("/"), os.statvfs("/proc")  # noqa: S108
    refused = os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC
    assure(
        {
            "is pid 1 of its namespace": os.getpid() == 1,
            "is an ordinary user": os.getresuid() == (INSIDE_ID,) * 3 and os.getresgid() == (INSIDE_ID,) * 3,
            "ends with its monitor": death.value == signal.SIGKILL,
            "holds no descriptor but its own": open_descriptors() == [0, 1, 2, CHANNEL],
            "sees no process": os.listdir("/proc") == [] and bool(covered.f_flag & os.ST_RDONLY),
            "has a read-only root": bool(root.f_flag & os.ST_RDONLY),
            "has an empty /tmp": os.listdir("/tmp") == [] and scratch.f_flag & refused == refused,  # noqa: S108
            "has a /tmp of limited size": scratch.f_blocks * scratch.f_frsize <= limits["scratch"] + (1 << 16)
            and scratch.f_files <= SCRATCH_FILES,
            "makes files for itself alone": os.umask(0o077) == 0o077,
            "is in its own folder": os.getcwd() == "/tmp",  # noqa: S108
            "is called like every other": os.uname().nodename == HOST_NAME,
            "is limited": all(resource.getrlimit(kind) == limit for kind, limit in most.items()),
            "has no capability": not any(capabilities.raw),
            "can get no capability": not any(libc.prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1 for number in range(64)),
            "leaves no core dump": libc.prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0,
            "can get no new privileges": libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1,
        }
    )


def verify_filter() -> None:
    assure({"cannot fork": not can_fork(), "cannot open a socket": not can_open_socket()})


def assure(seen: dict[str, bool]) -> None:
    if missed := [name for name, holds in seen.items() if not holds]:
        raise ConfinementError("the learner's process does not hold: " + "; ".join(missed))


def open_descriptors() -> list[int]:
    found = []
    for descriptor in range(resource.getrlimit(resource.RLIMIT_NOFILE)[0]):
        with contextlib.suppress(OSError):
            os.fstat(descriptor)
            found.append(descriptor)
    return found


def can_fork() -> bool:
    try:
        child = os.fork()
    except PermissionError:
        return False
    if child == 0:
        os._exit(0)
    return True


def can_open_socket() -> bool:
    try:
        socket.socket(socket.AF_UNIX).close()
    except PermissionError:
        return False
    return True


# ---- Frames ---------------------------------------------------------------------------------------------------------

encode_json = json.JSONEncoder(ensure_ascii=False).encode
decode_json = json.JSONDecoder().decode
lengths = struct.Struct(">II")


def write_frame(channel: int, header: dict[str, Any], buffers: list[Any], write: Any = os.write) -> None:
    text = encode_json(header).encode("utf-8", "replace")
    size = sum(len(buffer) for buffer in buffers)
    for part in (lengths.pack(len(text), size) + text, *buffers):
        view = memoryview(part)
        while view:
            view = view[write(channel, view) :]


def read_exactly(channel: int, view: memoryview, readv: Any = os.readv) -> None:
    while view:
        count = readv(channel, [view])
        if count == 0:
            os._exit(0)  # the worker ended the session
        view = view[count:]


def read_bytes(channel: int, size: int) -> bytes:
    buffer = bytearray(size)
    read_exactly(channel, memoryview(buffer))
    return bytes(buffer)


# ---- Values ---------------------------------------------------------------------------------------------------------


FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float.fromhex,
    "bool": "True".__eq__,
    "none": lambda _: None,
    "text": str,
}


class OversizeError(Exception):
    """The result does not fit the reply."""


class Kept:
    """Stands in a result in the place of what stays here."""

    def __init__(self, name: str) -> None:
        self.name = name


class Codec:
    """Turns frames' values into Python's and back. Made before any source runs, so it holds NumPy's own functions."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.tensors = Tensors(sys.modules["torch"]) if "torch" in sys.modules else None
        numpy = sys.modules["numpy"]
        self.ndarray, self.generic, self.dtype = numpy.ndarray, numpy.generic, numpy.dtype
        self.empty, self.asarray, self.uint8 = numpy.empty, numpy.asarray, numpy.dtype("u1")

    def read(self, channel: int, described: dict[str, Any]) -> Any:
        """One argument, whose bytes follow on the channel in the order of the header."""
        kind = described["kind"]
        if kind in {"array", "scalar"}:
            value = self.empty(described.get("shape", ()), dtype=self.dtype(described["dtype"]))
            if value.size:
                read_exactly(channel, memoryview(value.reshape(-1).view(self.uint8)))
            return value if kind == "array" else value[()]
        if kind == "tensor" and self.tensors:
            return self.tensors.read(channel, described)
        if kind == "kept":
            return self.kept[described["text"]]
        if kind == "sequence":
            return [self.read(channel, item) for item in described["items"]]
        return FROM_TEXT[kind](described.get("text", ""))

    def describe(self, value: Any, buffers: list[Any], room: int, depth: int = 0) -> dict[str, Any]:
        """A result as a header's entry; bytes of arrays go to `buffers`. Raises OversizeError beyond `room` bytes."""
        kind = type(value)
        if kind is self.ndarray or issubclass(kind, self.generic):
            return self.describe_numbers(value, buffers, room)
        if self.tensors and kind is self.tensors.tensor:
            return self.tensors.describe(value, buffers, room)
        if kind is Kept:
            return {"kind": "kept", "text": value.name}
        if value is None:
            return {"kind": "none"}
        if kind is bool:
            return {"kind": "bool", "text": str(value)}
        if kind is int:
            fits = value.bit_length() <= INTEGER_BITS
            return {"kind": "int", "text": str(value)} if fits else {"kind": "other", "text": "int of over 990 digits"}
        if kind is float:
            return {"kind": "float", "text": value.hex()}
        if kind is str:
            return {"kind": "text", "text": value[:TEXT_CHARACTERS]}
        if is_sequence(value):
            return self.describe_sequence(value, buffers, room, depth)
        return {"kind": "other", "text": type_name(value)}

    def describe_numbers(self, value: Any, buffers: list[Any], room: int) -> dict[str, Any]:
        name = type_name(value)
        if value.dtype.kind not in "biufc":
            return {"kind": "other", "text": f"{name} of dtype {value.dtype}"[:200]}
        if value.ndim and max(value.shape) > AXIS_LENGTH:
            return {"kind": "other", "text": f"{name} of shape {value.shape}"[:200]}
        claim_room(math.prod(value.shape) * value.dtype.itemsize, buffers, room)
        plain = self.asarray(value, dtype=value.dtype.newbyteorder("<"), order="C")
        data = memoryview(plain.reshape(-1).view(self.uint8)) if plain.size else b""
        buffers.append(data)
        described = {"kind": "array", "dtype": plain.dtype.str, "shape": plain.shape, "bytes": len(data)}
        return described if type(value) is self.ndarray else {**described, "kind": "scalar"}

    def describe_sequence(self, value: Any, buffers: list[Any], room: int, depth: int) -> dict[str, Any]:
        name, count = type_name(value), len(value)
        if depth == SEQUENCE_DEPTH or count > SEQUENCE_ITEMS:
            return {"kind": "other", "text": f"{name} of {count} items"}
        items = [value[index] for index in range(count)]
        return {"kind": "sequence", "items": [self.describe(item, buffers, room, depth + 1) for item in items]}

    def keep(self, result: Any, name: str, position: int | None) -> Any:
        """The result with what is kept of it replaced; the result itself where it has no such item."""
        if position is None:
            self.kept[name] = result
            return Kept(name)
        if not is_sequence(result) or not position < len(result) <= SEQUENCE_ITEMS:
            return result
        items = [result[index] for index in range(len(result))]
        self.kept[name], items[position] = items[position], Kept(name)
        return items


class Tensors:
    """PyTorch's part of the codec, likewise made before any source runs."""

    def __init__(self, torch: Any) -> None:
        self.tensor, self.strided, self.uint8 = torch.Tensor, torch.strided, torch.uint8
        self.empty, self.gradient = torch.empty, torch.autograd.grad
        self.dtypes = {name: getattr(torch, name) for name in TENSOR_DTYPES}
        self.names = {dtype: name for name, dtype in self.dtypes.items()}

    def read(self, channel: int, described: dict[str, Any]) -> Any:
        device = described["text"]
        first = "cpu" if device == "cuda" else device
        tensor = self.empty(described["shape"], dtype=self.dtypes[described["dtype"]], device=first)
        if first == "cpu":
            read_exactly(channel, self.bytes_of(tensor))
        return tensor.to(device)

    def describe(self, value: Any, buffers: list[Any], room: int) -> dict[str, Any]:
        """Its bytes are copied to the CPU from wherever it is; a tensor on "meta" has none."""
        unusual = self.unusual(value)
        if unusual:
            return {"kind": "other", "text": f"torch.Tensor {unusual}"[:200]}
        dtype, device = self.names[value.dtype], value.device.type
        if device != "meta":
            claim_room(value.numel() * value.element_size(), buffers, room)
            buffers.append(self.bytes_of(value.detach().cpu().resolve_conj().resolve_neg().contiguous()))
        return {"kind": "tensor", "dtype": dtype, "shape": list(value.shape), "text": device}

    def unusual(self, value: Any) -> str:
        """Why a tensor cannot be sent as numbers in C order; nothing where it can."""
        if value.is_nested or value.layout is not self.strided:
            return f"of layout {'nested' if value.is_nested else value.layout}"
        if value.dtype not in self.names:
            return f"of dtype {value.dtype}"
        if value.device.type not in TENSOR_DEVICES:
            return f"on {value.device}"
        if value.ndim > AXES or max(value.shape, default=0) > AXIS_LENGTH:
            return f"of shape {list(value.shape)}"
        return ""

    def bytes_of(self, tensor: Any) -> memoryview:
        """The memory of a contiguous tensor on the CPU. NumPy knows no bfloat16, but every number is bytes."""
        return memoryview(tensor.reshape(-1).view(self.uint8).numpy()) if tensor.numel() else memoryview(b"")

    def leaves(self, request: dict[str, Any], arguments: list[Any]) -> list[Any]:
        """The tensors that were sent as arguments; those that can have gradients require them from here on."""
        sent = zip(request["args"], arguments, strict=True)
        tensors = [argument for described, argument in sent if described["kind"] == "tensor"]
        return [leaf.requires_grad_() if leaf.is_floating_point() else leaf for leaf in tensors]

    def backward(self, result: Any, leaves: list[Any], cotangent: Any) -> tuple[list[Any], list[str]]:
        """A gradient or None for each leaf, and the graph's names; nothing where the result has not the right shape."""
        if type(result) is not self.tensor or result.shape != cotangent.shape:
            return [], []
        wanted = [leaf.requires_grad and result.requires_grad for leaf in leaves]
        inputs = [leaf for leaf, asked in zip(leaves, wanted, strict=True) if asked]
        cotangent = cotangent.to(result.device, result.dtype)
        found = iter(self.gradient(result, inputs, cotangent, allow_unused=True) if inputs else ())
        return [next(found) if asked else None for asked in wanted], self.graph(result.grad_fn)

    def graph(self, root: Any) -> list[str]:
        """The names of the autograd nodes that can be reached from `root`, each once."""
        names: dict[str, None] = {}
        seen, waiting = set(), [root]
        while waiting and len(names) < GRAPH_NAMES:
            node = waiting.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            names[node.name()[:GRAPH_CHARACTERS]] = None
            waiting += [following for following, _ in node.next_functions]
        return list(names)


def is_sequence(value: Any) -> bool:
    return isinstance(value, collections.abc.Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview))


def claim_room(size: int, buffers: list[Any], room: int) -> None:
    """Raises OversizeError where `size` bytes more are too many."""
    if size > room - sum(len(buffer) for buffer in buffers):
        raise OversizeError


def type_name(value: Any) -> str:
    kind = type(value)
    module = kind.__module__
    name = kind.__qualname__ if module in {"builtins", SUBMISSION} else f"{module}.{kind.__qualname__}"
    return str(name)[:200]


# ---- Running a learner's code ---------------------------------------------------------------------------------------


def serve(channel: int, codec: Codec) -> None:
    """Answers requests until the worker closes the channel: the source first, then calls."""
    module = types.ModuleType(SUBMISSION)
    module.__file__ = f"{SUBMISSION}.py"
    sys.modules[SUBMISSION] = module
    flush = sys.stdout.flush
    while True:
        header_size, _ = lengths.unpack(read_bytes(channel, lengths.size))
        request = decode_json(read_bytes(channel, header_size).decode())
        buffers: list[Any] = []
        answer = answer_request(channel, request, module, codec, buffers)
        with contextlib.suppress(Exception):  # the learner may have closed the stream
            flush()
        write_frame(channel, {"nonce": request["nonce"], **answer}, buffers)


def answer_request(
    channel: int, request: dict[str, Any], module: types.ModuleType, codec: Codec, buffers: list[Any]
) -> dict[str, Any]:
    try:
        if request["op"] == "load":
            return load(read_bytes(channel, request["size"]), request["entry"], module)
        arguments = [codec.read(channel, described) for described in request["args"]]
        named = {name: codec.read(channel, described) for name, described in request["kwargs"].items()}
        cotangent = codec.read(channel, request["cotangent"]) if "cotangent" in request else None
        return call(request, arguments, named, cotangent, module, codec, buffers)
    except OversizeError:
        buffers.clear()
        return {"outcome": "too-large"}
    except SystemExit as leaving:
        buffers.clear()
        return {"outcome": "exited", "error": {"type": "SystemExit", "message": exit_code(leaving)}}
    except BaseException as error:  # noqa: BLE001 whatever a learner's code raises
        buffers.clear()
        if is_out_of_memory(error):
            for counted in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
                resource.setrlimit(counted, (resource.getrlimit(counted)[1],) * 2)
            return {"outcome": "memory"}
        return {"outcome": "raised", "error": describe_error(error)}


def load(source: bytes, entry: str, module: types.ModuleType) -> dict[str, Any]:
    text = source.decode()
    name = f"{SUBMISSION}.py"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    try:
        code = compile(text, name, "exec", dont_inherit=True)
    except MemoryError:  # the parser's word for its own stack: a source that may be sent cannot exhaust the memory
        raise SyntaxError("nested too deeply for Python to read") from None
    exec(code, module.__dict__)  # noqa: S102 what all of this is for
    function = module.__dict__.get(entry)
    if not callable(function):
        return {"outcome": "no-entry"}
    return {"outcome": "returned", "signature": signature(function)}


def signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))[:TEXT_CHARACTERS]
    except Exception:  # noqa: BLE001 only a courtesy
        return ""


def call(
    request: dict[str, Any],
    arguments: list[Any],
    named: dict[str, Any],
    cotangent: Any,
    module: types.ModuleType,
    codec: Codec,
    buffers: list[Any],
) -> dict[str, Any]:
    function = module.__dict__.get(request["entry"])
    if not callable(function):
        return {"outcome": "no-entry"}
    leaves = codec.tensors.leaves(request, arguments) if codec.tensors and cotangent is not None else []
    result = function(*arguments, **named)
    shown = codec.keep(result, request["keep"], request["keep_item"]) if request["keep"] else result
    room = request["reply_bytes"]
    answer: dict[str, Any] = {"outcome": "returned", "value": codec.describe(shown, buffers, room)}
    if request["arguments_back"]:
        answer["arguments"] = [
            sent if sent["kind"] == "kept" else codec.describe(argument, buffers, room)
            for sent, argument in zip(request["args"], arguments, strict=True)
        ]
    if codec.tensors and cotangent is not None:
        gradients, answer["graph"] = codec.tensors.backward(result, leaves, cotangent)
        answer["gradients"] = [codec.describe(gradient, buffers, room) for gradient in gradients]
    return answer


def is_out_of_memory(error: BaseException) -> bool:
    """PyTorch's allocator raises a class of its own on a GPU, and a plain RuntimeError on the CPU."""
    kind = type(error)
    if isinstance(error, MemoryError) or (kind.__module__, kind.__name__) == ("torch", "OutOfMemoryError"):
        return True
    message = error.args[0] if type(error) is RuntimeError and error.args else None
    return type(message) is str and "DefaultCPUAllocator: " in message


def exit_code(leaving: SystemExit) -> str:
    code = leaving.code
    return f"sys.exit({code})"[:MESSAGE_CHARACTERS] if type(code) in {int, str, type(None)} else "sys.exit"


def describe_error(error: BaseException) -> dict[str, Any]:
    """Type, message, line and traceback; of the traceback only the frames of the learner's own source."""
    described: dict[str, Any] = {"type": type(error).__name__ if type(error).__module__ == "builtins" else ""}
    name = f"{SUBMISSION}.py"
    if isinstance(error, SyntaxError) and error.filename == name:
        place = {"line": place_in_source(error.lineno), "column": place_in_source(error.offset)}
        return {**described, "message": str(error.msg)[:MESSAGE_CHARACTERS], **place}
    try:
        described["message"] = str(error)[:MESSAGE_CHARACTERS]
    except Exception:  # noqa: BLE001 an exception of the learner's whose text cannot be had
        described["message"] = ""
    frames = [step for step in traceback.walk_tb(error.__traceback__) if step[0].f_code.co_filename == name]
    if frames:
        shown = traceback.StackSummary.extract(iter(frames))
        described["line"] = frames[-1][1]
        described["traceback"] = cut("".join(shown.format()), TRACEBACK_CHARACTERS)
    return described


def place_in_source(number: Any) -> int | None:
    return number if type(number) is int and 0 < number < 10**7 else None


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit // 2]}\n  …\n{text[-limit // 2 :]}"


if __name__ == "__main__":
    main()
