"""Servers of these tests alone: they are stopped, killed and started again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.dev import postgres, redis
from tests.embedded import server_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from accord_server.dev.postgres import PostgresServer
    from accord_server.dev.redis import RedisServer


@pytest.fixture
def place() -> Iterator[Path]:
    with server_folder() as folder:
        yield folder


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
