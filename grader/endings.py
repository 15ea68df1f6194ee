"""The one table from what the sandbox reports to a status, and the sentences that go with it.

It has no default: an outcome that is missing here raises, and is a fault of ours.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from grader.calling import START, place_of
from grader.checks import words
from grader.verdicts import ExerciseSpec, Status
from grader.wire import CallResult, Limits, Outcome

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Ending:
    """How an outcome that ends a session counts, and what is said of it."""

    status: Status
    sentence: Callable[[Limits], str]


def _timeout(limits: Limits) -> str:
    return f"Your code had not finished after {limits.wall_seconds:g} seconds, so it was stopped."


def _memory(limits: Limits) -> str:
    return f"Your code needed more than the {limits.memory_bytes // MEGABYTE} MB of memory that it may use."


def _output(limits: Limits) -> str:
    return f"Your code printed more than {limits.output_bytes:,} bytes, so it was stopped."


def _exited(_limits: Limits) -> str:
    return "Your code ended the process instead of returning: by sys.exit, os._exit, exit or quit."


def _crashed(_limits: Limits) -> str:
    return "The process that ran your code died."


def _too_large(_limits: Limits) -> str:
    return "What your code returned is far larger than any right answer, so it was not read."


def _garbled(_limits: Limits) -> str:
    return "What came back from your code could not be read: something wrote over the answer, or in its place."


# None: the session goes on, and the check judges what came.
ENDINGS: Mapping[Outcome, Ending | None] = MappingProxyType(
    {
        Outcome.RETURNED: None,
        Outcome.RAISED: None,
        Outcome.NO_ENTRY: None,
        Outcome.TIMEOUT: Ending(Status.TIMEOUT, _timeout),
        Outcome.MEMORY: Ending(Status.MEMORY, _memory),
        Outcome.OUTPUT: Ending(Status.OUTPUT, _output),
        Outcome.EXITED: Ending(Status.CRASHED, _exited),
        Outcome.CRASHED: Ending(Status.CRASHED, _crashed),
        Outcome.TOO_LARGE: Ending(Status.FAILED, _too_large),
        Outcome.GARBLED: Ending(Status.CRASHED, _garbled),
    }
)


def load_failure(loaded: CallResult, spec: ExerciseSpec, signature: str) -> tuple[Status, str]:
    """Status and sentence for a source that could not be loaded. No input was sent yet, so all may be told."""
    ending = ENDINGS[loaded.outcome]
    if ending is not None:
        return ending.status, ending.sentence(spec.limits)
    if loaded.outcome is Outcome.NO_ENTRY:
        missing = START if place_of(loaded) else spec.entry
        return Status.ERROR, f"Your code defines no function {missing}. Expected: {signature}."
    if loaded.error is None:
        raise ValueError("a source that raised carries no error")
    error = loaded.error
    if error.column is None:
        return Status.ERROR, f"While it was loaded, your code {words.raised(error, reveal=True)}."
    name = words.exception_name(error) or "SyntaxError"
    return Status.ERROR, f"Line {error.line}, column {error.column}: {name}: {error.message}.{_hint(error.message)}"


def _hint(message: str) -> str:
    """Python names a character that nobody sees by its number only."""
    if "U+00A0" in message:
        return " That is a no-break space, often pasted from a web page: put an ordinary space in its place."
    unseen = re.search(r"non-printable character U\+([0-9A-F]{4,6})", message)
    if unseen and int(unseen[1], 16) <= sys.maxunicode:  # the message may be a learner's own
        name = unicodedata.name(chr(int(unseen[1], 16)), "control character").lower()
        return f" That is a {name}, which cannot be seen: delete it and type what should stand there."
    return ""
