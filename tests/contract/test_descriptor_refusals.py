"""Every route of the dialect of descriptor sets by every way to be refused, taken from the route table.

A new route is covered by standing in `ROUTES`; its author adds what it is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from accord.formats.protobuf import service
from accord_server.kit.setting_types import NamespaceAddress
from registry.api.descriptors.urls import ROUTES, Route, Unseen
from tenants.models import AuditRecord
from tests.accord.protobuf_texts import COMPILER
from tests.cast import bearer, issued_for
from tests.contract.refusals import (
    BROKEN_BODIES,
    EVERY_RIGHT,
    FOREIGN,
    UNKNOWN_PLACES,
    WAYS_WITHOUT_A_TOKEN,
    Caller,
    but_for,
    document,
    suspended,
    told,
)
from tests.factories import make_namespace

if TYPE_CHECKING:
    from django.http import HttpResponse
    from pytest_django import Settings

    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db

PROTO = 'syntax = "proto3"; message M {}'
KNOWN = {"module": "orders", "subject": "orders", "version": "1", "path": "m.proto"}
UNKNOWN = {**KNOWN, "module": "ghosts", "subject": "ghosts"}
UPLOAD = {"texts": {"m.proto": PROTO}}
BODIES = {"/digests": {"digests": []}, "/subjects": {"file": "m.proto", "subject": "exposed"}}
MEMBERS = {"type", "title", "status", "detail", "code", "request_id"}
HIDING = [route for route in ROUTES if route.unseen is Unseen.MISSING]
# What a caller must hold to know of the thing at all; without it the thing is missing.
READING = frozenset({"desc.read", "subject.read"})


@dataclass(frozen=True)
class RouteCaller(Caller):
    """Calls routes of the dialect; at the root where the place is empty."""

    def call(
        self, route: Route, values: dict[str, str] = KNOWN, *, body: bytes | None = None, method: str = ""
    ) -> HttpResponse:
        """Call a route about what the values say."""
        path = route.template.format(**{name: quote(value, safe="") for name, value in values.items()})
        prefix = f"/sr/{self.place}" if self.place else ""
        last = "/" + path.rpartition("/")[2]
        sent = (BODIES.get(last, UPLOAD) if route.method == "POST" else b"") if body is None else body
        query = "?from=1&to=1" if last == "/diff" else ""
        return self.send(method or route.method, f"{prefix}/descriptors{path}{query}", sent)


def refusal(answer: HttpResponse) -> tuple[int, str]:
    """Status and code of an answer that has the dialect's error shape."""
    body = document(answer)
    assert set(body) >= MEMBERS
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, body["code"]


def as_ghost(answer: HttpResponse) -> tuple[int, bytes]:
    """An answer about the known thing, told as if about the unknown one."""
    return answer.status_code, answer.content.replace(b"orders", b"ghosts")


@pytest.fixture(autouse=True)
def _compiler() -> None:
    service.use(COMPILER)


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> RouteCaller:
    """Alice, who may do everything in *north*, with something to ask about."""
    return furnished(RouteCaller(bearer(token_for(alice))))


def furnished(caller: RouteCaller) -> RouteCaller:
    """Make a module and a subject that have a version."""
    uploaded = caller.send("POST", "/sr/north/default/descriptors/modules/orders/versions", UPLOAD)
    assert uploaded.status_code == 201
    registered = {"schemaType": "PROTOBUF", "schema": PROTO}
    answer = caller.send("POST", "/sr/north/default/subjects/orders/versions", registered)
    assert answer.status_code == 200
    return caller


def test_who_may_do_everything_is_refused_nothing(admin: RouteCaller) -> None:
    routes = [route for route in ROUTES if route.method != "DELETE"]
    assert but_for(lambda route: admin.call(route).status_code < 300, routes) == []


@pytest.mark.parametrize("way", WAYS_WITHOUT_A_TOKEN)
def test_without_a_valid_token_every_route_answers_401(alice: Actor, way: str) -> None:
    caller = RouteCaller(WAYS_WITHOUT_A_TOKEN[way](alice))

    def is_unauthorized(route: Route) -> bool:
        answer = caller.call(route)
        return refusal(answer) == (401, "unauthorized") and bool(answer.headers["WWW-Authenticate"])

    assert but_for(is_unauthorized, ROUTES) == []


def test_at_the_root_every_route_is_refused_alike(settings: Settings) -> None:
    settings.ACCORD_ROOT_NAMESPACE = NamespaceAddress("north", "default")
    below, at_root = RouteCaller(None), RouteCaller(None, "")
    assert but_for(lambda one: told(at_root.call(one))[:2] == told(below.call(one))[:2], ROUTES) == []


def test_without_a_root_namespace_there_is_nothing(alice: Actor, token_for: TokenFor) -> None:
    assert RouteCaller(bearer(token_for(alice)), "").call(ROUTES[0]).status_code == 404


