"""Fixtures that several test folders share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import servers


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    with servers.redis_server(tmp_path) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with servers.postgres_server() as url:
        yield url
