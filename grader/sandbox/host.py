"""What a machine must allow for the jail, and the words for what it does not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SYSCTLS = Path("/proc/sys")


@dataclass(frozen=True)
class Requirement:
    """One kernel setting that can forbid user namespaces, the value that does, and how to allow them."""

    name: str
    forbidding: str
    why: str
    allow: str


REQUIREMENTS = (
    Requirement(
        "user.max_user_namespaces",
        "0",
        "user namespaces are switched off",
        "sudo sysctl -w user.max_user_namespaces=15000 (and the same line in a file of /etc/sysctl.d to keep it)",
    ),
    Requirement(
        "kernel.unprivileged_userns_clone",
        "0",
        "only root may make user namespaces",
        "sudo sysctl -w kernel.unprivileged_userns_clone=1 (and the same line in a file of /etc/sysctl.d to keep it)",
    ),
    Requirement(
        "kernel.apparmor_restrict_unprivileged_userns",
        "1",
        "AppArmor takes the capabilities from user namespaces (Ubuntu 23.10 and later)",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (and the same line in a file of /etc/sysctl.d "
        "to keep it), or an AppArmor profile with 'userns,' for the bwrap that check_sandbox names",
    ),
)
ELSEWHERE = (
    "no kernel setting forbids user namespaces here; in a container, its seccomp profile must allow clone, unshare, "
    "mount, umount2 and pivot_root (docs/threat-model.md)"
)


def forbidden_by(sysctls: Path = SYSCTLS) -> list[Requirement]:
    """The settings of this machine that forbid what the jail needs. One that the kernel lacks forbids nothing."""
    return [need for need in REQUIREMENTS if _read(sysctls / need.name.replace(".", "/")) == need.forbidding]


def remedy(sysctls: Path = SYSCTLS) -> str:
    """What to do about a jail that does not start."""
    found = forbidden_by(sysctls)
    if not found:
        return ELSEWHERE
    return "; ".join(f"{need.name}={need.forbidding}: {need.why}. To allow them: {need.allow}" for need in found)


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
