"""One jail for many tests, as a worker keeps one for all submissions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.sandbox import Sandbox


@pytest.fixture(scope="session")
def torch_sandbox() -> Iterator[Sandbox]:
    """One for all modules: PyTorch takes seconds to import."""
    with Sandbox(libraries=("numpy", "torch")) as started:
        yield started


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started
