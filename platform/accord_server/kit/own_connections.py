"""Connections outside Django's: to listen, or to write beside a long read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import psycopg
from django.db import connections

from accord_server.kit.tenancy import ALIAS, SESSION_VALUE

if TYPE_CHECKING:
    from uuid import UUID

# A connection that died without a word is found out before long.
KEEPALIVE: Final = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
# What Django adds for its own cursors.
NOT_FOR_US: Final = frozenset({"context", "cursor_factory", "prepare_threshold"})


def own_connection(tenant_id: UUID | None = None) -> psycopg.Connection[tuple[Any, ...]]:
    """Connect as the application does, each statement for itself; to the rows of one tenant, or of none."""
    given = connections[ALIAS].get_connection_params()
    asked = {name: value for name, value in given.items() if name not in NOT_FOR_US}
    connection: psycopg.Connection[tuple[Any, ...]] = psycopg.connect(
        **{**KEEPALIVE, **asked}, autocommit=True
    )
    if tenant_id is not None:
        connection.execute("SELECT set_config(%s, %s, false)", [SESSION_VALUE, str(tenant_id)])
    return connection
