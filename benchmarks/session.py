"""How long one right `attention` submission holds a session, beside a cold `import numpy`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.timing import Row, milliseconds, progress, spread
from courses.package.exercises import load_exercise
from grader.judging import judge
from grader.sandbox import Sandbox
from grader.specs import exercise_spec
from grader.verdicts import Job

EXERCISE = Path(__file__).resolve().parent.parent / "courses" / "content" / "exercises" / "attention"


def cold_import() -> float:
    return milliseconds(lambda: subprocess.run([sys.executable, "-c", "import numpy"], check=True))


def measure(repeats: int = 25) -> list[Row]:
    """Sessions and cold starts in turn, so that a noisy moment meets both alike."""
    loaded = load_exercise(EXERCISE)
    spec = exercise_spec(loaded.compiled["spec"], revision=0)
    source = (EXERCISE / "solution.py").read_bytes()
    sessions, judged, floors = [], [], []
    with Sandbox() as sandbox:
        judge(Job(spec=spec, source=source, seed=0), sandbox)  # the parent's own start is not a session's
        for seed in range(1, repeats + 1):
            progress(f"session {seed} of {repeats}")
            job = Job(spec=spec, source=source, seed=seed)
            start = time.perf_counter()
            report = judge(job, sandbox)
            judged.append((time.perf_counter() - start) * 1000)
            assert report.passed, report
            sessions.append(report.session_ms)
            floors.append(cold_import())
    ratio = statistics.median(sessions) / statistics.median(floors)
    return [
        Row("`session_ms`, a right `attention`, all its checks", spread(sessions), f"{ratio:.2f} of the floor"),
        Row("the same, judging included", spread(judged)),
        Row('floor: cold `python -c "import numpy"`', spread(floors)),
    ]
