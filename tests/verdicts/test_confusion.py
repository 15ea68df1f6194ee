"""Learners' code by what is wrong with it, judged by the shipped exercises: nothing else may be named for it.

submissions/<exercise>/<mistake>/  makes that mistake, and gets it named; where no output tells it from others, the
                                   first line, `# mistakes: one, other`, says which are named together
                       unnamed/    wrong in a way of its own, or in two ways at once: nothing is named
                       right/      passes on every seed
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from attention_core.mistakes import MISTAKES
from attention_core.operations import OPERATIONS
from courses.package.exercises import load_exercise
from grader.checks import KINDS
from grader.judging import judge, make_plans
from grader.reporting import Plan
from grader.sandboxes import Sandboxes
from grader.specs import exercise_spec
from grader.verdicts import ExerciseSpec, Job, Report
from tests.verdicts.confusion import PROPERTY, Entry, table

SUBMISSIONS = Path(__file__).parent / "submissions"
EXERCISES = Path(__file__).resolve().parents[2] / "courses" / "content" / "exercises"
SLUGS = list(OPERATIONS)
RIGHT, UNNAMED = "right", "unnamed"
SEED = 20_261_017
SEEDS = range(SEED, SEED + 20)
HEADER = "# mistakes:"
# What only one kind of check names. Those that measure sessions of their own take seconds, and name nothing of code
# that is wrong already: only submissions of these folders, and right ones once, are judged by them.
NAMED_BY_KIND = {
    "memory": "stores-all-scores",
    "step-time": "recomputes-past",
    "gradient": "gradient-blocked",
    "device": "device-moved",
}


def files(slug: str, folder: str = "*") -> list[Path]:
    return sorted((SUBMISSIONS / slug).glob(f"{folder}/*.py"))


WRONG = [path for slug in SLUGS for path in files(slug) if path.parent.name != RIGHT]
PASSING = [path for slug in SLUGS for path in files(slug, RIGHT)]


def name_of(path: Path) -> str:
    return str(path.relative_to(SUBMISSIONS).with_suffix(""))


@functools.cache
def spec_of(slug: str) -> ExerciseSpec:
    return exercise_spec(load_exercise(EXERCISES / slug).compiled["spec"], revision=1)


@functools.cache
def plans_of(slug: str, seed: int, *, measured: bool) -> tuple[Plan, ...]:
    spec = spec_of(slug)
    checks = tuple(check for check in spec.checks if measured or not KINDS[check.kind].measures)
    return make_plans(Job(replace(spec, checks=checks), b"", seed), OPERATIONS[slug])


def verdict(path: Path, sandboxes: Sandboxes, seed: int = SEED, *, measured: bool) -> Report:
    slug = path.parts[-3]
    sandbox = sandboxes.of(OPERATIONS[slug].framework)
    job = Job(spec_of(slug), path.read_bytes(), seed)
    return judge(job, sandbox, plans_of(slug, seed, measured=measured))


def expected(path: Path) -> set[str]:
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    if first.startswith(HEADER):
        return set(first.removeprefix(HEADER).replace(" ", "").split(","))
    return set() if path.parent.name == UNNAMED else {path.parent.name}


def entry(path: Path, report: Report) -> Entry:
    return Entry(path.parts[-3], path.parent.name, report.mistakes)


def told(report: Report) -> str:
    return "\n".join([report.message, *(f"{check.id}: {check.message}" for check in report.checks if check.message)])


@pytest.mark.parametrize("path", WRONG, ids=name_of)
def test_what_is_wrong_is_named_and_nothing_else(
    path: Path, sandboxes: Sandboxes, record_property: Callable[[str, object], None]
) -> None:
    report = verdict(path, sandboxes, measured=path.parent.name in NAMED_BY_KIND.values())
    record_property(PROPERTY, entry(path, report))
    assert not report.passed
    assert set(report.mistakes) == expected(path), told(report)


@pytest.mark.parametrize("path", PASSING, ids=name_of)
def test_what_is_right_passes_on_every_seed(
    path: Path, sandboxes: Sandboxes, record_property: Callable[[str, object], None]
) -> None:
    reports = [verdict(path, sandboxes, seed, measured=seed == SEED) for seed in SEEDS]
    blamed = next((report for report in reports if report.mistakes), reports[0])
    record_property(PROPERTY, entry(path, blamed))
    assert [told(report) for report in reports if not report.passed] == []
    assert blamed.mistakes == ()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_mistake_of_an_exercise_is_made_in_two_ways(slug: str) -> None:
    operation = OPERATIONS[slug]
    mistakes = {variant.mistake for variant in (*operation.variants, *operation.behaviours)}
    mistakes |= {NAMED_BY_KIND[check.kind] for check in spec_of(slug).checks if check.kind in NAMED_BY_KIND}
    assert {mistake: len(files(slug, mistake)) for mistake in mistakes if len(files(slug, mistake)) < 2} == {}
    assert {path.parent.name for path in files(slug)} <= {*MISTAKES, RIGHT, UNNAMED}
    assert all(path.parent.name in expected(path) for mistake in mistakes for path in files(slug, mistake))


@pytest.mark.parametrize("slug", SLUGS)
def test_there_is_enough_right_code_in_different_styles(slug: str) -> None:
    assert len(files(slug, RIGHT)) >= 8


def test_there_is_enough_wrong_code_that_nothing_is_named_for() -> None:
    assert sum(len(files(slug, UNNAMED)) for slug in SLUGS) >= 60
    assert all(expected(path) == set() for slug in SLUGS for path in files(slug, UNNAMED))


def test_no_two_submissions_are_the_same_code() -> None:
    """Spaces, comments and names of files aside."""
    seen: dict[str, Path] = {}
    for path in [*WRONG, *PASSING]:
        lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
        code = f"{path.parts[-3]}: {' '.join(filter(None, lines))}"
        assert code not in seen, f"{name_of(path)} and {name_of(seen[code])}"
        seen[code] = path


def test_the_table_counts_what_was_named_first() -> None:
    entries = [
        Entry("softmax", "overflow", ("overflow", "nan-result")),
        Entry("softmax", "overflow", ("hard-max",)),
        Entry("softmax", "overflow", ("nan-result", "overflow")),
        Entry("softmax", "overflow", ("overflow",)),
        Entry("attention", "unnamed", ()),
    ]
    assert [line.split() for line in table(entries).splitlines() if line] == [
        ["attention", "first", "jointly", "nothing", "another"],
        ["unnamed", ".", ".", "1", "."],
        ["softmax", "first", "jointly", "nothing", "another"],
        ["overflow", "2", "1", ".", "hard-max", "1"],
    ]
