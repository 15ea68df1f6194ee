"""A learner's day: in whose time zone it is, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

ROLLOVER = timedelta(hours=4)  # a day ends at 04:00, not while one is still up
TIMEZONE_COOKIE = "timezone"  # the browser's name of its zone, such as Europe/Berlin: static/js/site.js keeps it


def day_of(moment: datetime) -> date:
    """The day of the learner that `moment` counts for: in their time zone, from 04:00 to 04:00."""
    return (timezone.localtime(moment) - ROLLOVER).date()  # by the clock on the wall, also when that is set


def learners_time_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: while a request is answered, days and times are those of the learner's own time zone.

    The cookie is whatever somebody sent: of a name that is no zone's, the site's own TIME_ZONE stays.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get(TIMEZONE_COOKIE, "")
        with timezone.override(ZoneInfo(name) if name and name in _names() else None):
            return get_response(request)

    return answered


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())  # reads the whole folder of zones: once
