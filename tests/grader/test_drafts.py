"""Drafts on the server: the newest text, on every device, and never one over another that was not seen."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from courses.models import ExerciseRevision, Learner
from grader.models import Draft, Submission
from tests.grader.conftest import make_report
from tests.grader.exercises import DATA, RIGHT, WITHOUT_SCALE
from tests.grader.test_views import EXERCISE, FORM, HTMX, graded, handed_in, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("revision", "sent")]

DRAFT = f"{EXERCISE}draft/"
MINE = "def scaled_scores(Q, K):\n    return 1  # mine\n"
OTHERS = "def scaled_scores(Q, K):\n    return 2  # another device's\n"


@pytest.fixture(autouse=True)
def _counted_anew() -> None:
    cache.clear()


def save(client: Client, text: str, revision: object = 0, to: str = DRAFT) -> Any:
    return client.post(to, urlencode({"text": text, "revision": revision}), content_type=FORM)


def shown(client: Client, address: str = EXERCISE) -> tuple[str, int, str | None]:
    """What stands in the editor, the draft's revision, and the text that is offered beside it."""
    context = client.get(address).context
    offered = context["draft"]["offered"]
    return context["source"], context["draft"]["revision"], offered.text if offered else None


def test_a_draft_is_kept_and_stands_in_the_editor_the_next_time(client: Client) -> None:
    response = save(client, MINE.replace("\n", "\r\n"))
    assert (response.status_code, response.json()) == (200, {"revision": 1})
    assert shown(client) == (MINE, 1, None)
    assert save(client, OTHERS, 1).json() == {"revision": 2}
    assert shown(client) == (OTHERS, 2, None)
    assert Draft.objects.count() == 1
    assert not Submission.objects.exists()


@pytest.mark.parametrize("continued", [0, 1, 3, "", "x", "9" * 400])
def test_an_older_text_does_not_overwrite_a_newer_one_and_is_told_of_it(client: Client, continued: object) -> None:
    save(client, MINE)
    save(client, OTHERS, 1)
    response = save(client, MINE, continued)
    assert (response.status_code, response.json()) == (409, {"revision": 2, "text": OTHERS})
    assert Draft.objects.get().text == OTHERS


def test_the_same_text_again_is_no_conflict(client: Client) -> None:
    save(client, MINE)
    assert save(client, MINE, 0).json() == save(client, MINE, 1).json() == {"revision": 1}


def test_a_draft_is_of_one_learner_and_one_exercise(client: Client) -> None:
    save(client, MINE)
    assert shown(client, "/exercises/second/")[0] == DATA["starter"]
    assert shown(Client()) == (DATA["starter"], 0, None)
    save(Client(), OTHERS)
    save(client, OTHERS, to="/exercises/second/draft/")
    assert shown(client) == (MINE, 1, None)


def test_a_draft_is_on_every_device_of_a_user(client: Client) -> None:
    user, other = User.objects.create_user("ada"), Client()
    for device in (client, other):
        device.force_login(user)
    save(client, MINE)
    assert shown(other) == (MINE, 1, None)


def test_what_is_larger_than_a_source_is_not_kept(client: Client) -> None:
    response = save(client, "é" * (32 * 1024) + "x")
    assert response.status_code == 422
    assert "65,536 bytes" in response.json()["error"]
    assert not Draft.objects.exists()
    assert save(client, "é" * (32 * 1024)).status_code == 200


def test_drafts_may_be_saved_only_so_often(client: Client, settings: Any) -> None:
    settings.DRAFTS_PER_MINUTE, settings.DRAFTS_PER_MINUTE_BY_ADDRESS = 2, 4
    user = Client()
    user.force_login(User.objects.create_user("ada"))
    assert [save(user, str(number), number).status_code for number in range(3)] == [200, 200, 429]
    # Who keeps no cookies is a new visitor each time, so visitors are counted by address; others' are not counted.
    assert [save(Client(), "x").status_code for _ in range(5)] == [200, 200, 200, 200, 429]
    assert Learner.objects.count() == 1 + 4
    assert save(client, "x").status_code == 429
    assert not Learner.objects.filter(drafts=None).exists()


