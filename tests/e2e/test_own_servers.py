"""`make run` with the operator's own PostgreSQL and Redis: it starts none and keeps theirs running."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
import pytest

from accord_server.dev import postgres, redis
from tests.e2e.supervised import Supervised
from tests.embedded import server_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from accord_server.dev.postgres import PostgresServer
    from accord_server.dev.redis import RedisServer

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@dataclass(frozen=True)
class Operator:
    """Somebody's servers, and the variables that name them."""

    database: PostgresServer
    queue: RedisServer
    variables: dict[str, str]


@pytest.fixture
def operator() -> Iterator[Operator]:
    with server_folder() as folder, contextlib.ExitStack() as undo:
        database = postgres.start(folder / "postgres")
        undo.callback(database.stop)
        queue = redis.start(folder / "redis")
        undo.callback(queue.stop)
        yield Operator(database, queue, variables(database, queue, folder / "redis-url"))


def variables(database: PostgresServer, queue: RedisServer, file: Path) -> dict[str, str]:
    """Return the three addresses; one of them in a file, as an operator keeps secrets."""
    file.write_text(queue.url + "\n")
    return {
        "ACCORD_DATABASE_URL": database.app_url,
        "ACCORD_OWNER_DATABASE_URL": database.owner_url,
        "ACCORD_REDIS_URL_FILE": str(file),
    }


@pytest.fixture
def supervised() -> Iterator[Supervised]:
    made = Supervised.new()
    yield made
    made.remove()


def test_the_operators_servers_are_used_and_left_running(supervised: Supervised, operator: Operator) -> None:
    supervised.start(**operator.variables)
    assert set(supervised.run["pids"]) == {"supervisor", "web", "worker", "beat", "compiler"}
    assert supervised.call("GET", "/subjects").status_code == 200
    supervised.stop()
    assert operator.database.is_alive()
    assert operator.queue.is_alive()
    with psycopg.connect(operator.database.owner_url) as connection:
        assert connection.execute("SELECT count(*) FROM tenants_tenant").fetchone() is not None


def test_a_state_folder_without_its_database_gets_new_credentials(
    supervised: Supervised, operator: Operator
) -> None:
    supervised.start()
    token = supervised.run["token"]
    supervised.stop()
    supervised.start(**operator.variables)
    assert supervised.run["token"] != token
    assert supervised.call("GET", "/subjects").status_code == 200
