"""Every address of the native API by every way to be refused, taken from the URL table.

A new address is covered by standing there; its author adds what its variables and bodies are about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from accord_server.kit import tenancy
from registry.models import MessageState, WebhookMessage
from tenants.api.base import OperatorView, PublicView
from tenants.principals import operator_scope
from tenants.queries import scope_for_user
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
    refusal,
    suspended,
    told,
    waiting,
)
from tests.factories import make_namespace, make_person
from tests.tenants.filled import keep_module

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpResponse

    from tenants.records import TenantRecord
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

SETTINGS = ("/policy-binding", "-templates", "/anonymous-access", "/level")
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
# It is asked what is wrong with a text, so that no text is a wrong question; nothing means as usual.
ANY_TEXT = ("/policies/validate", "/roll")
NAMESPACE = "/api/v1/tenants/north/namespaces/default"
# What is there in one namespace alone.
THINGS = {"check", "comment", "dry_run", "run", "waiver", "webhook"}
# Of these the address says all.
STEPS = (
    "/exports",
    "/suspend",
    "/resume",
    "/revoke",
    "/approve",
    "/refuse",
    "/drop-old-secret",
    "/drop-new-secret",
    "/try",
    "/replay",
    "<str:slug>/restore",
)
# A token waits for this or counts already: never both.
WAITING = ("/approve", "/refuse")
# What its tenant cannot do without, so that it cannot be deleted.
LASTING = {"DELETE api/v1/tenants/<str:tenant>/namespaces/<str:namespace>"}
# One line of an export.
IMPORTED = {"context": ".", "subject": "orders-value", "version": 9, "id": 9, "schema": '"int"'}
# What requests ask for, by method and last word of the pattern.
BODIES: dict[str, dict[str, Any]] = {
    **{f"POST {word}": {"schema": '"int"'} for word in ("verdict", "lint", "similar", "forms", "matrix")},
    "POST checks": {"subject": "orders-value", "schema": '"int"'},
    "POST can-read": {"version": 1},
    "POST consumer-schema": {"schema": "{}", "format": "JSON"},
    "POST content-models": {"schema": "{}", "format": "JSON"},
    "POST policies": {"name": "another"},
    "PUT <str:policy>": {"name": "thrifty"},
    "POST validate": {"name": "thrifty"},
    "POST revert": {"version": 1},
    "PUT anonymous-access": {"access": "read"},
    "PUT policy-binding": {"policy": "thrifty"},
    "PUT level": {"level": "FULL"},
    "POST policy-templates": {"template": "drop-in"},
    "POST policy-dry-runs": {"level": "FULL"},
    "POST imports": {"source": "elsewhere"},
    "POST versions": IMPORTED,
    "POST deletions": IMPORTED,
    "PUT result": {"source_sha256": "0" * 64, "target_sha256": "0" * 64, "differences": 0},
    "POST restore": {"version": 1},
    "POST webhooks": {"url": "https://hooks.example.org/accord"},
    "PATCH <uuid:webhook>": {"enabled": False},
    "POST namespaces": {"slug": "new-one", "template": None},
    "PATCH <str:namespace>": {"description": "ours"},
    "POST invitations": {"email": "erin@example.org"},
    "POST service-accounts": {"slug": "new-one"},
    "PATCH <str:name>": {"description": "ours"},
    "POST roles": {"name": "new-one", "rights": ["subject.read"]},
    "PATCH <str:role>": {"summary": "ours"},
    "POST tokens": {"name": "ours", "owner": "service:robot", "grants": [{"preset": "consumer"}]},
    "PATCH <str:key_id>": {"name": "theirs"},
    "POST roll": {"grace": "1h"},
    "POST delete": {"confirm": "north"},
    "POST purge": {"confirm": "old-one"},
    "POST tenants": {"slug": "west", "template": None},
    "PATCH <str:tenant>": {"name": "North"},
    "PATCH quotas": {"limits": {"tokens": 500}},
    "POST role-bindings": {"principal": "service:robot", "role": "viewer"},
    "PUT state": {"state": "deprecated", "reason": "replaced"},
    "POST rollback": {"version": 1},
    "PATCH details": {"description": "ours"},
    "POST comments": {"text": "why?"},
    "PUT <uuid:comment>": {"text": "because"},
    "PUT deletion-rules": {"forbids_soft": False, "forbids_permanent": False},
    "POST waivers": {
        "subject": "orders-value",
        "schema": '"string"',
        "reason": "agreed",
        "expires_at": (timezone.now() + timedelta(days=1)).isoformat(),
    },
}
# Who lacks it sees no subject or module at all, so that nothing is left to be refused by name.
SEEING = {"subject.read", "desc.read"}
# What a change is made for: the first version of a policy.
PRECONDITION = {"If-Match": '"1"'}
# Where nothing may be bound yet.
WHATEVER = {"If-Match": "*"}


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
    def hides(self) -> bool:
        """Whether what it is about looks missing to who may not see it."""
        return bool(self.address.view.view_class.hides)  # type: ignore[attr-defined]  # as above

    @property
    def is_shared(self) -> bool:
        """Whether the right on any part of the tenant is enough."""
        return bool(self.address.view.view_class.is_shared)  # type: ignore[attr-defined]  # as above

    @property
    def binds(self) -> bool:
        """Whether it sets what has an ETag that cannot be foreseen: a policy, a level, what is open."""
        return self.method != "DELETE" and self.address.pattern.endswith(SETTINGS)

    @property
    def is_inside(self) -> bool:
        """Whether it is about one namespace."""
        return "namespace" in self.address.names

    @property
    def takes_body(self) -> bool:
        """Whether it asks for more than its address says."""
        return self.method in WITH_BODY and not self.address.pattern.endswith(STEPS)

    @property
    def body(self) -> Any:
        """A body that a caller with every right may send."""
        last = self.address.pattern.rpartition("/")[2]
        return BODIES[f"{self.method} {last}"] if self.takes_body else None

    def __str__(self) -> str:
        return f"{self.method} {self.address.pattern}"


def methods_of(address: Address) -> list[str]:
    view: Any = address.view
    names: list[str] = view.view_class.http_method_names
    return [name.upper() for name in names if hasattr(view.view_class, name)]


ALL = [Route(address, method) for address in claimed_by("native") for method in methods_of(address)]
PUBLIC = [route for route in ALL if issubclass(route.address.view.view_class, PublicView)]  # type: ignore[attr-defined]  # views are classes here
OPERATORS = [route for route in ALL if issubclass(route.address.view.view_class, OperatorView)]  # type: ignore[attr-defined]  # as above
EVERY = [route for route in ALL if route not in PUBLIC + OPERATORS]
# OPTIONS tells any caller of the namespace which methods there are.
ROUTES = [route for route in EVERY if route.method != "OPTIONS"]
INSIDE = [route for route in EVERY if route.is_inside]
HIDING = [route for route in ROUTES if route.hides]


@dataclass(frozen=True)
class People:
    """Who and what is there of people and access, by name or id."""

    member: str = "dora"
    account: str = "robot"
    role: str = "proof-reader"
    deleted: str = "old-one"
    binding: str = str(uuid4())
    token: str = "0" * 12
    pending: str = "1" * 12
    invitation: str = str(uuid4())
    record: str = "1"

    def named(self, route: Route) -> dict[str, str]:
        """The variables of a route."""
        name = self.account if "service-accounts" in route.address.pattern else self.member
        return {
            "name": name,
            "field": "amount",
            "role": self.role,
            "slug": self.deleted,
            "key_id": self.pending if route.address.pattern.endswith(WAITING) else self.token,
            "binding": self.binding,
            "invitation": self.invitation,
            "export": self.invitation,
            "record": self.record,
        }


def people_of(admin: Caller, tenant: TenantRecord) -> People:
    """Make one of each."""
    make_person(tenant, "dora")
    names = People()
    asked = {
        "service-accounts": {"slug": names.account},
        "roles": {"name": names.role, "rights": ["subject.read"]},
        "namespaces": {"slug": names.deleted, "template": None},
        "invitations": BODIES["POST invitations"],
        "role-bindings": {"principal": "person:dora", "role": "viewer"},
        "tokens": BODIES["POST tokens"],
    }
    there = "/api/v1/tenants/north"
    made = {word: document(admin.send("POST", f"{there}/{word}", body)) for word, body in asked.items()}
    gone = f"{there}/namespaces/{names.deleted}?confirm={names.deleted}"
    assert admin.send("DELETE", gone, None, WHATEVER).status_code == 204
    return People(
        binding=made["role-bindings"]["id"],
        invitation=made["invitations"]["id"],
        token=made["tokens"]["key_id"],
        pending=waiting(tenant),
        record=str(document(admin.send("GET", f"{there}/audit"))["items"][0]["id"]),
    )


@dataclass(frozen=True)
class Stage:
    """What is there to be asked about: a subject, a check of it, a policy that is bound there and more."""

    check: str = str(uuid4())
    dry_run: str = str(uuid4())
    waiver: str = str(uuid4())
    run: str = str(uuid4())
    comment: str = str(uuid4())
    webhook: str = str(uuid4())
    message: int = 0
    subject: str = "orders-value"
    policy: str = "thrifty"
    people: People = field(default_factory=People)

    def call(
        self,
        caller: Caller,
        route: Route,
        body: Any = None,
        *,
        query: str = "",
        more: Mapping[str, str] | None = None,
    ) -> HttpResponse:
        """Call the route about this; ``more`` are headers in place of what a change is made for."""
        tenant, _, namespace = caller.place.partition("/")
        named = {"check": self.check, "subject": self.subject, "prefix": self.subject, "policy": self.policy}
        named |= {
            "dry_run": self.dry_run,
            "waiver": self.waiver,
            "run": self.run,
            "comment": self.comment,
            "webhook": self.webhook,
            "message": str(self.message),
            "version": "1",
            "module": self.subject,
            "rule": "TYPE_MISMATCH",
        }
        named |= {"digest": "0" * 64, "guid": "0" * 32, "fingerprint": "0" * 16}
        named |= self.people.named(route)
        asked = "?action=subject.read&" if route.address.pattern.endswith("/access") else "?"
        path = route.address.path({"tenant": tenant, "namespace": namespace, **named}) + asked + query
        sent = route.body if body is None else body
        if isinstance(sent, dict) and "subject" in sent:
            sent = {**sent, "subject": self.subject}
        usual = WHATEVER if route.binds or route.address.pattern.endswith(SETTINGS[2:]) else PRECONDITION
        return caller.send(route.method, path, sent, usual if more is None else more)

    def as_ghost(self, answer: HttpResponse) -> tuple[int, bytes]:
        """An answer about this, told as if about what is not there."""
        text = answer.content.replace(self.check.encode(), GHOST.check.encode())
        text = text.replace(self.dry_run.encode(), GHOST.dry_run.encode())
        text = text.replace(self.waiver.encode(), GHOST.waiver.encode())
        text = text.replace(self.run.encode(), GHOST.run.encode())
        text = text.replace(self.comment.encode(), GHOST.comment.encode())
        text = text.replace(self.policy.encode(), GHOST.policy.encode())
        return answer.status_code, text.replace(self.subject.encode(), GHOST.subject.encode())


GHOST = Stage(subject="ghosts-value", policy="phantoms")


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    """Alice, who may do everything in *north*."""
    return Caller(bearer(token_for(alice)))


@pytest.fixture
def stage(admin: Caller, alice: Actor) -> Stage:
    """All that the routes are about."""
    return staged(admin, alice)


def staged(admin: Caller, alice: Actor) -> Stage:
    """Make a subject with a version, a check of it, and one of everything else."""
    path = "/sr/north/default/subjects/orders-value/versions"
    objects = {"schema": '{"type": "object"}', "schemaType": "JSON"}
    assert admin.send("POST", path, objects).status_code == 200
    assert admin.send("POST", "/api/v1/tenants/north/policies", {"name": "thrifty"}).status_code == 201
    with tenancy.tenant_context(alice.tenant.id):
        keep_module(scope_for_user(alice.user, "north", "default"), "orders-value")
    words = ("checks", "policy-dry-runs", "imports", "webhooks")
    asked = [admin.send("POST", f"{NAMESPACE}/{word}", BODIES[f"POST {word}"]) for word in words]
    other = {**BODIES["POST waivers"], "schema": '"boolean"'}
    asked.append(admin.send("POST", f"{NAMESPACE}/waivers", other))
    there = f"{NAMESPACE}/subjects/orders-value/versions/1/comments"
    asked.append(admin.send("POST", there, BODIES["POST comments"]))
    named = zip(("check", "dry_run", "run", "webhook", "waiver", "comment"), asked, strict=True)
    things = {name: document(one)["id"] for name, one in named}
    return Stage(
        **things,
        message=ended_message(admin, things["webhook"], alice),
        people=people_of(admin, alice.tenant),
    )


def ended_message(admin: Caller, webhook: str, alice: Actor) -> int:
    """A message to a webhook that has been given up, so that it can be sent again."""
    number: int = document(admin.send("POST", f"{NAMESPACE}/webhooks/{webhook}/try", {}))["id"]
    with tenancy.tenant_context(alice.tenant.id):
        rows = WebhookMessage.objects.scoped(operator_scope(alice.tenant.ref))
        rows.update(state=MessageState.FAILED, ended_at=timezone.now())
    return number


def bind(caller: Caller, stage: Stage) -> None:
    """Bind the policy to each place there is an address for."""
    for route in ROUTES:
        if route.method == "PUT" and route.address.pattern.endswith("/policy-binding"):
            assert stage.call(caller, route).status_code == 200


def test_every_route_is_open_to_whoever_holds_every_right(admin: Caller, stage: Stage) -> None:
    """Otherwise the refusals below would prove nothing."""

    def is_open(route: Route) -> bool:
        with transaction.atomic():
            if route.address.pattern.endswith(("/policy-binding", "/policy-binding-history")):
                bind(admin, stage)
            status = stage.call(admin, route).status_code
            transaction.set_rollback(True)
        return status < 300

    assert but_for(is_open, [route for route in EVERY if str(route) not in LASTING]) == []


@pytest.mark.parametrize("way", WAYS_WITHOUT_A_TOKEN)
def test_without_a_valid_token_every_route_answers_401(alice: Actor, way: str) -> None:
    caller = Caller(WAYS_WITHOUT_A_TOKEN[way](alice))

    def is_unauthorized(route: Route) -> bool:
        answer = Stage().call(caller, route)
        return refusal(answer) == (401, "unauthorized") and bool(answer.headers["WWW-Authenticate"])

    assert but_for(is_unauthorized, EVERY + OPERATORS) == []


def test_of_a_suspended_tenant_every_route_says_so(alice: Actor) -> None:
    caller = Caller(suspended(alice))
    assert but_for(lambda one: refusal(Stage().call(caller, one)) == (403, "tenant_suspended"), EVERY) == []


def is_told_apart(route: Route, who: str, unknown: str) -> bool:
    """Tell whether the route is about more than the caller's own tenant, and names what is unknown."""
    return route.is_inside or (who == "mallory" and not unknown.startswith("north"))


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

    assert but_for(is_alike, [route for route in EVERY if is_told_apart(route, who, unknown)]) == []


