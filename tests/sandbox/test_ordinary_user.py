"""The other way in: where the tests run as root, the jail's tests run once more as an ordinary user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
USER = 60001  # nobody's
# The interpreter may lie where only root can go. So it, its packages and the project are bound to where every user can,
# read-only and in a mount namespace of the test's own.
ENTER = """
set -e
place="$1"; user="$2"; shift 2
for name in python site project; do
    mount --bind "$1" "$place/$name"; mount -o remount,bind,ro "$place/$name"; shift
done
cd "$place/project"
exec env -i PATH=/usr/bin:/bin HOME=/tmp HEED_VAR="$place/var" PYTHONDONTWRITEBYTECODE=1 \\
    LD_LIBRARY_PATH="$place/python/lib" PYTHONPATH="$place/project:$place/site" \\
    setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
"""
FORBID = """
echo 0 > /proc/sys/user/max_user_namespaces
exec setpriv --inh-caps=-all --ambient-caps=-all "$@"
"""
AUDIT = """
from grader.sandbox import Sandbox, audit
sandbox = Sandbox()
for finding in audit(sandbox):
    print(finding.ok, finding.detail, finding.remedy, sep=" | ")
sandbox.stop()
"""
BOUND = ("python", "site", "project")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can reach. Skips where root may not mount, as in a container."""
    if os.geteuid() != 0:
        pytest.skip("these tests already run as an ordinary user")
    if subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode:
        pytest.skip("root may not mount here")
    folder = Path("/tmp") / f"heed-ordinary-user-{os.getpid()}"
    for name in (*BOUND, "var"):
        (folder / name).mkdir(parents=True)
    os.chown(folder / "var", USER, USER)
    yield folder
    for name in BOUND:
        (folder / name).rmdir()  # empty: what was bound to it was never there for this process
    shutil.rmtree(folder / "var")
    folder.rmdir()


def as_ordinary_user(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs `command`, in which {python} stands for an interpreter that the user can reach."""
    python = f"{place}/python/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    sources = [sys.base_prefix, str(Path(np.__file__).parent.parent), str(ROOT)]
    enter = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", str(place), str(USER), *sources]
    return subprocess.run(
        enter + [part.format(python=python) for part in command], capture_output=True, text=True, timeout=900
    )


@pytest.mark.timeout(1000)
def test_all_tests_of_the_sandbox_pass_as_an_ordinary_user(place: Path) -> None:
    """All that start a jail."""
    others = (Path(__file__).name, "test_frames.py", "test_frames_fuzzed.py", "test_techniques.py", "test_seccomp.py")
    ignored = [part for name in others for part in ("--ignore", f"tests/sandbox/{name}")]
    chosen = ("tests/sandbox", *ignored, "--basetemp", f"{place}/var/tests")
    result = as_ordinary_user(place, "{python}", "-m", "pytest", "-q", *chosen)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
    assert " passed" in result.stdout


def test_where_user_namespaces_are_forbidden_nothing_runs_and_the_audit_says_why(place: Path) -> None:
    """Forbidden for real, in a user namespace of the test's own: the setting counts there only."""
    forbidding = ("unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", FORBID, "sh")
    result = as_ordinary_user(place, *forbidding, "{python}", "-c", AUDIT)
    assert result.returncode == 0, result.stderr
    there, session = result.stdout.splitlines()
    assert there.startswith("True | ")
    assert session.startswith("False | the jail did not start: bwrap: ")
    assert "user.max_user_namespaces=0" in session
    assert "sudo sysctl -w user.max_user_namespaces=15000" in session
