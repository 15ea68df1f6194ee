"""Whose day it is: the learner's own time zone, which the browser names in a cookie, and a day that ends at 04:00."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from courses.days import TIMEZONE_COOKIE, day_of, learners_time_zone


def zone_while_answered(cookie: str | None) -> str:
    seen: list[str] = []

    def view(_request: HttpRequest) -> HttpResponse:
        seen.append(timezone.get_current_timezone_name())
        return HttpResponse()

    request = RequestFactory().get("/")
    if cookie is not None:
        request.COOKIES[TIMEZONE_COOKIE] = cookie
    learners_time_zone(view)(request)
    return seen[0]


@pytest.mark.parametrize("name", ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "UTC"])
def test_the_zone_that_the_browser_names_is_the_requests(name: str) -> None:
    assert zone_while_answered(name) == name
    assert timezone.get_current_timezone_name() == "UTC"  # of the next request nothing is left


@pytest.mark.parametrize(
    "name", [None, "", "Nowhere/Land", "../../etc/passwd", "/etc/localtime", "America", "\x00", "a" * 10_000, "utc "]
)
def test_what_names_no_zone_leaves_the_sites(name: str | None) -> None:
    assert zone_while_answered(name) == "UTC"


def test_a_request_that_fails_leaves_no_zone_behind() -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        raise RuntimeError("broken")

    request = RequestFactory().get("/")
    request.COOKIES[TIMEZONE_COOKIE] = "Asia/Kolkata"
    with pytest.raises(RuntimeError, match="broken"):
        learners_time_zone(view)(request)
    assert timezone.get_current_timezone_name() == "UTC"


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 3, 10, 3, 59, tzinfo=BERLIN), date(2026, 3, 9)),
        (datetime(2026, 3, 10, 4, 0, tzinfo=BERLIN), date(2026, 3, 10)),
        (datetime(2026, 3, 10, 2, 59, tzinfo=UTC), date(2026, 3, 9)),
        (datetime(2026, 3, 10, 3, 0, tzinfo=UTC), date(2026, 3, 10)),
        # The night of 23 hours and that of 25: the day still begins when the clock on the wall says four.
        (datetime(2026, 3, 29, 1, 59, tzinfo=UTC), date(2026, 3, 28)),
        (datetime(2026, 3, 29, 2, 0, tzinfo=UTC), date(2026, 3, 29)),
        (datetime(2026, 10, 25, 2, 59, tzinfo=UTC), date(2026, 10, 24)),
        (datetime(2026, 10, 25, 3, 0, tzinfo=UTC), date(2026, 10, 25)),
    ],
)
def test_a_day_goes_from_four_to_four_by_the_clock_on_the_wall(moment: datetime, day: date) -> None:
    with timezone.override(BERLIN):
        assert day_of(moment) == day
