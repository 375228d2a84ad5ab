"""Every route of the Confluent dialect by every way to be refused, taken from the route table.

A new route is covered by standing in `ROUTES`; nothing here names one. A test walks the whole table,
because setting the stage costs more than the calls; what it asserts is that no route is left over.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from registry.api.confluent.urls import ROUTES, About, Route, Unseen
from tenants.principals import operator_scope
from tenants.rights import RIGHTS
from tenants.services import revoke_token
from tests.cast import bearer, issued_for
from tests.factories import make_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpResponse

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

KNOWN = {"subject": "orders-value", "version": "1", "id": "1", "resource": "orders"}
UNKNOWN = {"subject": "ghosts-value", "version": "1", "id": "2", "resource": "ghosts"}
BODIES = {
    "subjects": {"schema": '"int"'},
    "compatibility": {"schema": '"int"'},
    "config": {"compatibility": "FULL"},
    "mode": {"mode": "READONLY"},
}
EVERY_RIGHT = frozenset(RIGHTS)
WITH_RIGHT = [route for route in ROUTES if route.right]
HIDING = [route for route in WITH_RIGHT if route.unseen is Unseen.MISSING and "{" in route.template]
# What a caller must hold to know of the thing at all; without it the thing is missing.
READING = frozenset({"subject.read", "schema.read", "config.read", "mode.read", "subject.list"})


def named(route: Route) -> str:
    return f"{route.method} {route.template}"


@dataclass(frozen=True)
class Caller:
    """Calls routes below one namespace with one Authorization header."""

    authorization: str | None
    place: str = "north/default"

    def call(
        self, route: Route, values: dict[str, str] = KNOWN, *, query: str = "", body: bytes | None = None
    ) -> HttpResponse:
        template = route.template.replace("{namespace}/{name}", "-/{resource}")
        path = template.format(**{name: quote(value, safe="") for name, value in values.items()})
        headers = {"X-Request-ID": "same"}
        if self.authorization is not None:
            headers["Authorization"] = self.authorization
        if body is None:
            body = json.dumps(BODIES.get(path.split("/")[1], {})).encode()
        answer: HttpResponse = Client().generic(
            route.method, f"/sr/{self.place}{path}{query}", body, "application/json", headers=headers
        )
        return answer


def but_for(holds: Callable[[Route], bool], routes: Sequence[Route] = ROUTES) -> list[str]:
    """Name the routes for which it does not hold."""
    return [named(route) for route in routes if not holds(route)]


def told(answer: HttpResponse) -> tuple[int, bytes, dict[str, str]]:
    """All that an answer tells."""
    return answer.status_code, answer.content, dict(answer.headers)


def refusal(answer: HttpResponse) -> tuple[int, int]:
    """Status and code of an answer that has the dialect's error shape."""
    body = json.loads(answer.content)
    assert set(body) == {"error_code", "message"}
    return answer.status_code, body["error_code"]


def as_ghost(answer: HttpResponse) -> tuple[int, bytes]:
    """An answer about the known thing, told as if about the unknown one."""
    text = answer.content.replace(b"orders", b"ghosts").replace(b"Schema 1 ", b"Schema 2 ")
    return answer.status_code, text


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    """Alice, who may do everything in *north*, with a subject that has a version, a level and a mode."""
    caller = Caller(bearer(token_for(alice)))
    by_name = {named(route): route for route in ROUTES}
    for name in ("POST /subjects/{subject}/versions", "PUT /config/{subject}"):
        assert caller.call(by_name[name]).status_code == 200
    Client().put(
        "/sr/north/default/mode/orders-value",
        '{"mode": "READWRITE"}',
        "application/json",
        headers={"Authorization": str(caller.authorization)},
    )
    return caller


def spoiled(value: str) -> str:
    """The token with one character of its secret changed."""
    other = "a" if value[30] != "a" else "b"
    return value[:30] + other + value[31:]


def revoked(actor: Actor) -> str:
    issued = issued_for(actor)
    revoke_token(operator_scope(actor.tenant.ref), key_id=issued.record.key_id)
    return issued.value


def expired(actor: Actor) -> str:
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


@pytest.mark.parametrize("way", WAYS_WITHOUT_A_TOKEN)
def test_without_a_valid_token_every_route_answers_401(alice: Actor, way: str) -> None:
    caller = Caller(WAYS_WITHOUT_A_TOKEN[way](alice))

    def is_unauthorized(route: Route) -> bool:
        answer = caller.call(route)
        return refusal(answer) == (401, 401) and bool(answer.headers["WWW-Authenticate"])

    assert but_for(is_unauthorized) == []


