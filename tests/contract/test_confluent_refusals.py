"""Every route of the Confluent dialect by every way to be refused, taken from the route table.

A new route is covered by standing in `ROUTES`; nothing here names one. A test walks the whole table,
because setting the stage costs more than the calls; what it asserts is that no route is left over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from accord.formats.identity import guid
from accord_server.kit.setting_types import NamespaceAddress
from registry.api.confluent.urls import ROUTES, About, Route, Unseen
from tests.cast import bearer, issued_for
from tests.contract.refusals import (
    BROKEN_BODIES,
    EVERY_RIGHT,
    FOREIGN,
    UNKNOWN_PLACES,
    WAYS_WITHOUT_A_TOKEN,
    Caller,
    document,
    suspended,
    told,
)
from tests.factories import make_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpResponse
    from pytest_django import Settings

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

KNOWN = {
    "subject": "orders-value",
    "version": "1",
    "id": "1",
    "resource": "orders",
    "context": ".orders",
    "guid": str(guid('"int"')),
}
UNKNOWN = {
    "subject": "ghosts-value",
    "version": "1",
    "id": "2",
    "resource": "ghosts",
    "context": ".ghosts",
    "guid": str(guid('"long"')),
}
BODIES = {
    "subjects": {"schema": '"int"'},
    "compatibility": {"schema": '"int"'},
    "config": {"compatibility": "FULL"},
    "mode": {"mode": "READONLY"},
}
WITH_RIGHT = [route for route in ROUTES if route.right]
HIDING = [route for route in WITH_RIGHT if route.unseen is Unseen.MISSING and "{" in route.template]
# What a caller must hold to know of the thing at all; without it the thing is missing.
READING = frozenset({"subject.read", "schema.read", "config.read", "mode.read", "subject.list"})


def named(route: Route) -> str:
    return f"{route.method} {route.template}"


@dataclass(frozen=True)
class RouteCaller(Caller):
    """Calls routes of the dialect; at the root where the place is empty."""

    def call(
        self, route: Route, values: dict[str, str] = KNOWN, *, query: str = "", body: bytes | None = None
    ) -> HttpResponse:
        """Call a route about what the values say."""
        template = route.template.replace("{namespace}/{name}", "-/{resource}")
        path = template.format(**{name: quote(value, safe="") for name, value in values.items()})
        prefix = f"/sr/{self.place}" if self.place else ""
        sent = BODIES.get(path.split("/")[1], {}) if body is None else body
        return self.send(route.method, f"{prefix}{path}{query}", sent)


def but_for(holds: Callable[[Route], bool], routes: Sequence[Route] = ROUTES) -> list[str]:
    """Name the routes for which it does not hold."""
    return [named(route) for route in routes if not holds(route)]


def refusal(answer: HttpResponse) -> tuple[int, int]:
    """Status and code of an answer that has the dialect's error shape."""
    body = document(answer)
    assert set(body) == {"error_code", "message"}
    return answer.status_code, body["error_code"]


def as_ghost(answer: HttpResponse) -> tuple[int, bytes]:
    """An answer about the known thing, told as if about the unknown one."""
    text = answer.content.replace(b"orders", b"ghosts").replace(b"Schema 1 ", b"Schema 2 ")
    return answer.status_code, text.replace(KNOWN["guid"].encode(), UNKNOWN["guid"].encode())


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> RouteCaller:
    """Alice, who may do everything in *north*, with something to ask about."""
    return furnished(RouteCaller(bearer(token_for(alice))))


def furnished(caller: RouteCaller) -> RouteCaller:
    """Make a subject that has a version, a level and a mode."""
    by_name = {named(route): route for route in ROUTES}
    for name in ("POST /subjects/{subject}/versions", "PUT /config/{subject}"):
        assert caller.call(by_name[name]).status_code == 200
    caller.send("PUT", "/sr/north/default/mode/orders-value", {"mode": "READWRITE"})
    register = by_name["POST /subjects/{subject}/versions"]
    assert caller.call(register, {"subject": ":.orders:orders-value"}).status_code == 200
    return caller


@pytest.mark.parametrize("way", WAYS_WITHOUT_A_TOKEN)
def test_without_a_valid_token_every_route_answers_401(alice: Actor, way: str) -> None:
    caller = RouteCaller(WAYS_WITHOUT_A_TOKEN[way](alice))

    def is_unauthorized(route: Route) -> bool:
        answer = caller.call(route)
        return refusal(answer) == (401, 401) and bool(answer.headers["WWW-Authenticate"])

    assert but_for(is_unauthorized) == []


def test_at_the_root_every_route_is_refused_alike(settings: Settings) -> None:
    settings.ACCORD_ROOT_NAMESPACE = NamespaceAddress("north", "default")
    below, at_root = RouteCaller(None), RouteCaller(None, "")
    assert but_for(lambda route: told(at_root.call(route))[:2] == told(below.call(route))[:2]) == []


def test_of_a_suspended_tenant_every_route_says_so(alice: Actor) -> None:
    caller = RouteCaller(suspended(alice))

    def is_told(route: Route) -> bool:
        answer = caller.call(route)
        return refusal(answer) == (403, 403) and "is suspended" in document(answer)["message"]

    assert but_for(is_told) == []


