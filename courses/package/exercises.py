"""One exercise: its folder read, compiled to what the site and the judge need, usable without the rest of a package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from courses.package.code import code_html
from courses.package.digest import bytes_digest, canonical_digest
from courses.package.documents import Document, read_text, read_yaml
from courses.package.markdown import Markdown
from courses.package.problems import Problems, Where
from courses.package.registry import Registry
from courses.package.schema import EXERCISE, EXPECT, ExerciseFile, Expectation, validate


@dataclass(frozen=True)
class LoadedExercise:
    """An exercise ready to be published or graded.

    `compiled` is the data of an ExerciseRevision (docs/package-format.md). `right` and `wrong` hold known submissions
    by file name, `expect` what each wrong one must come to: {"mistakes": [...], "fails": [...], "status": "failed"}.
    """

    compiled: dict[str, Any]
    right: Mapping[str, bytes] = field(default_factory=dict)
    wrong: Mapping[str, bytes] = field(default_factory=dict)
    expect: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    starter: bytes = b""
    solution: bytes = b""

    @property
    def slug(self) -> str:
        return str(self.compiled["slug"])

    @property
    def digest(self) -> str:
        """Of what learners meet: a change makes a new revision."""
        return canonical_digest(self.compiled)

    @property
    def gate_digest(self) -> str:
        """Of all that the gate looks at: a change asks for the gate again."""
        known = [bytes_digest(dict(files)) for files in (self.right, self.wrong)]
        return canonical_digest([self.compiled, *known, {name: dict(each) for name, each in self.expect.items()}])


@dataclass(frozen=True)
class ExerciseSource:
    """An exercise's folder as read, not yet compiled."""

    folder: str  # "exercises/attention"; "" where the folder is the root
    document: Document
    file: ExerciseFile
    texts: Mapping[str, str]  # statement.md, hints.md
    code: Mapping[str, bytes]  # starter.py, solution.py
    right: Mapping[str, bytes]
    wrong: Mapping[str, bytes]
    expect: Mapping[str, Expectation]
    expect_document: Document

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name


def load_exercise(path: Path, *, registry: Registry | None = None) -> LoadedExercise:
    """The exercise in the folder `path`, on its own. Raises PackageError.

    Only exercise.yaml must be there. References to a lesson are not checked; without a registry, computed numbers in
    the statement show their names.
    """
    problems = Problems()
    source = read_exercise(Path(path), "", problems, complete=False)
    loaded = compile_exercise(source, Markdown(problems, registry), lesson="") if source else None
    problems.raise_if_any()
    if loaded is None:
        raise AssertionError("an exercise that could not be read, without a problem")
    return loaded


def read_exercise(root: Path, folder: str, problems: Problems, *, complete: bool) -> ExerciseSource | None:
    """Read the exercise in `root/folder`. With `complete`, every file of the format must be there."""
    prefix = f"{folder}/" if folder else ""
    document = read_yaml(root, f"{prefix}exercise.yaml", problems)
    texts, code = {}, {}
    for name in ("statement.md", "hints.md"):
        texts[name] = _text(root, f"{prefix}{name}", problems, needed=complete)
    for name in ("starter.py", "solution.py"):
        code[name] = _text(root, f"{prefix}{name}", problems, needed=complete).encode()
    file = validate(EXERCISE, document, problems)
    right = _submissions(root, f"{prefix}submissions/right", problems, needed=complete)
    wrong = _submissions(root, f"{prefix}submissions/wrong", problems, needed=complete)
    expect_document = _expect_document(root, f"{prefix}submissions/expect.yaml", problems, needed=bool(wrong))
    expect = validate(EXPECT, expect_document, problems) if expect_document.data is not None else {}
    if document is None or file is None:
        return None
    source = ExerciseSource(folder, document, file, texts, code, right, wrong, expect or {}, expect_document)
    _check_ids(source, problems)
    if expect is not None:
        _check_expectations(source, problems)
    return source


