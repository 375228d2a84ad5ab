"""Servers of these tests alone: they are stopped, killed and started again."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import postgres, redis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.dev.postgres import PostgresServer
    from accord_server.dev.redis import RedisServer


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every account may pass through, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="accord-dev-"))
    folder.chmod(0o711)
    yield folder
    postgres.erase(folder / "postgres")
    shutil.rmtree(folder)


@pytest.fixture
def database(place: Path) -> Iterator[PostgresServer]:
    server = postgres.start(place / "postgres", durable=False)
    yield server
    server.stop()


@pytest.fixture
def queue(place: Path) -> Iterator[RedisServer]:
    server = redis.start(place / "redis")
    yield server
    server.stop()