def test_a_token_of_one_namespace_does_not_open_another(stage: Stage, alice: Actor) -> None:
    other = make_namespace(alice.tenant, "elsewhere")
    caller = Caller(bearer(issued_for(alice, namespaces=frozenset({other.id})).value))
    assert but_for(lambda route: refusal(stage.call(caller, route))[0] == 404, INSIDE) == []


def test_a_thing_of_one_namespace_is_missing_in_another(stage: Stage, alice: Actor, admin: Caller) -> None:
    make_namespace(alice.tenant, "elsewhere")
    caller = Caller(admin.authorization, "north/elsewhere")
    routes = [route for route in ROUTES if THINGS & {*route.address.names}]
    assert but_for(lambda route: refusal(stage.call(caller, route))[0] == 404, routes) == []


@pytest.mark.parametrize(
    ("rights", "subjects"), [(("audit.read",), ("*",)), ((), ("other-*",))], ids=["blind", "narrow"]
)
def test_what_may_not_be_seen_looks_missing(
    stage: Stage, alice: Actor, token_for: TokenFor, rights: tuple[str, ...], subjects: tuple[str, ...]
) -> None:
    """A right on any part of the tenant opens what its parts share."""
    caller = Caller(bearer(token_for(alice, *rights, subjects=subjects)))

    def is_alike(route: Route) -> bool:
        hidden = stage.as_ghost(stage.call(caller, route))
        return hidden[0] == 404 and hidden == GHOST.as_ghost(GHOST.call(caller, route))

    assert but_for(is_alike, [route for route in HIDING if rights or not route.is_shared]) == []


