"""Side effects: written in the transaction that causes them, done after it by a worker.

A topic has one handler, registered in the ``ready`` of its room, and may have listeners beside it, of the
rooms above. They run in one transaction with the row that asks for them, as the row's tenant: what they
write to the database happens once, what they do elsewhere at least once, so they must not mind being run
again. Rows are done roughly in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import Error as DatabaseError
from django.db import connections, transaction

from accord.errors import Unavailable
from accord_server.kit import nudge, tenancy
from accord_server.kit.models import Outbox

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from accord_server.kit.scope import Scope

Payload = Mapping[str, Any]

# What may be better next time: our own word for it, the database, the network.
PASSING = (Unavailable, DatabaseError, OSError)
MAX_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class Event:
    """What a handler gets; ``id`` stays the same when the same side effect is tried again."""

    id: int
    topic: str
    tenant_id: UUID
    namespace_id: UUID | None
    request_id: str
    payload: Payload
    attempt: int


Handler = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Topic:
    """Who does the side effects of one name, and which errors are worth another attempt."""

    name: str
    handle: Handler
    retry_on: tuple[type[Exception], ...] = PASSING
    max_attempts: int = MAX_ATTEMPTS


class UnknownTopic(Exception):
    """A side effect nobody would do: register its topic in the ``ready`` of a room."""


_topics: dict[str, Topic] = {}
# Apart from the topics: rooms above say that they listen before or after those below have registered.
_listeners: dict[str, list[Handler]] = {}


def register(topic: Topic) -> None:
    """Say who does the side effects of a topic."""
    _topics[topic.name] = topic


def listen(name: str, handle: Handler) -> None:
    """Have somebody told of a topic whose side effects are done by somebody else; asking once is enough."""
    listeners = _listeners.setdefault(name, [])
    if handle not in listeners:
        listeners.append(handle)


def unregister(name: str) -> None:
    """Forget a topic, and who listens to it."""
    _topics.pop(name, None)
    _listeners.pop(name, None)


def ignore(event: Event) -> None:
    """Do nothing: for topics that are only kept, or only listened to."""


def topic_named(name: str) -> Topic:
    """Return who does the side effects of a topic.

    Raises:
        UnknownTopic: If nobody does.
    """
    if name not in _topics:
        raise UnknownTopic(f"no handler for {name!r}: outbox.register(Topic({name!r}, handle))")
    return _topics[name]


def act(event: Event) -> None:
    """Do the side effect that an event asks for, then tell whoever listens to its topic.

    Raises:
        UnknownTopic: If nobody does it.
    """
    topic_named(event.topic).handle(event)
    for tell in _listeners.get(event.topic, ()):
        tell(event)


def emit(scope: Scope, topic: str, payload: Payload) -> int:
    """Ask for a side effect, in the caller's transaction; return its id.

    Raises:
        UnknownTopic: If no handler is registered.
    """
    return emit_all(scope, topic, [payload])[0]


def emit_all(scope: Scope, topic: str, payloads: Iterable[Payload]) -> list[int]:
    """Ask for a side effect of one topic for each payload, in one statement; return their ids.

    Raises:
        UnknownTopic: If no handler is registered.
    """
    topic_named(topic)
    if not connections[tenancy.ALIAS].in_atomic_block:
        raise transaction.TransactionManagementError("emit belongs into the transaction of its cause")
    rows = [
        Outbox(
            tenant_id=scope.tenant.id,
            topic=topic,
            namespace_id=scope.namespace.id if scope.namespace else None,
            request_id=scope.request_id,
            payload=dict(payload),
        )
        for payload in payloads
    ]
    stored = Outbox.objects.scoped(scope).bulk_create(rows)
    transaction.on_commit(nudge.worker)
    return [int(row.pk) for row in stored]
