"""The two ways in which a request about a lesson can be at fault."""

from __future__ import annotations


class Unpublished(LookupError):  # noqa: N818 says what happened, not that it is a fault
    """No such lesson, section, exercise or item in the course as it is published now; a page answers 404."""


class Refused(ValueError):  # noqa: N818 as above
    """What was sent cannot be recorded. The message tells the learner what was expected; nothing was written."""