def test_of_a_suspended_tenant_every_route_says_so(alice: Actor) -> None:
    caller = RouteCaller(suspended(alice))
    assert but_for(lambda one: refusal(caller.call(one)) == (403, "tenant_suspended"), ROUTES) == []


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

    assert but_for(is_alike, ROUTES) == []


def test_another_namespace_has_none_of_it(admin: RouteCaller, alice: Actor, token_for: TokenFor) -> None:
    make_namespace(alice.tenant, "elsewhere")
    caller = RouteCaller(bearer(token_for(alice)), "north/elsewhere")
    routes = [route for route in HIDING if route.right != "compat.check"]
    assert but_for(lambda route: refusal(caller.call(route))[0] == 404, routes) == []


def test_a_token_of_one_namespace_does_not_open_another(alice: Actor) -> None:
    other = make_namespace(alice.tenant, "elsewhere")
    caller = RouteCaller(bearer(issued_for(alice, namespaces=frozenset({other.id})).value))
    assert but_for(lambda route: refusal(caller.call(route))[0] == 404, ROUTES) == []


def looks_missing(admin: RouteCaller, blind: RouteCaller, route: Route) -> bool:
    """The blind caller cannot tell the known from the unknown, nor from what Alice finds missing."""
    hidden = as_ghost(blind.call(route))
    # A check of a new module passes; it would be a lie to tell that to who may not check.
    others = [blind] if route.right == "compat.check" else [blind, admin]
    seen = {as_ghost(caller.call(route, UNKNOWN)) for caller in others}
    return hidden[0] == 404 and seen == {hidden}


@pytest.mark.parametrize("rights", [("audit.read",), ()])
def test_what_may_not_be_seen_looks_missing(
    admin: RouteCaller, alice: Actor, token_for: TokenFor, rights: tuple[str, ...]
) -> None:
    subjects = ("*",) if rights else ("other-*",)
    blind = RouteCaller(bearer(token_for(alice, *rights, subjects=subjects)))
    assert but_for(lambda route: looks_missing(admin, blind, route), HIDING) == []


def test_lists_leave_out_what_may_not_be_seen(admin: RouteCaller, alice: Actor, token_for: TokenFor) -> None:
    """They are then those of a namespace in which there is nothing."""
    make_namespace(alice.tenant, "empty")
    token = bearer(token_for(alice, "desc.read", subjects=("other-*",)))
    (route,) = [one for one in ROUTES if one.template == "/modules"]
    narrow, nothing = (RouteCaller(token, f"north/{place}").call(route) for place in ("default", "empty"))
    assert told(narrow) == told(nothing) != told(admin.call(route))


def test_without_the_right_a_visible_thing_is_refused_by_name(
    admin: RouteCaller, alice: Actor, token_for: TokenFor
) -> None:
    def names_it(route: Route) -> bool:
        caller = RouteCaller(bearer(token_for(alice, *(EVERY_RIGHT - {route.right}))))
        answer = caller.call(route)
        is_named = route.right in document(answer)["detail"]
        return refusal(answer) == (403, "right_missing") and is_named

    routes = [route for route in ROUTES if route.right not in READING]
    assert routes
    assert but_for(names_it, routes) == []


def test_a_grant_on_other_modules_uploads_nothing(
    admin: RouteCaller, alice: Actor, token_for: TokenFor
) -> None:
    narrow = RouteCaller(bearer(token_for(alice, subjects=("other-*",))))
    routes = [route for route in ROUTES if route.unseen is Unseen.REFUSED]
    assert but_for(lambda route: refusal(narrow.call(route)) == (403, "right_missing"), routes) == []


def test_another_method_is_refused_in_the_dialects_shape(admin: RouteCaller) -> None:
    def is_refused(route: Route) -> bool:
        answer = admin.call(route, method="PATCH")
        return refusal(answer) == (405, "method_not_allowed") and bool(answer.headers["Allow"])

    assert but_for(is_refused, ROUTES) == []


@pytest.mark.parametrize("body", BROKEN_BODIES, ids=lambda body: repr(body[:5]))
def test_a_malformed_body_is_refused_in_the_dialects_shape(admin: RouteCaller, body: bytes) -> None:
    def is_refused(route: Route) -> bool:
        return refusal(admin.call(route, body=body))[0] in {400, 422}

    assert but_for(is_refused, [route for route in ROUTES if route.method == "POST"]) == []


def test_uploads_and_refusals_are_on_record(
    admin: RouteCaller, alice: Actor, token_for: TokenFor, scope_for: ScopeFor
) -> None:
    caller = RouteCaller(bearer(token_for(alice, "desc.read")))
    (route,) = [one for one in ROUTES if one.right == "desc.write"]
    assert caller.call(route).status_code == 403
    rows = AuditRecord.objects.scoped(scope_for(alice)).order_by("pk").values_list("action", "outcome")
    assert ("module.uploaded", "allowed") in set(rows)
    assert rows.last() == ("desc.write", "denied")
