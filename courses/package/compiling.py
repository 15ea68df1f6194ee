"""A package as what the database stores: HTML and numbers computed, digests taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from courses.package.blocks import BlockCompiler
from courses.package.checking import (
    check_package_references,
    lesson_of_exercise,
    lessons_with_block,
    published_ids,
)
from courses.package.digest import canonical_digest
from courses.package.exercises import LoadedExercise, compile_exercise
from courses.package.loading import Lesson, Package, read_package
from courses.package.markdown import Markdown
from courses.package.problems import Problems, Where
from courses.package.registry import Registry

ID_ATTRIBUTE = re.compile(r'\sid="([^"]+)"')


@dataclass(frozen=True)
class CompiledCourse:
    """A whole package, compiled; `course` and `lessons` are the data of their revisions."""

    uuid: UUID
    slug: str
    course: dict[str, Any]
    lessons: tuple[dict[str, Any], ...]
    exercises: tuple[LoadedExercise, ...]
    ids: frozenset[str]  # of everything that may never vanish, as "kind:id"
    retired: frozenset[str]

    @property
    def digest(self) -> str:
        """Of the course with all that it is made of."""
        lessons = {lesson["slug"]: canonical_digest(lesson) for lesson in self.lessons}
        exercises = {exercise.slug: exercise.digest for exercise in self.exercises}
        ids = [sorted(self.ids), sorted(self.retired)]
        return canonical_digest([self.course, lessons, exercises, ids])


def load_package(path: Path) -> Package:
    """Read a package and check all that needs no computing. Raises PackageError with every problem found."""
    problems = Problems()
    package = read_package(_existing(path, problems), problems)
    check_package_references(package, problems)
    problems.raise_if_any()
    return package


def compile_package(package: Package, registry: Registry) -> CompiledCourse:
    """Compile a loaded package. Raises PackageError with every problem found in texts, figures and numbers."""
    problems = Problems()
    compiled = _compile(package, registry, problems)
    problems.raise_if_any()
    return _whole(compiled)


def check_package(path: Path, registry: Registry) -> CompiledCourse:
    """Load and compile at once, so that problems of both kinds are reported together. Raises PackageError."""
    problems = Problems()
    package = read_package(_existing(path, problems), problems)
    check_package_references(package, problems)
    compiled = _compile(package, registry, problems)
    problems.raise_if_any()
    return _whole(compiled)


def _existing(path: Path, problems: Problems) -> Path:
    root = Path(path)
    if not root.is_dir():
        problems.add(Where(root.name or "."), "no such folder: name the folder of a course package")
        problems.raise_if_any()
    return root


def _whole(compiled: CompiledCourse | None) -> CompiledCourse:
    if compiled is None:
        raise AssertionError("a package that could not be compiled, without a problem")
    return compiled


def _compile(package: Package, registry: Registry, problems: Problems) -> CompiledCourse | None:
    """Compile as much as could be read, for the problems in it; None where there is no course."""
    lessons = tuple(_lesson(package, lesson, registry, problems) for lesson in package.published())
    exercises = []
    for source in package.exercises:
        lesson = lesson_of_exercise(package, source.file.slug)
        markdown = Markdown(problems, registry)
        exercises.append(compile_exercise(source, markdown, lesson=lesson.file.slug if lesson else ""))
    mistakes = _mistakes(package, Markdown(problems, registry))
    if package.course is None:
        return None
    return CompiledCourse(
        uuid=package.course.uuid,
        slug=package.course.slug,
        course=_course(package, mistakes, Markdown(problems, registry)),
        lessons=lessons,
        exercises=tuple(sorted(exercises, key=lambda exercise: exercise.slug)),
        ids=published_ids(package),
        retired=frozenset(package.course.retired),
    )


def _course(package: Package, mistakes: dict[str, Any], markdown: Markdown) -> dict[str, Any]:
    course, document = package.course, package.course_document
    assert course is not None  # noqa: S101 the caller looked
    places = [
        {
            "number": index + 1,
            "slug": place.slug,
            "title": place.title,
            "summary_html": markdown.inline(place.summary, document.text_at("lessons", index, "summary")),
            "published": place.published,
        }
        for index, place in enumerate(course.lessons)
    ]
    return {
        "slug": course.slug,
        "title": course.title,
        "summary_html": markdown.inline(course.summary, document.text_at("summary")),
        "places": places,
        "mistakes": mistakes,
    }


def _mistakes(package: Package, markdown: Markdown) -> dict[str, Any]:
    compiled = {}
    for index, mistake in enumerate(package.mistakes):
        lessons = lessons_with_block(package, mistake.section)
        compiled[mistake.id] = {
            "title": mistake.title,
            "meaning_html": markdown.block(mistake.meaning, package.mistakes_document.text_at(index, "meaning")),
            "meaning": " ".join(mistake.meaning.split()),
            "section": mistake.section,
            "lesson": lessons[0].file.slug if lessons else "",
        }
    return compiled


def _lesson(package: Package, lesson: Lesson, registry: Registry, problems: Problems) -> dict[str, Any]:
    file, document = lesson.file, lesson.document
    markdown = Markdown(problems, registry, package.root / lesson.folder / "listings")
    compiler = BlockCompiler(lesson, markdown, registry)
    compiled = {
        "uuid": str(file.uuid),
        "slug": file.slug,
        "title": file.title,
        "lede_html": markdown.inline(file.lede, document.text_at("lede")),
        "minutes": file.minutes,
        "objectives": [
            markdown.inline(objective, document.text_at("objectives", index))
            for index, objective in enumerate(file.objectives)
        ],
        "course": package.course.slug if package.course else "",
        "blocks": [compiler.compile(loaded) for loaded in lesson.blocks],
    }
    _check_page(lesson, compiled, markdown, problems)
    return compiled


def _check_page(lesson: Lesson, compiled: dict[str, Any], markdown: Markdown, problems: Problems) -> None:
    """On one page every id is there once, and every link to a place on it arrives."""
    ids = [found for html in _strings(compiled) for found in ID_ATTRIBUTE.findall(html)]
    ids += [loaded.block.id for loaded in lesson.blocks]
    twice = sorted({each for each in ids if ids.count(each) > 1})
    if twice:
        message = f"on the page twice: {', '.join(twice)}; a figure may stand there once, a block needs its own id"
        problems.add(lesson.document.where("blocks"), message)
    for target, where in markdown.links if lesson.whole else ():
        if target not in ids:
            problems.add(where, f"a link goes to #{target}, but nothing on this page has that id")


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from _strings(value)
