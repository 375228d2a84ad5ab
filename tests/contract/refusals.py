"""What the matrices of refusals share: the ways to be nobody, and how two answers are compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from django.test import Client
from django.utils import timezone

from accord_server.kit import tenancy
from tenants.models import Token, TokenState
from tenants.principals import operator_scope
from tenants.rights import RIGHTS
from tenants.services import revoke_token, suspend_tenant
from tests.cast import bearer, issued_for
from tests.factories import make_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.http import HttpResponse

    from tenants.records import TenantRecord
    from tests.cast import Actor

# Of a problem document: all of them, and what one of many parts names one by one.
MEMBERS = {"type", "title", "status", "detail", "code", "request_id"}
PARTS = {"errors", "problems", "findings"}
EVERY_RIGHT = frozenset(RIGHTS)
FOREIGN = ("mallory", "carol")
UNKNOWN_PLACES = ("nobody/default", "north/nothing")
BROKEN_BODIES = (b"{", b"[]", b"\xff", b"", b"null", b"[" * 100_000)
T = TypeVar("T")


@dataclass(frozen=True)
class Caller:
    """Calls below one namespace with one Authorization header, always under the same request id.

    ``renames`` are pairs of names: whatever is sent says the second where it would say the first.
    """

    authorization: str | None
    place: str = "north/default"
    renames: tuple[tuple[str, str], ...] = ()

    def send(
        self, method: str, path: str, body: object = None, more: Mapping[str, str] | None = None
    ) -> HttpResponse:
        """Send a request; ``body`` is sent as JSON unless it is bytes."""
        headers = {"X-Request-ID": "same", **(more or {})}
        if self.authorization is not None:
            headers["Authorization"] = self.authorization
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        for name, other in self.renames:
            path, data = path.replace(name, other), data.replace(name.encode(), other.encode())
        answer: Any = Client().generic(method, path, data, "application/json", headers=headers)
        # What is sent line by line has no length before its end.
        is_open = answer.streaming or answer.status_code in {204, 304}
        length = None if is_open else str(len(answer.content))
        assert answer.headers.get("Content-Length") == length
        response: HttpResponse = answer
        return response


def but_for(holds: Callable[[T], bool], routes: Iterable[T]) -> list[str]:
    """Name the routes for which it does not hold."""
    return [str(route) for route in routes if not holds(route)]


def told(answer: HttpResponse) -> tuple[int, bytes, dict[str, str]]:
    """All that an answer tells."""
    return answer.status_code, answer.content, dict(answer.headers)


def document(answer: HttpResponse) -> Any:
    """The body read as JSON."""
    return json.loads(answer.content)


def refusal(answer: HttpResponse) -> tuple[int, str]:
    """Status and code of an answer that is a problem document."""
    body = document(answer)
    assert set(body) - PARTS == MEMBERS
    shown = body["status"], answer.headers["Content-Type"]
    assert shown == (answer.status_code, "application/problem+json")
    return answer.status_code, body["code"]


def spoiled(value: str) -> str:
    """The token with one character of its secret changed."""
    other = "a" if value[30] != "a" else "b"
    return value[:30] + other + value[31:]


def revoked(actor: Actor) -> str:
    """A token that was good until it was revoked."""
    issued = issued_for(actor)
    revoke_token(operator_scope(actor.tenant.ref), key_id=issued.record.key_id)
    return issued.value


def suspended(actor: Actor) -> str:
    """The header of a token that would be good if its tenant were not suspended."""
    issued = issued_for(actor)
    suspend_tenant(operator_scope(actor.tenant.ref))
    return bearer(issued.value)


def expired(actor: Actor) -> str:
    """A token that was good until an hour ago."""
    an_hour = timedelta(hours=1)
    return issued_for(actor, not_before=timezone.now() - 2 * an_hour, lifetime=an_hour).value


WAYS_WITHOUT_A_TOKEN: dict[str, Callable[[Actor], str | None]] = {
    "anonymous": lambda _: None,
    "no scheme": lambda _: "x",
    "not a token": lambda _: "Bearer x",
    "spoiled": lambda actor: bearer(spoiled(issued_for(actor).value)),
    "expired": lambda actor: bearer(expired(actor)),
    "revoked": lambda actor: bearer(revoked(actor)),
}


def waiting(tenant: TenantRecord) -> str:
    """A token that waits for approval."""
    key_id = make_token(operator_scope(tenant.ref), "person:dora").record.key_id
    with tenancy.tenant_context(tenant.id):
        rows = Token.objects.scoped(operator_scope(tenant.ref)).filter(key_id=key_id)
        rows.update(state=TokenState.PENDING)
    return key_id
