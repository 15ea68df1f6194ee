"""`manage.py gate`: what it tells, its exit status, and the matrix that it writes and compares."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.conf import settings as configured
from django.core.management import CommandError, call_command

from attention_core.operations import OPERATIONS
from grader.sandbox import Sandbox, SandboxFault, SandboxUnavailable

ROOT = Path(__file__).resolve().parents[2]
COST = configured.COURSE_PACKAGE / "exercises" / "attention-cost"
KNOWN = f"attention-cost: {len(OPERATIONS['attention-cost'].variants)} known mistakes"
PASSED = "attention-cost: passed (1 of 1)"
KEPT = ("linear.py", "powers_of_ten.py")  # of the known submissions


@pytest.fixture
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    """An exercise with two known submissions, the only one of its course."""
    folder = tmp_path / "exercises" / "attention-cost"
    shutil.copytree(COST, folder)
    for path in [*folder.glob("submissions/*/*.py")]:
        if path.name not in KEPT:
            path.unlink()
    expected = "linear.py: {mistakes: [pairs-linear], fails: [worked-example], status: failed}\n"
    (folder / "submissions/expect.yaml").write_text(expected)
    settings.COURSE_PACKAGE = tmp_path
    return folder


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Sandbox) -> None:
        raise SandboxUnavailable("user namespaces are not allowed")

    monkeypatch.setattr(Sandbox, "start", refuse)


def run(*words: str | Path) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("gate", *map(str, words), stdout=out, stderr=err, no_color=True)
    except CommandError as error:
        return error.returncode, out.getvalue(), f"{err.getvalue()}{error}\n"
    return 0, out.getvalue(), err.getvalue()


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


# ---- The gate -------------------------------------------------------------------------------------------------------


def test_what_passes_is_0_and_progress_is_on_standard_error(folder: Path) -> None:
    status, out, err = run()
    assert status == 0
    assert re.fullmatch(r"1 exercise\(s\) passed, \d+ judgements\n", out)
    assert err.splitlines() == [
        KNOWN,
        "attention-cost: 2 right submissions, 3 seeds each",
        "attention-cost: 1 wrong submissions",
        PASSED,
    ]


def test_survivors_are_named_and_it_is_1(folder: Path) -> None:
    """With nothing but the worked example, in which there are one head and one layer."""
    text = (folder / "exercise.yaml").read_text()
    (folder / "exercise.yaml").write_text(text[: text.index("  - id: random-models")])
    status, out, err = run("attention-cost", "--skip-sandbox")
    assert (status, out) == (1, "")
    assert "attention-cost: heads-or-layers-forgotten (no heads) passes every check of numbers (seed 1)\n" in err
    assert "pairs-linear" not in err
    assert re.search(r"^\d error\(s\)$", err, re.MULTILINE)


def test_a_submission_that_comes_to_something_else_is_1(folder: Path) -> None:
    edit(folder / "submissions/expect.yaml", "pairs-linear", "pairs-triangle")
    status, _, err = run("--seeds", "1")
    assert status == 1
    assert "2 right submissions, 1 seeds each" in err
    assert "of linear.py pairs-triangle should be named, but pairs-linear is (seed 1)" in err
    assert run("--skip-sandbox")[0] == 0


def test_a_folder_in_place_of_slugs(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "attention-cost"
    shutil.copytree(folder, elsewhere)
    shutil.rmtree(folder)
    assert run("--skip-sandbox", "--exercise-dir", elsewhere)[0] == 0


def test_every_problem_of_a_package_is_told_and_the_next_exercise_still_judged(folder: Path) -> None:
    shutil.copytree(folder, folder.parent / "zeros")
    shutil.copytree(folder, folder.parent / "right")
    edit(folder / "exercise.yaml", "kind: worked", "kind: [worked]")
    edit(folder.parent / "zeros/exercise.yaml", "operation: attention-cost", "operation: zeros")
    status, _, err = run("--skip-sandbox")
    assert status == 1
    assert f"{folder}/exercise.yaml:10: `checks[0].kind` must be text" in err
    assert f"{folder.parent / 'zeros'}: exercise 'attention-cost': there is no operation 'zeros'" in err
    assert "2 error(s)" in err
    assert f"{KNOWN}\n{PASSED}\n" in err


def test_several_exercises_are_judged_at_once_and_counted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder, folder.parent / "another")
    edit(folder / "submissions/expect.yaml", "pairs-linear", "pairs-triangle")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with pytest.raises(CommandError, match=r"1 error\(s\)"):
        call_command("gate")
    told = capfd.readouterr().err.splitlines()
    assert told.count(KNOWN) == 2
    assert sorted(line.partition("cost: ")[2].partition(" ")[0] for line in told if " of 2)" in line) == [
        "passed",
        "refused",
    ]
    assert any("(2 of 2)" in line for line in told)
    assert told[-1] == "attention-cost: of linear.py pairs-triangle should be named, but pairs-linear is (seed 1)"


def test_where_there_is_no_sandbox_it_says_so_and_judges_functions(folder: Path, no_sandbox: None) -> None:
    status, _, err = run()
    assert status == 0
    told = "warning: no sandbox on this machine, so the known submissions are not run: user namespaces are not allowed"
    assert err.splitlines() == [told, KNOWN, PASSED]
    as_asked = "warning: as asked, the known submissions are not run in a sandbox"
    assert run("--skip-sandbox")[2].splitlines()[0] == as_asked


def test_a_fault_of_the_sandbox_is_no_verdict_on_the_exercise(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise SandboxFault("the jail is gone")

    monkeypatch.setattr(Sandbox, "open", broken)
    status, _, err = run()
    assert status == 1
    assert err.endswith("attention-cost: the gate could not be run: the jail is gone\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["atention"], "there is no exercise atention; there are: attention-cost"),
        (["--seeds", "0"], "--seeds must be at least 1, got 0"),
        (["--exercise-dir", "nowhere"], "nowhere is no folder: --exercise-dir takes the one that holds exercise.yaml"),
        (["attention-cost", "--exercise-dir", "."], "--exercise-dir stands in place of slugs: give one or the other"),
        (["attention-cost", "--check", "m.md"], "--check compares the matrix of all exercises: give neither slugs"),
        (["--check", "nowhere.md"], "cannot read nowhere.md: No such file or directory"),
        (["--matrix", "m.md", "--skip-sandbox"], "--matrix needs the sandbox: some mistakes show in sessions only"),
        (["--matrix", "nowhere/m.md"], "cannot write nowhere/m.md: --matrix takes a file in a folder that is there"),
        (["--matrix", "m.md", "--check", "m.md"], "argument --check: not allowed with argument --matrix"),
    ],
)
def test_what_makes_no_sense_is_refused_at_once(folder: Path, words: list[str], told: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (1, "")
    assert told in err
    assert "known mistakes" not in err


# ---- The matrix -----------------------------------------------------------------------------------------------------


@pytest.fixture
def matrix(folder: Path, tmp_path: Path) -> Path:
    file = tmp_path / "matrix.md"
    status, _, err = run("--matrix", file)
    assert (status, err.splitlines()[-1]) == (0, f"{file} is written")
    return file


def test_the_matrix_that_was_written_is_what_is_found_again(matrix: Path) -> None:
    assert "| `pairs-linear` | ● | ● | ● |  | ● | ● | ● |\n" in matrix.read_text()  # of one token there is one pair
    written = matrix.read_bytes()
    assert run("--check", matrix)[0] == 0
    assert run("--check", matrix, "--skip-sandbox")[0] == 0
    assert matrix.read_bytes() == written


def test_a_matrix_that_is_not_what_is_found_is_told_with_its_lines(matrix: Path) -> None:
    edit(matrix, "| `pairs-linear` | ●", "| `pairs-linear` | ◐")
    status, _, err = run("--check", matrix, "--skip-sandbox")
    assert status == 1
    assert f"{matrix} is not what the gate finds; `manage.py gate --matrix {matrix}` writes it anew:\n" in err
    assert "\n-| `pairs-linear` | ◐ | ● | ● |  | ● | ● | ● |\n+| `pairs-linear` | ● | ● | ● |  | ● | ● | ● |\n" in err


def test_a_check_that_changed_makes_the_matrix_stale(matrix: Path, folder: Path) -> None:
    edit(folder / "exercise.yaml", "id: random-models", "id: some-models")
    status, _, err = run("--check", matrix, "--skip-sandbox")
    assert status == 1
    assert "is not what the gate finds" in err


def test_without_a_sandbox_what_sessions_showed_is_not_compared(matrix: Path, no_sandbox: None) -> None:
    edit(matrix, "| *zeros*", "| `stores-all-scores`¹ | ● |\n| *zeros*")
    assert run("--check", matrix)[0] == 0


def test_without_a_sandbox_no_matrix_is_written(folder: Path, tmp_path: Path, no_sandbox: None) -> None:
    status, _, err = run("--matrix", tmp_path / "matrix.md")
    assert status == 1
    assert "no sandbox on this machine" in err
    assert "no matrix was written: some mistakes show in sessions only" in err
    assert not (tmp_path / "matrix.md").exists()


def test_with_a_sandbox_what_sessions_showed_is_compared(matrix: Path) -> None:
    edit(matrix, "| *zeros*", "| `stores-all-scores`¹ | ● |\n| *zeros*")
    assert run("--check", matrix)[0] == 1


def test_as_a_command_of_its_own() -> None:
    command = [sys.executable, "manage.py", "gate", "attention-cost", "--skip-sandbox"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("1 exercise(s) passed, ")