def test_text_that_no_database_takes_is_kept_visibly(client: Client) -> None:
    save(client, "x = '\0'")
    assert Draft.objects.get().text == "x = '␀'"


def test_only_forms_of_this_site_are_taken() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert save(strict, MINE).status_code == 403
    assert strict.get(DRAFT).headers["Location"] == EXERCISE
    assert save(Client(), MINE, to="/exercises/unheard-of/draft/").status_code == 404


# ---- Beside what is handed in ----


def test_what_is_sent_to_be_run_becomes_the_draft_that_it_continues(client: Client) -> None:
    response = client.post(f"{EXERCISE}submit/", {"source": MINE, "revision": "0"}, headers=HTMX)
    assert response["Draft-Revision"] == "1"
    response = client.post(f"{EXERCISE}precheck/", {"source": OTHERS, "revision": "1"}, headers=HTMX)
    assert response["Draft-Revision"] == "2"
    assert shown(client) == (OTHERS, 2, None)  # the precheck's text is in no attempt, and is not lost


def test_what_is_handed_in_does_not_overwrite_a_draft_from_elsewhere_which_is_offered(client: Client) -> None:
    save(client, OTHERS)
    response = client.post(f"{EXERCISE}submit/", {"source": MINE, "revision": "0"}, headers=HTMX)
    assert "Draft-Revision" not in response
    assert shown(client) == (MINE, 1, OTHERS)
    page = client.get(EXERCISE).content.decode()
    assert f'href="{EXERCISE}?draft=1"' in page
    assert shown(client, f"{EXERCISE}?draft=1") == (OTHERS, 1, None)


def test_the_newer_of_draft_and_attempt_is_shown(client: Client) -> None:
    graded(handed_in(client, WITHOUT_SCALE), make_report())
    save(client, MINE, 1)
    assert shown(client) == (MINE, 2, None)
    handed_in(client, RIGHT)  # from a page that knew of no draft
    assert shown(client) == (RIGHT, 2, MINE)


def test_restoring_an_attempt_offers_the_draft(client: Client) -> None:
    first = handed_in(client, WITHOUT_SCALE)
    save(client, MINE, 1)
    assert shown(client, f"{EXERCISE}?restore={first.pk}") == (WITHOUT_SCALE, 2, MINE)


@pytest.mark.parametrize("nothing", [" \n", DATA["starter"], WITHOUT_SCALE])
def test_a_draft_that_holds_nothing_of_its_own_is_not_offered(client: Client, nothing: str) -> None:
    handed_in(client, WITHOUT_SCALE)
    save(client, nothing, 1)
    handed_in(client, RIGHT)
    assert shown(client)[0] == RIGHT
    assert shown(client)[2] is None


def test_a_refused_text_stays_in_the_editor_and_the_draft_stays_too(client: Client) -> None:
    save(client, MINE)
    response = send(client, " ")
    assert (response.context["source"], response.context["explicit"]) == (" ", True)
    assert response.context["draft"]["offered"].text == MINE


# ---- Signing in ----


def sign_in(client: Client, user: User) -> None:
    user.set_password("a long enough one")
    user.save()
    client.post("/accounts/login/", {"login": user.username, "password": "a long enough one"})


def test_a_visitors_draft_goes_along_at_sign_in(client: Client) -> None:
    save(client, MINE)
    sign_in(client, User.objects.create_user("ada"))
    assert shown(client) == (MINE, 1, None)
    assert Draft.objects.get().learner.user is not None


def test_of_two_drafts_the_users_own_is_kept(client: Client) -> None:
    """The visitor's is in the browser still, which offers it: tests/browser/test_drafts.py."""
    user, other = User.objects.create_user("ada"), Client()
    other.force_login(user)
    save(other, OTHERS)
    save(client, MINE)
    save(client, MINE, to="/exercises/second/draft/")
    sign_in(client, user)
    assert shown(client) == (OTHERS, 1, None)
    assert shown(client, "/exercises/second/")[0] == MINE
    assert Draft.objects.count() == 2


def test_a_draft_needs_few_queries(
    client: Client, revision: ExerciseRevision, django_assert_max_num_queries: Any
) -> None:
    save(client, MINE)
    with django_assert_max_num_queries(21):
        save(client, OTHERS, 1)
