"""Who is let in where, and the two refusals."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord.model import SubjectName
from accord_server.kit import tenancy
from accord_server.kit.scope import PrincipalKind, Scope
from tenants import services, tokens
from tenants.authentication import authenticate
from tenants.decisions import decisions
from tenants.errors import NamespaceNotFound, TenantSuspended, Unauthorized
from tenants.models import Token, TokenSecret, TokenState
from tenants.principals import operator_scope
from tenants.queries import database_now
from tenants.tokens import TokenKind
from tests import factories
from tests.cast import bearer, issued_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tenants.records import IssuedToken, NamespaceRecord, TenantRecord
    from tests.cast import Actor, TokenFor

ORDERS = SubjectName("orders-value")


def enter(value: str, tenant: str = "north", namespace: str | None = "default", **more: str) -> Scope:
    return authenticate(bearer(value), tenant_slug=tenant, namespace_slug=namespace, **more)


def change_row(tenant: TenantRecord, issued: IssuedToken, **values: Any) -> None:
    with tenancy.tenant_context(tenant.id):
        scope = operator_scope(tenant.ref)
        Token.objects.scoped(scope).filter(key_id=issued.record.key_id).update(**values)


def ago(**time: int) -> datetime:
    return database_now() - timedelta(**time)


def test_the_scope_says_who_where_and_whence(alice: Actor) -> None:
    issued = issued_for(alice)
    scope = enter(issued.value, request_id="r-1", address="192.0.2.7")

    assert (scope.tenant, scope.namespace and scope.namespace.slug) == (alice.tenant.ref, "default")
    assert (scope.principal.kind, scope.principal.key) == (PrincipalKind.PERSON, "person:alice")
    assert (scope.token_key, scope.token_slot) == (issued.record.key_id, 1)
    assert (scope.request_id, scope.address) == ("r-1", "192.0.2.7")
    assert tenancy.active_tenant() == alice.tenant.id


@pytest.mark.parametrize("user", ["api-key", "OAuth", "{key_id}"])
def test_basic_takes_the_token_as_password(alice: Actor, user: str) -> None:
    issued = issued_for(alice)
    pair = f"{user.format(key_id=issued.record.key_id)}:{issued.value}"
    header = "basic " + base64.b64encode(pair.encode()).decode()

    scope = authenticate(header, tenant_slug="north", namespace_slug="default")
    assert scope.token_key == issued.record.key_id


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda value: None,
        lambda value: "",
        lambda value: "Bearer",
        lambda value: "Bearer ",
        lambda value: value,
        lambda value: f"Digest {value}",
        lambda value: f"Bearer {value} {value}",
        lambda value: f"Bearer {value[:-1]}",
        lambda value: f"Bearer {value}" + " " * 1000 + "x",
        lambda value: "Basic not-base64!",
        lambda value: "Basic " + base64.b64encode(b"\xff\xfe").decode(),
        basic,
        lambda value: basic(f":{value}"),
        lambda value: basic(f"alice:{value}"),
        lambda value: basic(f"API-KEY:{value}"),
        lambda value: basic(f"{'0' * 12}:{value}"),
        lambda value: basic(f"{value}:"),
        lambda value: "Bearer " + tokens.generate(TokenKind.PERSON).value,
        lambda value: "Bearer " + tokens.generate(TokenKind.PERSON, value[5:17]).value,
    ],
)
def test_every_other_header_is_unauthorized(
    alice: Actor, token_for: TokenFor, spoil: Callable[[str], str | None]
) -> None:
    with pytest.raises(Unauthorized) as refusal:
        authenticate(spoil(token_for(alice)), tenant_slug="north", namespace_slug="default")

    assert refusal.value.headers["WWW-Authenticate"].startswith("Bearer realm=")
    assert refusal.value.caller is None


@pytest.mark.parametrize("value", ["", "Bearer x", "Basic eDp5"])
def test_malformed_tokens_never_reach_the_database(alice: Actor, value: str) -> None:
    with CaptureQueriesContext(connection) as queries, pytest.raises(Unauthorized):
        authenticate(value, tenant_slug="north", namespace_slug="default")

    assert len(queries) == 0


@pytest.mark.parametrize("state", [state for state in TokenState if state != TokenState.ACTIVE])
def test_a_token_that_is_not_active_is_dead(alice: Actor, state: TokenState) -> None:
    issued = issued_for(alice)
    change_row(alice.tenant, issued, state=state)

    with pytest.raises(Unauthorized) as refusal:
        enter(issued.value)
    assert refusal.value.caller is not None
    assert str(refusal.value) == str(Unauthorized())


@pytest.mark.parametrize(
    ("begins", "ends", "is_alive"),
    [
        ({"hours": 1}, {"hours": -1}, True),
        ({"hours": 2}, {"hours": 1}, False),
        ({"hours": 2}, {"hours": 0}, False),
        ({"hours": -1}, {"hours": -2}, False),
    ],
    ids=["now", "over", "ends now", "not yet"],
)
def test_a_token_counts_only_between_its_times(
    alice: Actor, begins: dict[str, int], ends: dict[str, int], is_alive: bool
) -> None:
    issued = issued_for(alice)
    change_row(alice.tenant, issued, not_before=ago(**begins), expires_at=ago(**ends))

    if is_alive:
        assert enter(issued.value).principal.name == "alice"
        return
    with pytest.raises(Unauthorized):
        enter(issued.value)


def test_a_condition_this_release_cannot_judge_shuts_the_token(alice: Actor) -> None:
    issued = issued_for(alice)
    change_row(alice.tenant, issued, conditions={"networks_in": ["192.0.2.0/24"]})

    with pytest.raises(Unauthorized):
        enter(issued.value)


def test_grants_this_release_cannot_read_open_nothing(alice: Actor) -> None:
    issued = issued_for(alice)
    change_row(alice.tenant, issued, grants=[{"actions": ["subject.teleport"]}])

    with pytest.raises(NamespaceNotFound):
        enter(issued.value)


def add_slot(tenant: TenantRecord, issued: IssuedToken, *, ends: datetime) -> str:
    """Roll by hand: a second secret, and an end for the first."""
    scope = operator_scope(tenant.ref)
    text = tokens.generate(issued.record.kind, issued.record.key_id)
    with tenancy.tenant_context(tenant.id):
        old = TokenSecret.objects.scoped(scope).get(token__key_id=issued.record.key_id)
        digest = tokens.digest(text.value, "for-tests-only-9876543210-ponmlkjihgfedcba")
        TokenSecret.objects.insert(
            scope, token_id=old.token_id, slot=2, digest=digest, pepper_version=1, last=text.last
        )
        TokenSecret.objects.scoped(scope).filter(pk=old.pk).update(expires_at=ends)
    return text.value


def test_both_slots_open_during_the_grace_of_a_roll(alice: Actor) -> None:
    issued = issued_for(alice)
    newer = add_slot(alice.tenant, issued, ends=ago(hours=-1))

    assert enter(issued.value).token_slot == 1
    assert enter(newer).token_slot == 2


def test_the_old_slot_is_dead_after_its_grace(alice: Actor) -> None:
    issued = issued_for(alice)
    newer = add_slot(alice.tenant, issued, ends=ago(hours=1))

    assert enter(newer).token_slot == 2
    with pytest.raises(Unauthorized):
        enter(issued.value)


def test_a_secret_made_with_a_pepper_taken_away_is_dead(alice: Actor) -> None:
    issued = issued_for(alice)
    scope = operator_scope(alice.tenant.ref)
    with tenancy.tenant_context(alice.tenant.id):
        TokenSecret.objects.scoped(scope).update(pepper_version=2)

    with pytest.raises(Unauthorized):
        enter(issued.value)


def test_a_token_with_limited_uses_ends_with_the_last(alice: Actor) -> None:
    value = issued_for(alice, max_uses=2).value

    assert enter(value).principal.name == enter(value).principal.name == "alice"
    with pytest.raises(Unauthorized):
        enter(value)


def suspend_member(alice: Actor) -> None:
    services.suspend_principal(operator_scope(alice.tenant.ref), principal=alice.key)


def suspend_tenant(alice: Actor) -> None:
    services.suspend_tenant(operator_scope(alice.tenant.ref))


def lock_account(alice: Actor) -> None:
    User.objects.filter(username=alice.name).update(is_active=False)
    decisions.clear()


@pytest.mark.parametrize(
    ("end", "refusal"),
    [(suspend_member, Unauthorized), (suspend_tenant, TenantSuspended), (lock_account, Unauthorized)],
)
def test_a_token_dies_with_its_owner(
    alice: Actor, end: Callable[[Actor], None], refusal: type[Exception]
) -> None:
    issued = issued_for(alice)
    enter(issued.value)
    end(alice)

    with pytest.raises(refusal):
        enter(issued.value)


def test_a_resumed_owner_brings_the_tokens_back(alice: Actor) -> None:
    issued = issued_for(alice)
    suspend_member(alice)
    services.resume_principal(operator_scope(alice.tenant.ref), principal=alice.key)

    assert enter(issued.value).principal.name == "alice"


@pytest.mark.parametrize(
    "place",
    [
        ("south", "default"),
        ("south", "payments"),
        ("nowhere", "default"),
        ("north", "nowhere"),
        ("south", None),
        ("nowhere", None),
        ("NORTH", "default"),
        ("north", "de\x00fault"),
        ("", ""),
        ("north", "x" * 10_000),
        ("\ud800", "default"),
    ],
)
def test_foreign_and_unknown_places_are_refused_alike(
    alice: Actor, mallory: Actor, token_for: TokenFor, place: tuple[str, str | None]
) -> None:
    with pytest.raises(NamespaceNotFound) as refusal:
        enter(token_for(alice), *place)

    assert str(refusal.value) == "Namespace not found."
    assert (refusal.value.code, refusal.value.args) == ("namespace_not_found", ())


def test_a_namespace_without_a_role_is_missing(carol: Actor, token_for: TokenFor) -> None:
    assert enter(token_for(carol), namespace="payments").may("subject.write", ORDERS)
    with pytest.raises(NamespaceNotFound):
        enter(token_for(carol), namespace="default")


def test_a_namespace_outside_the_grants_is_missing(
    alice: Actor, payments: NamespaceRecord, token_for: TokenFor
) -> None:
    value = token_for(alice, "subject.read", namespaces=frozenset({payments.id}))

    assert enter(value, namespace="payments").may("subject.read", ORDERS)
    with pytest.raises(NamespaceNotFound):
        enter(value, namespace="default")


def test_bad_tokens_are_unauthorized_wherever_they_knock(alice: Actor) -> None:
    with pytest.raises(Unauthorized):
        enter(tokens.generate(TokenKind.SERVICE).value, "nowhere", "nowhere")


def test_the_owners_roles_bound_the_token_as_they_stand_now(bob: Actor, token_for: TokenFor) -> None:
    value = token_for(bob, "subject.read", "subject.write")
    assert not enter(value).may("subject.write", ORDERS)

    services.bind_role(operator_scope(bob.tenant.ref), principal=bob.key, role="developer")
    assert enter(value).may("subject.write", ORDERS)

    services.unbind_role(operator_scope(bob.tenant.ref), principal=bob.key, role="developer")
    assert not enter(value).may("subject.write", ORDERS)
    assert enter(value).may("subject.read", ORDERS)


def test_the_tokens_grants_bound_its_owner(alice: Actor, token_for: TokenFor) -> None:
    scope = enter(token_for(alice, "subject.read", "subject.write", subjects=("orders-*",)))

    assert scope.may("subject.write", ORDERS)
    assert not scope.may("subject.write", SubjectName("bills-value"))
    assert not scope.may("subject.delete", ORDERS)


def test_the_tenant_as_a_whole_has_a_scope_too(alice: Actor, token_for: TokenFor) -> None:
    scope = enter(token_for(alice), namespace=None)

    assert scope.namespace is None
    assert scope.may("member.manage")


def test_a_service_account_is_a_caller(north: TenantRecord) -> None:
    account = factories.make_account(north, "loader", role="developer")
    issued = factories.make_token(operator_scope(north.ref), account.key)

    assert enter(issued.value).principal.key == "service:loader"
    assert issued.value.startswith("accs_")


def test_a_known_token_costs_no_question(alice: Actor, token_for: TokenFor) -> None:
    value = token_for(alice)
    enter(value)
    tenancy.activate(alice.tenant.id)

    with CaptureQueriesContext(connection) as queries:
        enter(value)
    assert not [query for query in queries if "resolve_" in query["sql"]]


def test_an_unknown_token_costs_two_questions(alice: Actor, token_for: TokenFor) -> None:
    value = token_for(alice)

    with CaptureQueriesContext(connection) as queries:
        enter(value)
    assert len([query for query in queries if "resolve_" in query["sql"]]) == 2


def test_limited_tokens_are_never_remembered(alice: Actor) -> None:
    value = issued_for(alice, max_uses=5).value
    before = len(decisions)
    enter(value)

    assert len(decisions) == before


def test_a_revoked_token_is_dead_at_once_with_its_children(alice: Actor) -> None:
    parent = issued_for(alice)
    child = factories.make_token(enter(parent.value, namespace=None), alice.key)
    assert enter(child.value).token_key == child.record.key_id

    services.revoke_token(operator_scope(alice.tenant.ref), key_id=parent.record.key_id)
    for value in (parent.value, child.value):
        with pytest.raises(Unauthorized):
            enter(value)
