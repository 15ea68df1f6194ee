"""For the lesson's templates, which know of no submissions: how far the learner is with some exercises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.urls import reverse

from courses.services.learners import learner_for
from grader.presentation import points
from grader.selectors import exercise_standings, exercise_titles

register = template.Library()


@register.simple_tag(takes_context=True)
def exercise_results(context: template.Context, slugs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """`{% exercise_results slugs as results %}`: {slug: {"status", "points", "max_points", "url", "title"}}.

    Only published exercises, in the order asked for; `status` is empty where there is no attempt yet.
    """
    titles = exercise_titles(slugs)
    standings = exercise_standings(learner_for(context["request"]), titles)
    return {
        slug: {
            "status": standings[slug]["status"] if slug in standings else "",
            "points": points(standings[slug]["points"]) if slug in standings else "",
            "max_points": points(standings[slug]["max_points"]) if slug in standings else "",
            "url": reverse("exercise", args=[slug]),
            "title": title,
        }
        for slug, title in titles.items()
    }
