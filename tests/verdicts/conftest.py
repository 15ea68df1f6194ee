"""One sandbox for all submissions of the corpus: no submission may spoil it for the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.sandbox import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started
