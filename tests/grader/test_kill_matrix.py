"""The kill matrix, written out from reports."""

from __future__ import annotations

from collections.abc import Mapping

from grader.gate import GateReport
from grader.kill_matrix import INTRODUCTION, as_markdown, comparable
from grader.specs import exercise_spec
from grader.verdicts import ExerciseSpec

KILLS = {
    "stores-all-scores": {"second": True},
    "lower-precision": {"first": False},
    "scaled-twice": {"first": True, "second": True},
    "no-scale": {"first": True, "second": False},
}
ANSWERS: Mapping[str, set[str]] = {"zeros": {"first", "second"}, "a hard maximum": set()}


def spec(slug: str = "scaled-scores", gpu: str = "cuda") -> ExerciseSpec:
    devices = {"first": "cpu", "second": "cpu", "third": gpu}
    common = {"kind": "random", "points": "1", "visibility": "shown", "message": "", "concept": ""}
    checks = [{"id": name, "device": device, **common} for name, device in devices.items()]
    return exercise_spec({"slug": slug, "entry": slug, "operation": slug, "checks": checks}, revision=0)


def report() -> GateReport:
    return GateReport("scaled-scores", (), 7, KILLS, ANSWERS)


def test_a_row_a_mistake_and_a_column_a_check() -> None:
    text = as_markdown([(spec(), report())])
    assert text.startswith("# The kill matrix\n")
    assert text.removeprefix(INTRODUCTION).splitlines()[3:] == [
        "<details><summary>2 checks</summary>",
        "",
        "| | first | second |",
        "|---|:-:|:-:|",
        "| `no-scale` | ● | ◐ |",  # in the order of the table of mistakes
        "| `scaled-twice` | ● | ● |",
        "| `stores-all-scores`¹ |  | ● |",  # of which scaled-scores has no implementation
        "| `lower-precision` | ◐ |  |",
        "| *zeros* | ● | ● |",
        "| *a hard maximum* |  |  |",
        "",
        "Not here, since they need a GPU: third.",
        "",
        "</details>",
    ]


def test_exercises_follow_one_another() -> None:
    text = as_markdown([(spec(), report()), (spec("softmax", gpu="cpu"), report())])
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["## scaled-scores", "## softmax"]
    assert text.count("need a GPU") == 1
    assert text.endswith("</details>\n")
    assert "\n\n## softmax\n\n<details>" in text


def test_what_hangs_on_the_machine_is_not_compared() -> None:
    text = as_markdown([(spec(), report())])
    with_sessions, without = comparable(text, sessions=True), comparable(text, sessions=False)
    assert set(text.splitlines()) - set(with_sessions) == {"| `lower-precision` | ◐ |  |"}
    assert set(with_sessions) - set(without) == {"| `stores-all-scores`¹ |  | ● |"}
    in_process = GateReport("", (), 7, {k: v for k, v in KILLS.items() if k != "stores-all-scores"}, ANSWERS)
    assert comparable(as_markdown([(spec(), in_process)]), sessions=False) == without
