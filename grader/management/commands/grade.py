"""`manage.py grade`: grade files as a worker does, without saving anything."""

from __future__ import annotations

import json
import secrets
import sys
import textwrap
import traceback
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from attention_core.operations import OPERATIONS
from courses.errors import Unpublished
from courses.package.exercises import load_exercise
from courses.package.problems import PackageError
from courses.selectors import course_current, exercise_current
from grader.gpu import device_name, gpu_sandbox
from grader.judging import SandboxLike, judge
from grader.presentation import visible
from grader.reports import points_to_text, report_to_json
from grader.sandbox import Sandbox, SandboxFault
from grader.sandboxes import Sandboxes
from grader.specs import SpecError, exercise_spec
from grader.verdicts import CheckResult, ExerciseSpec, Job, Report, Status

NOT_ALL_PASSED, COULD_NOT_GRADE = 1, 2
STDIN = "-"
WIDTH = 110  # of a line in a terminal


class CannotGrade(CommandError):  # noqa: N818 says what happened
    """The exit status is 2."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=COULD_NOT_GRADE)


@dataclass(frozen=True, slots=True)
class Graded:
    """What the command needs of an exercise. `meanings` explains mistakes by id, as far as the course does."""

    spec: ExerciseSpec
    meanings: Mapping[str, str]


class Command(BaseCommand):
    help = (
        "Grades files as a worker does: in the same sandbox, with the same checks. Nothing is saved. "
        "Exit status: 0 all passed, 1 some did not, 2 could not grade."
    )
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        # Options may stand anywhere, between the slug and the files too, which argparse by itself does not take.
        setattr(parser, "parse_args", parser.parse_intermixed_args)  # noqa: B010 mypy lets no method be assigned
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.usage = (
            "manage.py grade [options] SLUG FILE [FILE ...]\n"
            "       manage.py grade [options] --exercise-dir DIR FILE [FILE ...]"
        )
        parser.add_argument(
            "words", nargs="+", metavar="SLUG FILE", help="a published exercise, then files; - is standard input"
        )
        parser.add_argument("--exercise-dir", type=Path, metavar="DIR", help="an exercise's folder, in place of SLUG")
        parser.add_argument(
            "--json", action="store_true", help="one JSON object a file on standard output, nothing else"
        )
        parser.add_argument(
            "--device", choices=["cpu", "cuda"], default="cpu", help="where the code runs (default: cpu)"
        )
        parser.add_argument("--seed", type=int, help="of the hidden cases; drawn anew for each file if left out")

    def handle(self, *_args: Any, **options: Any) -> None:
        directory: Path | None = options["exercise_dir"]
        names: list[str] = options["words"] if directory else options["words"][1:]
        if not names:
            raise CannotGrade("which file? Give one or more after the exercise's slug, or - for standard input")
        graded = packaged(directory) if directory else published(options["words"][0])
        device: str = options["device"]
        seed: int | None = options["seed"]
        if device == "cuda" and not any(check.device == device for check in graded.spec.checks):
            raise CannotGrade(f"{graded.spec.slug} runs on the CPU only: it has no check for a GPU")
        if directory and len(names) > 1 and not Path(names[0]).exists() and names[0] != STDIN:
            raise CannotGrade(f"cannot read {names[0]}: --exercise-dir stands in place of a slug, so only files follow")
        sources = [(name, read_source(name, graded.spec.source_bytes)) for name in names]
        if [name for name, _ in sources].count(STDIN) > 1:
            raise CannotGrade("standard input can be read only once: give - once")
        with sandbox_for(graded.spec, device) as sandbox:
            jobs = [
                (name, Job(graded.spec, source, secrets.randbits(63) if seed is None else seed, device))
                for name, source in sources
            ]
            statuses = self._grade_all(jobs, sandbox, graded.meanings, as_json=options["json"])
        if Status.FAULT in statuses:
            raise CannotGrade(f"{statuses.count(Status.FAULT)} of {len(sources)} could not be graded: a fault of ours")
        if set(statuses) != {Status.PASSED}:
            raise SystemExit(NOT_ALL_PASSED)

    def _grade_all(
        self,
        jobs: Sequence[tuple[str, Job]],
        sandbox: SandboxLike,
        meanings: Mapping[str, str],
        *,
        as_json: bool,
    ) -> list[Status]:
        statuses = []
        for name, job in jobs:
            self.stderr.write(f"grading {name}", style_func=str)
            report = self._judged(job, sandbox)
            statuses.append(report.status)
            self._print(report, meanings, name if len(jobs) > 1 else "", as_json=as_json)
        return statuses

    def _judged(self, job: Job, sandbox: SandboxLike) -> Report:
        """The verdict. Any exception is a fault of ours and no verdict; the files after it are still graded."""
        try:
            return judge(job, sandbox)
        except Exception as fault:  # noqa: BLE001 whatever it is, it is not the code that was handed in
            self.stderr.write("".join(traceback.format_exception(fault)), style_func=str)
            return Report(
                exercise=job.spec.slug,
                revision=job.spec.revision,
                status=Status.FAULT,
                points=Decimal(0),
                max_points=job.spec.max_points,
                checks=(),
                mistakes=(),
                message=f"A fault of ours, not of the code: {fault}",
                device=job.device,
            )

    def _print(self, report: Report, meanings: Mapping[str, str], name: str, *, as_json: bool) -> None:
        if as_json:
            shown = {**({"file": name} if name else {}), **report_to_json(report)}
            self.stdout.write(json.dumps(shown, allow_nan=False))
        else:
            self.stdout.write("\n".join(report_lines(report, meanings, name)))


@contextmanager
def sandbox_for(spec: ExerciseSpec, device: str) -> Iterator[SandboxLike]:
    """A jail that has what the exercise needs, running. Raises CannotGrade where it needs a GPU that cannot be used."""
    if device == "cuda":
        with gpu_jail(device) as sandbox:
            yield sandbox
        return
    operation = OPERATIONS.get(spec.operation)  # an unknown one is a fault that judging tells of
    with Sandboxes(settings.SANDBOX_SOCKETS) as sandboxes:
        sandbox = sandboxes.of(operation.framework if operation else "numpy")
        with suppress(SandboxFault):  # then the first file says what is missing
            sandbox.start()  # so that the first session does not seem to take as long as this
        yield sandbox


@contextmanager
def gpu_jail(device: str) -> Iterator[Sandbox]:
    """A running jail in which a session has computed on the GPU. Raises CannotGrade."""
    sandbox = gpu_sandbox(device)
    try:
        sandbox.start()
        device_name(sandbox, device)
    except SandboxFault as error:
        sandbox.stop()
        raise CannotGrade(f"the checks for a GPU cannot be run on this machine: {error}") from error
    with sandbox:
        yield sandbox


def published(slug: str) -> Graded:
    """The exercise as it is published now. Raises CannotGrade, naming the exercises that there are."""
    try:
        revision = exercise_current(slug)
        course = course_current()
        spec = exercise_spec(revision.data["spec"], revision=revision.number)
    except Unpublished as error:
        raise CannotGrade(f"no exercise {slug!r} is published; {_known_slugs()}") from error
    except SpecError as error:
        raise CannotGrade(str(error)) from error
    except DatabaseError as error:
        raise CannotGrade(
            f"the database cannot be read; `make run` or `manage.py migrate` sets it up: {error}"
        ) from error
    mistakes = course.data.get("mistakes", {}) if course else {}
    return Graded(spec, {name: described["meaning"] for name, described in mistakes.items()})


def _known_slugs() -> str:
    course = course_current()
    slugs = sorted(course.exercises.values_list("exercise__slug", flat=True)) if course else []
    return f"there are: {', '.join(slugs)}" if slugs else "nothing is published yet: run `manage.py publish_course`"


def packaged(directory: Path) -> Graded:
    """The exercise in a folder, published or not. Raises CannotGrade with every problem of the package."""
    if not directory.is_dir():
        raise CannotGrade(f"{directory} is no folder: --exercise-dir takes the one that holds exercise.yaml")
    try:
        return Graded(exercise_spec(load_exercise(directory).compiled["spec"], revision=0), {})
    except (PackageError, SpecError) as error:
        raise CannotGrade(f"{directory} holds no exercise that can be graded:\n{error}") from error


def read_source(name: str, limit: int) -> bytes:
    """The bytes of a file, or of standard input; never much more than a source may have."""
    try:
        if name == STDIN:
            return sys.stdin.buffer.read(limit + 1)
        with open(name, "rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise CannotGrade(f"cannot read {name}: {error.strerror}") from error


def report_lines(report: Report, meanings: Mapping[str, str], name: str) -> list[str]:
    """A report for a terminal."""
    title = f"{name}: " if name else ""
    points = f"{points_to_text(report.points)} of {points_to_text(report.max_points)} points"
    lines = [f"{title}{report.exercise} (revision {report.revision}): {report.status.upper()}, {points}"]
    if report.message:
        lines += ["", *_wrapped(report.message, indent=2)]
    elif report.checks:
        lines += ["", *(line for check in report.checks for line in _check_lines(check))]
    for mistake in report.mistakes:
        other = "or, which gives the same on every case, " if _is_alternative(report, mistake) else ""
        told = f": {meanings[mistake]}" if mistake in meanings else ""
        lines += ["", *_wrapped(f"{other}{mistake}{told}", indent=2)]
    if report.stdout:
        lines += ["", "  printed:", *(f"    {line}" for line in visible(report.stdout).splitlines())]
    return [*lines, ""]


def _is_alternative(report: Report, mistake: str) -> bool:
    """Whether it explains the very checks that the first mistake explains: nobody can tell which of them it is."""
    first, *_ = report.mistakes
    return mistake != first and all((mistake in check.mistakes) == (first in check.mistakes) for check in report.checks)


def _check_lines(check: CheckResult) -> list[str]:
    points = f"{points_to_text(check.points)}/{points_to_text(check.max_points)}"
    return [f"  {check.status:<8} {points:>7}  {check.id}", *_wrapped(check.message, indent=20)]


def _wrapped(text: str, *, indent: int) -> list[str]:
    """Of a text with lines of its own, each is wrapped by itself."""
    margin = " " * indent
    return [
        line
        for paragraph in visible(text).splitlines()
        for line in textwrap.wrap(paragraph, WIDTH, initial_indent=margin, subsequent_indent=margin)
    ]
