"""Pages of exercises and submissions: what is refused, who may see what, and how a verdict reaches the page."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.urls import reverse

from courses.models import ExerciseRevision, Learner
from courses.services.learners import SESSION_KEY
from grader import selectors, services
from grader.models import Submission, WorkerHeartbeat
from grader.presentation import FAILS_TOO, NOT_LOADED, POLL_MS, visible
from grader.processes import process_name
from grader.verdicts import CheckResult, Status, Visibility
from tests.grader.conftest import make_report
from tests.grader.exercises import DATA, RIGHT, WITHOUT_SCALE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("revision", "sent")]

EXERCISE = "/exercises/scaled-scores/"
SUBMIT = f"{EXERCISE}submit/"
SUBMIT_SECOND = "/exercises/second/submit/"
FORM = "application/x-www-form-urlencoded"
HTMX = {"HX-Request": "true"}


def send(
    client: Client,
    source: str | bytes,
    *,
    token: object = "",
    headers: dict[str, str] | None = None,
    to: str = SUBMIT,
    **extra: Any,
) -> Any:
    """As a browser sends the form."""
    body = urlencode({"source": source, "token": token})
    return client.post(to, body, content_type=FORM, headers=headers, **extra)


def handed_in(client: Client, source: str = RIGHT) -> Submission:
    send(client, source)
    return Submission.objects.latest("created")


def graded(submission: Submission, report: Any) -> None:
    claim = services.submission_claim(owner="worker")
    assert claim
    assert services.submission_record(claim=claim, report=report)


def page_of(submission: Submission) -> str:
    return reverse("submission", args=[submission.pk])


# ---- The exercise ----


def test_a_visitor_reads_an_exercise_and_starts_from_the_starter(client: Client) -> None:
    response = client.get(EXERCISE)
    assert response.status_code == 200
    assert response.context["source"] == DATA["starter"]
    assert response.context["verdict"] is None
    assert response.context["solution_html"] is None
    assert response.context["lesson_url"] == "/courses/heed/attention/"
    assert response.context["next_exercise"] == {"slug": "second", "title": "The second", "url": "/exercises/second/"}
    assert Learner.objects.count() == 0


def test_the_last_exercise_has_no_next_one(client: Client) -> None:
    assert client.get("/exercises/second/").context["next_exercise"] is None


def test_an_exercise_that_is_not_published_is_not_there(client: Client) -> None:
    assert client.get("/exercises/unheard-of/").status_code == 404
    assert client.post("/exercises/unheard-of/submit/", {"source": RIGHT}).status_code == 404


def test_what_was_handed_in_last_stands_in_the_editor_with_its_verdict(client: Client) -> None:
    graded(handed_in(client, WITHOUT_SCALE), make_report(Status.FAILED))
    response = client.get(EXERCISE)
    assert response.context["source"] == WITHOUT_SCALE
    assert response.context["verdict"]["status"] == "failed"
    assert response.context["attempts"][0]["number"] == 1


def test_an_earlier_attempt_is_restored(client: Client) -> None:
    first = handed_in(client, WITHOUT_SCALE)
    handed_in(client, RIGHT)
    response = client.get(EXERCISE)
    older = response.context["attempts"][1]
    assert older["restore_url"] == f"{EXERCISE}?restore={first.pk}"
    assert client.get(older["restore_url"]).context["source"] == WITHOUT_SCALE


def test_only_ones_own_attempts_at_this_exercise_are_restored(client: Client) -> None:
    mine = handed_in(client)
    assert client.get(f"/exercises/second/?restore={mine.pk}").status_code == 404
    assert Client().get(f"{EXERCISE}?restore={mine.pk}").status_code == 404
    assert client.get(f"{EXERCISE}?restore=nonsense").status_code == 404


def test_what_an_attempt_changed_is_a_page_or_with_htmx_a_part(client: Client) -> None:
    first, second = handed_in(client, WITHOUT_SCALE), handed_in(client, RIGHT)
    page = client.get(f"{page_of(second)}difference/")
    assert (page.context["before"], page.context["number"]) == (1, 2)
    assert "From attempt 1 to attempt 2" in page.content.decode()
    part = client.get(f"{page_of(second)}difference/", headers=HTMX)
    assert part.content.decode().lstrip().startswith('<section id="difference"')
    assert (
        '<span class="visually-hidden">removed</span></td><td><code>    return Q @ K.T</code>' in part.content.decode()
    )
    assert "HX-Request" in part["Vary"]
    start = client.get(f"{page_of(first)}difference/")
    assert "From the starting text to attempt 1" in start.content.decode()
    assert Client().get(f"{page_of(second)}difference/").status_code == 404


def test_a_change_that_nobody_sees_is_seen_in_the_difference(client: Client) -> None:
    handed_in(client, RIGHT)
    handed_in(client, RIGHT.replace("return Q", "return\u00a0Q\u200b"))
    page = client.get(client.get(EXERCISE).context["attempts"][0]["difference_url"]).content.decode()
    assert "return\\u00a0Q\\u200b @ K.T" in page


def test_texts_that_are_alike_or_too_long_are_told_of(client: Client) -> None:
    for source, told in ((DATA["starter"], "Nothing changed."), ("x\n" * 2000, "the most is 1000 lines each")):
        mine = handed_in(client, source)
        assert told in client.get(f"{page_of(mine)}difference/", headers=HTMX).content.decode()


def test_attempts_are_numbered_by_exercise_and_learner(client: Client) -> None:
    send(client, RIGHT, to=SUBMIT_SECOND)
    send(Client(), RIGHT)
    first, second = handed_in(client, WITHOUT_SCALE), handed_in(client)
    numbers = [client.get(f"{page_of(each)}difference/").context["number"] for each in (first, second)]
    assert numbers == [1, 2]


def test_the_solution_is_shown_on_request_or_after_passing(client: Client) -> None:
    assert client.get(f"{EXERCISE}?solution=1").context["solution_html"] == DATA["solution_html"]
    graded(handed_in(client), make_report(Status.FAILED))
    assert client.get(EXERCISE).context["solution_html"] is None
    graded(handed_in(client), make_report())
    assert client.get(EXERCISE).context["solution_html"] == DATA["solution_html"]


# ---- Handing in ----


def test_without_javascript_one_is_led_to_the_submission(client: Client) -> None:
    response = send(client, RIGHT)
    submission = Submission.objects.get()
    assert submission.source == RIGHT
    assert response.status_code == 302
    assert response["Location"] == page_of(submission)
    assert client.get(response["Location"]).status_code == 200


def test_with_htmx_the_verdict_alone_comes_back_and_asks_again(client: Client) -> None:
    response = send(client, RIGHT, headers=HTMX)
    submission = Submission.objects.get()
    assert response.status_code == 200
    assert "<html" not in response.content.decode()
    assert f'hx-get="{page_of(submission)}?poll=1"' in response.content.decode()
    assert "150ms" in response.content.decode()


def test_a_second_press_runs_nothing_twice(client: Client) -> None:
    token = uuid.uuid4()
    assert send(client, RIGHT, token=token)["Location"] == send(client, RIGHT, token=token)["Location"]
    assert Submission.objects.count() == 1


def test_another_text_from_the_same_form_is_another_submission(client: Client) -> None:
    """Back in the browser brings the old form, with its token."""
    token = uuid.uuid4()
    send(client, WITHOUT_SCALE, token=token)
    send(client, RIGHT, token=token)
    assert Submission.objects.count() == 2


def test_each_answer_brings_a_token_for_the_next_press(client: Client) -> None:
    tokens = {str(send(client, RIGHT, headers=HTMX).context["token"]) for _ in range(3)}
    assert len(tokens) == 3
    assert all(uuid.UUID(token) for token in tokens)


REFUSALS = {
    "empty": (b"", "empty"),
    "blank": (b" \n\t\n", "empty"),
    "nul": (b"x = 1\ny = '\0'\n", "Line 2 holds a NUL"),
    "latin-1": ("# größe\n".encode("latin-1"), "Line 1 is not UTF-8"),
    "utf-16": ("x = 1".encode("utf-16"), "UTF-16"),
    "too large": (b"#" * (64 * 1024 + 1), "65,536 bytes"),
}


@pytest.mark.parametrize(("data", "sentence"), REFUSALS.values(), ids=REFUSALS)
def test_bad_input_is_refused_with_a_sentence_and_kept_in_the_editor(
    client: Client, data: bytes, sentence: str
) -> None:
    response = send(client, data)
    assert response.status_code == 422
    assert sentence in response.context["refusal"]
    assert sentence in response.content.decode()
    kept = data.decode("utf-8", "replace").replace("\0", "␀")
    assert response.context["source"] == kept
    assert Submission.objects.count() == Learner.objects.count() == 0


@pytest.mark.parametrize(("data", "sentence"), REFUSALS.values(), ids=REFUSALS)
def test_with_htmx_a_refusal_takes_the_place_of_the_verdict(client: Client, data: bytes, sentence: str) -> None:
    response = send(client, data, headers=HTMX)
    assert response.status_code == 200
    assert sentence in response.content.decode()
    assert "<textarea" not in response.content.decode()
    assert Submission.objects.count() == 0


def test_the_limit_is_on_the_text_and_not_on_the_line_ends_of_browsers(client: Client) -> None:
    lines = "x=1\n" * (64 * 1024 // 4)
    send(client, lines.replace("\n", "\r\n"))
    assert Submission.objects.get().source == lines


def test_a_form_that_is_too_large_to_be_read_is_answered_with_a_sentence(client: Client) -> None:
    response = send(client, "x" * 1_100_000)
    assert response.status_code == 400
    assert "a form may hold 1 MB" in response.content.decode()
    assert not Submission.objects.exists()


def test_a_form_with_a_boundary_is_taken_too(client: Client) -> None:
    client.post(SUBMIT, {"source": f"\ufeff{RIGHT}".replace("\n", "\r\n")})
    assert Submission.objects.get().source == RIGHT


def test_text_that_is_more_than_ascii_arrives_as_it_was_written(client: Client) -> None:
    send(client, f"# √d – größer 🙂 + %41\n{RIGHT}")
    assert Submission.objects.get().source == f"# √d – größer 🙂 + %41\n{RIGHT}"


def test_too_many_unfinished_are_refused_with_the_text_kept(client: Client, settings: Any) -> None:
    settings.GRADING_WAITING = 1
    send(client, WITHOUT_SCALE, to=SUBMIT_SECOND)
    response = send(client, RIGHT)
    assert response.status_code == 422
    assert "waiting for their verdict" in response.context["refusal"]
    assert response.context["source"] == RIGHT
    assert Submission.objects.count() == 1


def test_too_many_of_visitors_of_one_address_are_refused_with_the_text_kept(settings: Any) -> None:
    settings.GRADING_WAITING_BY_ADDRESS = 2
    for _ in range(2):
        send(Client(), RIGHT, REMOTE_ADDR="2001:db8::1")
    for headers in ({}, HTMX):
        response = send(Client(), RIGHT, headers=headers, REMOTE_ADDR="2001:db8::2")
        assert response.status_code == (200 if headers else 422)
        assert "in a moment, or sign in" in response.content.decode()
        assert response.context["verdict"]["title"] == "Not run"
    assert send(Client(), RIGHT, REMOTE_ADDR="2001:db8:0:1::1").status_code == 302
    user = Client()
    user.force_login(User.objects.create_user("ada"))
    assert send(user, RIGHT, REMOTE_ADDR="2001:db8::1").status_code == 302


def test_behind_a_proxy_visitors_are_told_apart_by_their_own_address(settings: Any) -> None:
    settings.GRADING_WAITING_BY_ADDRESS = 1
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    statuses = [
        send(Client(), RIGHT, headers={"X-Forwarded-For": f"198.51.100.{made_up}, {address}"}).status_code
        for made_up, address in enumerate(["192.0.2.1", "192.0.2.2", "192.0.2.1"])
    ]
    assert statuses == [302, 302, 422]


def test_no_address_of_a_visitor_is_kept(client: Client) -> None:
    mine = handed_in(client)
    assert re.fullmatch("[0-9a-f]{32}", mine.origin)
    graded(mine, make_report())
    mine.refresh_from_db()
    assert mine.origin == ""
    assert "127.0.0.1" not in str(Submission.objects.values())


def test_a_form_from_elsewhere_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert send(strict, RIGHT).status_code == 403
    assert Submission.objects.count() == 0
    page = strict.get(EXERCISE).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    body = urlencode({"source": RIGHT, "csrfmiddlewaretoken": token[1]})
    assert strict.post(SUBMIT, body, content_type=FORM).status_code == 302


def test_only_the_right_methods_are_answered(client: Client) -> None:
    assert client.get(SUBMIT).headers["Location"] == EXERCISE  # where a refusal's page leads back to
    assert client.put(SUBMIT).status_code == 405
    assert client.post(EXERCISE).status_code == 405
    assert client.post(page_of(handed_in(client))).status_code == 405


# ---- Whose it is ----


def test_a_submission_is_its_learners_alone(client: Client, django_user_model: type[User]) -> None:
    mine = handed_in(client)
    other_user = Client()
    other_user.force_login(django_user_model.objects.create_user("other"))
    staff = Client()
    staff.force_login(django_user_model.objects.create_superuser("staff"))
    other_visitor = Client()
    for learner in (other_visitor, other_user):
        send(learner, WITHOUT_SCALE)  # so that they are learners too, with submissions of their own
    for stranger in (Client(), other_visitor, other_user, staff):
        for headers in (None, HTMX):
            seen = stranger.get(page_of(mine), headers=headers)
            missing = stranger.get(reverse("submission", args=[uuid.uuid4()]), headers=headers)
            assert seen.status_code == missing.status_code == 404
    assert client.get(page_of(mine)).status_code == 200


def test_what_a_visitor_handed_in_is_kept_on_signing_up(client: Client, django_user_model: type[User]) -> None:
    mine = handed_in(client)
    user = django_user_model.objects.create_user("learner", password="a long enough one")
    client.post("/accounts/login/", {"login": "learner", "password": "a long enough one"})
    assert client.get(page_of(mine)).status_code == 200
    mine.refresh_from_db()
    assert mine.learner.user == user


def test_the_session_of_a_visitor_names_the_learner(client: Client) -> None:
    assert client.session.get(SESSION_KEY) is None
    mine = handed_in(client)
    assert client.session[SESSION_KEY] == str(mine.learner.pk)


# ---- The verdict ----


def test_the_page_asks_soon_and_then_ever_more_rarely(client: Client) -> None:
    mine = handed_in(client)
    delays = []
    url = page_of(mine)
    for _ in range(len(POLL_MS) + 2):
        verdict = client.get(url, headers=HTMX).context["verdict"]
        delays.append(verdict["poll_ms"])
        url = verdict["poll_url"]
    assert delays == [*POLL_MS, POLL_MS[-1], POLL_MS[-1]]


@pytest.mark.parametrize("poll", ["", "-1", "x", "9" * 400, "٣", "²"])
def test_a_strange_number_of_polls_is_harmless(client: Client, poll: str) -> None:
    response = client.get(f"{page_of(handed_in(client))}?{urlencode({'poll': poll})}", headers=HTMX)
    assert response.context["verdict"]["poll_ms"] in POLL_MS


def test_a_finished_submission_is_not_asked_for_again(client: Client) -> None:
    mine = handed_in(client)
    graded(mine, make_report())
    response = client.get(f"{page_of(mine)}?poll=3", headers=HTMX)
    assert response.status_code == 200
    assert "hx-get" not in response.content.decode()
    verdict = response.context["verdict"]
    assert (verdict["state"], verdict["status"], verdict["points"], verdict["max_points"]) == (
        "finished",
        "passed",
        "1.5",
        "1.5",
    )


def test_the_named_mistake_comes_with_its_section(client: Client) -> None:
    mine = handed_in(client, WITHOUT_SCALE)
    graded(mine, make_report(Status.FAILED))
    response = client.get(page_of(mine))
    assert response.context["verdict"]["mistakes"] == [
        {
            "id": "no-scale",
            "title": "Not divided by √d",
            "meaning_html": "<p>Divide.</p>",
            "section_title": "Why √d",
            "section_url": "/courses/heed/attention/#why-root-d",
            "alternative": False,
        }
    ]
    assert "Not divided by √d" in response.content.decode()


def test_a_mistake_that_the_course_does_not_describe_is_still_named(client: Client) -> None:
    mine = handed_in(client)
    graded(mine, make_report(Status.FAILED, mistakes=("not-in-the-course",)))
    mistake = client.get(page_of(mine)).context["verdict"]["mistakes"][0]
    assert (mistake["title"], mistake["section_url"]) == ("not-in-the-course", "")


def one(name: str, status: Status, message: str = "", *mistakes: str, shown: bool = True) -> CheckResult:
    visibility = Visibility.SHOWN if shown else Visibility.HIDDEN
    return CheckResult(name, "worked", status, Decimal(0), Decimal(1), visibility, "x", message, tuple(mistakes))


def shown_verdict(client: Client, report: Any) -> Any:
    mine = handed_in(client)
    graded(mine, report)
    return client.get(page_of(mine), headers=HTMX).context["verdict"]


def test_only_mistakes_that_explain_the_same_checks_are_alternatives(client: Client) -> None:
    checks = (
        one("a", Status.FAILED, "", "scale-by-width", "scaled-twice"),
        one("b", Status.FAILED, "", "mutates-input"),
    )
    mistakes = ("scale-by-width", "scaled-twice", "mutates-input")
    verdict = shown_verdict(client, make_report(Status.FAILED, checks=checks, mistakes=mistakes))
    assert [mistake["alternative"] for mistake in verdict["mistakes"]] == [False, True, False]


@pytest.mark.parametrize(
    ("mistakes", "eyebrows"),
    [
        (("no-scale",), ["The mistake"]),
        (("mask-multiplied", "nan-result"), ["One of these", "Or this one: on every case both give the same"]),
    ],
)
def test_several_alternatives_are_not_told_as_the_mistake(
    client: Client, mistakes: tuple[str, ...], eyebrows: list[str]
) -> None:
    mine = handed_in(client)
    graded(mine, make_report(Status.FAILED, checks=(one("a", Status.FAILED, "", *mistakes),), mistakes=mistakes))
    page = client.get(page_of(mine), headers=HTMX).content.decode()
    assert re.findall(r'<p class="eyebrow">([^<]*)</p>', page) == eyebrows


def test_a_hidden_check_that_the_named_mistake_explains_gives_no_other_advice(client: Client) -> None:
    checks = (
        one("a", Status.FAILED, "The example differs.", "no-scale"),
        one("b", Status.FAILED, "Subtract the maximum.", "no-scale", shown=False),
        one("c", Status.FAILED, "You changed Q.", "mutates-input", shown=False),
    )
    verdict = shown_verdict(client, make_report(Status.FAILED, checks=checks, mistakes=("no-scale", "mutates-input")))
    assert [each["message"] for each in verdict["checks"]] == ["The example differs.", FAILS_TOO, "You changed Q."]


def test_the_first_check_that_a_mistake_explains_says_why_if_hidden_too(client: Client) -> None:
    checks = (
        one("a", Status.PASSED),
        one("b", Status.FAILED, "Line 5: on the CPU.", "device-moved", shown=False),
        one("c", Status.FAILED, "Another sentence.", "device-moved", shown=False),
    )
    verdict = shown_verdict(client, make_report(Status.FAILED, checks=checks, mistakes=("device-moved",)))
    assert [each["message"] for each in verdict["checks"]] == ["", "Line 5: on the CPU.", FAILS_TOO]


def test_what_ended_the_whole_stands_at_its_head_and_is_the_only_reason_told(client: Client) -> None:
    checks = (
        one("a", Status.PASSED),
        one("b", Status.TIMEOUT, "Not finished after 10 seconds."),
        one("c", Status.SKIPPED, "Not run: it had ended."),
        one("d", Status.SKIPPED, "Not run: it had ended."),
    )
    verdict = shown_verdict(client, make_report(Status.TIMEOUT, checks=checks, mistakes=()))
    assert verdict["message"] == "Not finished after 10 seconds."
    assert [each["message"] for each in verdict["checks"][1:]] == [verdict["message"], "Not run: it had ended.", ""]


def test_where_nothing_ran_the_reason_stands_alone(client: Client) -> None:
    sentence = "Your code defines no function attention."
    checks = (one("a", Status.ERROR, sentence), one("b", Status.ERROR, "Not run."))
    report = make_report(Status.ERROR, checks=checks, mistakes=(), message=sentence)
    verdict = shown_verdict(client, report)
    assert (verdict["title"], verdict["message"], verdict["checks"]) == (NOT_LOADED, sentence, [])


def test_a_fault_of_ours_is_called_that(client: Client) -> None:
    mine = handed_in(client)
    Submission.objects.update(state="faulted", attempts=3, fault="secret details of the machine")
    response = client.get(page_of(mine), headers=HTMX)
    assert response.context["verdict"]["status"] == "fault"
    assert "Our fault, not yours" in response.content.decode()
    assert "secret details" not in response.content.decode()
    assert "hx-get" not in response.content.decode()


def test_what_was_replaced_says_so_leads_to_the_latest_and_asks_no_longer(client: Client) -> None:
    first, _, last = handed_in(client, WITHOUT_SCALE), handed_in(client), handed_in(client)
    graded(last, make_report(Status.FAILED))
    part = client.get(f"{page_of(first)}?poll=1", headers=HTMX)
    page = client.get(page_of(first))
    for response in (part, page):
        verdict = response.context["verdict"]
        assert (verdict["state"], verdict["title"], verdict["points"]) == ("replaced", "Replaced", "")
        assert "Replaced by a later attempt before it was graded." in response.content.decode()
        assert f'<a href="{page_of(last)}">See your latest attempt</a>' in response.content.decode()
        assert "http-equiv" not in response.content.decode()
    assert "hx-get" not in part.content.decode()
    assert page.context["source"] == WITHOUT_SCALE


def test_what_was_replaced_stands_in_the_history_without_points(client: Client) -> None:
    first = handed_in(client, WITHOUT_SCALE)
    graded(handed_in(client), make_report())
    page = client.get(EXERCISE)
    latest, replaced = page.context["attempts"]
    assert (latest["number"], latest["state"]) == (2, "finished")
    assert (replaced["number"], replaced["state"], replaced["verdict"], replaced["points"]) == (1, "replaced", None, "")
    row = page.content.decode().partition('data-attempt="1"')[2].partition("</tr>")[0]
    assert re.search(r'class="state-replaced">Replaced<', row)
    assert client.get(replaced["restore_url"]).context["source"] == WITHOUT_SCALE
    assert page_of(first) == replaced["url"]


def check(visibility: Visibility, case: dict[str, Any]) -> CheckResult:
    points = Decimal(1)
    return CheckResult("c", "worked", Status.FAILED, Decimal(0), points, visibility, "x", "A sentence.", case=case)


CASE = {
    "inputs": {"Q": [[1.0, 2.0], [3.0, 4.0]], "n": 3},
    "expected": {"output": [[1.0, 2.5], [0.5, 1e-05]], "weights": [[[1.0]], [[0.25]]]},
    "got": {"output": [[1.0, 2.5], [0.75, "NaN"]], "weights": {"shape": [300, 300], "dtype": "float64"}},
    "difference": {"result": "output", "index": [1, 0], "expected": 0.5, "got": 0.75, "allowed": 1e-09},
}


def case_shown(client: Client, report: Any) -> Any:
    mine = handed_in(client)
    graded(mine, report)
    response = client.get(page_of(mine))
    assert response.status_code == 200
    return response.context["verdict"]["checks"][0]["case"]


def test_a_case_is_printed_as_tables_with_the_first_difference_marked(client: Client) -> None:
    shown = case_shown(client, make_report(Status.FAILED, checks=(check(Visibility.SHOWN, CASE),)))
    matrix, number = shown["inputs"]
    assert (matrix["name"], matrix["shape"], number["text"]) == ("Q", "2 × 2", "3")
    got, large = shown["got"]
    rows = got["tables"][0]["rows"]
    assert [[cell["text"] for cell in row] for row in rows] == [["1", "2.5"], ["0.75", "NaN"]]
    assert [[cell["differs"] for cell in row] for row in rows] == [[False, False], [True, False]]
    assert large["text"] == "float64 of shape (300, 300)"
    stacked = shown["expected"][1]
    assert [table["label"] for table in stacked["tables"]] == ["[0]", "[1]"]
    assert not any(cell["differs"] for table in stacked["tables"] for row in table["rows"] for cell in row)


@pytest.mark.parametrize("visibility", [Visibility.HIDDEN, Visibility.AFTER_PASSING])
def test_a_case_that_is_not_shown_is_not_printed_whatever_the_report_holds(
    client: Client, visibility: Visibility
) -> None:
    assert case_shown(client, make_report(Status.FAILED, checks=(check(visibility, CASE),))) is None


def test_a_case_shown_after_passing_is_printed_then(client: Client) -> None:
    passed = make_report(checks=(check(Visibility.AFTER_PASSING, CASE),))
    assert case_shown(client, passed) is not None


def test_what_was_printed_cannot_harm_the_page(client: Client) -> None:
    mine = handed_in(client)
    printed = "</script><script>alert(1)</script>\x1b[31mred\x00\r\x7f\u202eevil\ttab\nline"
    graded(mine, make_report(stdout=printed))
    response = client.get(page_of(mine), headers=HTMX)
    assert response.context["verdict"]["stdout"] == (
        "</script><script>alert(1)</script>␛[31mred␀␍␡\\u202eevil\ttab\nline"
    )
    assert "&lt;script&gt;alert(1)" in response.content.decode()
    assert "<script>alert(1)" not in response.content.decode()


def test_of_much_output_head_and_tail_are_shown(client: Client) -> None:
    mine = handed_in(client)
    graded(mine, make_report(stdout="head" + "x" * 200_000 + "tail"))
    verdict = client.get(page_of(mine), headers=HTMX).context["verdict"]
    assert verdict["stdout_cut"] is True
    assert verdict["stdout"].startswith("head")
    assert verdict["stdout"].endswith("tail")
    assert len(verdict["stdout"]) < 70_000


def test_ordinary_text_stays_as_it_is() -> None:
    assert visible("σ √d → 🙂\n\tx = 'é'\r\n") == "σ √d → 🙂\n\tx = 'é'\n"


def test_staff_find_what_was_replaced_and_see_neither_seed_nor_origin(client: Client) -> None:
    first, last = handed_in(client), handed_in(client)
    staff = Client()
    staff.force_login(User.objects.create_superuser("staff"))
    found = staff.get("/admin/grader/submission/?state__exact=replaced").content.decode()
    assert str(first.pk) in found
    assert str(last.pk) not in found
    shown = staff.get(f"/admin/grader/submission/{last.pk}/change/").content.decode()
    assert "Lease until" in shown
    assert str(last.seed) not in shown
    assert last.origin not in shown


# ---- Who grades ----


def test_without_a_worker_the_page_says_that_submissions_are_kept(client: Client) -> None:
    worker = client.get(EXERCISE).context["worker"]
    assert worker["online"] is False
    assert "No grader is running" in worker["message"]
    assert "No grader is running" in send(client, RIGHT, headers=HTMX).context["verdict"]["waiting_message"]


def test_a_sandbox_that_does_not_work_is_told_as_our_fault(client: Client) -> None:
    services.heartbeat(name=process_name(), grading=False, message="namespaces are not allowed")
    response = client.get(EXERCISE)
    assert "our fault" in response.context["worker"]["message"]
    assert response.context["worker"]["findings"] == ("namespaces are not allowed",)
    assert "our fault" in response.content.decode()


def test_what_is_missing_on_the_machine_is_shown_to_staff_alone(client: Client) -> None:
    services.heartbeat(name=process_name(), grading=False, message="namespaces are not allowed")
    assert "namespaces are not allowed" not in client.get(EXERCISE).content.decode()
    assert "check_sandbox" in client.get(EXERCISE).content.decode()
    client.force_login(User.objects.create_user("admin", is_staff=True))
    assert "namespaces are not allowed" in client.get(EXERCISE).content.decode()


def test_a_working_worker_is_not_mentioned(client: Client) -> None:
    services.heartbeat(name=process_name(), grading=True, message="")
    worker = client.get(EXERCISE).context["worker"]
    assert (worker["online"], worker["message"]) == (True, "")
    assert send(client, RIGHT, headers=HTMX).context["verdict"]["waiting_message"] == "Waiting for a grader."


def test_who_waits_is_told_how_many_are_before(client: Client) -> None:
    services.heartbeat(name=process_name(), grading=True, message="")
    told = []
    for number in range(4):
        mine = handed_in(Client() if number < 3 else client)
        told.append(selectors.before_in_line(mine))
    assert told == [0, 1, 2, 3]

    def message() -> str:
        return str(client.get(page_of(mine), headers=HTMX).context["verdict"]["waiting_message"])

    assert message() == "Waiting for a grader. 3 are before you."
    for expected in ("2 are", "One is"):
        claim = services.submission_claim(owner="worker")
        assert claim
        services.submission_record(claim=claim, report=make_report())
        assert message() == f"Waiting for a grader. {expected} before you."
    WorkerHeartbeat.objects.all().delete()
    assert "No grader is running" in message()
    assert "before you" not in message()


def test_a_worker_that_is_known_to_be_dead_is_not_online() -> None:
    place, _, started = process_name().rpartition("/")
    services.heartbeat(name=f"{place}/{int(started) - 1}", grading=True, message="")
    assert selectors.worker_status() == selectors.WorkerStatus(online=False, grading=False)
    assert WorkerHeartbeat.objects.count() == 1


# ---- Caches, health, lessons ----


def test_no_cache_mistakes_a_part_for_the_page(client: Client) -> None:
    mine = handed_in(client)
    for headers in (None, HTMX):
        response = client.get(page_of(mine), headers=headers)
        assert "HX-Request" in response["Vary"]
        assert "no-store" in response["Cache-Control"]
    restored = client.get(page_of(mine), headers={**HTMX, "HX-History-Restore-Request": "true"})
    assert "<html" in restored.content.decode()


def test_health(client: Client, django_assert_num_queries: Callable[[int], Any]) -> None:
    with django_assert_num_queries(0):
        assert client.get("/livez").content == b"ok\n"
    with django_assert_num_queries(1):
        assert client.get("/readyz").status_code == 200


def test_not_ready_without_the_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    from config import health

    class Away:
        def cursor(self) -> None:
            raise OperationalError("gone")

    monkeypatch.setattr(health, "connection", Away())
    assert client.get("/readyz").status_code == 503
    assert client.get("/livez").status_code == 200


def test_the_pages_ask_the_database_little(client: Client, django_assert_max_num_queries: Callable[[int], Any]) -> None:
    mine = handed_in(client)
    with django_assert_max_num_queries(8):
        client.get(page_of(mine), headers=HTMX)
    with django_assert_max_num_queries(23):
        client.get(EXERCISE)


def test_a_lesson_shows_the_best_result_of_each_exercise(client: Client, learner: Learner) -> None:
    weak, strong = make_report(Status.FAILED, points=Decimal("0.5")), make_report()
    for report in (weak, strong, weak):
        graded(handed_in(client), report)
    handed_in(client)
    mine = Submission.objects.latest("created").learner
    assert selectors.exercise_standings(mine, ["scaled-scores", "second"]) == {
        "scaled-scores": {
            "passed": True,
            "status": "passed",
            "points": Decimal("1.5"),
            "max_points": Decimal("1.5"),
            "attempts": 4,
            "passed_last": Submission.objects.get(verdict="passed").created,
        }
    }
    assert selectors.exercise_standings(learner, ["scaled-scores"]) == {}
    assert selectors.exercise_standings(None, ["scaled-scores"]) == {}


def test_the_template_tag_gives_results_in_the_order_asked_for(client: Client, rf: RequestFactory) -> None:
    graded(handed_in(client), make_report())
    request = rf.get("/")
    request.session = client.session
    request.user = type("Anonymous", (), {"is_authenticated": False})()
    source = "{% load grader_results %}{% exercise_results slugs as results %}{{ results|length }}"
    context = Context({"request": request, "slugs": ["second", "not-published", "scaled-scores"]})
    assert Template(source).render(context) == "2"
    assert context["results"] == {
        "second": {"status": "", "points": "", "max_points": "", "url": "/exercises/second/", "title": "The second"},
        "scaled-scores": {
            "status": "passed",
            "points": "1.5",
            "max_points": "1.5",
            "url": EXERCISE,
            "title": "Scaled scores",
        },
    }


def test_an_attempt_without_a_verdict_does_not_hide_a_result(client: Client) -> None:
    graded(handed_in(client), make_report(Status.FAILED, points=Decimal(0)))
    handed_in(client)
    learner = Submission.objects.latest("created").learner
    standing = selectors.exercise_standings(learner, ["scaled-scores"])["scaled-scores"]
    assert (standing["status"], standing["points"], standing["attempts"]) == ("failed", Decimal(0), 2)


@pytest.mark.usefixtures("learner")
def test_revisions_of_an_exercise_share_its_attempts(client: Client, revision: ExerciseRevision) -> None:
    handed_in(client)
    newer = ExerciseRevision.objects.create(exercise=revision.exercise, number=2, data=revision.data, digest="2")
    Submission.objects.create(
        learner=Submission.objects.get().learner, exercise_revision=newer, source=RIGHT, seed=1, token=uuid.uuid4()
    )
    assert [attempt["number"] for attempt in client.get(EXERCISE).context["attempts"]] == [2, 1]
