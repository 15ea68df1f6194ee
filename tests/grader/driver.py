"""A stand-in for the web process, in a process of its own: does what it is told on standard input, a JSON line each.

Not a test: a site's processes share a database *file* and a broker, which pytest's own database is not.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402  after django.setup()
from django.db import connection  # noqa: E402

from courses.models import Exercise, ExerciseRevision, Learner  # noqa: E402
from grader import selectors, services  # noqa: E402
from grader.models import GpuGrading, Submission, WorkerHeartbeat  # noqa: E402
from tests.grader.exercises import publish  # noqa: E402
from tests.grader.gpu import publish_torch_exercise  # noqa: E402


def prepare() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    publish()


def prepare_torch() -> None:
    """The same with an exercise of PyTorch that has a check for a GPU."""
    call_command("migrate", verbosity=0, interactive=False)
    publish_torch_exercise()


def submit(source: str) -> dict[str, Any]:
    """A submission of a new learner, and how long the call took."""
    started = time.monotonic()
    submission = _create(Learner.objects.create(), ExerciseRevision.objects.get(exercise__slug="scaled-scores"), source)
    return {"id": str(submission.pk), "seconds": time.monotonic() - started}


def submit_several(sources: list[str]) -> list[str]:
    """Submissions of one new learner, each at an exercise of its own that is as the published one."""
    learner, published = Learner.objects.create(), ExerciseRevision.objects.get(exercise__slug="scaled-scores")
    number = Exercise.objects.count()
    exercises = [
        Exercise.objects.create(uuid=uuid.uuid4(), slug=f"another-{number + place}", course=published.exercise.course)
        for place in range(len(sources))
    ]
    revisions = [
        ExerciseRevision.objects.create(exercise=exercise, number=1, data=published.data, digest=exercise.slug)
        for exercise in exercises
    ]
    return [str(_create(learner, revision, source).pk) for revision, source in zip(revisions, sources, strict=True)]


def submit_again(submission_id: str) -> str:
    """The same once more: of the same learner, at the same exercise."""
    before = Submission.objects.select_related("learner", "exercise_revision").get(pk=submission_id)
    return str(_create(before.learner, before.exercise_revision, before.source).pk)


def _create(learner: Learner, revision: ExerciseRevision, source: str) -> Submission:
    return services.submission_create(learner=learner, exercise_revision=revision, source=source, token=uuid.uuid4())


def publish_again(submission_id: str) -> bool:
    return services.submission_publish(submission_id=uuid.UUID(submission_id))


def row(submission_id: str) -> dict[str, Any]:
    return _row(Submission.objects.filter(pk=submission_id).values().get())


def gpu_row(submission_id: str) -> dict[str, Any]:
    return _row(GpuGrading.objects.filter(pk=uuid.UUID(submission_id)).values().get())


def _row(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: str(value) if isinstance(value, uuid.UUID) or hasattr(value, "isoformat") else value
        for key, value in values.items()
        if key not in {"points", "max_points"}
    }


def timings(submission_id: str) -> dict[str, float]:
    """Milliseconds from the commit to the claim, and from the claim to the record."""
    found = Submission.objects.get(pk=submission_id)
    assert found.published
    assert found.claimed
    assert found.finished
    return {
        "queue": (found.claimed - found.published).total_seconds() * 1000,
        "grade": (found.finished - found.claimed).total_seconds() * 1000,
    }


def states() -> list[str]:
    return list(Submission.objects.values_list("state", flat=True))


def workers() -> dict[str, Any]:
    status = selectors.worker_status()
    return {"online": status.online, "grading": status.grading, "findings": list(status.findings)}


def gpu_workers() -> dict[str, Any]:
    status = selectors.gpu_status()
    messages = WorkerHeartbeat.objects.filter(on_gpu=True).values_list("message", flat=True)
    return {"configured": status.configured, "online": status.online, "messages": list(messages)}


def race(racers: int) -> dict[str, str]:
    """Claim at the same moment from several threads; what each owner got that got anything."""
    return _claims(_at_once([partial(_claim, f"racer-{number}") for number in range(racers)]))


def race_to_replace(submission_id: str) -> dict[str, str]:
    """Claim, and submit again, at the same moment; what was claimed."""
    return _claims(_at_once([partial(_claim, "racer"), partial(submit_again, submission_id)])[:1])


def end_all() -> None:
    """Nothing waits or runs any more."""
    Submission.objects.unfinished().update(state="faulted", lease_until=None)


def _claim(owner: str) -> services.Claim | None:
    return services.submission_claim(owner=owner)


def _claims(taken: list[services.Claim | None]) -> dict[str, str]:
    return {claim.owner: str(claim.submission_id) for claim in taken if claim is not None}


def _at_once(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Each in a thread with its own connection."""
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        connection.ensure_connection()
        barrier.wait()
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


FUNCTIONS = (
    prepare, prepare_torch, submit, submit_several, submit_again, publish_again, row, gpu_row, timings, states, workers,
    gpu_workers, race, race_to_replace, end_all,
)  # fmt: skip
COMMANDS: dict[str, Callable[..., Any]] = {function.__name__: function for function in FUNCTIONS}

if __name__ == "__main__":
    for line in sys.stdin:
        name, arguments = json.loads(line)
        print(json.dumps(COMMANDS[name](*arguments)), flush=True)
