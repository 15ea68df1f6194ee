"""Pages of the lesson side. A view reads a form, calls one service, answers with a page, a fragment or a redirect."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from courses.context import THEME_COOKIE, THEMES
from courses.errors import Refused, Unpublished
from courses.lesson_page import (
    CardView,
    ItemView,
    LessonState,
    contents_context,
    item_view,
    lesson_context,
    lesson_state,
    paper_progress,
    refused_view,
    response_of,
)
from courses.models import Answer, CourseRevision, LessonRevision
from courses.posting import post_or_go
from courses.progress_page import course_context
from courses.review_page import rating_and_token
from courses.selectors import (
    course_current,
    lesson_current,
    lesson_items,
)
from courses.services.answers import answer_record
from courses.services.learners import learner_ensure, learner_for
from courses.services.progress import section_mark
from courses.services.reviews import card_schedules, review_record

REFUSED = 422
ONE_YEAR = 60 * 60 * 24 * 365


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The course, or how to publish one."""
    current = course_current()
    if current is None:
        return render(request, "courses/empty.html")
    return redirect("course", slug=current.course.slug)


@require_safe
def course(request: HttpRequest, slug: str) -> HttpResponse:
    """The course's places in order, and how far the learner is in each."""
    revision = _course_or_404(slug)
    learner = learner_for(request)
    return render(request, "courses/course.html", course_context(learner, revision))


