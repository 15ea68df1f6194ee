"""The page of the day's review: one card at a time, over the whole course."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from courses.cards import CardKey
from courses.errors import Refused, Unpublished
from courses.models import CourseRevision
from courses.posting import post_or_go
from courses.selectors import course_current
from courses.services.learners import learner_ensure, learner_for
from courses.services.reviews import RATINGS, CardSchedule, Deck, deck_of, due_count, review_record, review_undo

REFUSED = 422
GONE = "This card is not in the course any more, so nothing was recorded."
UNDONE = "Taken back: that rating does not count any more."
NOT_UNDONE = "Nothing was taken back: only your last rating can be, within an hour."


@dataclass(frozen=True, slots=True)
class ReviewView:
    """What templates/courses/_review.html prints."""

    deck: Deck
    card: CardSchedule | None  # None: nothing is due
    said: str = ""  # what became of the form that this page answers, where the deck does not tell
    refusal: str = ""  # why nothing was recorded; the card is shown with its answer again

    @property
    def position(self) -> int:
        """Of how many cards today this is the how manieth."""
        return self.deck.done + 1

    @property
    def total(self) -> int:
        return self.deck.done + len(self.deck.due)

    @property
    def last_rating(self) -> str:
        """The name of the rating that can be taken back."""
        return RATINGS[self.deck.last.rating] if self.deck.last else ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def review(request: HttpRequest) -> HttpResponse:
    """The first card that is due. POST rates one: the fields `lesson`, `source`, `card`, `rating` and `token`."""
    course = course_current()
    if course is None:
        return render(request, "courses/empty.html")
    if request.method != "POST":
        return _page(request, course, _view(deck_of(learner_for(request), course)))
    learner = learner_ensure(request)
    key = CardKey(*(request.POST.get(name, "").replace("\x00", "") for name in ("lesson", "source", "card")))
    try:
        rating, token = rating_and_token(request)
        review_record(learner=learner, lesson=key.lesson, source=key.source, card=key.id, rating=rating, token=token)
    except Unpublished:
        return _answer(request, course, _view(deck_of(learner, course), said=GONE), REFUSED)
    except Refused as refusal:
        return _answer(request, course, _view(deck_of(learner, course), key, refusal=str(refusal)), REFUSED)
    return _answer(request, course, _view(deck_of(learner, course)))


@post_or_go(lambda: reverse("review"))
def undo(request: HttpRequest) -> HttpResponse:
    """Take the last rating back: the field `review` names it, so that a second press does not take another one."""
    course = course_current()
    if course is None:
        return render(request, "courses/empty.html")
    learner = learner_ensure(request)
    try:
        undone = review_undo(learner=learner, review=uuid.UUID(request.POST.get("review", "")))
    except ValueError:
        undone = False
    return _answer(request, course, _view(deck_of(learner, course), said=UNDONE if undone else NOT_UNDONE))


def rating_and_token(request: HttpRequest) -> tuple[int, uuid.UUID]:
    """The fields of a form that rates a card. Raises Refused."""
    try:
        return int(request.POST.get("rating", "")), uuid.UUID(request.POST.get("token", ""))
    except ValueError:
        raise Refused("Choose how well you knew it: again, hard, good or easy.") from None


def _view(deck: Deck, key: CardKey | None = None, *, said: str = "", refusal: str = "") -> ReviewView:
    """With the card `key` if it is due, else with the first one."""
    wanted = next((card for card in deck.due if card.key == key), None)
    first = deck.due[0] if deck.due else None
    return ReviewView(deck, wanted or first, said=said, refusal=refusal)


def _answer(request: HttpRequest, course: CourseRevision, view: ReviewView, status: int = 200) -> HttpResponse:
    """To a form. With htmx the card alone, always with 200: a browser reports other statuses as errors of the page."""
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "courses/_review.html", {**_context(course, view), "answered": True})
    if status == REFUSED:
        return _page(request, course, view, status)
    if view.said:
        messages.info(request, view.said)
    return HttpResponseRedirect(reverse("review"))


def _page(request: HttpRequest, course: CourseRevision, view: ReviewView, status: int = 200) -> HttpResponse:
    return render(request, "courses/review.html", _context(course, view), status=status)


def _context(course: CourseRevision, view: ReviewView) -> dict[str, Any]:
    lesson_url = reverse("lesson", args=[course.course.slug, view.card.lesson]) if view.card else ""
    titles = {place["slug"]: place["title"] for place in course.data["places"]}
    return {
        "course": course.data,
        "view": view,
        "lesson_url": lesson_url,
        "lesson_title": titles.get(view.card.lesson, "") if view.card else "",
        "reviews_due": len(view.deck.due),
    }


def reviews_due(request: HttpRequest) -> int:
    """How many cards are due to whoever sent the request: for the navigation of every page."""
    learner = learner_for(request)
    course = course_current() if learner else None
    return due_count(learner, course) if course else 0
