"""`manage.py publish_course`: all errors at once, the gate only for what changed, a dry run that writes nothing."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError

from attention_core.operations import OPERATIONS
from courses.models import Course, Exercise, ExerciseRevision
from courses.selectors import course_current, lesson_current
from grader.management.commands import publish_course
from grader.sandbox import Sandbox, SandboxUnavailable
from tests.courses.conftest import Edit

pytestmark = pytest.mark.django_db

COST = "exercises/attention-cost"
CARDS = "lessons/010-sums/cards.yaml"
WRONG = {
    "linear.py": "def attention_cost(n, bytes_per_score=2, heads=1, layers=1):\n"
    "    return n, n * bytes_per_score * heads * layers / 10**6\n"
}


@pytest.fixture
def package(tiny: Path, edit: Edit) -> Path:
    """The tiny package with a real exercise in it, and no figures but those of the site."""
    shutil.rmtree(tiny / "exercises/double")
    shutil.copytree(settings.COURSE_PACKAGE / COST, tiny / COST)
    shutil.rmtree(tiny / COST / "submissions/wrong")
    (tiny / COST / "submissions/wrong").mkdir()
    for name, source in WRONG.items():
        (tiny / COST / "submissions/wrong" / name).write_text(source)
    (tiny / COST / "submissions/expect.yaml").write_text("linear.py: {mistakes: [pairs-linear], fails: []}\n")
    for file in (COST + "/exercise.yaml", "mistakes.yaml"):
        text = (settings.COURSE_PACKAGE / file).read_text()
        (tiny / file).write_text(re.sub(r"(section|concept): [a-z-]+", r"\1: adding", text))
    edit("lessons/010-sums/lesson.yaml", "slugs: [double]", "slugs: [attention-cost]")
    edit("lessons/010-sums/sections/opening.md", "{{ number: answer }}", "42")
    edit("lessons/010-sums/sections/adding.md", "{{ printed: sum }}\n\n{{ figure: bar }}\n", "")
    for name in ("paper", "quizzes"):
        edit(f"lessons/010-sums/{name}.yaml", "value: half-root", "value: 0.7071")
    slips = (tiny / "lessons/010-sums/paper.yaml").read_text().partition("slips:")
    edit("lessons/010-sums/paper.yaml", "".join(slips[1:]), "")
    return tiny


def run(package: Path, *options: str) -> tuple[str, str]:
    """What the command wrote to standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("publish_course", str(package), *options, stdout=out, stderr=err, no_color=True)
    except CommandError as error:
        err.write(f"CommandError: {error}\n")
    return out.getvalue(), err.getvalue()


def test_it_publishes_once_and_then_has_nothing_to_do(package: Path) -> None:
    out, err = run(package)
    assert out.splitlines() == [
        "tiny: revision 1 published (new)",
        "  lesson sums: revision 1 (new)",
        "  exercise attention-cost: revision 1 (new)",
    ]
    assert "1 wrong submissions" in err
    assert lesson_current("sums").data["title"] == "Sums"
    assert run(package) == ("tiny: nothing changed since revision 1\n", "")


def test_a_text_that_changed_needs_no_gate(package: Path, edit: Edit) -> None:
    run(package)
    edit(CARDS, "What is a sum?", "What is a sum, then?")
    out, err = run(package)
    assert "lesson sums: revision 2 (new)" in out
    assert "exercise attention-cost: revision 1\n" in out
    assert err == ""


def test_every_error_is_printed_with_file_and_line(package: Path, edit: Edit) -> None:
    first = edit("course.yaml", "schema: 1", "schema: 7")
    second = edit(CARDS, "back: Nothing.", "back: <b>Nothing.</b>")
    out, err = run(package)
    assert out == ""
    lines = err.splitlines()
    assert lines[0].startswith(f"{package}/course.yaml:{first}: `schema`: input should be 1")
    assert lines[1].startswith(f"{package}/{CARDS}:{second}: raw HTML is not allowed")
    assert lines[2:] == ["CommandError: 2 error(s); nothing was published"]
    assert Course.objects.count() == 0


def test_the_gate_keeps_out_what_does_not_come_to_what_was_said(package: Path, edit: Edit) -> None:
    edit(COST + "/submissions/expect.yaml", "pairs-linear", "pairs-triangle")
    out, err = run(package)
    assert out == ""
    assert "of linear.py pairs-triangle should be named, but pairs-linear is" in err
    assert Course.objects.count() == 0


def test_a_vanished_id_is_told_before_the_gate_is_run(package: Path, edit: Edit) -> None:
    run(package)
    edit(CARDS, "zero-card", "nought-card")
    (package / COST / "solution.py").write_text("def attention_cost(n): ...\n")
    _out, err = run(package)
    assert err.splitlines()[0].startswith("card:zero-card was published and is gone")
    assert "right submissions" not in err


def test_a_dry_run_writes_nothing(package: Path) -> None:
    out, _err = run(package, "--dry-run")
    assert "tiny: revision 1 would be published (new)" in out
    assert course_current() is None
    assert Course.objects.count() == Exercise.objects.count() == ExerciseRevision.objects.count() == 0


def test_without_the_sandbox_it_says_so_and_asks_again_next_time(package: Path, edit: Edit) -> None:
    _out, err = run(package, "--skip-sandbox")
    assert "warning: as asked, the known submissions were not run in a sandbox" in err
    assert f"{len(OPERATIONS['attention-cost'].variants)} known mistakes" in err
    assert "right submissions" not in err
    edit(CARDS, "What is a sum?", "What is a sum, then?")
    _out, err = run(package)
    assert "right submissions" in err


def test_a_machine_without_a_sandbox(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Sandbox) -> None:
        raise SandboxUnavailable("user namespaces are not allowed")

    monkeypatch.setattr(Sandbox, "start", refuse)
    out, err = run(package)
    assert "published (new)" in out
    assert "warning: no sandbox on this machine" in err
    assert "user namespaces are not allowed" in err
    assert Exercise.objects.get().gate_digest == ""


def test_seeds(package: Path) -> None:
    assert "--seeds must be at least 1, got 0" in run(package, "--seeds", "0")[1]
    assert ", 2 seeds each" in run(package, "--seeds", "2", "--dry-run")[1]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert run(tmp_path / "none")[1].startswith(f"CommandError: {tmp_path / 'none'} is no such folder")


def test_a_database_that_is_not_set_up(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_digest: str) -> None:
        raise OperationalError("no such table")

    monkeypatch.setattr(publish_course, "course_published_from", missing)
    assert "`make run` or `manage.py migrate` sets it up" in run(package)[1]


def test_what_the_gate_refuses_names_the_folder(package: Path) -> None:
    (package / COST / "submissions/right/off.py").write_text("def attention_cost(n):\n    return n, 1.0\n")
    _, err = run(package)
    assert f"{package / COST}: off.py is right but comes to" in err