@require_safe
def lesson(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    """A lesson. `?show=<anchor>` shows one right or model answer, `?again=<anchor>` a quiz to try again."""
    revision, found = _lesson_or_404(course, lesson)
    state = _asked_state(request, found)
    return render(request, "courses/lesson.html", lesson_context(revision, state))


@post_or_go(lambda course, lesson, section: _address(course, lesson, section))
def section(request: HttpRequest, course: str, lesson: str, section: str) -> HttpResponse:
    """Mark a section as done (`done=1`) or not (`done=0`)."""
    revision, found = _lesson_or_404(course, lesson)
    learner = learner_ensure(request)
    try:
        section_mark(learner=learner, lesson=lesson, section=section, done=request.POST.get("done") == "1")
    except Unpublished as absent:
        raise Http404(str(absent)) from absent
    if not request.htmx:  # type: ignore[attr-defined]
        return _back(course, lesson, section)
    state = lesson_state(found, learner)
    block = {"id": section, "done": section in state.progress.sections_done}
    return render(request, "courses/_section_marked.html", {"block": block, **contents_context(revision, state)})


@require_safe
def item(request: HttpRequest, course: str, lesson: str, anchor: str) -> HttpResponse:
    """One quiz, box or question for htmx, by `show` or `again` as for the lesson; without htmx, the page at it."""
    revision, found = _lesson_or_404(course, lesson)
    kind, _, name = anchor.partition("-")
    try:
        content = lesson_items(found, kind).get(name)
    except Unpublished as absent:
        raise Http404(str(absent)) from absent
    if content is None:
        raise Http404(f"{kind} {name!r} is not in this lesson")
    if not request.htmx:  # type: ignore[attr-defined]
        return _back(course, lesson, anchor)
    state = _asked_state(request, found)
    return _item_response(request, revision, state, item_view(state, kind, content), status=200)


def _asked_state(request: HttpRequest, lesson: LessonRevision) -> LessonState:
    asked = {name: request.GET.get(name, "") for name in ("show", "again")}
    return lesson_state(lesson, learner_for(request), revealed=asked["show"], again=asked["again"])


@post_or_go(lambda course, lesson, kind, item: _address(course, lesson, f"{kind}-{item}"))
def answer(request: HttpRequest, course: str, lesson: str, kind: str, item: str) -> HttpResponse:
    """An answer to a quiz, a myth, a box of paper work or a question, of the form that has this `token`."""
    revision, found = _lesson_or_404(course, lesson)
    items = lesson_items(found, kind)
    if item not in items:
        raise Http404(f"{kind} {item!r} is not in this lesson")
    response = response_of(kind, items[item], request.POST)
    confidence = request.POST.get("confidence", "")
    said = int(confidence) if confidence.isdecimal() and len(confidence) == 1 else None
    learner = learner_ensure(request)
    given = {"lesson": lesson, "kind": kind, "item": item, "response": response}
    try:
        answer_record(learner=learner, **given, confidence=said, token=_form_token(request))
    except Refused as refusal:
        state = lesson_state(found, learner)
        view = refused_view(state, kind, items[item], refusal=str(refusal), response=response, confidence=said)
        return _item_response(request, revision, state, view, status=REFUSED)
    state = lesson_state(found, learner)
    return _item_response(request, revision, state, item_view(state, kind, items[item]), status=200)


def _form_token(request: HttpRequest) -> uuid.UUID | None:
    """The token of the form; None where it was sent without one."""
    token = request.POST.get("token", "")
    try:
        return uuid.UUID(token) if token else None
    except ValueError:
        raise Refused("This form is damaged: load the page again.") from None


@post_or_go(lambda course, lesson, card: _address(course, lesson, f"card-{card}"))
def card(request: HttpRequest, course: str, lesson: str, card: str) -> HttpResponse:
    """A rating of a review card: the fields `rating` (1 to 4) and `token`."""
    revision, found = _lesson_or_404(course, lesson)
    learner = learner_ensure(request)
    try:
        rating, token = rating_and_token(request)
        view = CardView(review_record(learner=learner, lesson=lesson, card=card, rating=rating, token=token), True)
        status = 200
    except Unpublished as absent:
        raise Http404(str(absent)) from absent
    except Refused as refusal:
        schedules = {each.card: each for each in card_schedules(learner, found)}
        if card not in schedules:
            raise Http404(f"card {card!r} is not in this lesson") from refusal
        view, status = CardView(schedules[card], refusal=str(refusal)), REFUSED
    return _item_response(request, revision, lesson_state(found, learner), view, status=status)


@post_or_go(lambda: reverse("home"))
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the reader's choice of light, dark or the system's in a cookie, and go back."""
    chosen = request.POST.get("theme", "")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if safe else reverse("home"))
    if chosen in THEMES:
        response.set_cookie(
            THEME_COOKIE, chosen, max_age=ONE_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE, httponly=True
        )
    return response


def _course_or_404(slug: str) -> CourseRevision:
    current = course_current()
    if current is None or current.course.slug != slug:
        raise Http404(f"no course {slug!r} is published")
    return current


def _lesson_or_404(course: str, lesson: str) -> tuple[CourseRevision, LessonRevision]:
    revision = _course_or_404(course)
    try:
        return revision, lesson_current(lesson)
    except Unpublished as absent:
        raise Http404(str(absent)) from absent


def _item_response(
    request: HttpRequest, course: CourseRevision, state: LessonState, view: ItemView | CardView, *, status: int
) -> HttpResponse:
    """With htmx the item alone; else the page at the item, shown at once where the form was refused."""
    kind = view.kind if isinstance(view, ItemView) else "card"
    if request.htmx:  # type: ignore[attr-defined]
        # Always 200: the part says what was refused, and a browser reports any other status as an error of the page.
        context = {"view": view, "course": course.data, "lesson": state.lesson.data, "answered": True}
        if isinstance(view, ItemView) and kind == Answer.Kind.PAPER:
            context["paper"] = paper_progress(state, view.item["id"])
        return render(request, f"courses/items/{kind}.html", context)
    if status == REFUSED:
        again = replace(state, refused={view.anchor: view})
        context = {**lesson_context(course, again), "refusal": view}
        return render(request, "courses/lesson.html", context, status=status)
    return _back(course.course.slug, state.lesson.slug, view.anchor)


def _back(course: str, lesson: str, anchor: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(_address(course, lesson, anchor))


def _address(course: str, lesson: str, anchor: str) -> str:
    return f"{reverse('lesson', args=[course, lesson])}#{anchor}"
