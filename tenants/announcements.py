"""Telling every process, this one first, that a decision or an answer no longer holds.

PostgreSQL delivers the message with the commit that makes it true, and never without it.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.db import connection, transaction

from accord_server.kit.epochs import epochs
from tenants.decisions import decisions
from tenants.limits import limits

if TYPE_CHECKING:
    from collections.abc import Iterable

log = logging.getLogger("accord.tokens")

CHANNEL: Final = "accord_access"
KEY_ID: Final = "key"
TENANT: Final = "tenant"
NAMESPACE: Final = "namespace"


def announce_tokens(key_ids: Iterable[str]) -> None:
    """Say that tokens changed; call it inside the transaction that changes them."""
    for key_id in key_ids:
        _announce(f"{KEY_ID}:{key_id}")


def announce_tenant(tenant_id: UUID) -> None:
    """Say that roles, people or the state of a tenant changed; call it inside that transaction."""
    _announce(f"{TENANT}:{tenant_id}")


def announce_namespace(namespace_id: UUID) -> None:
    """Say that answers about rows of a namespace changed; call it inside that transaction.

    Here they end with the commit, before whoever changed them is told so; elsewhere when it is heard.
    """
    transaction.on_commit(partial(epochs.move, namespace_id))
    _notify(f"{NAMESPACE}:{namespace_id}")


def obey(message: str) -> None:
    """Drop what the message makes untrue; a message nobody understands drops everything."""
    subject, _, name = message.partition(":")
    if subject == KEY_ID:
        decisions.drop_token(name)
    elif subject == TENANT:
        decisions.drop_tenant(name)
        limits.drop(name)
        epochs.move_all()
    elif subject == NAMESPACE:
        epochs.move(UUID(name))
    else:
        log.warning("an unknown message empties the cache of decisions")
        forget_all()


def forget_all() -> None:
    """Drop every decision and every answer, as when messages may have been missed."""
    decisions.clear()
    limits.clear()
    epochs.move_all()


def _announce(message: str) -> None:
    obey(message)
    _notify(message)


def _notify(message: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, message])
