"""All of a learner's data can be taken away, and deleted for good; nobody else's is touched by either."""

from __future__ import annotations

import json
import re
import uuid
from decimal import Decimal
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from courses.models import (
    Answer,
    CourseRevision,
    Exercise,
    ExerciseRevision,
    Learner,
    LessonRevision,
    ReadingPosition,
    ReviewLog,
    SectionDone,
)
from courses.services.account import data_export, kept_of_learners, learner_delete
from courses.services.learners import SESSION_KEY
from grader import services
from grader.models import Draft, GpuGrading, Submission
from grader.verdicts import Status
from tests.grader.conftest import make_report

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]

DATA, DELETE, DELETED = "/progress/data/", "/progress/delete/", "/progress/deleted/"
PASSWORD = "a-long-password-7"
REPORT = {"mistakes": ["no-scale"], "checks": [], "stdout": "</script>é\u2028"}
LISTS = {"sections_done", "reading_positions", "answers", "reviews", "submissions", "drafts", "gpu"}


def fill(learner: Learner) -> Submission:
    """At least one row in every model that keeps anything of a learner; the submission is graded."""
    revision = ExerciseRevision.objects.get()
    SectionDone.objects.create(learner=learner, lesson="sums", section="adding")
    ReadingPosition.objects.create(learner=learner, lesson="sums", block="adding", read=timezone.now())
    Answer.objects.create(
        learner=learner,
        course_revision=CourseRevision.objects.get(),
        lesson="sums",
        kind="question",
        item="why-add",
        response="To <count> them",
    )
    ReviewLog.objects.create(learner=learner, lesson="sums", card="sum-card", rating=3, reviewed=timezone.now())
    Draft.objects.create(learner=learner, exercise=revision.exercise, text="half done", saved=timezone.now())
    submission = Submission.objects.create(
        learner=learner,
        exercise_revision=revision,
        source="def double(x):\n    return x\n",
        seed=4242,
        state="finished",
        verdict="failed",
        points=Decimal("0.5"),
        max_points=Decimal("2.5"),
        report=REPORT,
        fault="/secret/path",
    )
    GpuGrading.objects.create(submission=submission)
    for kept in kept_of_learners():
        assert kept.model._base_manager.filter(**{kept.path: learner}).exists(), f"nothing fills {kept.name}"
    return submission


def rows_of(learner_id: uuid.UUID) -> dict[str, int]:
    found = {
        kept.name: kept.model._base_manager.filter(**{kept.path: learner_id}).count() for kept in kept_of_learners()
    }
    return {name: count for name, count in found.items() if count}


@pytest.fixture
def visitor(client: Client) -> Learner:
    """The browser's visitor, who has done something of everything."""
    learner = Learner.objects.create()
    session = client.session
    session[SESSION_KEY] = str(learner.pk)
    session.save()
    fill(learner)
    return learner


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


@pytest.fixture
def learner(user: User) -> Learner:
    learner = Learner.objects.create(user=user)
    fill(learner)
    return learner


@pytest.fixture
def signed_in(client: Client, learner: Learner) -> Client:
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    return client


def exported(client: Client) -> dict[str, Any]:
    response = client.get(DATA)
    assert response.status_code == 200
    assert response.streaming
    found: dict[str, Any] = json.loads(response.getvalue())
    return found


# Taking it away


def test_the_file_holds_every_row_with_its_text(client: Client, visitor: Learner) -> None:
    found = exported(client)
    assert {name: len(rows) for name, rows in found.items() if isinstance(rows, list)} == dict.fromkeys(LISTS, 1)
    assert found["account"] is None
    assert found["learner"]["id"] == str(visitor.pk)
    assert found["answers"][0]["response"] == "To <count> them"
    assert found["submissions"][0]["source"].startswith("def double")
    assert found["submissions"][0]["report"] == REPORT
    assert found["submissions"][0]["exercise_revision"] == "double r1"
    assert found["submissions"][0]["points"] == "0.50"
    assert found["drafts"][0]["text"] == "half done"
    assert found["gpu"][0]["submission"] == found["submissions"][0]["id"]
    assert found["answers"][0]["course_revision"] == "tiny r1"


def test_every_field_is_described_and_none_is_there_without(client: Client, visitor: Learner) -> None:
    found = exported(client)
    for name in LISTS:
        assert found["fields"][name].keys() == found[name][0].keys(), name
    assert found["fields"]["learner"].keys() == found["learner"].keys()


