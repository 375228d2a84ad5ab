"""`make run` with the operator's own PostgreSQL and Redis: it starts none and keeps theirs running."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from accord_server.dev import postgres, redis
from tests.e2e.supervised import Supervised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.dev.postgres import PostgresServer
    from accord_server.dev.redis import RedisServer

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="accord-own-"))
    made.chmod(0o711)
    yield made
    postgres.erase(made / "postgres")
    shutil.rmtree(made)


@pytest.fixture
def database(folder: Path) -> Iterator[PostgresServer]:
    server = postgres.start(folder / "postgres")
    yield server
    server.stop()


@pytest.fixture
def queue(folder: Path) -> Iterator[RedisServer]:
    server = redis.start(folder / "redis")
    yield server
    server.stop()


@pytest.fixture
def addresses(folder: Path, database: PostgresServer, queue: RedisServer) -> dict[str, str]:
    """The three variables; one of them as a file, as an operator keeps secrets."""
    (folder / "redis-url").write_text(queue.url + "\n")
    return {
        "ACCORD_DATABASE_URL": database.app_url,
        "ACCORD_OWNER_DATABASE_URL": database.owner_url,
        "ACCORD_REDIS_URL_FILE": str(folder / "redis-url"),
    }


@pytest.fixture
def supervised() -> Iterator[Supervised]:
    made = Supervised.new()
    yield made
    made.remove()


def test_the_operators_servers_are_used_and_left_running(
    supervised: Supervised, addresses: dict[str, str], database: PostgresServer, queue: RedisServer
) -> None:
    supervised.start(**addresses)
    assert set(supervised.run["pids"]) == {"supervisor", "web", "worker", "beat"}
    assert supervised.call("GET", "/subjects").status_code == 200
    supervised.stop()
    assert database.is_alive()
    assert queue.is_alive()
    with psycopg.connect(database.owner_url) as connection:
        assert connection.execute("SELECT count(*) FROM tenants_tenant").fetchone() is not None


def test_a_state_folder_without_its_database_gets_new_credentials(
    supervised: Supervised, addresses: dict[str, str]
) -> None:
    supervised.start()
    token = supervised.run["token"]
    supervised.stop()
    supervised.start(**addresses)
    assert supervised.run["token"] != token
    assert supervised.call("GET", "/subjects").status_code == 200
