"""A stand-in for the web process, in a process of its own: does what it is told on standard input, a JSON line each.

Not a test: a site's processes share a database *file* and a broker, which pytest's own database is not.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402  after django.setup()
from django.db import connection  # noqa: E402

from courses.models import ExerciseRevision, Learner  # noqa: E402
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
    revision = ExerciseRevision.objects.get(exercise__slug="scaled-scores")
    started = time.monotonic()
    submission = services.submission_create(
        learner=Learner.objects.create(), exercise_revision=revision, source=source, token=uuid.uuid4()
    )
    return {"id": str(submission.pk), "seconds": time.monotonic() - started}


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


def race(submission_id: str, racers: int) -> list[str]:
    """Claim at the same moment from several threads, each with its own connection; the owners that got it."""
    barrier = threading.Barrier(racers)

    def claim(owner: str) -> str | None:
        barrier.wait()
        try:
            taken = services.submission_claim(submission_id=uuid.UUID(submission_id), owner=owner)
        finally:
            connection.close()
        return taken.owner if taken else None

    with ThreadPoolExecutor(racers) as pool:
        owners = list(pool.map(claim, [f"racer-{number}" for number in range(racers)]))
    return [owner for owner in owners if owner is not None]


FUNCTIONS = (
    prepare, prepare_torch, submit, publish_again, row, gpu_row, timings, states, workers, gpu_workers, race,
)  # fmt: skip
COMMANDS: dict[str, Callable[..., Any]] = {function.__name__: function for function in FUNCTIONS}

if __name__ == "__main__":
    for line in sys.stdin:
        name, arguments = json.loads(line)
        print(json.dumps(COMMANDS[name](*arguments)), flush=True)