def _text(root: Path, file: str, problems: Problems, *, needed: bool) -> str:
    if not needed and not (root / file).exists():
        return ""
    text = read_text(root, file, problems)
    if text is not None and needed and not text.strip():
        problems.add(Where(file), "this file is empty: write its content")
    return text or ""


def _submissions(root: Path, folder: str, problems: Problems, *, needed: bool) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path in sorted((root / folder).iterdir()) if (root / folder).is_dir() else []:
        if path.name.startswith((".", "__")):
            continue
        if path.suffix == ".py" and path.is_file():
            found[path.name] = path.read_bytes()
        else:
            problems.add(Where(f"{folder}/{path.name}"), "only .py files belong here: move it away")
    if needed and not found:
        problems.add(Where(folder), "no submissions: add at least one .py file")
    return found


def _expect_document(root: Path, file: str, problems: Problems, *, needed: bool) -> Document:
    if not needed and not (root / file).exists():
        return Document(file)
    return read_yaml(root, file, problems) or Document(file)


def _check_ids(source: ExerciseSource, problems: Problems) -> None:
    first: dict[str, int] = {}
    for index, check in enumerate(source.file.checks):
        where = source.document.where("checks", index, "id")
        if check.id in first:
            problems.add(where, f"the check {check.id!r} is here twice (first on line {first[check.id]}): rename one")
        first.setdefault(check.id, where.line)
    if source.folder and Path(source.folder).name != source.file.slug:
        problems.add(source.document.where("slug"), f"the folder must be called {source.file.slug!r}, as the slug is")


def _check_expectations(source: ExerciseSource, problems: Problems) -> None:
    checks = {check.id for check in source.file.checks}
    document = source.expect_document
    for name in source.wrong:
        if name not in source.expect and document.data is not None:
            problems.add(document.where(), f"nothing is said of submissions/wrong/{name}: add what it must come to")
    for name, expectation in source.expect.items():
        if name not in source.wrong:
            problems.add(document.where(name), f"there is no submissions/wrong/{name}: add the file or remove this")
        for index, check in enumerate(expectation.fails):
            if check not in checks:
                where = document.where(name, "fails", index)
                problems.add(where, f"there is no check {check!r} in exercise.yaml: correct its id")


def compile_exercise(source: ExerciseSource, markdown: Markdown, *, lesson: str) -> LoadedExercise:
    """The compiled form of an exercise; problems of its texts go to `markdown.problems`."""
    file = source.file
    solution = source.code["solution.py"].decode()
    starter = source.code["starter.py"].decode()
    statement = source.texts["statement.md"]
    compiled = {
        "slug": file.slug,
        "title": file.title,
        "entry": file.entry,
        "signature": file.signature,
        "lesson": lesson,
        "section": file.section,
        "statement_html": markdown.block(statement, Where(source.path("statement.md")), prefix="statement"),
        "starter": starter,
        "hints": _hints(source, markdown),
        "solution": solution,
        "solution_html": code_html(solution, "python"),
        "max_points": _plain(sum((Decimal(check.points) for check in file.checks), Decimal(0))),
        "spec": file.model_dump(mode="json", by_alias=True),
    }
    expect = {name: each.model_dump(mode="json") for name, each in source.expect.items()}
    return LoadedExercise(compiled, source.right, source.wrong, expect, starter.encode(), solution.encode())


def _hints(source: ExerciseSource, markdown: Markdown) -> list[str]:
    """Hints are parted by a line of three hyphens."""
    hints: list[str] = []
    line = 1
    for part in _parted(source.texts["hints.md"]):
        if part.strip():
            where = Where(source.path("hints.md"), line)
            hints.append(markdown.block(part, where, prefix=f"hint-{len(hints) + 1}"))
        line += part.count("\n") + 1
    return hints


def _parted(text: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip() == "---":
            parts.append([])
        else:
            parts[-1].append(line)
    return ["".join(f"{line}\n" for line in part) for part in parts]


def _plain(points: Decimal) -> str:
    """10, not 1E+1 nor 10.00."""
    return format(points.normalize(), "f")
