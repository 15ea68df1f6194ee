"""How long submissions of `attention` and `torch-attention` take: right ones beside a cold import, wrong beside right.

The floor of a session is the cold import of the library that it needs. A wrong answer is diagnosed, which a right one
is not: every submission of the package whose numbers show a known mistake is judged once, each beside a right one.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.timing import Row, milliseconds, progress, spread
from courses.package.exercises import LoadedExercise, load_exercise
from grader.judging import framework_of, judge, operation_of
from grader.sandbox import Sandbox
from grader.sandboxes import Sandboxes
from grader.specs import exercise_spec
from grader.verdicts import ExerciseSpec, Job, Report

EXERCISES = Path(__file__).resolve().parent.parent / "courses" / "content" / "exercises"
EXERCISE = EXERCISES / "attention"
LIMITS = {"attention": "", "torch-attention": "; limit: 0.05"}  # of a session, beside its floor


def measure(repeats: int = 25) -> list[Row]:
    rows = []
    with Sandboxes() as sandboxes:
        for slug in LIMITS:
            exercise = load_exercise(EXERCISES / slug)
            spec = exercise_spec(exercise.compiled["spec"], revision=0)
            sandbox = sandboxes.of(framework_of(spec))
            judge(Job(spec, exercise.solution, seed=0), sandbox)  # the parent's own start is not a session's
            rows += right_ones(exercise, spec, sandbox, repeats)
            rows += wrong_ones(exercise, spec, sandbox)
    return rows


def right_ones(exercise: LoadedExercise, spec: ExerciseSpec, sandbox: Sandbox, repeats: int) -> list[Row]:
    """Sessions and cold starts in turn, so that a noisy moment meets both alike."""
    slug, library = exercise.slug, framework_of(spec)
    sessions, judged, floors = [], [], []
    for seed in range(1, repeats + 1):
        progress(f"{slug}: session {seed} of {repeats}")
        report, taken = timed(spec, exercise.solution, seed, sandbox)
        assert report.passed, report
        judged.append(taken)
        sessions.append(report.session_ms)
        floors.append(cold_import(library))
    ratio = statistics.median(sessions) / statistics.median(floors)
    beside = f"{ratio:.3f} of the floor{LIMITS[slug]}"
    return [
        Row(f"`session_ms`, a right `{slug}`, all its checks", spread(sessions), beside),
        Row("· the same, judging included", spread(judged)),
        Row(f'· floor: cold `python -c "import {library}"`', spread(floors)),
    ]


def wrong_ones(exercise: LoadedExercise, spec: ExerciseSpec, sandbox: Sandbox) -> list[Row]:
    """Judging what is diagnosed, and as often what is right, in turn."""
    known = {variant.mistake for variant in operation_of(spec).variants}
    named = [name for name, expected in exercise.expect.items() if known & set(expected["mistakes"])]
    wrong, right = [], []
    for seed, name in enumerate(named, start=1):
        progress(f"{exercise.slug}: mistake {seed} of {len(named)}")
        report, taken = timed(spec, exercise.wrong[name], seed, sandbox)
        assert list(report.mistakes) == list(exercise.expect[name]["mistakes"]), (name, report)
        wrong.append(taken)
        right.append(timed(spec, exercise.solution, seed, sandbox)[1])
    ratio = statistics.median(wrong) / statistics.median(right)
    return [
        Row(
            f"judging {len(named)} wrong `{exercise.slug}`, diagnosis included",
            spread(wrong),
            f"{ratio:.2f} of the floor; limit: 2.00",
        ),
        Row("· floor: judging a right one as often", spread(right)),
    ]


def timed(spec: ExerciseSpec, source: bytes, seed: int, sandbox: Sandbox) -> tuple[Report, float]:
    """The verdict, and how many milliseconds it took."""
    start = time.perf_counter()
    report = judge(Job(spec, source, seed), sandbox)
    return report, (time.perf_counter() - start) * 1000


def cold_import(library: str) -> float:
    return milliseconds(lambda: subprocess.run([sys.executable, "-c", f"import {library}"], check=True))
