"""Work that one worker at a time does: whoever does it holds a lock of the database while it is connected."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from django.db import Error, connections

from accord_server.kit import tenancy

if TYPE_CHECKING:
    from collections.abc import Iterator

TAKE: Final = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
RELEASE: Final = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"


@contextmanager
def alone_with(work: str) -> Iterator[bool]:
    """Do something that nobody else does meanwhile; False where somebody does it already.

    Nobody has to find out that a worker was lost: its lock goes with its connection.
    """
    connection = connections[tenancy.ALIAS]
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [work])
        (is_mine,) = cursor.fetchone()
    try:
        yield is_mine
    finally:
        if is_mine:
            # A connection that is lost holds nothing.
            with suppress(Error), connection.cursor() as cursor:
                cursor.execute(RELEASE, [work])