def test_where_nothing_is_hidden_the_missing_right_is_named(
    stage: Stage, alice: Actor, token_for: TokenFor
) -> None:
    only = "audit.read"
    blind = Caller(bearer(token_for(alice, only)))
    routes = [route for route in ROUTES if not route.hides and route.right != only]
    assert routes
    assert but_for(lambda route: refusal(stage.call(blind, route)) == (403, "right_missing"), routes) == []


def test_without_the_right_a_visible_thing_is_refused_by_name(
    stage: Stage, alice: Actor, token_for: TokenFor
) -> None:
    def names_it(route: Route) -> bool:
        caller = Caller(bearer(token_for(alice, *(EVERY_RIGHT - {route.right}))))
        answer = stage.call(caller, route)
        return refusal(answer) == (403, "right_missing") and route.right in document(answer)["detail"]

    assert but_for(names_it, [route for route in ROUTES if route.right not in SEEING]) == []


def test_what_everybody_may_know_asks_nobody_who_they_are() -> None:
    routes = [route for route in PUBLIC if route.method == "GET"]
    callers = [Caller(sent) for sent in (None, "Bearer nobody")]

    def is_open(route: Route) -> bool:
        path = route.address.path({"rule": "TYPE_MISMATCH"})
        answers = [one.send("GET", path) for one in callers]
        return {answer.status_code for answer in answers} == {200}

    assert routes
    assert but_for(is_open, routes) == []


def test_another_method_is_refused_in_the_dialects_shape(admin: Caller, stage: Stage) -> None:
    def is_refused(address: Address) -> bool:
        answer = stage.call(admin, Route(address, "BREW"))
        return refusal(answer) == (405, "method_not_allowed") and bool(answer.headers["Allow"])

    of_operators = {route.address for route in OPERATORS}
    assert but_for(is_refused, [one for one in claimed_by("native") if one not in of_operators]) == []


@pytest.mark.parametrize("body", BROKEN_BODIES, ids=lambda body: repr(body[:5]))
def test_a_malformed_body_is_refused_in_the_dialects_shape(admin: Caller, stage: Stage, body: bytes) -> None:
    routes = [route for route in ROUTES if route.takes_body and not route.address.pattern.endswith(ANY_TEXT)]
    assert routes
    assert but_for(lambda route: refusal(stage.call(admin, route, body))[0] in {400, 422}, routes) == []
