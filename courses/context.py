"""What every page's template may use."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from courses.review_page import reviews_due
from courses.services.learners import learner_for

THEME_COOKIE = "theme"
THEMES = ("auto", "light", "dark")


def theme_of(request: HttpRequest) -> str:
    """The theme that the reader chose: auto, light or dark."""
    chosen = request.COOKIES.get(THEME_COOKIE, "auto")
    return chosen if chosen in THEMES else "auto"


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's name, the user's name, the theme, the learner (falsy for a visitor who did nothing yet), cards due."""
    user = getattr(request, "user", None)
    signed_in = user is not None and user.is_authenticated
    return {
        "site_name": "Heed",
        "theme": theme_of(request),
        "user_display": user.get_username() if user is not None and signed_in else "",
        # Lazy: a page that does not ask costs no query.
        "learner": SimpleLazyObject(lambda: learner_for(request)),
        "reviews_due": cache(lambda: reviews_due(request)),
    }