@pytest.mark.parametrize("unknown", UNKNOWN_PLACES)
@pytest.mark.parametrize("who", FOREIGN)
def test_a_foreign_place_looks_like_an_unknown_one(
    request: pytest.FixtureRequest, alice: Actor, token_for: TokenFor, who: str, unknown: str
) -> None:
    """Mallory is of another tenant, Carol of another namespace."""
    token = bearer(token_for(request.getfixturevalue(who)))

    def is_alike(route: Route) -> bool:
        foreign, missing = RouteCaller(token).call(route), RouteCaller(token, unknown).call(route)
        return refusal(foreign)[0] == 404 and told(foreign) == told(missing)

    assert but_for(is_alike) == []


def test_a_token_of_one_namespace_does_not_open_another(alice: Actor) -> None:
    other = make_namespace(alice.tenant, "elsewhere")
    caller = RouteCaller(bearer(issued_for(alice, namespaces=frozenset({other.id})).value))
    assert but_for(lambda route: refusal(caller.call(route))[0] == 404) == []


def looks_missing(admin: RouteCaller, blind: RouteCaller, route: Route) -> bool:
    """The blind caller cannot tell the known from the unknown, nor from what Alice finds missing."""
    hidden = as_ghost(blind.call(route))
    # A check against a missing subject passes; it would be a lie to tell that to who may not check.
    others = [blind] if route.right == "compat.check" else [blind, admin]
    seen = {as_ghost(caller.call(route, UNKNOWN)) for caller in others}
    return hidden[0] == 404 and seen == {hidden}


def test_what_may_not_be_seen_looks_missing(admin: RouteCaller, alice: Actor, token_for: TokenFor) -> None:
    blind = RouteCaller(bearer(token_for(alice, "audit.read")))
    assert but_for(lambda route: looks_missing(admin, blind, route), HIDING) == []


def test_a_grant_on_other_subjects_opens_nothing(
    admin: RouteCaller, alice: Actor, token_for: TokenFor
) -> None:
    narrow = RouteCaller(bearer(token_for(alice, subjects=("other-*",))))

    def is_closed(route: Route) -> bool:
        if route.unseen is Unseen.MISSING:
            return looks_missing(admin, narrow, route)
        return refusal(narrow.call(route)) == (403, 403)

    placed = [route for route in WITH_RIGHT if {"{subject}", "{context}"} & {*route.template.split("/")}]
    assert but_for(is_closed, placed) == []


def names_the_right(alice: Actor, token_for: TokenFor, route: Route, *, permanent: bool = False) -> bool:
    """Without one right and with all others, the refusal says which is missing."""
    right = route.permanent_right if permanent else route.right
    caller = RouteCaller(bearer(token_for(alice, *(EVERY_RIGHT - {right}))))
    answer = caller.call(route, query="?permanent=true" if permanent else "")
    return refusal(answer) == (403, 403) and right in document(answer)["message"]


def test_without_the_right_a_visible_thing_is_refused_by_name(
    admin: RouteCaller, alice: Actor, token_for: TokenFor
) -> None:
    routes = [route for route in WITH_RIGHT if route.right not in READING]
    assert but_for(lambda route: names_the_right(alice, token_for, route), routes) == []


def test_permanent_deletion_needs_its_own_right(
    admin: RouteCaller, alice: Actor, token_for: TokenFor
) -> None:
    routes = [route for route in ROUTES if route.permanent_right]
    assert routes
    assert but_for(lambda route: names_the_right(alice, token_for, route, permanent=True), routes) == []


def test_an_import_that_removes_for_good_needs_that_right_too(
    admin: RouteCaller, alice: Actor, token_for: TokenFor
) -> None:
    """What was deleted softly goes when mode IMPORT is entered."""
    admin.send("DELETE", "/sr/north/default/subjects/orders-value")
    caller = RouteCaller(bearer(token_for(alice, *(EVERY_RIGHT - {"subject.purge"}))))

    def names_it(route: Route) -> bool:
        answer = caller.call(route, body=b'{"mode": "IMPORT"}')
        return refusal(answer) == (403, 403) and "subject.purge" in document(answer)["message"]

    routes = [route for route in WITH_RIGHT if (route.method, route.right) == ("PUT", "mode.write")]
    assert routes
    assert but_for(names_it, routes) == []


def test_lists_leave_out_what_may_not_be_seen(admin: RouteCaller, alice: Actor, token_for: TokenFor) -> None:
    """They are then those of a namespace in which there is nothing."""
    make_namespace(alice.tenant, "empty")

    def leaves_out(route: Route) -> bool:
        token = bearer(token_for(alice, route.right, subjects=("other-*",)))
        narrow, nothing = (RouteCaller(token, f"north/{place}").call(route) for place in ("default", "empty"))
        return told(narrow) == told(nothing) != told(admin.call(route)) and narrow.status_code == 200

    routes = [route for route in ROUTES if route.unseen is Unseen.LEFT_OUT]
    assert routes
    assert but_for(leaves_out, routes) == []


def test_another_method_is_refused_in_the_dialects_shape(admin: RouteCaller) -> None:
    def is_refused(route: Route) -> bool:
        return refusal(admin.call(Route("PATCH", route.template, route.view))) == (405, 405)

    assert but_for(is_refused) == []


@pytest.mark.parametrize("body", BROKEN_BODIES, ids=lambda body: repr(body[:5]))
def test_a_malformed_body_is_refused_in_the_dialects_shape(admin: RouteCaller, body: bytes) -> None:
    def is_refused(route: Route) -> bool:
        return refusal(admin.call(route, body=body))[0] in {400, 422}

    routes = [r for r in ROUTES if r.method in {"POST", "PUT"} and r.about is not About.SERVICE]
    assert but_for(is_refused, routes) == []
