"""What the sandbox raises. Never the learner's fault: those are outcomes, not exceptions."""

from __future__ import annotations


class SandboxFault(Exception):  # noqa: N818 fault is the word for what is ours, error for the learner's
    """The sandbox could not do its part."""


class SandboxUnavailable(SandboxFault):
    """The sandbox cannot start on this machine as it is; the message says what is missing."""