@pytest.mark.parametrize("unknown", ["nobody/default", "north/nothing"])
@pytest.mark.parametrize("who", ["mallory", "carol"])
def test_a_foreign_place_looks_like_an_unknown_one(
    request: pytest.FixtureRequest, alice: Actor, token_for: TokenFor, who: str, unknown: str
) -> None:
    """Mallory is of another tenant, Carol of another namespace."""
    token = bearer(token_for(request.getfixturevalue(who)))

    def is_alike(route: Route) -> bool:
        foreign, missing = Caller(token).call(route), Caller(token, unknown).call(route)
        return refusal(foreign)[0] == 404 and told(foreign) == told(missing)

    assert but_for(is_alike) == []


def test_a_token_of_one_namespace_does_not_open_another(alice: Actor) -> None:
    other = make_namespace(alice.tenant, "elsewhere")
    caller = Caller(bearer(issued_for(alice, namespaces=frozenset({other.id})).value))
    assert but_for(lambda route: refusal(caller.call(route))[0] == 404) == []


def looks_missing(admin: Caller, blind: Caller, route: Route) -> bool:
    """The blind caller cannot tell the known from the unknown, nor from what Alice finds missing."""
    hidden = as_ghost(blind.call(route))
    # A check against a missing subject passes; it would be a lie to tell that to who may not check.
    others = [blind] if route.right == "compat.check" else [blind, admin]
    seen = {as_ghost(caller.call(route, UNKNOWN)) for caller in others}
    return hidden[0] == 404 and seen == {hidden}


def test_what_may_not_be_seen_looks_missing(admin: Caller, alice: Actor, token_for: TokenFor) -> None:
    blind = Caller(bearer(token_for(alice, "audit.read")))
    assert but_for(lambda route: looks_missing(admin, blind, route), HIDING) == []


def test_a_grant_on_other_subjects_opens_nothing(admin: Caller, alice: Actor, token_for: TokenFor) -> None:
    narrow = Caller(bearer(token_for(alice, subjects=("other-*",))))

    def is_closed(route: Route) -> bool:
        if route.unseen is Unseen.MISSING:
            return looks_missing(admin, narrow, route)
        return refusal(narrow.call(route)) == (403, 403)

    assert but_for(is_closed, [route for route in WITH_RIGHT if "{subject}" in route.template]) == []


def names_the_right(alice: Actor, token_for: TokenFor, route: Route, *, permanent: bool = False) -> bool:
    """Without one right and with all others, the refusal says which is missing."""
    right = route.permanent_right if permanent else route.right
    caller = Caller(bearer(token_for(alice, *(EVERY_RIGHT - {right}))))
    answer = caller.call(route, query="?permanent=true" if permanent else "")
    return refusal(answer) == (403, 403) and right in json.loads(answer.content)["message"]


def test_without_the_right_a_visible_thing_is_refused_by_name(
    admin: Caller, alice: Actor, token_for: TokenFor
) -> None:
    routes = [route for route in WITH_RIGHT if route.right not in READING]
    assert but_for(lambda route: names_the_right(alice, token_for, route), routes) == []


def test_permanent_deletion_needs_its_own_right(admin: Caller, alice: Actor, token_for: TokenFor) -> None:
    routes = [route for route in ROUTES if route.permanent_right]
    assert routes
    assert but_for(lambda route: names_the_right(alice, token_for, route, permanent=True), routes) == []


def test_lists_leave_out_what_may_not_be_seen(admin: Caller, alice: Actor, token_for: TokenFor) -> None:
    routes = [route for route in ROUTES if route.unseen is Unseen.LEFT_OUT]
    assert but_for(lambda route: b"orders-value" in admin.call(route).content, routes) == []
    for route in routes:
        narrow = Caller(bearer(token_for(alice, route.right, subjects=("other-*",))))
        assert json.loads(narrow.call(route).content) == []


def test_another_method_is_refused_in_the_dialects_shape(admin: Caller) -> None:
    def is_refused(route: Route) -> bool:
        return refusal(admin.call(Route("PATCH", route.template, route.view))) == (405, 405)

    assert but_for(is_refused) == []


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"", b"null"], ids=repr)
def test_a_malformed_body_is_refused_in_the_dialects_shape(admin: Caller, body: bytes) -> None:
    def is_refused(route: Route) -> bool:
        return refusal(admin.call(route, body=body))[0] in {400, 422}

    routes = [r for r in ROUTES if r.method in {"POST", "PUT"} and r.about is not About.SERVICE]
    assert but_for(is_refused, routes) == []
