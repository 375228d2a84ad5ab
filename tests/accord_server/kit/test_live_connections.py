"""A connection that the database closed is found out before it is used, without asking it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accord_server.celery import app
from accord_server.kit import live_connections

if TYPE_CHECKING:
    from tests.servers import Servers

pytestmark = pytest.mark.django_db(transaction=True)


def session() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def hang_up(servers: Servers, pid: int) -> None:
    """End a session as a restart does, and wait until it is gone."""
    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        assert superuser.execute("SELECT pg_terminate_backend(%s, 5000)", [pid]).fetchone() == (True,)


def test_a_live_connection_is_kept_and_not_asked() -> None:
    before = session()
    with CaptureQueriesContext(connection) as asked:
        live_connections.close_lost()
    assert len(asked) == 0
    assert session() == before


def test_a_lost_connection_is_closed_and_the_next_statement_works(servers: Servers) -> None:
    before = session()
    hang_up(servers, before)
    live_connections.close_lost()
    assert connection.connection is None
    assert session() != before


def test_a_closed_connection_is_replaced() -> None:
    before = session()
    connection.connection.close()
    live_connections.close_lost()
    assert session() != before


def test_a_message_is_no_loss() -> None:
    """Something to read may be a notice: asking settles it."""
    before = session()
    with connection.cursor() as cursor:
        cursor.execute("LISTEN something")
    with psycopg.connect(
        connection.connection.info.dsn, password=connection.settings_dict["PASSWORD"]
    ) as other:
        other.execute("NOTIFY something")
    live_connections.close_lost()
    assert session() == before


def test_a_transaction_is_never_taken_away(servers: Servers) -> None:
    """What was done in it would be lost without a word; its next statement says so instead."""
    transaction.set_autocommit(False)
    hang_up(servers, session())
    live_connections.close_lost()
    assert connection.connection is not None
    connection.close()


def test_tasks_begin_on_a_live_connection(servers: Servers) -> None:
    seen: list[int] = []

    @app.task(name="test.session")
    def ask() -> None:
        seen.append(session())

    hang_up(servers, session())
    ask.apply().get()
    app.tasks.unregister("test.session")
    assert len(seen) == 1
