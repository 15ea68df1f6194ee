"""One jail for all tests of a module, as a worker keeps one for all submissions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started
