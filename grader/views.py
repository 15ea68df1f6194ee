"""Pages of exercises and submissions. A view bounds what came, calls one service, and answers with a page or a part."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import parse_qs

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
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
from grader.drafts import NewerDraft, TooManyDrafts, draft_follow, draft_of, draft_save, drafts_count
from grader.exercise_page import (
    Editor,
    difference_context,
    editor_opening,
    exercise_context,
    fragment_context,
    gpu_context,
)
from grader.models import Submission
from grader.origins import origin_of
from grader.presentation import refusal_view
from grader.selectors import NoSubmission, has_precheck, submission_last, submission_of
from grader.services import TooManyWaiting, submission_create
from grader.source import SourceRefused, normalise_source
from grader.specs import exercise_spec

REFUSED = 422  # of a page; a part that htmx asked for is a good answer, which it swaps in
DRAFT_REVISION = "Draft-Revision"  # a header: of the draft that what was sent has become
FORM = "application/x-www-form-urlencoded"


@require_safe
@never_cache
def exercise(request: HttpRequest, slug: str) -> HttpResponse:
    """An exercise with its editor.

    `?restore=<id>` puts an earlier attempt into it, `?draft=1` the draft; `?solution=1` shows the solution.
    """
    revision = _exercise_or_404(slug)
    learner = learner_for(request)
    shown, draft = _shown(request, learner, slug), draft_of(learner, slug)
    if shown is not None and "restore" in request.GET:
        editor = Editor(shown.source, explicit=True)
    else:
        editor = editor_opening(revision, draft, shown, draft_asked_for=request.GET.get("draft") == "1")
    solution = request.GET.get("solution") == "1"
    context = exercise_context(revision, learner, editor, shown, draft=draft, solution=solution)
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
    """Hand in the field `source`; `token` is the form's, so that a second press of it runs nothing twice.

    `revision` is the draft's that it continues.
    """
    return _run(request, _exercise_or_404(slug), precheck=False)


@post_or_go(lambda slug: reverse("exercise", args=[slug]))
@never_cache
def precheck(request: HttpRequest, slug: str) -> HttpResponse:
    """Run the field `source` against the shown cases, and hand nothing in. The fields are those of `submit`."""
    revision = _exercise_or_404(slug)
    if not has_precheck(revision):
        raise Http404("no case of this exercise is shown")
    return _run(request, revision, precheck=True)


def _run(request: HttpRequest, revision: ExerciseRevision, *, precheck: bool) -> HttpResponse:
    data = _source_bytes(request)
    try:
        source = normalise_source(data, exercise_spec(revision.data["spec"], revision=revision.number).source_bytes)
        learner = learner_ensure(request)
        submission = submission_create(
            learner=learner,
            exercise_revision=revision,
            source=source,
            token=_token(request, source, precheck=precheck),
            origin=origin_of(request),
            precheck=precheck,
        )
    except (SourceRefused, TooManyWaiting) as refusal:
        return _refused(request, revision, data, str(refusal))
    draft_revision = draft_follow(
        learner=learner, exercise_revision=revision, source=source, revision=_draft_revision(request)
    )
    if request.htmx:  # type: ignore[attr-defined]
        response = _fragment(request, fragment_context(submission))
        if draft_revision is not None:
            response[DRAFT_REVISION] = str(draft_revision)
        return response
    return redirect("submission", submission_id=submission.pk)


def _refused(request: HttpRequest, revision: ExerciseRevision, data: bytes, sentence: str) -> HttpResponse:
    """Say why, and leave the text in the editor. With htmx it never left: only the verdict's place is answered."""
    if request.htmx:  # type: ignore[attr-defined]
        context = {"exercise": revision.data, "submission": None, "verdict": refusal_view(sentence)}
        return _fragment(request, {**context, "refusal": sentence, "token": uuid.uuid4()})
    text = data.decode("utf-8", "replace").replace("\0", "\N{SYMBOL FOR NULL}")
    learner, editor = learner_for(request), Editor(text, sentence, explicit=True)
    draft = draft_of(learner, revision.exercise.slug)
    context = exercise_context(revision, learner, editor, None, draft=draft)
    return render(request, "grader/exercise.html", {**context, "verdict": refusal_view(sentence)}, status=REFUSED)


@post_or_go(lambda slug: reverse("exercise", args=[slug]))
@never_cache
def draft(request: HttpRequest, slug: str) -> JsonResponse:
    """Keep the field `text`, which continues the draft's `revision`. Answers with the revision that is stored then.

    409: another text was saved since, and is answered too. 422 and 429: not kept, with a sentence that says why.
    """
    revision = _exercise_or_404(slug)
    text = request.POST.get("text", "").replace("\r\n", "\n").replace("\r", "\n")
    most = exercise_spec(revision.data["spec"], revision=revision.number).source_bytes
    if len(text.encode("utf-8", "replace")) > most:
        return JsonResponse(
            {"error": f"The draft is larger than {most:,} bytes, the most that is kept."}, status=REFUSED
        )
    try:
        user = learner_ensure(request) if request.user.is_authenticated else None
        drafts_count(user=user, origin=origin_of(request))
        learner = user or learner_ensure(request)
        stored = draft_save(learner=learner, exercise_revision=revision, text=text, revision=_draft_revision(request))
    except TooManyDrafts as refusal:
        return JsonResponse({"error": str(refusal)}, status=429)
    except NewerDraft as newer:
        return JsonResponse({"revision": newer.stored.revision, "text": newer.stored.text}, status=409)
    return JsonResponse({"revision": stored.revision})


@require_safe
@never_cache
def difference(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """What an attempt of the learner changed, line by line: a page, or with htmx the difference alone."""
    found = _submission_or_404(learner_for(request), submission_id)
    if found.precheck:
        raise Http404("what was not handed in is no attempt")
    part = request.htmx and not request.htmx.history_restore_request  # type: ignore[attr-defined]
    template = "grader/_difference.html" if part else "grader/difference.html"
    return _vary(render(request, template, difference_context(found)))


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
    revision = found.exercise_revision
    draft = draft_of(learner, revision.exercise.slug)
    context = exercise_context(revision, learner, Editor(found.source), found, draft=draft, poll=asked)
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


def _draft_revision(request: HttpRequest) -> int:
    """The field `revision`: of the draft that a text continues; 0 for none."""
    revision = request.POST.get("revision", "")
    return int(revision) if revision.isdecimal() and len(revision) < 10 else 0


def _token(request: HttpRequest, source: str, *, precheck: bool) -> uuid.UUID:
    """Of this form with this text and button: pressed twice it is the same, sent again with another text it is not."""
    try:
        form = uuid.UUID(request.POST.get("token", ""))
    except ValueError:
        return uuid.uuid4()
    return uuid.uuid5(uuid.uuid5(form, "precheck") if precheck else form, source)
