"""Visitors can do everything, and signing in or up keeps it: a union, nothing counted twice."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from courses import views
from courses.context import site
from courses.errors import SignedInMeanwhile
from courses.models import Answer, CourseRevision, ExerciseRevision, Learner, ReviewLog, SectionDone
from courses.services.answers import answer_record
from courses.services.learners import SESSION_KEY, learner_claim, learner_ensure, learner_for
from courses.services.progress import section_mark
from courses.services.reviews import review_record
from grader.models import Submission
from grader.services import submission_create

pytestmark = pytest.mark.django_db


def request_of(session: SessionBase, user: User | AnonymousUser | None = None) -> HttpRequest:
    request = RequestFactory().get("/")
    request.session = session
    request.user = user or AnonymousUser()
    return request


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ada", password="a-long-password")


@pytest.fixture
def session() -> SessionStore:
    return SessionStore()


def submission(learner: Learner, token: uuid.UUID | None = None) -> Submission:
    revision = ExerciseRevision.objects.get()
    return Submission.objects.create(
        learner=learner, exercise_revision=revision, source="x", seed=1, token=token or uuid.uuid4()
    )


def test_reading_makes_no_learner(session: SessionStore) -> None:
    assert learner_for(request_of(session)) is None
    assert Learner.objects.count() == 0
    assert not session.keys()


def test_the_first_write_makes_one(session: SessionStore) -> None:
    learner = learner_ensure(request_of(session))
    assert learner_ensure(request_of(session)) == learner == learner_for(request_of(session))
    assert Learner.objects.count() == 1


@pytest.mark.parametrize("stored", ["nonsense", str(uuid.uuid4()), 5, None, ["x"]])
def test_a_session_that_names_nobody(session: SessionStore, stored: object) -> None:
    session[SESSION_KEY] = stored
    assert learner_for(request_of(session)) is None
    assert learner_ensure(request_of(session)).user is None


def test_a_session_cannot_name_a_users_learner(session: SessionStore, user: User) -> None:
    theirs = Learner.objects.create(user=user)
    session[SESSION_KEY] = str(theirs.pk)
    assert learner_for(request_of(session)) is None
    other = User.objects.create_user("bob")
    assert learner_claim(request_of(session, other), other) != theirs
    theirs.refresh_from_db()
    assert theirs.user == user


def test_signing_in_moves_everything(published: CourseRevision, session: SessionStore, user: User) -> None:
    visitor = learner_ensure(request_of(session))
    section_mark(learner=visitor, lesson="sums", section="adding", done=True)
    answer_record(learner=visitor, lesson="sums", kind="quiz", item="one-plus-one", response="two")
    review_record(learner=visitor, lesson="sums", card="sum-card", rating=3, token=uuid.uuid4())
    kept = submission(visitor)
    learner = learner_claim(request_of(session, user), user)
    assert learner.user == user
    assert not Learner.objects.filter(pk=visitor.pk).exists()
    assert SESSION_KEY not in session
    for rows in (learner.sections_done, learner.answers, learner.reviews, learner.submissions):
        assert rows.count() == 1
    kept.refresh_from_db()
    assert kept.learner == learner


def test_nothing_is_counted_twice(published: CourseRevision, session: SessionStore, user: User) -> None:
    learner, visitor = Learner.objects.create(user=user), learner_ensure(request_of(session))
    token = uuid.uuid4()
    for each in (learner, visitor):
        section_mark(learner=each, lesson="sums", section="adding", done=True)
        submission(each, token)
        submission(each)
    learner_claim(request_of(session, user), user)
    assert SectionDone.objects.count() == 1
    assert Submission.objects.filter(learner=learner).count() == 3
    assert Submission.objects.count() == 3


def test_claiming_again_changes_nothing(published: CourseRevision, session: SessionStore, user: User) -> None:
    visitor = learner_ensure(request_of(session))
    answer_record(learner=visitor, lesson="sums", kind="quiz", item="one-plus-one", response="two")
    stored = session[SESSION_KEY]
    first = learner_claim(request_of(session, user), user)
    session[SESSION_KEY] = stored  # as an older copy of the session would have it
    assert learner_claim(request_of(session, user), user) == first
    assert Answer.objects.get().learner == first


def test_all_or_nothing(
    published: CourseRevision, session: SessionStore, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = learner_ensure(request_of(session))
    answer_record(learner=visitor, lesson="sums", kind="quiz", item="one-plus-one", response="two")

    def fail(_self: Learner) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(Learner, "delete", fail)
    with pytest.raises(RuntimeError, match="power cut"):
        learner_claim(request_of(session, user), user)
    assert Answer.objects.get().learner == visitor
    assert SESSION_KEY in session


def test_reviews_of_both_are_replayed_together(published: CourseRevision, session: SessionStore, user: User) -> None:
    learner, visitor = Learner.objects.create(user=user), learner_ensure(request_of(session))
    now = timezone.now()
    for each, days in ((learner, 20), (visitor, 10), (learner, 2)):
        review_record(
            learner=each, lesson="sums", card="sum-card", rating=3, token=uuid.uuid4(), now=now - timedelta(days=days)
        )
    learner_claim(request_of(session, user), user)
    assert ReviewLog.objects.filter(learner=learner).count() == 3


def visitor_of(client: Client) -> Learner:
    """A visitor who did something in this browser."""
    session = client.session
    visitor = learner_ensure(request_of(session))
    session.save()
    client.cookies["sessionid"] = session.session_key or ""
    section_mark(learner=visitor, lesson="sums", section="adding", done=True)
    return visitor


def test_the_sign_in_form_keeps_progress(published: CourseRevision, client: Client, user: User) -> None:
    visitor_of(client)
    response = client.post(reverse("account_login"), {"login": "ada", "password": "a-long-password"})
    assert response.status_code == 302
    assert SectionDone.objects.get().learner.user == user
    assert Learner.objects.count() == 1


def test_the_sign_up_form_keeps_progress(published: CourseRevision, client: Client) -> None:
    visitor_of(client)
    form = {"username": "eve", "password1": "a-long-password", "password2": "a-long-password"}
    assert client.post(reverse("account_signup"), form).status_code == 302
    learner = SectionDone.objects.get().learner
    assert learner.user is not None
    assert learner.user.username == "eve"


def test_a_refused_sign_in_takes_nothing(published: CourseRevision, client: Client, user: User) -> None:
    visitor = visitor_of(client)
    client.post(reverse("account_login"), {"login": "ada", "password": "wrong"})
    assert SectionDone.objects.get().learner == visitor


def test_a_sign_in_past_the_adapter_is_made_up_for_at_the_next_write(
    published: CourseRevision, client: Client, user: User
) -> None:
    visitor_of(client)
    client.force_login(user)
    session = client.session
    assert learner_ensure(request_of(session, user)).user == user
    assert SectionDone.objects.get().learner.user == user


@pytest.mark.parametrize("each", range(5))
def test_what_is_sent_while_signing_in_is_refused_and_not_half_written(
    published: CourseRevision, session: SessionStore, user: User, each: int
) -> None:
    """The request found the visitor; when it comes to write, the visitor has become the user's learner."""
    visitor = learner_ensure(request_of(session))
    learner_claim(request_of(session, user), user)
    exercise = ExerciseRevision.objects.get()
    writes: list[Callable[[], object]] = [
        lambda: answer_record(learner=visitor, lesson="sums", kind="quiz", item="one-plus-one", response="two"),
        lambda: section_mark(learner=visitor, lesson="sums", section="adding", done=True),
        lambda: section_mark(learner=visitor, lesson="sums", section="adding", done=False),
        lambda: review_record(learner=visitor, lesson="sums", card="sum-card", rating=3, token=uuid.uuid4()),
        lambda: submission_create(learner=visitor, exercise_revision=exercise, source="x", token=uuid.uuid4()),
    ]
    with pytest.raises(SignedInMeanwhile, match="You signed in while this was being sent"):
        writes[each]()
    assert not any(model.objects.exists() for model in (Answer, SectionDone, ReviewLog, Submission))


def test_the_page_says_that_one_signed_in_meanwhile(
    published: CourseRevision, client: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ensured_and_claimed_by_another_request(request: HttpRequest) -> Learner:
        visitor = learner_ensure(request)
        learner_claim(request_of(request.session, user), user)
        return visitor

    monkeypatch.setattr(views, "learner_ensure", ensured_and_claimed_by_another_request)
    response = client.post(reverse("section_mark", args=["tiny", "sums", "adding"]), {"done": "1"})
    assert response.status_code == 403
    assert "You signed in while this was being sent" in response.content.decode()


def test_what_templates_get(session: SessionStore, user: User) -> None:
    request = request_of(session)
    request.COOKIES["theme"] = "purple"
    context = site(request)
    assert (context["theme"], context["user_display"], bool(context["learner"])) == ("auto", "", False)
    request = request_of(session, user)
    request.COOKIES["theme"] = "dark"
    learner = learner_ensure(request)
    context = site(request)
    assert (context["theme"], context["user_display"], context["learner"]) == ("dark", "ada", learner)
