"""One sandbox for all submissions of the corpus: no submission may spoil it for the next. And the confusion table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.sandbox import Sandbox
from grader.sandboxes import Sandboxes
from tests.verdicts.confusion import PROPERTY, Entry, table


@pytest.fixture(scope="session")
def sandboxes() -> Iterator[Sandboxes]:
    with Sandboxes() as started:
        yield started


@pytest.fixture(scope="session")
def sandbox(sandboxes: Sandboxes) -> Sandbox:
    return sandboxes.of("numpy")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Whether the tests passed or not."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    properties = [each for report in reports for each in getattr(report, "user_properties", [])]
    entries = [Entry(*value) for name, value in properties if name == PROPERTY]
    if entries:
        terminalreporter.section("what learners' mistakes were taken for", sep="-")
        terminalreporter.write_line(table(entries))
