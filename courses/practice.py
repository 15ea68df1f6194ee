"""On which days of this month a learner practised: by their own calendar day, which ends at 04:00."""

from __future__ import annotations

from calendar import Calendar
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db import models
from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import get_format

from courses.days import ROLLOVER, day_of
from courses.models import Learner

# The field that says when something was done, in the models that keep it. A row that is written over tells nothing.
MOMENTS = ("created", "reviewed")


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    practised: bool
    is_today: bool
    is_future: bool


@dataclass(frozen=True, slots=True)
class Month:
    """The month that today is in. Days of its first and last week that are of other months are None."""

    first: date
    weekdays: list[tuple[str, str]]  # short and full names, in the order of the columns
    weeks: list[list[Day | None]]

    @property
    def practised(self) -> list[date]:
        return [day.day for week in self.weeks for day in week if day and day.practised]


def practised_month(learner: Learner | None, *, now: datetime | None = None) -> Month:
    """The current month with the days on which the learner did anything that is kept."""
    today = day_of(now or timezone.now())
    practised = _days(learner, today.replace(day=1)) if learner else set()
    # Sunday is Django's day 0, and the calendar's day 6.
    calendar = Calendar(firstweekday=(get_format("FIRST_DAY_OF_WEEK") - 1) % 7)
    weeks = [
        [Day(day, day in practised, day == today, day > today) if day.month == today.month else None for day in week]
        for week in calendar.monthdatescalendar(today.year, today.month)
    ]
    names = [(str(WEEKDAYS_ABBR[day]), str(WEEKDAYS[day])) for day in calendar.iterweekdays()]
    return Month(today.replace(day=1), names, weeks)


def _days(learner: Learner, first: date) -> set[date]:
    """All days from `first` on that any row of the learner tells of, of whichever app."""
    since = timezone.make_aware(datetime.combine(first, time())) + ROLLOVER
    days: set[date] = set()
    for relation in Learner._meta.related_objects:
        model, name = relation.related_model, relation.field.name
        assert not isinstance(model, str)  # noqa: S101 all apps are loaded
        for moment in _moments(model):
            rows = model._base_manager.filter(**{name: learner, f"{moment}__gte": since})
            days |= {day_of(each) for each in rows.values_list(moment, flat=True)}
    return days


def _moments(model: type[models.Model]) -> list[str]:
    fields = {field.name for field in model._meta.get_fields() if isinstance(field, models.DateTimeField)}
    return [moment for moment in MOMENTS if moment in fields]
