"""Fixtures of the grader's tests."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from celery import current_app

from courses.models import ExerciseRevision, Learner
from grader import services
from grader.models import Submission
from grader.services import Claim
from grader.verdicts import CheckResult, Report, Status, Visibility
from tests.grader.exercises import RIGHT, publish


@pytest.fixture
def revision(db: None) -> ExerciseRevision:
    return publish()


@pytest.fixture
def learner(db: None) -> Learner:
    return Learner.objects.create()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """What was handed to the broker: names of tasks and their arguments. The broker itself is tested on its own."""
    messages: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: messages.append((name, args)))
    return messages


@pytest.fixture
def queued(revision: ExerciseRevision, learner: Learner, sent: list[Any]) -> Submission:
    return services.submission_create(learner=learner, exercise_revision=revision, source=RIGHT, token=uuid.uuid4())


@pytest.fixture
def claim(queued: Submission) -> Claim:
    taken = services.submission_claim(owner="worker")
    assert taken is not None
    return taken


def make_report(status: Status = Status.PASSED, **changes: Any) -> Report:
    passed = status is Status.PASSED
    check = CheckResult(
        id="worked-example",
        kind="worked",
        status=status,
        points=Decimal("1.5") if passed else Decimal(0),
        max_points=Decimal("1.5"),
        visibility=Visibility.SHOWN,
        concept="why-root-d",
        message="" if passed else "The scores of the worked example must come out.",
        mistakes=() if passed else ("no-scale",),
    )
    fields: dict[str, Any] = {
        "exercise": "scaled-scores",
        "revision": 1,
        "status": status,
        "points": check.points,
        "max_points": Decimal("1.5"),
        "checks": (check,),
        "mistakes": check.mistakes,
        "session_ms": 41.2,
    }
    return Report(**{**fields, **changes})


@pytest.fixture
def finish(queued: Submission) -> Callable[..., Submission]:
    """Have the queued submission graded with a report."""

    def _finish(report: Report) -> Submission:
        taken = services.submission_claim(owner="worker")
        assert taken is not None
        assert services.submission_record(claim=taken, report=report)
        queued.refresh_from_db()
        return queued

    return _finish
