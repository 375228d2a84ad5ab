"""Every address of the native API by every way to be refused, taken from the URL table.

A new address is covered by standing there; its author adds what its variables and bodies are about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.cast import bearer, issued_for
from tests.contract.addresses import Address, claimed_by
from tests.contract.refusals import (
    BROKEN_BODIES,
    EVERY_RIGHT,
    FOREIGN,
    UNKNOWN_PLACES,
    WAYS_WITHOUT_A_TOKEN,
    Caller,
    but_for,
    document,
    told,
)
from tests.factories import make_namespace

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
MEMBERS = {"type", "title", "status", "detail", "code", "request_id"}
# What requests ask for, by method and last word of the pattern.
BODIES = {"POST checks": {"subject": "orders-value", "schema": '"int"'}}


@dataclass(frozen=True)
class Route:
    """One method of one address."""

    address: Address
    method: str

    @property
    def right(self) -> str:
        """The right that the view says it needs."""
        return str(self.address.view.view_class.rights[self.method])  # type: ignore[attr-defined]  # views are classes here

    @property
    def body(self) -> Any:
        """A body that a caller with every right may send."""
        last = self.address.pattern.rpartition("/")[2]
        return BODIES[f"{self.method} {last}"] if self.method in WITH_BODY else None

    def __str__(self) -> str:
        return f"{self.method} {self.address.pattern}"


def methods_of(address: Address) -> list[str]:
    view: Any = address.view
    names: list[str] = view.view_class.http_method_names
    return [name.upper() for name in names if hasattr(view.view_class, name)]


EVERY = [Route(address, method) for address in claimed_by("native") for method in methods_of(address)]
# OPTIONS tells any caller of the namespace which methods there are.
ROUTES = [route for route in EVERY if route.method != "OPTIONS"]


@dataclass(frozen=True)
class Stage:
    """What is there to be asked about: a subject and a check of it."""

    check: str = str(uuid4())
    subject: str = "orders-value"

    def call(self, caller: Caller, route: Route, body: Any = None) -> HttpResponse:
        """Call the route about this."""
        tenant, _, namespace = caller.place.partition("/")
        path = route.address.path({"tenant": tenant, "namespace": namespace, "check": self.check})
        sent = route.body if body is None else body
        if isinstance(sent, dict):
            sent = {**sent, "subject": self.subject}
        return caller.send(route.method, path, sent)

    def as_ghost(self, answer: HttpResponse) -> tuple[int, bytes]:
        """An answer about this, told as if about what is not there."""
        text = answer.content.replace(self.check.encode(), GHOST.check.encode())
        return answer.status_code, text.replace(self.subject.encode(), GHOST.subject.encode())


GHOST = Stage(str(uuid4()), "ghosts-value")


def refusal(answer: HttpResponse) -> tuple[int, str]:
    """Status and code of an answer that is a problem document."""
    body = document(answer)
    assert set(body) - {"errors"} == MEMBERS
    assert (body["status"], answer.headers["Content-Type"]) == (
        answer.status_code,
        "application/problem+json",
    )
    return answer.status_code, body["code"]


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    """Alice, who may do everything in *north*."""
    return Caller(bearer(token_for(alice)))


@pytest.fixture
def stage(admin: Caller) -> Stage:
    """A subject with a version, and a check that was asked for."""
    path = "/sr/north/default/subjects/orders-value/versions"
    assert admin.send("POST", path, {"schema": '"int"'}).status_code == 200
    asked = admin.send("POST", "/api/v1/tenants/north/namespaces/default/checks", BODIES["POST checks"])
    return Stage(document(asked)["id"])


def test_every_route_is_open_to_whoever_holds_every_right(admin: Caller, stage: Stage) -> None:
    """Otherwise the refusals below would prove nothing."""
    assert but_for(lambda route: stage.call(admin, route).status_code < 300, EVERY) == []


@pytest.mark.parametrize("way", WAYS_WITHOUT_A_TOKEN)
def test_without_a_valid_token_every_route_answers_401(alice: Actor, way: str) -> None:
    caller = Caller(WAYS_WITHOUT_A_TOKEN[way](alice))

    def is_unauthorized(route: Route) -> bool:
        answer = Stage().call(caller, route)
        return refusal(answer) == (401, "unauthorized") and bool(answer.headers["WWW-Authenticate"])

    assert but_for(is_unauthorized, EVERY) == []


@pytest.mark.parametrize("unknown", UNKNOWN_PLACES)
@pytest.mark.parametrize("who", FOREIGN)
def test_a_foreign_place_looks_like_an_unknown_one(
    request: pytest.FixtureRequest, stage: Stage, token_for: TokenFor, who: str, unknown: str
) -> None:
    """Mallory is of another tenant, Carol of another namespace."""
    token = bearer(token_for(request.getfixturevalue(who)))

    def is_alike(route: Route) -> bool:
        foreign, missing = (stage.call(one, route) for one in (Caller(token), Caller(token, unknown)))
        return refusal(foreign) == (404, "namespace_not_found") and told(foreign) == told(missing)

    assert but_for(is_alike, EVERY) == []


def test_a_token_of_one_namespace_does_not_open_another(stage: Stage, alice: Actor) -> None:
    other = make_namespace(alice.tenant, "elsewhere")
    caller = Caller(bearer(issued_for(alice, namespaces=frozenset({other.id})).value))
    assert but_for(lambda route: refusal(stage.call(caller, route))[0] == 404, EVERY) == []


def test_a_thing_of_one_namespace_is_missing_in_another(stage: Stage, alice: Actor, admin: Caller) -> None:
    make_namespace(alice.tenant, "elsewhere")
    caller = Caller(admin.authorization, "north/elsewhere")
    routes = [route for route in ROUTES if "check" in route.address.names]
    assert but_for(lambda route: refusal(stage.call(caller, route))[0] == 404, routes) == []


@pytest.mark.parametrize(
    ("rights", "subjects"), [(("audit.read",), ("*",)), ((), ("other-*",))], ids=["blind", "narrow"]
)
def test_what_may_not_be_seen_looks_missing(
    stage: Stage, alice: Actor, token_for: TokenFor, rights: tuple[str, ...], subjects: tuple[str, ...]
) -> None:
    caller = Caller(bearer(token_for(alice, *rights, subjects=subjects)))

    def is_alike(route: Route) -> bool:
        hidden = stage.as_ghost(stage.call(caller, route))
        return hidden[0] == 404 and hidden == GHOST.as_ghost(GHOST.call(caller, route))

    assert but_for(is_alike, ROUTES) == []


def test_without_the_right_a_visible_thing_is_refused_by_name(
    stage: Stage, alice: Actor, token_for: TokenFor
) -> None:
    def names_it(route: Route) -> bool:
        caller = Caller(bearer(token_for(alice, *(EVERY_RIGHT - {route.right}))))
        answer = stage.call(caller, route)
        return refusal(answer) == (403, "right_missing") and route.right in document(answer)["detail"]

    assert but_for(names_it, ROUTES) == []


def test_another_method_is_refused_in_the_dialects_shape(admin: Caller, stage: Stage) -> None:
    def is_refused(address: Address) -> bool:
        answer = stage.call(admin, Route(address, "BREW"))
        return refusal(answer) == (405, "method_not_allowed") and bool(answer.headers["Allow"])

    assert but_for(is_refused, claimed_by("native")) == []


@pytest.mark.parametrize("body", BROKEN_BODIES, ids=lambda body: repr(body[:5]))
def test_a_malformed_body_is_refused_in_the_dialects_shape(admin: Caller, stage: Stage, body: bytes) -> None:
    routes = [route for route in ROUTES if route.method in WITH_BODY]
    assert routes
    assert but_for(lambda route: refusal(stage.call(admin, route, body))[0] in {400, 422}, routes) == []
