"""What the page says of checks that need a GPU: waiting, skipped, or their result; never passed without one."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses.models import ExerciseRevision
from grader import gpu_page, services
from grader.models import GpuGrading, Submission, WorkerHeartbeat
from grader.presentation import PASSED_ON_CPU
from grader.processes import process_name
from grader.verdicts import Report, Status
from tests.grader.exercises import RIGHT
from tests.grader.gpu import CHECKS, COST, cpu_report, gpu_report, publish_gpu_exercise, result
from tests.grader.gpu import report as report_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("gpu_exercise", "sent")]

EXERCISE = "/exercises/scaled-scores/"
FORM = "application/x-www-form-urlencoded"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def gpu_exercise(db: None, request: pytest.FixtureRequest) -> ExerciseRevision:
    return publish_gpu_exercise(*getattr(request, "param", ()))


def graded(client: Client, report: Report | None = None) -> Submission:
    body = urlencode({"source": RIGHT, "token": uuid.uuid4()})
    client.post(f"{EXERCISE}submit/", body, content_type=FORM)
    submission = Submission.objects.latest("created")
    claim = services.submission_claim(owner="worker")
    assert claim
    assert services.submission_record(claim=claim, report=report or cpu_report())
    return submission


def claimed(submission: Submission) -> services.Claim:
    claim = services.submission_claim(owner="gpu-worker", on_gpu=True)
    assert claim
    return claim


def a_gpu_worker(*, ago: float = 0) -> None:
    services.heartbeat(name=process_name(), grading=True, message="", on_gpu=True)
    WorkerHeartbeat.objects.update(seen=timezone.now() - timedelta(seconds=ago))


def shown(client: Client, submission: Submission, poll: int = 0) -> Any:
    """The part as its own request gives it, and the same as the whole page does."""
    url = reverse("submission_gpu", args=[submission.pk])
    alone = client.get(f"{url}?poll={poll}", headers=HTMX).context["gpu"]
    whole = client.get(f"{reverse('submission', args=[submission.pk])}?poll={poll}").context["gpu"]
    assert alone == whole
    return alone


def statuses(gpu: Any) -> list[str]:
    return [check["status"] for check in gpu["checks"]]


def test_without_a_gpu_worker_they_are_skipped_and_nobody_asks_again(client: Client) -> None:
    gpu = shown(client, graded(client))
    assert (gpu["state"], gpu["message"], gpu["poll_ms"]) == ("skipped", gpu_page.NONE, None)
    assert statuses(gpu) == ["skipped"]
    assert gpu["checks"][0]["points"] == "–"  # not 0: nobody knows
    assert (gpu["points"], gpu["max_points"]) == ("1.5", "1.5")


def test_with_a_gpu_worker_they_wait_and_the_page_asks(client: Client) -> None:
    a_gpu_worker()
    submission = graded(client)
    gpu = shown(client, submission)
    assert (gpu["state"], gpu["message"]) == ("waiting", gpu_page.WAITING)
    assert statuses(gpu) == ["waiting"]
    assert gpu["poll_url"] == f"/submissions/{submission.pk}/gpu/?poll=1"
    delays = [shown(client, submission, poll)["poll_ms"] for poll in range(len(gpu_page.POLL_MS) + 2)]
    assert delays == [*gpu_page.POLL_MS, gpu_page.POLL_MS[-1], gpu_page.POLL_MS[-1]]


def test_the_page_does_not_ask_for_ever(client: Client) -> None:
    a_gpu_worker()
    submission = graded(client)
    assert shown(client, submission, gpu_page.POLLS - 1)["poll_ms"]
    gpu = shown(client, submission, gpu_page.POLLS)
    assert (gpu["state"], gpu["message"], gpu["poll_ms"]) == ("waiting", gpu_page.STILL, None)


def test_with_a_gpu_worker_that_is_away_they_wait_but_nobody_asks(client: Client) -> None:
    a_gpu_worker(ago=settings.HEARTBEAT_LOST_SECONDS + 1)
    gpu = shown(client, graded(client))
    assert (gpu["state"], gpu["message"], gpu["poll_ms"]) == ("waiting", gpu_page.AWAY, None)
    assert statuses(gpu) == ["waiting"]


def test_while_they_run_the_page_says_so(client: Client) -> None:
    a_gpu_worker()
    submission = graded(client)
    claimed(submission)
    gpu = shown(client, submission)
    assert (gpu["state"], gpu["message"]) == ("waiting", gpu_page.RUNNING)


def test_their_result_comes_with_its_points(client: Client) -> None:
    submission = graded(client)
    assert services.submission_record(claim=claimed(submission), report=gpu_report())
    gpu = shown(client, submission)
    assert (gpu["state"], gpu["poll_ms"], gpu["points"], gpu["max_points"]) == ("finished", None, "3.5", "3.5")
    assert gpu["message"] == "Every check on the GPU passed."
    assert statuses(gpu) == ["passed"]


def test_what_fails_on_the_gpu_is_told_with_its_mistake_and_the_verdict_stays(client: Client) -> None:
    submission = graded(client)
    checks = (result(CHECKS[1], Status.FAILED, "The result is on the CPU.", mistakes=("device-moved",)),)
    report = report_of(Status.FAILED, checks, mistakes=("device-moved",), stdout="hello")
    assert services.submission_record(claim=claimed(submission), report=report)
    gpu = shown(client, submission)
    assert statuses(gpu) == ["failed"]
    assert gpu["checks"][0]["message"] == "The result is on the CPU."
    assert [mistake["id"] for mistake in gpu["mistakes"]] == ["device-moved"]
    assert gpu["stdout"] == "hello"
    assert (gpu["points"], gpu["max_points"]) == ("1.5", "3.5")
    verdict = client.get(reverse("submission", args=[submission.pk])).context["verdict"]
    assert (verdict["status"], verdict["points"], verdict["max_points"]) == ("passed", "1.5", "3.5")
    assert "Passed" in client.get(EXERCISE).content.decode()


@pytest.mark.parametrize("gpu_exercise", [(COST,)], indirect=True)
def test_what_the_code_costs_is_told_though_it_passed_and_without_points(client: Client) -> None:
    figures = "Yours took 3.1 ms and 402 MB beyond its inputs; PyTorch's fused call 0.41 ms and 17 MB (T = 4,096)."
    skipped = result(COST, Status.SKIPPED, "Not run: this check needs a GPU.")
    submission = graded(client, report_of(Status.PASSED, (*cpu_report().checks, skipped)))
    waiting = client.get(reverse("submission", args=[submission.pk])).content.decode()
    assert "– / 0" not in text_of(waiting)
    checks = (result(CHECKS[1], Status.PASSED), result(COST, Status.PASSED, figures))
    assert services.submission_record(claim=claimed(submission), report=report_of(Status.PASSED, checks, device="cuda"))
    gpu = shown(client, submission)
    assert statuses(gpu) == ["passed", "passed"]
    assert (gpu["points"], gpu["max_points"]) == ("3.5", "3.5")
    page = client.get(reverse("submission", args=[submission.pk])).content.decode()
    with_points, item = page.split('data-check="on-the-gpu"')[1].split('data-check="cost"')
    assert "2 / 2" in text_of(with_points)
    assert figures in html.unescape(item)
    assert "check-points" not in item
    assert "Look at the case" not in item


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", "", page))


def test_code_that_cannot_be_loaded_there_is_told(client: Client) -> None:
    submission = graded(client)
    sentence = "While it was loaded, your code raised RuntimeError."
    report = gpu_report(Status.ERROR, sentence)
    report = report_of(Status.ERROR, report.checks, message=sentence)
    assert services.submission_record(claim=claimed(submission), report=report)
    gpu = shown(client, submission)
    assert (gpu["message"], statuses(gpu)) == (sentence, ["error"])


def test_a_fault_of_ours_is_called_that_and_counts_for_nothing(client: Client) -> None:
    a_gpu_worker()
    submission = graded(client)
    GpuGrading.objects.update(state="faulted", attempts=3, fault="secret details of the machine")
    gpu = shown(client, submission)
    assert (gpu["state"], gpu["message"], gpu["poll_ms"]) == ("skipped", gpu_page.FAULT, None)
    assert statuses(gpu) == ["skipped"]
    assert (gpu["points"], gpu["max_points"]) == ("1.5", "1.5")
    assert "secret" not in client.get(reverse("submission", args=[submission.pk])).content.decode()


def test_an_attempt_whose_place_was_taken_says_so(client: Client) -> None:
    a_gpu_worker()
    first = graded(client)
    graded(client)
    gpu = shown(client, first)
    assert (gpu["state"], gpu["message"]) == ("skipped", gpu_page.REPLACED)


def test_where_nothing_could_be_run_nothing_is_told_of_a_gpu(client: Client) -> None:
    a_gpu_worker()
    assert shown(client, graded(client, cpu_report(Status.ERROR, message="Your code defines no function."))) is None


NOT_PASSED: dict[str, Callable[[], Any]] = {
    "none configured": lambda: None,
    "online": a_gpu_worker,
    "away": lambda: a_gpu_worker(ago=settings.HEARTBEAT_LOST_SECONDS + 1),
    "given up": lambda: GpuGrading.objects.update(state="faulted"),
    "replaced": lambda: GpuGrading.objects.all().delete(),
}


@pytest.mark.parametrize("situation", NOT_PASSED.values(), ids=NOT_PASSED)
def test_what_was_not_run_is_never_called_passed(client: Client, situation: Callable[[], Any]) -> None:
    submission = graded(client)
    situation()
    response = client.get(reverse("submission", args=[submission.pk]))
    assert response.context["verdict"]["message"] == PASSED_ON_CPU
    assert [check["id"] for check in response.context["verdict"]["checks"]] == ["worked-example"]
    page = response.content.decode()
    item = page[page.index('data-check="on-the-gpu"') :]
    assert re.search(r'<span class="visually-hidden">(.*?)</span>', item)[1] in {"Waiting:", "Skipped:"}  # type: ignore[index]
    assert "Every check passed" not in page
    assert "1.5 of 1.5 points" in page


def test_the_points_at_the_head_come_along_with_the_result(client: Client) -> None:
    submission = graded(client)
    assert services.submission_record(claim=claimed(submission), report=gpu_report())
    part = client.get(reverse("submission_gpu", args=[submission.pk]), headers=HTMX).content.decode()
    assert f'id="points-{submission.pk}" hx-swap-oob="true">3.5 of 3.5 points' in part
    assert "hx-get" not in part
    assert "data-announce" in part
    page = client.get(reverse("submission", args=[submission.pk])).content.decode()
    assert page.count(f'id="points-{submission.pk}"') == 1


def test_without_javascript_the_page_loads_itself_again_and_counts(client: Client) -> None:
    a_gpu_worker()
    submission = graded(client)
    url = reverse("submission", args=[submission.pk])
    assert f'content="2; url={url}?poll=1"' in client.get(url).content.decode()
    assert f'content="2; url={url}?poll=8"' in client.get(f"{url}?poll=7").content.decode()
    assert "http-equiv" not in client.get(f"{url}?poll={gpu_page.POLLS}").content.decode()
    assert client.get(reverse("submission_gpu", args=[submission.pk]))["Location"] == url


def test_the_part_is_its_learners_alone(client: Client) -> None:
    submission = graded(client)
    assert Client().get(reverse("submission_gpu", args=[submission.pk]), headers=HTMX).status_code == 404


def test_the_exercise_says_how_much_of_it_needs_a_gpu(client: Client) -> None:
    facts = re.sub(r"\s+", " ", client.get(EXERCISE).content.decode())
    assert "3.5 points, 2 of them on a GPU" in facts
    assert "of them on a GPU" not in client.get("/exercises/second/").content.decode()
