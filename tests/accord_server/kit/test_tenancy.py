"""Which tenant a connection serves, and that it never takes one into other hands."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.core.signals import request_finished, request_started
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accord_server.celery import app
from accord_server.kit import logs, tenancy

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.dispatch import Signal

TENANT, OTHER = uuid4(), uuid4()


def value_in_force() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(current_setting('accord.tenant', true), '')")
        return str(cursor.fetchone()[0])


def statements(act: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


@pytest.fixture
def clean(transactional_db: None) -> None:
    """A connection that serves nobody, outside any transaction."""
    tenancy.deactivate()


@pytest.mark.usefixtures("clean")
def test_activate_sets_the_value_of_the_session() -> None:
    tenancy.activate(TENANT)
    assert (value_in_force(), tenancy.active_tenant()) == (str(TENANT), TENANT)


@pytest.mark.usefixtures("clean")
def test_the_value_is_set_only_when_it_changes() -> None:
    assert statements(lambda: tenancy.activate(TENANT)) == 1
    assert statements(lambda: tenancy.activate(TENANT)) == 0
    assert statements(lambda: tenancy.activate(OTHER)) == 1


@pytest.mark.usefixtures("clean")
def test_a_block_gives_back_what_it_found() -> None:
    tenancy.activate(TENANT)
    with tenancy.tenant_context(OTHER):
        assert value_in_force() == str(OTHER)
    assert value_in_force() == str(TENANT)


@pytest.mark.usefixtures("clean")
def test_a_rollback_does_not_leave_a_wrong_belief() -> None:
    with transaction.atomic():
        tenancy.activate(TENANT)
        transaction.set_rollback(True)
    assert (value_in_force(), tenancy.active_tenant()) == ("", None)
    tenancy.activate(TENANT)
    assert value_in_force() == str(TENANT)


@pytest.mark.usefixtures("clean")
def test_a_block_inside_a_lost_transaction_ends_quietly() -> None:
    with transaction.atomic(), tenancy.tenant_context(TENANT):
        transaction.set_rollback(True)
    assert value_in_force() == ""


@pytest.mark.usefixtures("clean")
def test_a_new_session_serves_nobody() -> None:
    tenancy.activate(TENANT)
    connection.close()
    assert tenancy.active_tenant() is None


@pytest.mark.usefixtures("clean")
@pytest.mark.parametrize("signal", [request_started, request_finished])
def test_requests_begin_and_end_with_nobody(signal: Signal) -> None:
    tenancy.activate(TENANT)
    signal.send(sender=None)
    assert value_in_force() == ""


@pytest.mark.usefixtures("clean")
def test_tasks_end_with_nobody() -> None:
    @app.task(name="test.activate")
    def activate() -> None:
        tenancy.activate(TENANT)

    activate.apply().get()
    app.tasks.unregister("test.activate")
    assert value_in_force() == ""


@pytest.mark.usefixtures("clean")
def test_a_connection_that_cannot_say_so_is_closed() -> None:
    tenancy.activate(TENANT)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        end_session(cursor.fetchone()[0])
    tenancy.reset()
    assert connection.connection is None


@pytest.mark.usefixtures("clean")
def test_threads_do_not_share_a_tenant() -> None:
    tenancy.activate(TENANT)
    seen: list[Any] = []

    def look() -> None:
        seen.append(tenancy.active_tenant())
        connection.close()

    thread = Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [None]


def end_session(pid: int) -> None:
    """End a session from outside, as a restart of the database does."""

    def end() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        connection.close()

    thread = Thread(target=end)
    thread.start()
    thread.join()


@pytest.mark.usefixtures("clean")
def test_lines_of_the_log_name_whom_the_connection_serves() -> None:
    tenancy.activate(TENANT)
    with tenancy.tenant_context(OTHER):
        assert logs.tenant.get() == str(OTHER)
    assert logs.tenant.get() == str(TENANT)
    with transaction.atomic(), tenancy.tenant_context(OTHER):
        transaction.set_rollback(True)
    assert logs.tenant.get() == str(TENANT)
    connection.close()
    tenancy.reset()
    assert logs.tenant.get() == ""
