"""Telling every process, this one first, that a decision about access no longer holds.

PostgreSQL delivers the message with the commit that makes it true, and never without it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from django.db import connection

from tenants.decisions import decisions

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

log = logging.getLogger("accord.tokens")

CHANNEL: Final = "accord_access"
KEY_ID: Final = "key"
TENANT: Final = "tenant"


def announce_tokens(key_ids: Iterable[str]) -> None:
    """Say that tokens changed; call it inside the transaction that changes them."""
    for key_id in key_ids:
        _announce(f"{KEY_ID}:{key_id}")


def announce_tenant(tenant_id: UUID) -> None:
    """Say that roles, people or the state of a tenant changed; call it inside that transaction."""
    _announce(f"{TENANT}:{tenant_id}")


def obey(message: str) -> None:
    """Drop what the message makes untrue; a message nobody understands drops everything."""
    subject, _, name = message.partition(":")
    if subject == KEY_ID:
        decisions.drop_token(name)
    elif subject == TENANT:
        decisions.drop_tenant(name)
    else:
        log.warning("an unknown message empties the cache of decisions")
        decisions.clear()


def _announce(message: str) -> None:
    obey(message)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, message])
