"""What Landlock forbids by itself, where the kernel has it: a session without the filter, which comes before it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from grader.guest import guest
from grader.sandbox import Sandbox, jail
from grader.wire import Outcome
from tests.sandbox.sessions import floats, run

FILTER = "        install_filter(program)\n        verify_filter()\n"
LANDLOCK = '    restrict_by_landlock(bool(limits["gpu"]))\n'
ATTEMPTS = """
import os
import socket
import sys

def run_a_program():
    child = os.fork()
    if child == 0:
        try:
            os.execv(sys.executable, ["python3", "-V"])
        except OSError:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise PermissionError

def serve():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

def move():
    os.mkdir("/tmp/folder")
    open("/tmp/file", "w").close()
    os.rename("/tmp/file", "/tmp/folder/file")

def attack(x):
    for name, attempt in (
        ("run a program", run_a_program),
        ("make a link", lambda: os.symlink("/", "/tmp/link")),
        ("make a pipe", lambda: os.mkfifo("/tmp/pipe")),
        ("bind a socket's name", lambda: socket.socket(socket.AF_UNIX).bind("/tmp/socket")),
        ("serve", serve),
        ("move a file", move),
    ):
        try:
            attempt()
        except PermissionError:
            continue
        print(name)
    return x
"""
LAYERS = {"run a program", "make a link", "make a pipe", "bind a socket's name", "serve"}


def version() -> int:
    """Of the kernel's Landlock; -1 where it has none."""
    libc = ctypes.CDLL(None)
    return int(libc.syscall(guest.LANDLOCK_CREATE, None, ctypes.c_size_t(0), guest.LANDLOCK_VERSION))


def could_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *left_out: str) -> set[str]:
    text = jail.GUEST.read_text()
    for step in left_out:
        assert text.count(step) == 1
        text = text.replace(step, "")
    (tmp_path / "guest.py").write_text(text)
    monkeypatch.setattr(jail, "GUEST", tmp_path / "guest.py")
    with Sandbox() as sandbox:
        result = run(sandbox, ATTEMPTS, "attack", floats(1.0))
    assert result.outcome is Outcome.RETURNED, result.error
    return {line for line in result.stdout.decode().splitlines() if not line.startswith("Python ")}


def test_landlock_alone_forbids_what_the_filter_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbidden = LAYERS if version() >= 4 else LAYERS - {"serve"} if version() >= 2 else set()
    assert could_do(tmp_path, monkeypatch, FILTER) == {*LAYERS, "move a file"} - forbidden


def test_without_either_all_of_it_can_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert could_do(tmp_path, monkeypatch, FILTER, LANDLOCK) == {*LAYERS, "move a file"}
