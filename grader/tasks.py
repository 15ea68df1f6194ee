"""The tasks of the worker, and the start and the end of its processes. Loaded by workers only: never by the web."""

from __future__ import annotations

import logging
import os
from typing import Any

from celery import current_app, shared_task
from celery.signals import (
    beat_embedded_init,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
)

from grader import services
from grader.processes import die_with_parent
from grader.worker import Bench, machine_findings

logger = logging.getLogger(__name__)

GPU_QUEUE = "gpu"
ONE_OR_THE_OTHER = f"a worker serves either the queue {GPU_QUEUE} or the others, not both: start two"

_bench: Bench | None = None  # of this pool process
_missing = ""  # found by the main process, inherited by the pool's
_on_gpu = False  # likewise


@shared_task(name=services.GRADE_TASK)  # type: ignore[untyped-decorator]
def grade(submission_id: str) -> None:  # noqa: ARG001  what a worker of an earlier version goes by
    """Grade the submission whose turn it is, if one waits and this process can. Otherwise it is left to the sweeper."""
    _grade(on_gpu=False)


@shared_task(name=services.GPU_TASK)  # type: ignore[untyped-decorator]
def grade_on_gpu(submission_id: str) -> None:  # noqa: ARG001  likewise
    """Run a submission's checks for a GPU, likewise."""
    _grade(on_gpu=True)


def _grade(*, on_gpu: bool) -> None:
    if _bench is None or not _bench.ready or _bench.on_gpu != on_gpu:
        return
    claim = services.submission_claim(owner=_bench.name, on_gpu=on_gpu)
    if claim is not None:
        _bench.grade(claim)
        services.passed_over_publish(claim=claim)


@shared_task(name=services.SWEEP_TASK)  # type: ignore[untyped-decorator]
def sweep() -> None:
    """What the beat asks for every few seconds."""
    swept = services.sweep()
    if swept.requeued or swept.faulted:
        logger.warning("brought back %d submissions, gave up %d", swept.requeued, swept.faulted)


@worker_init.connect  # type: ignore[untyped-decorator]
def _audit_machine(sender: Any, **_: Any) -> None:
    """Once, before any process of the pool: no code is run where the sandbox's promises do not hold."""
    global _missing, _on_gpu
    queues = set(sender.app.amqp.queues.consume_from)
    _on_gpu = GPU_QUEUE in queues
    _missing = ONE_OR_THE_OTHER if _on_gpu and queues != {GPU_QUEUE} else machine_findings(on_gpu=_on_gpu)
    if _missing:
        logger.error("nothing is graded on this machine:\n%s", _missing)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _start_bench(**_: Any) -> None:
    global _bench
    _bench = Bench(_missing, on_gpu=_on_gpu)
    _bench.start()


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _stop_bench(**_: Any) -> None:
    if _bench is not None:
        _bench.stop()


@beat_embedded_init.connect  # type: ignore[untyped-decorator]
def _beat_dies_with_the_worker(**_: Any) -> None:
    # Otherwise it outlives a killed worker and sweeps for ever, beside the next one's.
    die_with_parent(os.getppid())


@worker_ready.connect  # type: ignore[untyped-decorator]
def _sweep_at_once(**_: Any) -> None:
    """What the last worker held when it was killed need not wait for the first beat."""
    try:
        current_app.send_task(services.SWEEP_TASK, retry=False, ignore_result=True)
    except Exception as error:  # noqa: BLE001  whatever a broker's client raises: the beat asks again
        logger.warning("the first sweep waits for the beat: %r", error)
