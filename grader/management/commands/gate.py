"""`manage.py gate`: what exercises must show before they are published, and the kill matrix that comes of it."""

from __future__ import annotations

import difflib
import itertools
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from courses.package.exercises import LoadedExercise, load_exercise
from courses.package.problems import PackageError
from grader.checks.kind import CheckSpecError
from grader.gate import GateReport
from grader.gates import GateNotRunError, run_gates
from grader.judging import operation_of
from grader.kill_matrix import COMMAND, as_markdown, comparable
from grader.sandbox import SandboxUnavailable
from grader.sandboxes import Sandboxes
from grader.specs import SpecError, exercise_spec
from grader.verdicts import ExerciseSpec

DEFAULT_SEEDS = 3
SHOWN_LINES = 20  # of a difference

Gated = tuple[ExerciseSpec, GateReport]


class Command(BaseCommand):
    help = (
        "Puts every known mistake, every degenerate answer and every submission that comes with an exercise to its "
        "checks. What passes and should not, or fails and should not, is named, and the exit status is then 1."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="exercises of the course; all if left out")
        parser.add_argument("--exercise-dir", type=Path, metavar="DIR", help="an exercise's folder, in place of SLUGs")
        parser.add_argument("--seeds", type=int, default=DEFAULT_SEEDS, help="seeds that right submissions must pass")
        parser.add_argument("--skip-sandbox", action="store_true", help="leave out the part that needs the sandbox")
        matrix = parser.add_mutually_exclusive_group()
        matrix.add_argument("--matrix", type=Path, metavar="FILE", help="write the kill matrix, mistake by check")
        matrix.add_argument("--check", type=Path, metavar="FILE", help="compare it with one that was written before")

    def handle(self, *_args: Any, **options: Any) -> None:
        self.refuse_what_makes_no_sense(options)
        written, compared = options["matrix"], options["check"]
        committed = self.read(compared) if compared else ""
        folders = self.folders(options["slugs"], options["exercise_dir"])
        with self.sandboxes(skip=options["skip_sandbox"]) as sandboxes:
            if written and sandboxes is None:
                raise CommandError("no matrix was written: some mistakes show in sessions only")
            seeds = tuple(range(1, options["seeds"] + 1))
            errors, gated = self.gate_all(folders, sandboxes, seeds, matrix=bool(written or compared))
        if written:
            written.write_text(as_markdown(gated), encoding="utf-8")
            self.tell(f"{written} is written")
        if compared:
            errors += self.compare(compared, committed, as_markdown(gated), sessions=sandboxes is not None)
        for error in errors:
            self.stderr.write(error)
        if errors:
            raise CommandError(f"{len(errors)} error(s)")
        self.stdout.write(f"{len(gated)} exercise(s) passed, {sum(report.judged for _, report in gated):,} judgements")

    def refuse_what_makes_no_sense(self, options: Mapping[str, Any]) -> None:
        """Now, not after minutes. Raises CommandError."""
        written: Path | None = options["matrix"]
        if options["seeds"] < 1:
            raise CommandError(f"--seeds must be at least 1, got {options['seeds']}")
        if options["slugs"] and options["exercise_dir"]:
            raise CommandError("--exercise-dir stands in place of slugs: give one or the other")
        if options["check"] and (options["slugs"] or options["exercise_dir"]):
            raise CommandError("--check compares the matrix of all exercises: give neither slugs nor --exercise-dir")
        if written and options["skip_sandbox"]:
            raise CommandError("--matrix needs the sandbox: some mistakes show in sessions only")
        if written and (written.is_dir() or not written.parent.is_dir()):
            raise CommandError(f"cannot write {written}: --matrix takes a file in a folder that is there")

    def folders(self, slugs: Sequence[str], directory: Path | None) -> list[Path]:
        """Of the exercises that are asked for. Raises CommandError."""
        if directory:
            if not directory.is_dir():
                raise CommandError(f"{directory} is no folder: --exercise-dir takes the one that holds exercise.yaml")
            return [directory]
        all_files = sorted((settings.COURSE_PACKAGE / "exercises").iterdir())
        known = {folder.name: folder for folder in all_files if folder.is_dir()}
        if unknown := [slug for slug in slugs if slug not in known]:
            raise CommandError(f"there is no exercise {', '.join(unknown)}; there are: {', '.join(known)}")
        return [known[slug] for slug in slugs or known]

    def gate_all(
        self, folders: Sequence[Path], sandboxes: Sandboxes | None, seeds: Sequence[int], *, matrix: bool
    ) -> tuple[list[str], list[Gated]]:
        """All errors, and the reports of what could be judged. Raises CommandError."""
        errors: list[str] = []
        loaded: list[tuple[ExerciseSpec, LoadedExercise]] = []
        for folder in folders:
            try:
                loaded.append(self.load(folder))
            except PackageError as error:
                errors += [f"{folder / each.file}:{each.line}: {each.message}" for each in error.problems]
            except (SpecError, CheckSpecError) as error:
                errors.append(f"{folder}: {error}")
        try:
            reports = run_gates([each for _, each in loaded], sandboxes, self.tell, seeds=seeds, matrix=matrix)
        except GateNotRunError as error:
            raise CommandError(str(error)) from error
        errors += [error for report in reports for error in report.errors]
        return errors, [(spec, report) for (spec, _), report in zip(loaded, reports, strict=True)]

    def load(self, folder: Path) -> tuple[ExerciseSpec, LoadedExercise]:
        """Raises PackageError, SpecError, and CheckSpecError for an operation that there is not."""
        exercise = load_exercise(folder)
        spec = exercise_spec(exercise.compiled["spec"], revision=0)
        operation_of(spec)
        return spec, exercise

    @contextmanager
    def sandboxes(self, *, skip: bool) -> Iterator[Sandboxes | None]:
        """The sandboxes, one of them running; or None, said with a warning where there can be none."""
        with Sandboxes(settings.SANDBOX_SOCKETS) as sandboxes:
            try:
                if not skip:
                    sandboxes.of("numpy").start()
            except SandboxUnavailable as missing:
                self.warn(f"no sandbox on this machine, so the known submissions are not run: {missing}")
                skip = True
            else:
                if skip:
                    self.warn("as asked, the known submissions are not run in a sandbox")
            yield None if skip else sandboxes

    def read(self, file: Path) -> str:
        try:
            return file.read_text(encoding="utf-8")
        except OSError as error:
            raise CommandError(f"cannot read {file}: {error.strerror}") from error

    def compare(self, file: Path, committed: str, found: str, *, sessions: bool) -> list[str]:
        """An error with the first lines that differ, if any does."""
        before, after = (comparable(text, sessions=sessions) for text in (committed, found))
        shown = list(itertools.islice(difflib.unified_diff(before, after, "written", "found", n=0), SHOWN_LINES))
        told = f"{file} is not what the gate finds; `{COMMAND} {file}` writes it anew:"
        return ["\n".join([told, *map(str.rstrip, shown)])] if shown else []

    def warn(self, line: str) -> None:
        self.stderr.write(f"warning: {line}", style_func=self.style.WARNING)

    def tell(self, line: str) -> None:
        self.stderr.write(line, style_func=str)
