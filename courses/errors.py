"""The ways in which a learner's request can be at fault."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied


class Unpublished(LookupError):  # noqa: N818 says what happened, not that it is a fault
    """No such lesson, section, exercise or item in the course as it is published now; a page answers 404."""


class Refused(ValueError):  # noqa: N818 as above
    """What was sent cannot be recorded. The message tells the learner what was expected; nothing was written."""


class SignedInMeanwhile(PermissionDenied):
    """The visitor who sent this became a signed-in learner while it was on its way; a page answers 403."""

    def __init__(self) -> None:
        super().__init__(
            "You signed in while this was being sent, so it was not recorded. "
            "Go back, load the page again, and send it once more."
        )