@pytest.mark.parametrize("kept", kept_of_learners(), ids=lambda kept: kept.name)
def test_a_model_says_what_each_of_its_fields_is(kept: Any) -> None:
    fields = {field.name for field in kept.model._meta.concrete_fields}
    told = {*kept.model.exported, *getattr(kept.model, "kept_back", {})}
    assert told | {kept.path} == fields | {kept.path}
    assert all(sentence.endswith(".") for sentence in kept.model.exported.values())


def test_a_model_that_says_nothing_is_exported_under_its_own_names(
    client: Client, visitor: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(SectionDone, "exported")
    found = exported(client)
    assert found["fields"]["sections_done"]["section"] == "Section"
    assert found["sections_done"][0]["section"] == "adding"


def test_the_account_is_in_it_but_no_password_and_no_session(signed_in: Client, user: User) -> None:
    found = exported(signed_in)
    assert (found["account"]["user_name"], found["account"]["email"]) == ("ada", "ada@example.org")
    assert found["account"].keys() == found["fields"]["account"].keys()
    everything = json.dumps(found)
    user.refresh_from_db()
    assert user.password not in everything
    assert Session.objects.get().session_key not in everything
    assert len(found["answers"]) == 1


def test_what_is_the_sites_own_stays_back(client: Client, visitor: Learner) -> None:
    everything = json.dumps(exported(client))
    for secret in ("4242", "/secret/path"):
        assert secret not in everything


def test_nothing_of_others_is_in_it(client: Client, visitor: Learner, learner: Learner) -> None:
    everything = json.dumps(exported(client))
    assert str(learner.pk) not in everything
    assert "ada" not in everything
    for kept in kept_of_learners():
        for key in kept.model._base_manager.filter(**{kept.path: learner}).values_list("pk", flat=True):
            assert not isinstance(key, uuid.UUID) or str(key) not in everything


def test_who_did_nothing_gets_a_file_of_nothing() -> None:
    found = exported(Client())
    assert (found["account"], found["learner"]) == (None, None)
    assert {name: found[name] for name in LISTS} == {name: [] for name in LISTS}
    assert not Learner.objects.exists()


def test_it_is_a_file_that_no_cache_keeps(client: Client, visitor: Learner) -> None:
    response = client.get(DATA)
    assert re.fullmatch(r'attachment; filename="heed-\d{4}-\d\d-\d\d\.json"', response["Content-Disposition"])
    assert "no-store" in response["Cache-Control"]
    assert response["Content-Type"].startswith("application/json")
    assert client.post(DATA).status_code == 405


def test_a_row_at_a_time_is_written(visitor: Learner) -> None:
    for _ in range(200):
        SectionDone.objects.create(learner=visitor, lesson="sums", section=uuid.uuid4().hex)
    pieces = list(data_export(learner=visitor, user=None))
    assert len(json.loads("".join(pieces))["sections_done"]) == 201
    assert max(len(piece) for piece in pieces[1:]) < 2000


# Deleting it


def sure(client: Client, **changes: str) -> Any:
    return client.post(DELETE, {"sure": "on", **changes})


def test_the_page_says_what_goes_and_deletes_nothing_by_itself(client: Client, visitor: Learner) -> None:
    page = client.get(DELETE).content.decode()
    assert "Delete all you did here" in page
    assert 'type="password"' not in page
    assert rows_of(visitor.pk)


def test_a_visitor_leaves_nothing_and_others_keep_everything(
    client: Client, visitor: Learner, learner: Learner
) -> None:
    before = rows_of(learner.pk)
    revisions = [model.objects.count() for model in (CourseRevision, LessonRevision, ExerciseRevision, Exercise)]
    response = sure(client)
    assert (response.status_code, response["Location"]) == (303, f"{DELETED}#visitor")
    assert rows_of(visitor.pk) == {}
    assert not Learner.objects.filter(pk=visitor.pk).exists()
    assert rows_of(learner.pk) == before
    assert revisions == [
        model.objects.count() for model in (CourseRevision, LessonRevision, ExerciseRevision, Exercise)
    ]
    assert SESSION_KEY not in client.session
    assert "All of it is gone" in client.get(DELETED).content.decode()


def test_an_account_goes_with_all_that_refers_to_it(signed_in: Client, learner: Learner, user: User) -> None:
    other = Learner.objects.create()
    fill(other)
    before = rows_of(other.pk)
    response = sure(signed_in, password=PASSWORD)
    assert (response.status_code, response["Location"]) == (303, f"{DELETED}#{user.pk}")
    assert not User.objects.exists()
    assert rows_of(learner.pk) == {}
    assert list(Learner.objects.all()) == [other]
    assert rows_of(other.pk) == before
    assert "Sign out" not in signed_in.get("/progress/").content.decode()
    for relation in User._meta.related_objects:
        model, name = relation.related_model, relation.field.name
        assert not isinstance(model, str)
        assert not model._base_manager.filter(**{f"{name}__isnull": False}).exists() or model is Learner


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Tick the box if everything is to be deleted."),
        ({"sure": "on"}, "This field is required."),
        ({"sure": "on", "password": "wrong"}, "Incorrect password"),
        ({"password": PASSWORD}, "Tick the box if everything is to be deleted."),
    ],
)
def test_without_the_password_and_the_tick_nothing_is_deleted(
    signed_in: Client, learner: Learner, sent: dict[str, str], said: str
) -> None:
    before = rows_of(learner.pk)
    response = signed_in.post(DELETE, sent)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert rows_of(learner.pk) == before
    assert User.objects.count() == 1


