"""Reading a package's files into models. What cannot be read is left out and is a problem; all else is still read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from courses.package.documents import Document, read_text, read_yaml, split_front_matter
from courses.package.exercises import ExerciseSource, read_exercise
from courses.package.problems import Problems, Where
from courses.package.schema import (
    BLOCK,
    BLOCK_FILES,
    COURSE,
    FRONT,
    LESSON,
    MARKDOWN_BLOCKS,
    MISTAKES,
    CourseFile,
    LessonFile,
    Mistake,
    validate,
)


@dataclass(frozen=True)
class MarkdownFile:
    text: str
    where: Where  # where the text begins, after any front matter


@dataclass(frozen=True)
class LoadedBlock:
    """A block of a lesson with what its file holds: Markdown, or a model and the document it was read from."""

    block: Any  # one of schema.Block
    index: int
    markdown: MarkdownFile | None = None
    content: Any = None
    document: Document | None = None


@dataclass(frozen=True)
class Lesson:
    folder: str  # "lessons/030-attention"
    document: Document
    file: LessonFile
    blocks: tuple[LoadedBlock, ...]
    whole: bool  # every block could be read


@dataclass(frozen=True)
class Package:
    """A package as far as it could be read."""

    root: Path
    course: CourseFile | None
    course_document: Document
    mistakes: tuple[Mistake, ...]
    mistakes_document: Document
    lessons: tuple[Lesson, ...]
    exercises: tuple[ExerciseSource, ...]
    whole: bool  # every file could be read, so that references between files can be checked

    def published(self) -> list[Lesson]:
        """The lessons that the course publishes, in its order; all of them where course.yaml could not be read."""
        if self.course is None:
            return list(self.lessons)
        by_slug = {lesson.file.slug: lesson for lesson in self.lessons}
        return [by_slug[place.slug] for place in self.course.lessons if place.published and place.slug in by_slug]


def read_package(root: Path, problems: Problems) -> Package:
    """Read every file under `root`; problems of shape are collected, references are not looked at."""
    before = len(problems.found)
    course_document = read_yaml(root, "course.yaml", problems) or Document("course.yaml")
    mistakes_document = read_yaml(root, "mistakes.yaml", problems) or Document("mistakes.yaml")
    course = validate(COURSE, course_document, problems) if course_document.data is not None else None
    mistakes = validate(MISTAKES, mistakes_document, problems) if mistakes_document.data is not None else None
    lessons = [lesson for folder in _folders(root, "lessons") if (lesson := _read_lesson(root, folder, problems))]
    exercises = [
        exercise
        for folder in _folders(root, "exercises")
        if (exercise := read_exercise(root, folder, problems, complete=True))
    ]
    return Package(
        root=root,
        course=course,
        course_document=course_document,
        mistakes=tuple(mistakes or ()),
        mistakes_document=mistakes_document,
        lessons=tuple(lessons),
        exercises=tuple(exercises),
        whole=len(problems.found) == before,
    )


def _folders(root: Path, name: str) -> Iterator[str]:
    if (root / name).is_dir():
        for path in sorted((root / name).iterdir()):
            if path.is_dir() and not path.name.startswith((".", "__")):
                yield f"{name}/{path.name}"


def _read_lesson(root: Path, folder: str, problems: Problems) -> Lesson | None:
    document = read_yaml(root, f"{folder}/lesson.yaml", problems)
    if document is None:
        return None
    raw = document.data.get("blocks") if isinstance(document.data, dict) else None
    count = len(raw) if isinstance(raw, list) else 0
    blocks = [_read_block(root, folder, document, index, problems) for index in range(count)]
    file = validate(LESSON, document, problems)
    if file is None:
        return None
    read = tuple(block for block in blocks if block is not None)
    return Lesson(folder, document, file, read, whole=len(read) == count)


def _read_block(root: Path, folder: str, document: Document, index: int, problems: Problems) -> LoadedBlock | None:
    block = validate(BLOCK, document, problems, ("blocks", index))
    if block is None:
        return None
    name = getattr(block, "file", None)
    if name is None:
        return LoadedBlock(block, index)
    if not (root / folder / name).is_file():
        problems.add(document.where("blocks", index, "file"), f"there is no file {folder}/{name}")
        return None
    if block.kind in MARKDOWN_BLOCKS:
        return _read_markdown(root, f"{folder}/{name}", block, index, problems)
    content_document = read_yaml(root, f"{folder}/{name}", problems)
    content = validate(BLOCK_FILES[block.kind], content_document, problems)
    return None if content is None else LoadedBlock(block, index, content=content, document=content_document)


def _read_markdown(root: Path, file: str, block: Any, index: int, problems: Problems) -> LoadedBlock | None:
    text = read_text(root, file, problems)
    if text is None:
        return None
    front, body, line = split_front_matter(text, file, problems)
    if front is None and block.kind == "section":
        problems.add(Where(file), "a section begins with front matter: ---, id, title, ---")
    elif front is not None and front.data is not None:
        _compare_front_matter(front, block, problems)
    if not body.strip():
        problems.add(Where(file, line), "this text is empty: write it")
    return LoadedBlock(block, index, markdown=MarkdownFile(body, Where(file, line)))


def _compare_front_matter(front: Document, block: Any, problems: Problems) -> None:
    matter = validate(FRONT, front, problems)
    for name in ("id", "title") if matter else ():
        here, there = getattr(matter, name), getattr(block, name)
        if here != there:
            message = f"the {name} {here!r} is {there!r} in lesson.yaml: make them the same"
            problems.add(front.where(name), message)
