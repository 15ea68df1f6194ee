"""One's own progress: the page, where one reads, all data to take away, and deletion."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ReauthenticateForm
from allauth.decorators import rate_limit
from django import forms
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courses.errors import Unpublished
from courses.posting import post_or_go
from courses.progress_page import progress_context
from courses.selectors import course_current
from courses.services.account import data_export, learner_delete
from courses.services.learners import learner_ensure, learner_for
from courses.services.progress import reading_record

REFUSED = 422


@require_safe
@never_cache
def progress(request: HttpRequest) -> HttpResponse:
    """What the learner did, what is weak and what is due. A visitor has a page as well."""
    course = course_current()
    if course is None:
        return render(request, "courses/empty.html")
    return render(request, "courses/progress.html", progress_context(learner_for(request), course))


@post_or_go(lambda course, lesson: reverse("lesson", args=[course, lesson]))
def reading(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    """Keep where a learner reads: the field `block`. Who has done nothing yet is not made a learner by reading."""
    current = course_current()
    if current is None or current.course.slug != course:
        raise Http404(f"no course {course!r} is published")
    learner = learner_for(request)
    try:
        if learner is not None:
            reading_record(learner=learner, lesson=lesson, block=request.POST.get("block", ""))
    except Unpublished as absent:
        raise Http404(str(absent)) from absent
    return HttpResponse(status=204)


@require_safe
@never_cache
def data(request: HttpRequest) -> StreamingHttpResponse:
    """All that is kept of the learner, as one JSON file."""
    user = request.user if request.user.is_authenticated else None
    pieces = data_export(learner=learner_for(request), user=user)
    response = StreamingHttpResponse(pieces, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="heed-{timezone.localdate():%Y-%m-%d}.json"'
    return response


class _Sure(forms.Form):
    sure = forms.BooleanField(
        label="Yes, delete all of it. I know that nobody can bring it back.",
        error_messages={"required": "Tick the box if everything is to be deleted."},
    )


class _SureUser(_Sure, ReauthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """With the password, checked as allauth checks it: whoever finds a browser left open cannot delete an account."""

    field_order = ("password", "sure")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete(request: HttpRequest) -> HttpResponse:
    """Say what will be deleted, ask for the password (of a user) and for a tick, and delete everything."""
    if request.user.is_authenticated:
        answer: HttpResponse = rate_limit(action="reauthenticate")(_delete)(request)
        return answer
    return _delete(request)


def _delete(request: HttpRequest) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    learner = learner_for(request)
    posted = request.POST if request.method == "POST" else None
    form: forms.Form = _SureUser(posted, user=user) if user else _Sure(posted)  # type: ignore[call-arg]
    if form.is_valid():
        kept_locally = str(user.pk) if user else "visitor"
        # learner_ensure: what this browser did as a visitor, should it not be the account's yet, goes as well.
        learner_delete(learner=learner_ensure(request) if user else learner, user=user)
        logout(request)  # the session too: it named the visitor
        return HttpResponseRedirect(f"{reverse('progress_deleted')}#{kept_locally}", status=303)
    context: dict[str, Any] = {"form": form, "is_empty": learner is None and user is None}
    return render(request, "courses/delete.html", context, status=REFUSED if posted is not None else 200)


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Everything is gone."""
    return render(request, "courses/deleted.html")
