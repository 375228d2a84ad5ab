"""Which tenant the database connection of this thread serves: the second wall of isolation.

The row-level-security policies compare each row with the session value ``accord.tenant``; unset
means no rows. It is set when a connection's tenant changes and taken back at the end of each
request and task and at checkout, so a connection never carries a tenant into other hands.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connections

from accord_server.kit import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

ALIAS = "default"
SESSION_VALUE = "accord.tenant"
# What a connection is known to serve hangs on the connection itself: it dies and moves with it.
ATTRIBUTE = "accord_tenant"
NOBODY = ""


def activate(tenant_id: UUID) -> None:
    """Let this thread's connection see the rows of one tenant and no others."""
    _set(str(tenant_id))


def deactivate() -> None:
    """Let this thread's connection see no tenant's rows."""
    _set(NOBODY)


def active_tenant() -> UUID | None:
    """Return the tenant that this thread's connection serves."""
    connection = connections[ALIAS]
    connection.ensure_connection()
    known = _known(connection)
    return _as_tenant(_ask(connection) if known is None else known)


@contextmanager
def tenant_context(tenant_id: UUID) -> Iterator[None]:
    """Serve one tenant inside the block, and afterwards whoever was served before."""
    before = active_tenant()
    activate(tenant_id)
    try:
        yield
    finally:
        _restore(before)


def reset(**_signal: Any) -> None:
    """Take the tenant off this thread's connection; a connection that cannot say so is closed."""
    logs.tenant.set(NOBODY)
    connection = connections[ALIAS]
    if connection.connection is None or _known(connection) == NOBODY:
        return
    try:
        deactivate()
    except Exception:  # noqa: BLE001  # whatever is wrong with it, it must not serve the next caller
        connection.close()


def forget(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Note that a new session serves nobody."""
    setattr(connection, ATTRIBUTE, NOBODY)


def _set(value: str) -> None:
    logs.tenant.set(value)
    connection = connections[ALIAS]
    connection.ensure_connection()
    if _known(connection) == value:
        return
    # Between here and the answer nothing is known; a failure must not leave the old belief.
    setattr(connection, ATTRIBUTE, None)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, false)", [SESSION_VALUE, value])
    # A rollback takes back what was set inside its transaction, so that is never relied upon.
    setattr(connection, ATTRIBUTE, None if connection.in_atomic_block else value)


def _ask(connection: BaseDatabaseWrapper) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(current_setting(%s, true), '')", [SESSION_VALUE])
        row = cursor.fetchone()
    return str(row[0])


def _as_tenant(value: str) -> UUID | None:
    return UUID(value) if value else None


def _known(connection: BaseDatabaseWrapper) -> str | None:
    known: str | None = getattr(connection, ATTRIBUTE, None)
    return known


def _restore(before: UUID | None) -> None:
    connection = connections[ALIAS]
    if connection.in_atomic_block and connection.needs_rollback:
        # The transaction is lost and takes the setting back with it.
        logs.tenant.set(str(before) if before else NOBODY)
        setattr(connection, ATTRIBUTE, None)
        return
    _set(str(before) if before else NOBODY)
