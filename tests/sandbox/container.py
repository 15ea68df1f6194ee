"""A sandbox container as far as a test can have one without an engine of containers: made by bubblewrap.

Its own pid, mount, network, ipc and uts namespaces, an ordinary user, no capability, no new privileges, a read-only
root, an own /proc, /dev/shm that can be written to, and the socket's folder shared with this side.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from grader.sandbox import Sandbox, jail, seccomp

ROOT = Path(__file__).resolve().parent.parent.parent
SOCKET = "sandbox.sock"


class ContainerSandbox(Sandbox):
    """A sandbox whose sessions run in the container; for tests, with a pid: of the container's outermost process."""

    def __init__(self, libraries: tuple[str, ...], address: Path, process: subprocess.Popen[str]) -> None:
        super().__init__(libraries=libraries, address=address)
        self._container = process

    @property
    def pid(self) -> int | None:
        return self._container.pid


@contextmanager
def container(
    libraries: tuple[str, ...], folder: Path, *, guest: Path = jail.GUEST, warm: bool = True
) -> Iterator[ContainerSandbox]:
    """`folder`: a new one, for the socket. `guest`: another one in place of ours. `warm`: with the sandbox started."""
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 65533, 65533)
    address = folder / SOCKET
    command = [*jail_command(folder, guest), "--libraries", *libraries]
    with (
        filter_file() as profile,
        subprocess.Popen(
            [command[0], "--seccomp", str(profile), *command[1:]], stdout=subprocess.PIPE, text=True, pass_fds=[profile]
        ) as process,
    ):
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("listening at "), "the container did not start"
            sandbox = ContainerSandbox(libraries, address, process)
            try:
                if warm:
                    sandbox.start()
                yield sandbox
            finally:
                sandbox.stop()
        finally:
            process.send_signal(signal.SIGTERM)


# The guest's way out of root, where the tests run as root: in a real container it never was.
GIVING_UP_ROOT: seccomp.Numbers = {
    "setgroups": (116, 159), "setresuid": (117, 147), "setresgid": (119, 149), "setuid": (105, 146),
}  # fmt: skip


@contextmanager
def filter_file() -> Iterator[int]:
    """What the profile of a sandbox container allows, as bubblewrap takes it."""
    with tempfile.TemporaryFile() as file:
        file.write(seccomp.allowing({**seccomp.IN_CONTAINER, **(GIVING_UP_ROOT if os.geteuid() == 0 else {})}))
        file.seek(0)
        yield file.fileno()


def jail_command(folder: Path, guest: Path) -> list[str]:
    """Like an image with Python, the libraries and this project, run as compose would."""
    as_root = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")  # the guest then becomes an ordinary user
    image = {
        sys.base_prefix: "/python",
        str(Path(np.__file__).parent.parent): "/site",
        str(ROOT): "/project",
        "/usr": "/usr",
    }
    variables = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": "/project:/site",
        "LD_LIBRARY_PATH": "/python/lib",
        "HOSTNAME": "a container",
        "SECRET": "of the container",
    }
    return [
        *(str(jail.bubblewrap()), "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--hostname", "a-container"),
        *(as_root if os.geteuid() == 0 else ("--unshare-user", "--uid", "1000", "--gid", "1000")),
        *(part for name, value in variables.items() for part in ("--setenv", name, value)),
        *(part for source, target in image.items() for part in ("--ro-bind", source, target)),
        *("--ro-bind", str(guest), "/project/grader/guest/guest.py"),
        *("--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
        *("--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"),
        *("--dir", "/run", "--bind", str(folder), "/run/heed", "--remount-ro", "/", "--chdir", "/", "--"),
        *(f"/python/bin/{jail.PYTHON}", "-m", "grader.sandbox.serve", f"/run/heed/{SOCKET}"),
    ]
