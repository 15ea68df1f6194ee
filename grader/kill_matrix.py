"""The kill matrix as Markdown: which checks of an exercise each known mistake fails."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from attention_core.mistakes import MISTAKES
from grader.gate import GateReport
from grader.judging import operation_of
from grader.verdicts import ExerciseSpec

EVERY, SOME = "●", "◐"
IN_SESSIONS = "¹"  # at a mistake that only the package's submissions show
ROUNDING = "lower-precision"  # which of its cells are full hangs on how a processor's kernels round
COMMAND = "manage.py gate --matrix"
INTRODUCTION = f"""# The kill matrix

What [the gate](architecture.md#from-a-package-to-a-page) finds: every mistake that is known to occur in an exercise
fails one of its checks or more, and every check is failed by something.

- {EVERY} every implementation of the mistake fails the check; {SOME} some do; empty: none does, or none was put to it.
- Implementations of wrong numbers are put to the checks that compare numbers. Samples of mistakes of behaviour are put
  to all checks but those that measure a session. What only sessions show ({IN_SESSIONS}) is taken from the package's
  wrong submissions: the checks for which it was named.
- Degenerate answers (in italics) take no thought: constants, averages, arguments handed back.

The cases are those of seed 1. `.venv/bin/python {COMMAND} docs/kill-matrix.md` writes this file,
in some minutes. `make check` compares it with what the gate finds, but for the rows of `{ROUNDING}`, whose cells
hang on the processor, and those of sessions.
"""


def as_markdown(gated: Sequence[tuple[ExerciseSpec, GateReport]]) -> str:
    """The whole file, of exercises and their reports with kills."""
    return "\n".join([INTRODUCTION, *(_exercise(spec, report) for spec, report in gated)])


def comparable(text: str, *, sessions: bool) -> list[str]:
    """The lines of the file that are the same on every machine: with sessions, or on one where none was opened."""
    leave_out = [f"| `{ROUNDING}`", *([] if sessions else [f"`{IN_SESSIONS} |"])]
    return [line for line in text.splitlines() if not any(part in line for part in leave_out)]


def _exercise(spec: ExerciseSpec, report: GateReport) -> str:
    operation = operation_of(spec)
    checks = [check.id for check in spec.checks if check.device == "cpu"]
    in_process = {variant.mistake for variant in (*operation.variants, *operation.behaviours)}
    known = sorted(report.kills, key=list(MISTAKES).index)
    rows = [
        *(_row(f"`{each}`{'' if each in in_process else IN_SESSIONS}", checks, report.kills[each]) for each in known),
        *(_row(f"*{name}*", checks, dict.fromkeys(caught, True)) for name, caught in report.answers.items()),
    ]
    elsewhere = [check.id for check in spec.checks if check.id not in checks]
    lines = [
        f"## {spec.slug}",
        "",
        f"<details><summary>{len(checks)} checks</summary>",
        "",
        f"| | {' | '.join(checks)} |",
        f"|---|{':-:|' * len(checks)}",
        *rows,
        "",
        *([f"Not here, since they need a GPU: {', '.join(elsewhere)}.", ""] if elsewhere else []),
        "</details>",
        "",
    ]
    return "\n".join(lines)


def _row(name: str, checks: Collection[str], failed: Mapping[str, bool]) -> str:
    cells = ("" if check not in failed else EVERY if failed[check] else SOME for check in checks)
    return f"| {name} | {' | '.join(cells)} |"
