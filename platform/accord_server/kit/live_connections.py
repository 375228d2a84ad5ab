"""Finding out that the database hung up, without asking it.

Django asks with a statement before every request, which costs as much as the request's own. A server
that ended a session, restarted or died has closed the socket, and the kernel knows: an idle connection
with something to read is one that was hung up on (or was told something, which asking settles).
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Any

from django.db import connections

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


def close_lost(**_signal: Any) -> None:
    """Close those of this thread's connections that will not answer; the next statement opens new ones."""
    for connection in connections.all(initialized_only=True):
        if connection.connection is None or not connection.autocommit:
            continue
        if _may_be_lost(connection) and not connection.is_usable():
            connection.close()


def _may_be_lost(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether the socket has anything to say while nothing was asked."""
    link = connection.connection
    if link.closed:
        return True
    watch = select.poll()
    watch.register(link.fileno(), select.POLLIN)
    return bool(watch.poll(0))
