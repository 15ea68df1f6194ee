"""`manage.py grade`, as a person or a script meets it: output, exit status, and what it cannot grade."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from courses.models import ExerciseRevision
from grader.gpu import NoGpu
from grader.management.commands import grade
from grader.models import Submission
from grader.sandbox import Sandbox, SandboxUnavailable
from tests.grader.exercises import SPEC
from tests.grader.gpu import TORCH_RIGHT

ROOT = Path(__file__).resolve().parent.parent.parent
RIGHT = "import numpy as np\n\n\ndef scaled_scores(Q, K):\n    return Q @ K.T / np.sqrt(Q.shape[1])\n"
WRONG = "def scaled_scores(Q, K):\n    print('scores \\x1b[31m')\n    return Q @ K.T\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    exercise = {**SPEC, "uuid": "5456bf8f-14d3-4323-84e9-547753fb85b1"}
    (tmp_path / "exercise.yaml").write_text(json.dumps(exercise))  # YAML 1.2 is a superset of JSON
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


def run(*words: str | Path, **options: Any) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("grade", *map(str, words), stdout=out, stderr=err, **options)
    except SystemExit as leaving:
        return int(str(leaving.code)), out.getvalue(), err.getvalue()
    except CommandError as error:
        return error.returncode, out.getvalue(), f"{err.getvalue()}{error}"
    return 0, out.getvalue(), err.getvalue()


# ---- A folder -------------------------------------------------------------------------------------------------------


def test_right_is_0_and_wrong_is_1(folder: Path) -> None:
    status, out, err = run("--exercise-dir", folder, folder / "right.py")
    assert (status, err) == (0, f"grading {folder / 'right.py'}\n")
    assert out.startswith("scaled-scores (revision 0): PASSED, 2 of 2 points\n")
    status, out, _ = run("--exercise-dir", folder, folder / "wrong.py")
    assert status == 1
    assert "FAILED, 0 of 2 points" in out
    told = "The scores of the worked example must come out. scores[0, 1] is 1, expected 0.707107"
    assert told in " ".join(out.split())
    assert "\n  no-scale\n" in out
    assert "    scores \N{SYMBOL FOR ESCAPE}[31m" in out  # nothing that a terminal would obey


def test_mistakes_that_nobody_can_tell_apart_are_told_as_a_choice(folder: Path) -> None:
    (folder / "width.py").write_text("def scaled_scores(Q, K):\n    return Q @ K.T / Q.shape[1]\n")
    _, out, _ = run("--exercise-dir", folder, folder / "width.py")
    assert "\n  scale-by-width\n" in out
    assert "\n  or, which gives the same on every case, scaled-twice\n" in out


def test_a_slug_beside_a_folder_is_told_to_be_too_much(folder: Path) -> None:
    status, _, err = run("scaled-scores", "--exercise-dir", folder, folder / "right.py")
    assert status == 2
    assert "--exercise-dir stands in place of a slug" in err


def test_json_is_one_object_and_nothing_else(folder: Path) -> None:
    status, out, err = run("--exercise-dir", folder, "--json", "--seed", "7", folder / "wrong.py")
    report = json.loads(out)
    assert status == 1
    assert out.count("\n") == 1
    assert err.startswith("grading ")
    assert (report["exercise"], report["revision"], report["status"], report["passed"]) == (
        "scaled-scores",
        0,
        "failed",
        False,
    )
    assert (report["points"], report["max_points"], report["mistakes"]) == ("0", "2", ["no-scale"])
    assert (report["device"], report["stdout"]) == ("cpu", "scores \x1b[31m\n")
    assert 0 < report["session_ms"] < 10_000
    assert "file" not in report
    assert report["checks"][0]["case"]["difference"]["index"] == [0, 1]
    assert report["checks"][1]["case"] is None


def test_several_files_are_graded_in_order_each_on_a_line(folder: Path) -> None:
    names = [str(folder / name) for name in ("wrong.py", "right.py", "wrong.py")]
    status, out, _ = run("--exercise-dir", folder, "--json", *names)
    reports = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [report["file"] for report in reports] == names
    assert [report["passed"] for report in reports] == [False, True, False]
    status, out, _ = run("--exercise-dir", folder, names[1], names[1])
    assert status == 0
    assert out.count(f"{names[1]}: scaled-scores") == 2


def test_standard_input_is_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RIGHT.encode())))
    assert run("--exercise-dir", folder, "-")[0] == 0
    assert run("--exercise-dir", folder, "-", "-")[0] == 2


def test_what_is_refused_is_graded_and_not_passed(folder: Path) -> None:
    (folder / "large.py").write_bytes(b"#" * 10_000_000)
    status, out, _ = run("--exercise-dir", folder, "--json", folder / "large.py")
    report = json.loads(out)
    assert (status, report["status"]) == (1, "refused")
    assert "larger than 65,536 bytes" in report["message"]
    assert "larger than" in run("--exercise-dir", folder, folder / "large.py")[1]


def test_the_same_seed_gives_the_same_report(folder: Path) -> None:
    (folder / "shown.py").write_text(RIGHT.replace("return", "print(Q)\n    return"))
    reports = [
        json.loads(run("--exercise-dir", folder, "--json", "--seed", seed, folder / "shown.py")[1])
        for seed in ("3", "3", "4")
    ]
    for report in reports:
        del report["session_ms"]
    assert reports[0] == reports[1]
    assert reports[0]["passed"]


# ---- What is published ----------------------------------------------------------------------------------------------


def test_a_published_exercise_by_its_slug(revision: ExerciseRevision, folder: Path) -> None:
    status, out, _ = run("scaled-scores", "--json", folder / "right.py")
    assert status == 0
    assert json.loads(out)["revision"] == revision.number
    assert not Submission.objects.exists()


def test_meanings_of_mistakes_are_told(revision: ExerciseRevision, folder: Path) -> None:
    status, out, _ = run(revision.exercise.slug, folder / "wrong.py")
    assert status == 1
    assert "\n  no-scale: Divide.\n" in out


def test_an_unknown_slug_names_the_known_ones(revision: ExerciseRevision, folder: Path) -> None:
    status, out, err = run("atention", folder / "right.py")
    assert (status, out) == (2, "")
    assert "no exercise 'atention' is published; there are: scaled-scores" in err


@pytest.mark.django_db
def test_with_nothing_published_it_says_what_to_do(folder: Path) -> None:
    status, _, err = run("attention", folder / "right.py")
    assert status == 2
    assert "nothing is published yet: run `manage.py publish_course`" in err


# ---- What cannot be graded ------------------------------------------------------------------------------------------


def test_an_unreadable_file_stops_before_anything_is_graded(folder: Path) -> None:
    status, out, err = run("--exercise-dir", folder, folder / "right.py", folder / "missing.py")
    assert (status, out) == (2, "")
    assert f"cannot read {folder / 'missing.py'}: No such file or directory" in err
    assert run("--exercise-dir", folder, folder)[0] == 2


def test_a_folder_without_an_exercise_says_every_problem(folder: Path) -> None:
    (folder / "exercise.yaml").write_text("slug: [\n")
    status, _, err = run("--exercise-dir", folder, folder / "right.py")
    assert status == 2
    assert "exercise.yaml:" in err
    assert "is no folder" in run("--exercise-dir", folder / "nowhere", folder / "right.py")[2]


def test_a_check_that_does_not_exist_is_a_fault_and_no_verdict(folder: Path) -> None:
    exercise = json.loads((folder / "exercise.yaml").read_text())
    exercise["checks"][0]["kind"] = "astrology"
    (folder / "exercise.yaml").write_text(json.dumps(exercise))
    status, out, err = run("--exercise-dir", folder, "--json", folder / "right.py")
    report = json.loads(out)
    assert (status, report["status"], report["passed"]) == (2, "fault", False)
    assert "no kind 'astrology'" in report["message"]
    assert "1 of 1 could not be graded" in err


def test_an_exercise_without_checks_for_a_gpu_is_not_graded_on_one(folder: Path) -> None:
    status, _, err = run("--exercise-dir", folder, "--device", "cuda", folder / "right.py")
    assert status == 2
    assert "scaled-scores runs on the CPU only: it has no check for a GPU" in err


@pytest.fixture
def gpu_folder(folder: Path) -> Path:
    exercise = json.loads((folder / "exercise.yaml").read_text())
    first, second = exercise["checks"]
    checks = [first, {**second, "device": "cuda"}]
    exercise.update(slug="torch-attention", operation="torch-attention", entry="attention", checks=checks)
    (folder / "exercise.yaml").write_text(json.dumps(exercise))
    (folder / "right.py").write_text(TORCH_RIGHT)
    return folder


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="of machines without a GPU")
def test_without_a_gpu_its_checks_cannot_be_graded_and_the_command_says_why(gpu_folder: Path) -> None:
    status, out, err = run("--exercise-dir", gpu_folder, "--device", "cuda", gpu_folder / "right.py")
    assert (status, out) == (2, "")
    assert "the checks for a GPU cannot be run on this machine: this machine has no GPU that CUDA could use" in err


def test_where_no_session_computes_on_the_gpu_nothing_is_graded(
    gpu_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def device_name(_sandbox: Any, _device: str) -> str:
        raise NoGpu("CUDA does not work in a session: RuntimeError: no driver")

    sandbox = Sandbox()
    monkeypatch.setattr(grade, "gpu_sandbox", lambda _device: sandbox)
    monkeypatch.setattr(grade, "device_name", device_name)
    status, out, err = run("--exercise-dir", gpu_folder, "--device", "cuda", gpu_folder / "right.py")
    assert (status, out) == (2, "")
    assert "CUDA does not work in a session: RuntimeError: no driver" in err
    assert sandbox.pid is None


def test_on_the_cpu_what_needs_a_gpu_is_skipped_and_passes_nothing(gpu_folder: Path) -> None:
    status, out, _ = run("--exercise-dir", gpu_folder, "--json", gpu_folder / "right.py")
    report = json.loads(out)
    assert (status, report["status"], report["points"], report["max_points"]) == (0, "passed", "1.5", "2")
    assert [(check["status"], check["points"]) for check in report["checks"]] == [("passed", "1.5"), ("skipped", "0")]
    assert "needs a GPU" in report["checks"][1]["message"]


def test_no_file_is_no_success(folder: Path) -> None:
    status, _, err = run("attention")
    assert status == 2
    assert "which file?" in err


def test_a_sandbox_that_is_refused_grades_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise SandboxUnavailable("namespaces are not allowed here")

    monkeypatch.setattr(Sandbox, "start", refuse)
    status, out, err = run("--exercise-dir", folder, "--json", folder / "right.py")
    assert status == 2
    assert json.loads(out)["status"] == "fault"
    assert "namespaces are not allowed here" in err
    status, out, _ = run("--exercise-dir", folder, folder / "right.py")
    assert "FAULT, 0 of 2 points" in out
    assert "A fault of ours, not of the code: namespaces are not allowed here" in out


def test_as_a_command_of_its_own(folder: Path) -> None:
    """Only the JSON on standard output, and the exit status, in a real process."""
    command = [sys.executable, "manage.py", "grade", "--json", "--exercise-dir", str(folder)]
    for words, status in (["right.py"], 0), (["wrong.py"], 1), (["none.py"], 2):
        files = [str(folder / word) for word in words]
        result = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True)
        assert result.returncode == status, result.stderr
        assert len(result.stdout.splitlines()) == (0 if status == 2 else 1)
