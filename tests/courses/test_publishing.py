"""A course is published all or nothing, and what is published never changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from courses.models import (
    Course,
    CourseRevision,
    Exercise,
    ExerciseRevision,
    LessonRevision,
    RevisionImmutableError,
)
from courses.package.compiling import CompiledCourse, check_package
from courses.package.registry import Registry
from courses.selectors import course_current, exercise_current, lesson_current
from courses.services.publishing import (
    PublishError,
    course_published_from,
    exercises_to_gate,
    publish,
    publish_problems,
)
from tests.courses.conftest import Edit

CARDS = "lessons/010-sums/cards.yaml"
ZERO_CARD = "- id: zero-card\n  front: What does adding 0 do?\n  back: Nothing.\n"


def counts() -> tuple[int, int, int]:
    return CourseRevision.objects.count(), LessonRevision.objects.count(), ExerciseRevision.objects.count()


def test_publishing_makes_the_course_readable(compiled: CompiledCourse, db: None) -> None:
    assert course_current() is None
    result = publish(compiled)
    assert result.is_new
    assert course_current() == result.revision
    assert lesson_current("sums").data == compiled.lessons[0]
    assert exercise_current("double").data == compiled.exercises[0].compiled
    assert result.revision.data["places"] == compiled.course["places"]
    assert "quiz:one-plus-one" in result.revision.data["ids"]


def test_publishing_the_same_again_makes_nothing(compiled: CompiledCourse, published: CourseRevision) -> None:
    before = counts()
    result = publish(compiled)
    assert not result.is_new
    assert result.revision == published
    assert not any(each.is_new for each in (*result.lessons, *result.exercises))
    assert counts() == before


def test_only_what_changed_gets_a_new_number(
    tiny: Path, registry: Registry, edit: Edit, published: CourseRevision
) -> None:
    old = lesson_current("sums")
    edit(CARDS, "What is a sum?", "What is a sum, then?")
    result = publish(check_package(tiny, registry))
    assert (result.revision.number, result.is_new) == (2, True)
    assert [(each.number, each.is_new) for each in result.lessons] == [(2, True)]
    assert [(each.number, each.is_new) for each in result.exercises] == [(1, False)]
    assert lesson_current("sums") != old
    assert list(published.lessons.all()) == [old]  # the old revision still is what it was


def test_going_back_takes_the_old_numbers(
    tiny: Path, registry: Registry, edit: Edit, compiled: CompiledCourse, published: CourseRevision
) -> None:
    edit(CARDS, "What is a sum?", "What is a sum, then?")
    publish(check_package(tiny, registry))
    result = publish(compiled)
    assert (result.revision, result.is_new, lesson_current("sums").number) == (published, False, 1)


def test_a_published_id_may_not_vanish(tiny: Path, registry: Registry, edit: Edit, published: CourseRevision) -> None:
    edit(CARDS, ZERO_CARD, "")
    before = counts()
    with pytest.raises(PublishError, match=r"card:zero-card was published and is gone"):
        publish(check_package(tiny, registry))
    assert counts() == before
    assert course_current() == published


def test_a_retired_id_may_vanish_but_not_come_back(
    tiny: Path, registry: Registry, edit: Edit, compiled: CompiledCourse, published: CourseRevision
) -> None:
    edit(CARDS, ZERO_CARD, "")
    edit("course.yaml", "slug: tiny", 'slug: tiny\nretired: ["card:zero-card"]')
    publish(check_package(tiny, registry))
    edit("course.yaml", '\nretired: ["card:zero-card"]', "")
    publish(check_package(tiny, registry))  # it need not be listed for ever
    assert publish_problems(compiled) == ["card:zero-card was retired and is here again: give what is new a new id"]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("course.yaml", "3f3b0f8e", "4f3b0f8e", "the course slug 'tiny' belongs to the course 3f3b0f8e"),
        ("exercises/double/exercise.yaml", "e7d7b9b0", "f7d7b9b0", "'double' was published with the uuid e7d7b9b0"),
    ],
)
def test_an_identity_does_not_change(
    tiny: Path, registry: Registry, edit: Edit, published: CourseRevision, file: str, old: str, new: str, message: str
) -> None:
    edit(file, old, new)
    with pytest.raises(PublishError, match=message):
        publish(check_package(tiny, registry))


def test_an_exercise_keeps_its_slug(tiny: Path, registry: Registry, edit: Edit, published: CourseRevision) -> None:
    shutil.move(tiny / "exercises/double", tiny / "exercises/twice")
    edit("exercises/twice/exercise.yaml", "slug: double", "slug: twice")
    edit("lessons/010-sums/lesson.yaml", "slugs: [double]", "slugs: [twice]")
    with pytest.raises(PublishError, match=r"the exercise 'double' is now called 'twice': slugs stay"):
        publish(check_package(tiny, registry))


def test_publishing_is_all_or_nothing(compiled: CompiledCourse, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(CourseRevision.objects.__class__, "create", fail)
    with pytest.raises(RuntimeError, match="disk"):
        publish(compiled)
    assert Course.objects.count() == Exercise.objects.count() == 0
    assert LessonRevision.objects.count() == ExerciseRevision.objects.count() == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda revision: revision.save(),
        lambda revision: revision.delete(),
        lambda revision: type(revision).objects.update(digest="x"),
        lambda revision: type(revision).objects.filter(pk=revision.pk).delete(),
        lambda revision: type(revision).objects.bulk_update([revision], ["digest"]),
        lambda revision: type(revision).objects.update_or_create(pk=revision.pk, defaults={"digest": "x"}),
    ],
)
def test_a_revision_refuses_every_change(published: CourseRevision, change: Callable[[object], object]) -> None:
    for revision in (published, lesson_current("sums"), exercise_current("double")):
        before = type(revision).objects.values().get(pk=revision.pk)
        with pytest.raises(RevisionImmutableError), transaction.atomic():
            change(revision)
        assert type(revision).objects.values().get(pk=revision.pk) == before


def test_the_gate_is_asked_again_only_for_what_changed(
    tiny: Path, registry: Registry, edit: Edit, compiled: CompiledCourse, db: None
) -> None:
    (exercise,) = exercises_to_gate(compiled)
    publish(compiled)
    assert exercises_to_gate(compiled) == [exercise]  # published without having passed
    publish(compiled, gate_digests={"double": exercise.gate_digest})
    assert exercises_to_gate(compiled) == []
    edit("exercises/double/submissions/wrong/as_it_is.py", "return x", "return +x")
    assert [each.slug for each in exercises_to_gate(check_package(tiny, registry))] == ["double"]


def test_the_source_is_remembered(compiled: CompiledCourse, db: None) -> None:
    assert course_published_from("abc") is None
    publish(compiled, source_digest="abc")
    found = course_published_from("abc")
    assert found is not None
    assert found.slug == "tiny"
    publish(compiled, source_digest="abd")
    assert course_published_from("abc") is None


PUBLISHER = """
import sys, django
django.setup()
from pathlib import Path
from typing import Any
from courses.package.compiling import check_package
from courses.services.publishing import publish
from tests.courses.conftest import tiny_registry
compiled = check_package(Path(sys.argv[1]), tiny_registry())
print("ready", flush=True)
sys.stdin.readline()
result = publish(compiled)
print(result.revision.number, result.is_new)
"""


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_publishers_at_once(tiny: Path, tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    file = f"sqlite:///{tmp_path / 'heed.sqlite3'}"
    url = request.getfixturevalue("postgres_url") if engine == "postgres" else file
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"}

    here: dict[str, Any] = {"cwd": settings.BASE_DIR, "env": environment}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], check=True, **here)
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", PUBLISHER, str(tiny)]
    publishers: list[subprocess.Popen[str]] = [subprocess.Popen(command, **pipes, **here) for _ in range(3)]
    for publisher in publishers:
        assert publisher.stdout is not None
        assert publisher.stdout.readline() == "ready\n"
    for publisher in publishers:
        assert publisher.stdin is not None
        publisher.stdin.write("go\n")
        publisher.stdin.flush()
    printed = sorted(publisher.communicate(timeout=60)[0].strip() for publisher in publishers)
    assert printed == ["1 False", "1 False", "1 True"]
