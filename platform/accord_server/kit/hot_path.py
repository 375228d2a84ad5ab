"""The layer between the intake and Django that answers again what was answered a moment ago.

Nine of ten calls read something immutable, and need no framework to be told the same. Who calls and
what a call reads, the rooms say through ports: this layer knows no tokens and no routes.

An answer is kept under everything it depends on, for two seconds at most, however much is heard from
the database meanwhile; a move of the namespace's epoch ends it at once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.http import HttpResponse

from accord_server.kit.cache import BoundedMemory, memory_named
from accord_server.kit.epochs import epochs
from accord_server.kit.errors import SCOPE_KEY
from accord_server.kit.request_id import HEADER, request_id_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from uuid import UUID

    from accord_server.kit.intake import Environ, WsgiApplication
    from accord_server.kit.scope import Scope

LONGEST_LIFE_S: Final = 2.0
# What an entry weighs beside its body.
OVERHEAD: Final = 2000
FOUND, MISSING = 200, 404


@dataclass(frozen=True, slots=True)
class Reading:
    """What a call reads: the row of this number, in a form that ``variant`` tells from all others.

    Numbers are issued in order and never again, and a row is never changed.
    """

    tenant_slug: str
    namespace_slug: str
    number: int
    variant: Hashable


class Reader(Protocol):
    """The port of the room that has immutable rows."""

    def __call__(self, environ: Environ) -> Reading | None:
        """Tell what a call reads; None for whatever Django must answer."""
        ...


class Door(Protocol):
    """The port of the room that lets callers in."""

    def recall(self, environ: Environ, tenant_slug: str, namespace_slug: str) -> Scope | None:
        """Return who calls if that was decided lately; asks no database."""
        ...

    def count(self, environ: Environ, scope: Scope) -> None:
        """Count a call that Django does not get to see."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished answer, and until when (monotonic seconds) it may be given."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    until: float


ANSWERS: Final[BoundedMemory[Kept]] = memory_named("hot_answers")
HIGHEST: Final[BoundedMemory[int]] = memory_named("highest_numbers")

_ports: dict[str, Any] = {}


def register_reader(reader: Reader) -> None:
    """Let a room say what its calls read."""
    _ports["reader"] = reader


def register_door(door: Door) -> None:
    """Let a room say who calls."""
    _ports["door"] = door


class HotPath:
    """Gives kept answers, and keeps those of the application behind it."""

    def __init__(self, application: WsgiApplication) -> None:
        self._application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer from memory, or let the application answer."""
        reading: Reading | None = _ports["reader"](environ)
        if reading is None:
            return self._application(environ, start_response)
        door: Door = _ports["door"]
        scope = door.recall(environ, reading.tenant_slug, reading.namespace_slug)
        kept = None if scope is None else recall(scope, reading)
        if scope is None or kept is None:
            return self._answer(environ, start_response, reading, _highest(scope))
        door.count(environ, scope)
        start_response(kept.status, [*kept.headers, (HEADER, request_id_of(environ))])
        return [kept.body]

    def _answer(
        self, environ: Environ, start_response: Callable[..., Any], reading: Reading, highest: int
    ) -> Iterable[bytes]:
        moves, begin = epochs.moves, time.monotonic()
        answer = self._application(environ, start_response)
        # Who was let in now may differ from who was a moment ago.
        scope: Scope | None = environ.get(SCOPE_KEY)
        is_sure = reading.number <= highest
        if (
            scope is not None
            and isinstance(answer, HttpResponse)
            and (answer.status_code == FOUND or (answer.status_code == MISSING and is_sure))
        ):
            keep(scope, reading, answer, moves=moves, until=begin + LONGEST_LIFE_S)
        return answer


def recall(scope: Scope, reading: Reading) -> Kept | None:
    """Return the answer that the caller would get, if it was given lately."""
    kept = ANSWERS.recall(_key(scope, reading))
    return None if kept is None or kept.until <= time.monotonic() else kept


def keep(scope: Scope, reading: Reading, answer: HttpResponse, *, moves: int, until: float) -> None:
    """Keep an answer, unless something moved since ``moves``: it may rest on what was there before.

    A number that is missing is kept only where a higher one was seen *before* it was looked for: only
    then can it not have been issued meanwhile.
    """
    key = _key(scope, reading)
    if epochs.moves != moves:
        return
    status = f"{answer.status_code} {answer.reason_phrase}"
    headers = tuple((name, value) for name, value in answer.items() if name != HEADER)
    ANSWERS.keep(key, Kept(status, headers, answer.content, until), weight=len(answer.content) + OVERHEAD)
    if answer.status_code == FOUND:
        HIGHEST.keep(_place(scope), max(reading.number, _highest(scope)))


def _highest(scope: Scope | None) -> int:
    """Return the highest number that is known to be issued in the caller's namespace."""
    return 0 if scope is None else HIGHEST.recall(_place(scope)) or 0


def _key(scope: Scope, reading: Reading) -> Hashable:
    tenant, namespace = _place(scope)
    return (tenant, namespace, epochs.of(namespace), scope.grants, reading.number, reading.variant)


def _place(scope: Scope) -> tuple[UUID, UUID]:
    if scope.namespace is None:
        raise LookupError("a call without a namespace reads nothing of one")
    return scope.tenant.id, scope.namespace.id