def test_a_visitor_must_tick_the_box(client: Client, visitor: Learner) -> None:
    assert client.post(DELETE, {}).status_code == 422
    assert rows_of(visitor.pk)


def test_it_is_a_post_from_our_own_page(learner: Learner) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get())
    assert sure(strict, password=PASSWORD).status_code == 403
    assert strict.get(DELETE, {"sure": "on", "password": PASSWORD}).status_code == 200
    assert User.objects.exists()


def test_a_password_cannot_be_guessed_without_end(signed_in: Client, learner: Learner) -> None:
    codes = [sure(signed_in, password=f"guess {number}").status_code for number in range(12)]
    assert codes == [422] * 10 + [429] * 2
    assert sure(signed_in, password=PASSWORD).status_code == 429
    assert User.objects.exists()


def test_what_this_browser_did_as_a_visitor_goes_with_the_account(client: Client, visitor: Learner, user: User) -> None:
    client.force_login(user)  # past the adapter, as the admin's form is
    session = client.session
    session[SESSION_KEY] = str(visitor.pk)
    session.save()
    assert sure(client, password=PASSWORD).status_code == 303
    assert rows_of(visitor.pk) == {}
    assert not Learner.objects.exists()


def test_who_did_nothing_has_nothing_to_delete() -> None:
    assert "Nothing to delete" in Client().get(DELETE).content.decode()
    assert not Learner.objects.exists()


def test_a_page_that_was_left_open_begins_anew_and_brings_nothing_back(client: Client, visitor: Learner) -> None:
    elsewhere = Client()
    elsewhere.cookies = client.cookies.__class__()
    elsewhere.cookies.load({name: morsel.value for name, morsel in client.cookies.items()})
    sure(client)
    elsewhere.post("/courses/tiny/sums/sections/adding/", {"done": "1"})
    assert rows_of(visitor.pk) == {}
    assert Learner.objects.exclude(pk=visitor.pk).count() == 1


# What still waits to be graded


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    messages: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: messages.append((name, args)))
    return messages


@pytest.fixture
def waiting(visitor: Learner, sent: list[Any]) -> Submission:
    Submission.objects.all().delete()
    return services.submission_create(
        learner=visitor, exercise_revision=ExerciseRevision.objects.get(), source="x", token=uuid.uuid4()
    )


def test_what_waited_is_not_graded(client: Client, waiting: Submission) -> None:
    sure(client)
    assert services.submission_claim(owner="worker") is None
    assert not Submission.objects.exists()


@pytest.mark.parametrize("status", [Status.PASSED, Status.FAILED, Status.FAULT])
def test_what_was_being_graded_is_recorded_nowhere(
    client: Client, waiting: Submission, status: Status, caplog: pytest.LogCaptureFixture
) -> None:
    claim = services.submission_claim(owner="worker")
    assert claim is not None
    sure(client)
    assert not services.lease_renew(claim=claim)
    assert not services.submission_record(claim=claim, report=make_report(status))
    assert not services.submission_fault(claim=claim, message="the sandbox went away")
    services.passed_over_publish(claim=claim)
    swept = services.sweep()
    assert (swept.requeued, swept.faulted, swept.published) == (0, 0, 0)
    assert not Submission.objects.exists()
    assert not GpuGrading.objects.exists()
    assert not Learner.objects.exists()


def test_a_service_deletes_both_or_neither(learner: Learner, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: User) -> None:
        raise RuntimeError("no")

    key, before = learner.pk, rows_of(learner.pk)
    monkeypatch.setattr(User, "delete", fails)
    with pytest.raises(RuntimeError):
        learner_delete(learner=learner, user=user)
    assert rows_of(key) == before
