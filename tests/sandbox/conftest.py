"""One jail for many tests, as a worker keeps one for all submissions: made here, and in a container."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from grader.sandbox import Sandbox
from tests.sandbox.container import container

BACKENDS = ("bubblewrap", "container")


def started(backend: str, libraries: tuple[str, ...], folder: Path) -> AbstractContextManager[Sandbox]:
    return Sandbox(libraries=libraries) if backend == "bubblewrap" else container(libraries, folder / "socket")


@pytest.fixture(scope="session", params=BACKENDS)
def torch_sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One for all modules: PyTorch takes seconds to import."""
    with started(request.param, ("numpy", "torch"), tmp_path_factory.mktemp("torch")) as sandbox:
        yield sandbox


@pytest.fixture(scope="module", params=BACKENDS)
def sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with started(request.param, ("numpy",), tmp_path_factory.mktemp("numpy")) as sandbox:
        yield sandbox
