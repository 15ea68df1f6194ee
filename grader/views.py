"""Pages of exercises and submissions. A view bounds what came, calls one service, and answers with a page or a part."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import parse_qs

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courses.errors import Unpublished
from courses.models import ExerciseRevision, Learner
from courses.posting import post_or_go
from courses.selectors import exercise_current
from courses.services.learners import learner_ensure, learner_for
from grader.exercise_page import Editor, exercise_context, fragment_context, gpu_context
from grader.models import Submission
from grader.origins import origin_of
from grader.presentation import refusal_view
from grader.selectors import NoSubmission, submission_last, submission_of
from grader.services import TooManyWaiting, submission_create
from grader.source import SourceRefused, normalise_source
from grader.specs import exercise_spec

REFUSED = 422  # of a page; a part that htmx asked for is a good answer, which it swaps in
FORM = "application/x-www-form-urlencoded"


@require_safe
@never_cache
def exercise(request: HttpRequest, slug: str) -> HttpResponse:
    """An exercise with its editor.

    `?restore=<id>` puts an earlier attempt into it, `?solution=1` shows the solution.
    """
    revision = _exercise_or_404(slug)
    learner = learner_for(request)
    shown = _shown(request, learner, slug)
    source = shown.source if shown else revision.data["starter"]
    solution = request.GET.get("solution") == "1"
    context = exercise_context(revision, learner, Editor(source), shown, solution=solution)
    return render(request, "grader/exercise.html", context)


def _shown(request: HttpRequest, learner: Learner | None, slug: str) -> Submission | None:
    """The attempt whose text and verdict are shown: the one asked for, or the last."""
    if "restore" not in request.GET:
        return submission_last(learner, slug)
    found = _submission_or_404(learner, request.GET["restore"])
    if found.exercise_revision.exercise.slug != slug:
        raise Http404("that attempt is of another exercise")
    return found


@post_or_go(lambda slug: reverse("exercise", args=[slug]))
@never_cache
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand in the field `source`; `token` is the form's, so that a second press of it runs nothing twice."""
    revision = _exercise_or_404(slug)
    data = _source_bytes(request)
    try:
        source = normalise_source(data, exercise_spec(revision.data["spec"], revision=revision.number).source_bytes)
        learner = learner_ensure(request)
        submission = submission_create(
            learner=learner,
            exercise_revision=revision,
            source=source,
            token=_token(request, source),
            origin=origin_of(request),
        )
    except (SourceRefused, TooManyWaiting) as refusal:
        return _refused(request, revision, data, str(refusal))
    if request.htmx:  # type: ignore[attr-defined]
        return _fragment(request, fragment_context(submission))
    return redirect("submission", submission_id=submission.pk)


def _refused(request: HttpRequest, revision: ExerciseRevision, data: bytes, sentence: str) -> HttpResponse:
    """Say why, and leave the text in the editor. With htmx it never left: only the verdict's place is answered."""
    if request.htmx:  # type: ignore[attr-defined]
        context = {"exercise": revision.data, "submission": None, "verdict": refusal_view(sentence)}
        return _fragment(request, {**context, "refusal": sentence, "token": uuid.uuid4()})
    text = data.decode("utf-8", "replace").replace("\0", "\N{SYMBOL FOR NULL}")
    context = exercise_context(revision, learner_for(request), Editor(text, sentence), None)
    return render(request, "grader/exercise.html", {**context, "verdict": refusal_view(sentence)}, status=REFUSED)


@require_safe
@never_cache
def submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """One submission of the learner: a page, or with htmx the verdict alone, which asks again until there is one.

    `?poll=<number>`: how often it has asked.
    """
    learner = learner_for(request)
    found = _submission_or_404(learner, submission_id)
    asked = _asked(request)
    if request.htmx and not request.htmx.history_restore_request:  # type: ignore[attr-defined]
        return _fragment(request, fragment_context(found, poll=asked))
    context = exercise_context(found.exercise_revision, learner, Editor(found.source), found, poll=asked)
    refresh_url = f"{request.path}?poll={asked + 1}"  # counted, so that a page which waits for a GPU asks no longer
    return _vary(render(request, "grader/submission.html", {**context, "refresh_url": refresh_url}))


@require_safe
@never_cache
def submission_gpu(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """How the checks of a submission of the learner that need a GPU stand: the part of its page that waits for them."""
    found = _submission_or_404(learner_for(request), submission_id)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("submission", submission_id=found.pk)
    return _vary(render(request, "grader/_gpu.html", {**gpu_context(found, poll=_asked(request)), "alone": True}))


def _asked(request: HttpRequest) -> int:
    """`?poll=<number>`: how often the page has asked already."""
    poll = request.GET.get("poll", "")
    return int(poll) if poll.isdecimal() and len(poll) < 4 else 0


def _fragment(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    return _vary(render(request, "grader/_verdict.html", context))


def _vary(response: HttpResponse) -> HttpResponse:
    """The same address answers with a page or a part of one: no cache may mistake them."""
    patch_vary_headers(response, ["HX-Request"])
    return response


def _exercise_or_404(slug: str) -> ExerciseRevision:
    try:
        return exercise_current(slug)
    except Unpublished as absent:
        raise Http404(str(absent)) from absent


def _submission_or_404(learner: Learner | None, submission_id: uuid.UUID | str) -> Submission:
    try:
        return submission_of(learner, uuid.UUID(str(submission_id)))
    except (ValueError, NoSubmission) as absent:
        raise Http404("no such submission") from absent


def _source_bytes(request: HttpRequest) -> bytes:
    """The source as it was sent: Django would replace what is not UTF-8 without a word. Line ends as "\\n"."""
    if request.content_type == FORM:
        fields = parse_qs(request.body.decode("latin-1"), keep_blank_values=True, encoding="latin-1")
        data = fields.get("source", [""])[0].encode("latin-1")
    else:
        data = request.POST.get("source", "").encode("utf-8", "surrogatepass")
    return data.replace(b"\r\n", b"\n")  # a browser sends these whatever was typed; the limit is on the text


def _token(request: HttpRequest, source: str) -> uuid.UUID:
    """Of this form with this text: pressed twice it is the same, sent again with another text it is not."""
    try:
        form = uuid.UUID(request.POST.get("token", ""))
    except ValueError:
        return uuid.uuid4()
    return uuid.uuid5(form, source)
