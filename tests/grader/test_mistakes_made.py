"""Which mistakes verdicts named to a learner: what the courses app asks for by settings.EXERCISE_MISTAKES."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from courses.models import ExerciseRevision, Learner
from grader.models import GpuGrading, Submission
from grader.reports import report_to_json
from grader.selectors import MistakeMade, exercise_mistakes
from grader.verdicts import Report, Status
from tests.grader.conftest import make_report

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def report_of(*checks: tuple[str, ...]) -> Report:
    """A failed one whose checks are explained by these mistakes each; named are all, in order."""
    (check,) = make_report(Status.FAILED).checks
    rows = tuple(replace(check, id=f"check-{place}", mistakes=names) for place, names in enumerate(checks))
    return make_report(Status.FAILED, checks=rows, mistakes=tuple(dict.fromkeys(sum(checks, ()))))


def graded(learner: Learner, revision: ExerciseRevision, report: Report | None, days: int = 0) -> Submission:
    row = Submission.objects.create(learner=learner, exercise_revision=revision, source="x", seed=1)
    fields: dict[str, Any] = {"created": NOON + timedelta(days=days)}
    if report:
        fields |= {"state": "finished", "verdict": report.status.value, "points": report.points}
        fields |= {"max_points": report.max_points, "report": report_to_json(report)}
    Submission.objects.filter(pk=row.pk).update(**fields)
    return row


def test_settings_name_the_function() -> None:
    assert import_string(settings.EXERCISE_MISTAKES) is exercise_mistakes


def test_nobody_and_nothing_made_no_mistake(learner: Learner, revision: ExerciseRevision) -> None:
    graded(learner, revision, None)
    graded(learner, revision, make_report(Status.PASSED))
    assert exercise_mistakes(None) == exercise_mistakes(learner) == []


def test_a_mistake_is_counted_by_exercise_and_over_revisions(learner: Learner, revision: ExerciseRevision) -> None:
    second = ExerciseRevision.objects.get(exercise__slug="second")
    newer = ExerciseRevision.objects.create(exercise=revision.exercise, number=2, data=revision.data, digest="2")
    graded(learner, newer, report_of(("no-scale",)), days=3)
    graded(learner, revision, report_of(("no-scale",), ("transposed",)), days=1)
    graded(learner, second, report_of(("no-scale",)), days=2)
    graded(Learner.objects.create(), revision, report_of(("softmax-missing",)))
    first, third = NOON + timedelta(days=1), NOON + timedelta(days=3)
    assert exercise_mistakes(learner) == [
        MistakeMade("scaled-scores", "no-scale", first, third, 2),
        MistakeMade("scaled-scores", "transposed", first, first, 1),
        MistakeMade("second", "no-scale", NOON + timedelta(days=2), NOON + timedelta(days=2), 1),
    ]


def test_one_that_cannot_be_told_from_the_first_was_not_surely_made(
    learner: Learner, revision: ExerciseRevision
) -> None:
    graded(learner, revision, report_of(("no-scale", "like-it"), ("no-scale", "like-it"), ("other",)))
    assert [made.mistake for made in exercise_mistakes(learner)] == ["no-scale", "other"]


def test_what_was_named_on_a_gpu_counts_and_once_a_submission(learner: Learner, revision: ExerciseRevision) -> None:
    row = graded(learner, revision, report_of(("no-scale",)))
    report = report_to_json(report_of(("no-scale",), ("stores-all-scores",)))
    fields = {"state": "finished", "verdict": "failed", "points": Decimal(0), "report": report}
    GpuGrading.objects.create(submission=row, **fields)
    passed = graded(learner, revision, make_report(Status.PASSED), days=1)
    GpuGrading.objects.create(submission=passed, **fields)
    assert [(made.mistake, made.times) for made in exercise_mistakes(learner)] == [
        ("no-scale", 2),
        ("stores-all-scores", 2),
    ]


def test_the_number_of_queries_does_not_grow(
    learner: Learner, revision: ExerciseRevision, django_assert_num_queries: Any
) -> None:
    for each in range(12):
        graded(learner, revision, report_of((f"mistake-{each}",), ("other",)))
    with django_assert_num_queries(2):
        assert len(exercise_mistakes(learner)) == 13


def test_a_learner_without_doubtful_verdicts_costs_one_query_less(
    learner: Learner, revision: ExerciseRevision, django_assert_num_queries: Any
) -> None:
    graded(learner, revision, report_of(("no-scale",)))
    with django_assert_num_queries(1):
        exercise_mistakes(learner)
