"""Publishing a compiled course: one transaction, all or nothing. What is already published is reused, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max
from django.db.models.query import QuerySet

from courses.models import Course, CourseRevision, Exercise, ExerciseRevision, LessonRevision

if TYPE_CHECKING:  # so that a process that only reads what is published need not load the compiler
    from courses.package.compiling import CompiledCourse
    from courses.package.exercises import LoadedExercise


class PublishError(Exception):
    """A course that may not be published over what is published already; nothing was written."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True)
class Published:
    """A lesson or an exercise as it stands after publishing."""

    slug: str
    number: int
    is_new: bool


@dataclass(frozen=True)
class PublishResult:
    """What publishing came to. `is_new` is False where everything was published already."""

    revision: CourseRevision
    is_new: bool
    lessons: tuple[Published, ...]
    exercises: tuple[Published, ...]


def publish(
    compiled: CompiledCourse, *, source_digest: str = "", gate_digests: Mapping[str, str] | None = None
) -> PublishResult:
    """Make `compiled` the current state of its course. Raises PublishError.

    `source_digest` is remembered for `course_published_from`, and `gate_digests` (by exercise slug) for
    `exercises_to_gate`. Two publishers at once come one after the other; the second finds the work done.
    """
    from courses.package.digest import canonical_digest

    with transaction.atomic():
        course = _course_locked(compiled)
        _refuse(publish_problems(compiled))
        exercises = [_exercise(course, each, (gate_digests or {}).get(each.slug)) for each in compiled.exercises]
        lessons = [_lesson(course, data, canonical_digest(data)) for data in compiled.lessons]
        revision, is_new = _course_revision(course, compiled)
        if is_new:
            revision.lessons.set([lesson for lesson, _ in lessons])
            revision.exercises.set([exercise for exercise, _ in exercises])
        course.current = revision
        course.source_digest = source_digest
        course.save()
    return PublishResult(
        revision=revision,
        is_new=is_new,
        lessons=tuple(Published(lesson.slug, lesson.number, made) for lesson, made in lessons),
        exercises=tuple(Published(each.exercise.slug, each.number, made) for each, made in exercises),
    )


def publish_problems(compiled: CompiledCourse) -> list[str]:
    """Why `compiled` may not follow what is published: ids that vanished or come back, identities that changed."""
    problems = _identity_problems(compiled)
    course = Course.objects.filter(uuid=compiled.uuid, current__isnull=False).select_related("current").first()
    if course is None or course.current is None:
        return problems
    before = course.current.data
    for key in sorted(set(before["ids"]) - compiled.ids - compiled.retired):
        problems.append(f"{key} was published and is gone: put it back, or list it under `retired:` in course.yaml")
    for key in sorted(set(before["retired"]) & compiled.ids):
        problems.append(f"{key} was retired and is here again: give what is new a new id")
    return problems


def _identity_problems(compiled: CompiledCourse) -> list[str]:
    problems = []
    other = Course.objects.filter(slug=compiled.slug).exclude(uuid=compiled.uuid).first()
    if other is not None:
        problems.append(f"the course slug {compiled.slug!r} belongs to the course {other.uuid}: keep its uuid")
    known = Exercise.objects.filter(slug__in=[each.slug for each in compiled.exercises]).select_related("course")
    uuids = {exercise.slug: exercise for exercise in known}
    for each in compiled.exercises:
        published, uuid = uuids.get(each.slug), each.compiled["spec"]["uuid"]
        if published is None:
            continue
        if str(published.uuid) != uuid:
            problems.append(f"the exercise {each.slug!r} was published with the uuid {published.uuid}: keep it")
        if published.course.uuid != compiled.uuid:
            problems.append(f"the exercise {each.slug!r} belongs to the course {published.course.slug!r}: rename it")
    slugs = {each.compiled["spec"]["uuid"]: each.slug for each in compiled.exercises}
    for exercise in Exercise.objects.filter(uuid__in=slugs):
        if slugs[str(exercise.uuid)] != exercise.slug:
            problems.append(f"the exercise {exercise.slug!r} is now called {slugs[str(exercise.uuid)]!r}: slugs stay")
    return problems


def course_published_from(source_digest: str) -> Course | None:
    """The course that was last published from exactly these files, compiled by exactly this code."""
    found = Course.objects.filter(source_digest=source_digest, current__isnull=False)
    return found.select_related("current").first()


def exercises_to_gate(compiled: CompiledCourse) -> list[LoadedExercise]:
    """The exercises that did not pass the gate as they are now, or never did."""
    passed = dict(Exercise.objects.values_list("slug", "gate_digest"))
    return [each for each in compiled.exercises if passed.get(each.slug) != each.gate_digest]


def _refuse(problems: list[str]) -> None:
    if problems:
        raise PublishError(problems)


def _course_locked(compiled: CompiledCourse) -> Course:
    """The course's row, made where it is missing, and held until the transaction ends."""
    _refuse(_identity_problems(compiled))
    Course.objects.get_or_create(uuid=compiled.uuid, defaults={"slug": compiled.slug})
    course = Course.objects.select_for_update().get(uuid=compiled.uuid)
    course.slug = compiled.slug
    return course


def _exercise(course: Course, loaded: LoadedExercise, gate_digest: str | None) -> tuple[ExerciseRevision, bool]:
    exercise, _ = Exercise.objects.get_or_create(
        slug=loaded.slug, defaults={"uuid": loaded.compiled["spec"]["uuid"], "course": course}
    )
    if gate_digest is not None and exercise.gate_digest != gate_digest:
        exercise.gate_digest = gate_digest
        exercise.save()
    found, number = _same_or_next(ExerciseRevision.objects.filter(exercise=exercise), loaded.digest)
    if found is not None:
        return found, False
    fields = {"digest": loaded.digest, "data": loaded.compiled}
    return ExerciseRevision.objects.create(exercise=exercise, number=number, **fields), True


def _lesson(course: Course, data: dict[str, Any], digest: str) -> tuple[LessonRevision, bool]:
    slug = data["slug"]
    found, number = _same_or_next(LessonRevision.objects.filter(course=course, slug=slug), digest)
    if found is not None:
        return found, False
    return LessonRevision.objects.create(course=course, slug=slug, number=number, digest=digest, data=data), True


def _course_revision(course: Course, compiled: CompiledCourse) -> tuple[CourseRevision, bool]:
    retired = set(compiled.retired)
    if course.current is not None:
        retired |= set(course.current.data["retired"])
    found, number = _same_or_next(CourseRevision.objects.filter(course=course), compiled.digest)
    if found is not None:
        return found, False
    data = {**compiled.course, "ids": sorted(compiled.ids), "retired": sorted(retired)}
    return CourseRevision.objects.create(course=course, number=number, digest=compiled.digest, data=data), True


def _same_or_next(revisions: QuerySet[Any], digest: str) -> tuple[Any, int]:
    """The revision with this content, or the number that the next one gets."""
    found = revisions.filter(digest=digest).order_by("-number").first()
    highest: int = revisions.aggregate(highest=Max("number"))["highest"] or 0
    return found, highest + 1
