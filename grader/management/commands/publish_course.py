"""`manage.py publish_course`: check a course package, let its exercises pass the gate, publish all of it or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, transaction

from courses.package.digest import source_digest
from courses.services.publishing import (
    PublishError,
    PublishResult,
    course_published_from,
    exercises_to_gate,
    publish,
    publish_problems,
)

if TYPE_CHECKING:
    from courses.package.compiling import CompiledCourse
    from grader.sandboxes import Sandboxes

# What the compiled form depends on besides the package itself.
CODE = ("attention_core", "courses/figures", "courses/package")
DEFAULT_SEEDS = 3


class Command(BaseCommand):
    help = (
        "Checks a course package, computes its figures, runs the gate for every exercise that changed, and publishes "
        "all of it or nothing. Every error is printed as file:line: message, and the exit status is then 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", nargs="?", type=Path, default=settings.COURSE_PACKAGE, help="the package")
        parser.add_argument(
            "--dry-run", action="store_true", help="check all, say what would be published, write nothing"
        )
        parser.add_argument("--seeds", type=int, default=DEFAULT_SEEDS, help="seeds that right submissions must pass")
        parser.add_argument("--skip-sandbox", action="store_true", help="leave out the part of the gate that needs one")

    def handle(self, *_args: Any, **options: Any) -> None:
        directory: Path = options["directory"]
        if options["seeds"] < 1:
            raise CommandError(f"--seeds must be at least 1, got {options['seeds']}")
        if not directory.is_dir():
            raise CommandError(f"{directory} is no such folder: name the one that holds course.yaml")
        digest = source_digest(directory, [settings.BASE_DIR / folder for folder in CODE])
        try:
            unchanged = course_published_from(digest)
        except DatabaseError as error:
            raise CommandError(
                f"the database cannot be read; `make run` or `manage.py migrate` sets it up: {error}"
            ) from error
        if unchanged is not None and unchanged.current is not None:
            self.stdout.write(f"{unchanged.slug}: nothing changed since revision {unchanged.current.number}")
            return
        compiled = self.compile(directory)
        self.refuse(publish_problems(compiled))
        gate_digests = self.gate(directory, compiled, seeds=options["seeds"], skip_sandbox=options["skip_sandbox"])
        try:
            with transaction.atomic():
                result = publish(compiled, source_digest=digest, gate_digests=gate_digests)
                transaction.set_rollback(options["dry_run"])
        except PublishError as error:
            self.refuse(list(error.problems))
            raise
        self.tell(result, dry_run=options["dry_run"])

    def compile(self, directory: Path) -> CompiledCourse:
        # Here, not above: where nothing changed, NumPy need not be loaded.
        from courses import figures
        from courses.package.compiling import check_package
        from courses.package.problems import PackageError
        from courses.package.registry import Registry

        registry = Registry(
            figures.FIGURES,
            figures.NUMBERS,
            figures.PRINTED,
            slips=figures.SLIPS,
            worked_steps=figures.WORKED_STEPS,
            play=figures.PLAY,
            costs=figures.COSTS,
        )
        try:
            return check_package(directory, registry)
        except PackageError as error:
            self.refuse([f"{directory / each.file}:{each.line}: {each.message}" for each in error.problems])
            raise

    def gate(self, directory: Path, compiled: CompiledCourse, *, seeds: int, skip_sandbox: bool) -> dict[str, str]:
        """Run the gate for what changed; the digests of what passed all of it."""
        from grader.gates import GateNotRunError, run_gates

        waiting = exercises_to_gate(compiled)
        if not waiting:
            return {}
        self.progress(
            f"Checking {len(waiting)} exercise(s) that changed: every known mistake must be told apart, and every "
            "submission that comes with it get its verdict. It takes some minutes, once."
        )
        with self.sandboxes(skip=skip_sandbox) as sandboxes:
            try:
                reports = run_gates(waiting, sandboxes, self.progress, seeds=tuple(range(1, seeds + 1)))
            except GateNotRunError as error:
                raise CommandError(str(error)) from error
        self.refuse(
            [
                f"{directory / 'exercises' / exercise.slug}: {error.removeprefix(f'{exercise.slug}: ')}"
                for exercise, report in zip(waiting, reports, strict=True)
                for error in report.errors
            ]
        )
        return {exercise.slug: exercise.gate_digest for exercise in waiting} if sandboxes is not None else {}

    @contextmanager
    def sandboxes(self, *, skip: bool) -> Iterator[Sandboxes | None]:
        """The sandboxes, one of them running; or None with a warning where there can be none."""
        from grader.sandbox import SandboxUnavailable
        from grader.sandboxes import Sandboxes

        sandboxes = Sandboxes(settings.SANDBOX_SOCKETS)
        try:
            if not skip:
                sandboxes.of("numpy").start()
        except SandboxUnavailable as missing:
            self.warn(f"no sandbox on this machine, so the known submissions were not run: {missing}")
            skip = True
        else:
            if skip:
                self.warn("as asked, the known submissions were not run in a sandbox")
        try:
            yield None if skip else sandboxes
        finally:
            sandboxes.stop()

    def progress(self, line: str) -> None:
        self.stderr.write(line, style_func=str)

    def warn(self, line: str) -> None:
        self.stderr.write(f"warning: {line}", style_func=self.style.WARNING)

    def refuse(self, errors: list[str]) -> None:
        for error in errors:
            self.stderr.write(error)
        if errors:
            raise CommandError(f"{len(errors)} error(s); nothing was published")

    def tell(self, result: PublishResult, *, dry_run: bool) -> None:
        slug, number = result.revision.course.slug, result.revision.number
        state = "new" if result.is_new else "as it was published before"
        verb = "would be published" if dry_run else "published"
        self.stdout.write(f"{slug}: revision {number} {verb} ({state})")
        for kind, members in (("lesson", result.lessons), ("exercise", result.exercises)):
            for each in members:
                self.stdout.write(f"  {kind} {each.slug}: revision {each.number}{' (new)' if each.is_new else ''}")
