"""Running the shown cases before handing in: no attempt, nothing of what is hidden, one queue and its limits."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from courses.models import ExerciseRevision, Learner
from grader import selectors, services, worker
from grader.inprocess import FunctionSandbox
from grader.judging import judge
from grader.models import GpuGrading, Submission
from grader.processes import process_name
from grader.specs import exercise_spec, shown_only
from grader.verdicts import Job, Status
from tests.grader.conftest import make_report
from tests.grader.exercises import DATA, RIGHT, SPEC, WITHOUT_SCALE, more, publish
from tests.grader.test_views import EXERCISE, HTMX, graded, handed_in, one, page_of, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

PRECHECK = f"{EXERCISE}precheck/"


def run(client: Client, source: str = RIGHT, **extra: Any) -> Any:
    return send(client, source, to=PRECHECK, **extra)


def last_run() -> Submission:
    return Submission.runs.latest("created")


# ---- What is run ----


def test_only_shown_cases_are_run_and_only_on_the_cpu() -> None:
    checks = [
        *SPEC["checks"],
        {**SPEC["checks"][0], "id": "after", "visibility": "shown-after-passing"},
        {**SPEC["checks"][0], "id": "gpu", "device": "cuda"},
    ]
    spec = exercise_spec({**SPEC, "checks": checks}, revision=1)
    assert [check.id for check in shown_only(spec).checks] == ["worked-example"]
    assert len(spec.checks) == 4


def test_a_worker_that_claims_one_judges_it_so(revision: ExerciseRevision, client: Client) -> None:
    run(client)
    claim = services.submission_claim(owner="worker")
    assert claim
    assert claim.precheck
    assert [check.id for check in worker._job(claim).spec.checks] == ["worked-example"]
    handed_in(client)
    other = services.submission_claim(owner="worker")
    assert other
    assert [check.id for check in worker._job(other).spec.checks] == ["worked-example", "random-shapes"]


def test_nothing_of_a_hidden_check_is_in_the_report_and_a_mistake_is_named_all_the_same() -> None:
    spec = shown_only(exercise_spec(SPEC, revision=1))
    found = judge(Job(spec, b"# in this process\n", 5), FunctionSandbox(lambda Q, K: Q @ K.T), calling="function")
    assert [check.id for check in found.checks] == ["worked-example"]
    assert found.mistakes == ("no-scale",)
    assert found.max_points == Decimal("1.5")


def test_code_that_passes_what_is_shown_is_accused_of_nothing() -> None:
    """It is wrong, which only hidden cases would show: those are not run."""
    spec = shown_only(exercise_spec(SPEC, revision=1))

    def constant(Q: Any, K: Any) -> Any:
        return Q @ K.T / 2**0.5

    found = judge(Job(spec, b"# in this process\n", 5), FunctionSandbox(constant), calling="function")
    assert (found.status, found.mistakes) == (Status.PASSED, ())


# ---- No attempt ----


def test_it_counts_nowhere(revision: ExerciseRevision, client: Client) -> None:
    graded(handed_in(client, WITHOUT_SCALE), make_report(Status.FAILED))
    run(client)
    mine = last_run()
    graded(
        mine, make_report(checks=(replace(make_report().checks[0], mistakes=("no-scale",)),), mistakes=("no-scale",))
    )
    mine.refresh_from_db()
    assert (mine.precheck, mine.verdict) == (True, "passed")
    assert Submission.objects.count() == mine.learner.submissions.count() == 1
    assert [attempt.verdict for attempt in selectors.attempts_of(mine.learner, "scaled-scores")] == ["failed"]
    standing = selectors.exercise_standings(mine.learner, ["scaled-scores"])["scaled-scores"]
    assert (standing["passed"], standing["attempts"]) == (False, 1)
    last = selectors.submission_last(mine.learner, "scaled-scores")
    assert last
    assert last.pk != mine.pk
    page = client.get(EXERCISE).context
    assert (page["passed"], page["solution_html"], len(page["attempts"])) == (False, None, 1)
    assert page["verdict"]["status"] == "failed"
    assert {each.times for each in selectors.exercise_mistakes(mine.learner)} == {1}


def test_it_has_no_gpu_grading(client: Client) -> None:
    on_gpu = {**SPEC["checks"][0], "id": "gpu", "device": "cuda"}
    publish({**DATA, "spec": {**SPEC, "checks": [*SPEC["checks"], on_gpu]}})
    run(client)
    graded(last_run(), make_report())
    assert not GpuGrading.objects.exists()
    response = client.get(page_of(last_run()))
    assert response.context["gpu"] is None


def test_where_no_case_is_shown_there_is_nothing_to_run(client: Client) -> None:
    checks = [{**check, "visibility": "hidden"} for check in SPEC["checks"]]
    publish({**DATA, "spec": {**SPEC, "checks": checks}})
    assert "data-precheck" not in client.get(EXERCISE).content.decode()
    assert run(client).status_code == 404
    assert not Submission.runs.exists()


def test_an_old_one_is_swept_away_and_attempts_never(revision: ExerciseRevision, client: Client) -> None:
    graded(handed_in(client), make_report())
    run(client)
    graded(last_run(), make_report())
    run(client)
    long_ago = timezone.now() - services.PRECHECK_KEPT - timedelta(minutes=1)
    Submission.runs.update(created=long_ago)
    Submission.runs.exclude(finished=None).update(finished=long_ago)
    services.sweep()
    assert sorted(Submission.runs.values_list("precheck", "state")) == [(False, "finished"), (True, "queued")]


# ---- The page ----


def shown(client: Client, result: Any, source: str = RIGHT) -> Any:
    run(client, source)
    graded(last_run(), result)
    return client.get(page_of(last_run()), headers=HTMX)


@pytest.mark.parametrize(
    ("statuses", "title", "told"),
    [
        ([Status.PASSED, Status.PASSED], "The shown cases hold", "Shown cases only: 2 of 2 hold."),
        ([Status.PASSED, Status.FAILED], "Not right yet", "Shown cases only: 1 of 2 hold."),
        ([Status.TIMEOUT, Status.SKIPPED], "Out of time", "Shown cases only: 0 of 2 hold."),
    ],
)
@pytest.mark.usefixtures("revision")
def test_the_page_says_what_it_is(client: Client, statuses: list[Status], title: str, told: str) -> None:
    checks = tuple(one(f"shown-{place}", status) for place, status in enumerate(statuses))
    status = next((each for each in statuses if each is not Status.PASSED), Status.PASSED)
    response = shown(client, make_report(status, checks=checks))
    assert response.context["verdict"]["title"] == title
    page = response.content.decode()
    assert f"{told} Nothing was handed in." in page
    assert "points" not in page
    assert "check-points" not in page


@pytest.mark.usefixtures("revision")
def test_code_that_could_not_be_run_is_not_handed_in_either(client: Client) -> None:
    sentence = "Your code defines no function scaled_scores."
    checks = (one("a", Status.ERROR, sentence), one("b", Status.ERROR, "Not run."))
    response = shown(client, make_report(Status.ERROR, checks=checks, mistakes=(), message=sentence))
    assert "Shown cases only. Nothing was handed in." in response.content.decode()
    assert response.context["verdict"]["message"] == sentence


@pytest.mark.usefixtures("revision")
def test_the_known_mistake_is_named(client: Client) -> None:
    response = shown(client, make_report(Status.FAILED), WITHOUT_SCALE)
    assert [mistake["id"] for mistake in response.context["verdict"]["mistakes"]] == ["no-scale"]


@pytest.mark.usefixtures("revision")
def test_a_fault_says_that_nothing_was_handed_in(client: Client) -> None:
    run(client)
    Submission.runs.update(state="faulted", attempts=3)
    page = client.get(page_of(last_run()), headers=HTMX).content.decode()
    assert "nothing was handed in" in page
    assert "hand it in again" not in page


@pytest.mark.usefixtures("revision")
def test_without_javascript_one_is_led_to_its_page(client: Client) -> None:
    response = run(client, WITHOUT_SCALE)
    assert response["Location"] == page_of(last_run())
    page = client.get(response["Location"])
    assert "shown cases run on" in page.content.decode()
    assert page.context["source"] == WITHOUT_SCALE
    assert client.get(PRECHECK)["Location"] == EXERCISE
    assert f'formaction="{PRECHECK}"' in client.get(EXERCISE).content.decode()


@pytest.mark.usefixtures("revision")
def test_it_is_its_learners_alone_and_has_no_difference(client: Client) -> None:
    run(client)
    assert Client().get(page_of(last_run())).status_code == 404
    assert client.get(f"{page_of(last_run())}difference/").status_code == 404


@pytest.mark.usefixtures("revision")
def test_what_is_refused_is_refused_alike(client: Client) -> None:
    response = run(client, " ")
    assert response.status_code == 422
    assert not Submission.runs.exists()


@pytest.mark.usefixtures("revision")
def test_pressed_twice_it_runs_once_and_handing_in_the_same_text_is_another_matter(client: Client) -> None:
    token = uuid.uuid4()
    for _ in range(2):
        run(client, token=token)
    send(client, RIGHT, token=token)
    assert sorted(Submission.runs.values_list("precheck", "state")) == [(False, "queued"), (True, "replaced")]


@pytest.mark.usefixtures("revision")
def test_staff_find_one_that_was_given_up(client: Client) -> None:
    run(client)
    Submission.runs.update(state="faulted", attempts=3)
    staff = Client()
    staff.force_login(User.objects.create_superuser("staff"))
    assert str(last_run().pk) in staff.get("/admin/grader/submission/?precheck__exact=1").content.decode()
    assert services.submission_requeue(submission_id=last_run().pk)


# ---- The queue ----


def create(learner: Learner, revision: ExerciseRevision, *, precheck: bool) -> Submission:
    return services.submission_create(
        learner=learner, exercise_revision=revision, source=RIGHT, token=uuid.uuid4(), precheck=precheck
    )


def states(*rows: Submission) -> list[str]:
    return [Submission.runs.get(pk=row.pk).state for row in rows]


def test_it_replaces_an_earlier_one_and_never_a_submission(revision: ExerciseRevision, learner: Learner) -> None:
    attempt = create(learner, revision, precheck=False)
    first = create(learner, revision, precheck=True)
    second = create(learner, revision, precheck=True)
    assert states(attempt, first, second) == ["queued", "replaced", "queued"]
    assert second.turn == first.turn
    last = create(learner, revision, precheck=False)
    assert states(attempt, second, last) == ["replaced", "replaced", "queued"]
    assert last.turn == attempt.turn


def test_it_waits_its_turn_and_counts_as_waiting(revision: ExerciseRevision, learner: Learner, settings: Any) -> None:
    settings.GRADING_WAITING = 2
    first, second, third = more(revision, 3)
    one_waits, other_waits = create(learner, first, precheck=True), create(learner, second, precheck=False)
    assert (one_waits.turn, other_waits.turn) == (0, 1)
    with pytest.raises(services.TooManyWaiting, match="2 submissions waiting"):
        create(learner, third, precheck=True)
    newcomer = create(Learner.objects.create(), first, precheck=False)
    assert selectors.before_in_line(newcomer) == 1
    assert selectors.before_in_line(other_waits) == 2


def test_it_counts_within_the_minute(revision: ExerciseRevision, learner: Learner, settings: Any) -> None:
    settings.GRADING_PER_MINUTE = 2
    for precheck in (True, False):
        create(learner, revision, precheck=precheck)
    with pytest.raises(services.TooManyWaiting, match="sent code 2 times within a minute"):
        create(learner, revision, precheck=True)


def test_one_that_waits_in_vain_shows_that_grading_has_stalled(revision: ExerciseRevision, learner: Learner) -> None:
    create(learner, revision, precheck=True)
    services.heartbeat(name=process_name(), grading=True, message="")
    Submission.runs.update(created=timezone.now() - 2 * selectors.STALLED, published=None)
    assert selectors.grading_stalled()
