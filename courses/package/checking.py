"""What must hold between the files of a package: unique ids, and references to things that are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from courses.package.loading import Lesson, LoadedBlock, Package
from courses.package.problems import Problems, Where

# Blocks whose items have ids of their own, and what such an id is of.
ITEM_KINDS = {
    "prerequisites": "prerequisite",
    "paper": "box",
    "myths": "myth",
    "quizzes": "quiz",
    "cards": "card",
    "questions": "question",
}
# What items hold that has ids within them, and what such an id is of.
INNER = {"choices": "choice", "steps": "step", "rubric": "point"}


@dataclass(frozen=True)
class Named:
    """Something with an id that must be unique, and once published may not vanish."""

    key: str  # "quiz:row-sum", "check:attention/huge-scores"
    where: Where


def named_in_lesson(lesson: Lesson) -> Iterator[Named]:
    """Everything with an id in one lesson."""
    yield Named(f"lesson:{lesson.file.slug}", lesson.document.where("slug"))
    for loaded in lesson.blocks:
        block, where = loaded.block, lesson.document.where("blocks", loaded.index, "id")
        yield Named(f"block:{lesson.file.slug}/{block.id}", where)
        if block.kind == "section":
            yield Named(f"section:{block.id}", where)
        yield from _named_items(loaded)


def _named_items(loaded: LoadedBlock) -> Iterator[Named]:
    kind, document = ITEM_KINDS.get(loaded.block.kind), loaded.document
    if kind is None or document is None:
        return
    at: tuple[str | int, ...] = ("boxes",) if kind == "box" else ()
    items = loaded.content.boxes if kind == "box" else loaded.content
    for index, item in enumerate(items):
        yield Named(f"{kind}:{item.id}", document.where(*at, index, "id"))
        for inner, what in INNER.items():
            for number, each in enumerate(getattr(item, inner, ())):
                yield Named(f"{what}:{item.id}/{each.id}", document.where(index, inner, number, "id"))


def named_elsewhere(package: Package) -> Iterator[Named]:
    """Everything with an id outside the lessons: mistakes, exercises and their checks."""
    for index, mistake in enumerate(package.mistakes):
        yield Named(f"mistake:{mistake.id}", package.mistakes_document.where(index, "id"))
    for exercise in package.exercises:
        yield Named(f"exercise:{exercise.file.slug}", exercise.document.where("slug"))
        for index, check in enumerate(exercise.file.checks):
            key = f"check:{exercise.file.slug}/{check.id}"
            yield Named(key, exercise.document.where("checks", index, "id"))


def published_ids(package: Package) -> frozenset[str]:
    """The ids that publishing this package makes permanent."""
    lessons = [named.key for lesson in package.published() for named in named_in_lesson(lesson)]
    return frozenset([*lessons, *(named.key for named in named_elsewhere(package))])


def check_package_references(package: Package, problems: Problems) -> None:
    """Everything about ids and references. References are judged only where every file could be read."""
    named = [*(each for lesson in package.lessons for each in named_in_lesson(lesson)), *named_elsewhere(package)]
    _check_unique((each for each in named if not each.key.startswith("check:")), problems)
    _check_uuids(package, problems)
    _check_places_unique(package, problems)
    for lesson in package.lessons:
        _check_quizzes(lesson, problems)
    if package.whole and package.course is not None:
        _check_retired(package, {each.key for each in named}, problems)
        _check_places(package, problems)
        _check_maps(package, problems)
        _check_lesson_references(package, problems)
        _check_exercises(package, problems)
        _check_mistakes(package, problems)


def _check_unique(named: Iterable[Named], problems: Problems) -> None:
    first: dict[str, Where] = {}
    for each in named:
        earlier = first.setdefault(each.key, each.where)
        if earlier is not each.where:
            kind, _, name = each.key.partition(":")
            message = f"the {kind} {name!r} is already at {earlier.file}:{earlier.line}: ids are unique, rename one"
            problems.add(each.where, message)


def _check_uuids(package: Package, problems: Problems) -> None:
    uuids = [(lesson.file.uuid, lesson.document.where("uuid")) for lesson in package.lessons]
    uuids += [(exercise.file.uuid, exercise.document.where("uuid")) for exercise in package.exercises]
    if package.course is not None:
        uuids.insert(0, (package.course.uuid, package.course_document.where("uuid")))
    first: dict[object, Where] = {}
    for uuid, where in uuids:
        earlier = first.setdefault(uuid, where)
        if earlier is not where:
            problems.add(where, f"this uuid is already at {earlier.file}:{earlier.line}: make a new one")


def _check_places_unique(package: Package, problems: Problems) -> None:
    places = package.course.lessons if package.course else []
    seen: set[str] = set()
    for index, place in enumerate(places):
        if place.slug in seen:
            problems.add(package.course_document.where("lessons", index, "slug"), f"{place.slug!r} is listed twice")
        seen.add(place.slug)


def _check_quizzes(lesson: Lesson, problems: Problems) -> None:
    for loaded in lesson.blocks:
        if loaded.block.kind != "quizzes" or loaded.document is None:
            continue
        for index, quiz in enumerate(loaded.content):
            if quiz.kind != "choice":
                continue
            right = [number for number, choice in enumerate(quiz.choices) if choice.correct]
            if len(right) != 1:
                path: tuple[str | int, ...] = (right[-1], "correct") if right else ()
                where = loaded.document.where(index, "choices", *path)
                problems.add(
                    where, f"the quiz {quiz.id!r} has {len(right)} correct choices: exactly one must be correct"
                )


def _check_retired(package: Package, present: set[str], problems: Problems) -> None:
    for index, key in enumerate(package.course.retired if package.course else []):
        if key in present:
            where = package.course_document.where("retired", index)
            problems.add(where, f"{key!r} is retired, but it is still in the package: remove one of the two")


def _check_places(package: Package, problems: Problems) -> None:
    assert package.course is not None  # noqa: S101 the caller looked
    slugs = {lesson.file.slug for lesson in package.lessons}
    places = {place.slug for place in package.course.lessons}
    for index, place in enumerate(package.course.lessons):
        if place.published and place.slug not in slugs:
            where = package.course_document.where("lessons", index, "published")
            problems.add(where, f"the lesson {place.slug!r} is published, but no lessons/*/lesson.yaml has that slug")
    for lesson in package.lessons:
        if lesson.file.slug not in places:
            message = (
                f"course.yaml does not list the lesson {lesson.file.slug!r}: add it (published: false, if not ready)"
            )
            problems.add(lesson.document.where("slug"), message)


def _check_maps(package: Package, problems: Problems) -> None:
    """A map is a tree: a link goes from a section to a later one, and no section is led to twice."""
    for lesson in package.lessons:
        order = [loaded.block.id for loaded in lesson.blocks if loaded.block.kind == "section"]
        for loaded in lesson.blocks:
            led: set[str] = set()
            for index, link in enumerate(loaded.block.links if loaded.block.kind == "map" else ()):
                where = lesson.document.where("blocks", loaded.index, "links", index)
                for section in (link.source, link.target):
                    if section not in order:
                        problems.add(where, f"the lesson {lesson.file.slug!r} has no section {section!r}")
                if link.target in led:
                    problems.add(where, f"the map leads to {link.target!r} twice: leave one of the links out")
                led.add(link.target)
                if {link.source, link.target} <= {*order} and order.index(link.source) >= order.index(link.target):
                    problems.add(where, f"{link.source!r} does not come before {link.target!r}: turn the link round")


def _check_lesson_references(package: Package, problems: Problems) -> None:
    exercises = {exercise.file.slug for exercise in package.exercises}
    for lesson in package.lessons:
        blocks = {loaded.block.id for loaded in lesson.blocks}
        for loaded in lesson.blocks:
            if loaded.block.kind == "exercises":
                for number, slug in enumerate(loaded.block.slugs):
                    if slug not in exercises:
                        where = lesson.document.where("blocks", loaded.index, "slugs", number)
                        problems.add(where, f"there is no exercise {slug!r} in exercises/")
            for section, where in _sections_named(loaded):
                if section not in blocks:
                    problems.add(where, f"the lesson {lesson.file.slug!r} has no section or block {section!r}")


def _sections_named(loaded: LoadedBlock) -> Iterator[tuple[str, Where]]:
    if loaded.block.kind in {"myths", "quizzes", "cards", "questions"} and loaded.document is not None:
        for index, item in enumerate(loaded.content):
            if item.section is not None:
                yield item.section, loaded.document.where(index, "section")


def lesson_of_exercise(package: Package, slug: str) -> Lesson | None:
    """The lesson whose exercises name `slug`; published ones come first."""
    for lesson in [*package.published(), *package.lessons]:
        for loaded in lesson.blocks:
            if loaded.block.kind == "exercises" and slug in loaded.block.slugs:
                return lesson
    return None


def _check_exercises(package: Package, problems: Problems) -> None:
    mistakes = {mistake.id for mistake in package.mistakes}
    for exercise in package.exercises:
        lesson = lesson_of_exercise(package, exercise.file.slug)
        if lesson is None:
            problems.add(
                exercise.document.where("slug"), "no lesson has this exercise among its exercises: add it there"
            )
            continue
        blocks = {loaded.block.id for loaded in lesson.blocks}
        named = [(exercise.file.section, exercise.document.where("section"))]
        for index, check in enumerate(exercise.file.checks):
            named.append((check.concept, exercise.document.where("checks", index, "concept")))
        for section, where in named:
            if section not in blocks:
                problems.add(where, f"the lesson {lesson.file.slug!r} has no section or block {section!r}")
        for name, expectation in exercise.expect.items():
            for index, mistake in enumerate(expectation.mistakes):
                if mistake not in mistakes:
                    where = exercise.expect_document.where(name, "mistakes", index)
                    problems.add(where, f"mistakes.yaml has no mistake {mistake!r}: correct its id or add it there")


def lessons_with_block(package: Package, block: str) -> list[Lesson]:
    """The published lessons that have a section or block of this id."""
    return [lesson for lesson in package.published() if any(loaded.block.id == block for loaded in lesson.blocks)]


def _check_mistakes(package: Package, problems: Problems) -> None:
    for index, mistake in enumerate(package.mistakes):
        found = lessons_with_block(package, mistake.section)
        where = package.mistakes_document.where(index, "section")
        if not found:
            problems.add(where, f"no published lesson has a section or block {mistake.section!r}")
        elif len(found) > 1:
            names = ", ".join(repr(lesson.file.slug) for lesson in found)
            problems.add(where, f"several lessons have a block {mistake.section!r} ({names}): name a section of one")
