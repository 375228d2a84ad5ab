"""Tokens are issued, suspended, resumed and revoked."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from accord_server.kit import tenancy
from accord_server.kit.scope import Grant
from tenants import queries, services, tokens
from tenants.authentication import authenticate
from tenants.errors import (
    GrantTooWide,
    InvalidGrant,
    InvalidLifetime,
    PrincipalNotFound,
    RightMissing,
    TokenIsOver,
    TokenNotFound,
    Unauthorized,
)
from tenants.models import Token, TokenSecret, TokenState
from tenants.principals import operator_scope
from tenants.tokens import TokenKind
from tests import factories
from tests.cast import bearer, issued_for

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import NamespaceRecord, TenantRecord
    from tests.cast import Actor, ScopeFor

READ = Grant(frozenset({"subject.read"}))


def came_with(value: str, namespace: str | None = "default") -> Scope:
    return authenticate(bearer(value), tenant_slug="north", namespace_slug=namespace)


def stored(actor: Actor, key_id: str) -> Token:
    with tenancy.tenant_context(actor.tenant.id):
        found: Token = Token.objects.scoped(operator_scope(actor.tenant.ref)).get(key_id=key_id)
        return found


def test_the_value_is_shown_once_and_never_stored(alice: Actor) -> None:
    issued = issued_for(alice)
    with tenancy.tenant_context(alice.tenant.id):
        secret = TokenSecret.objects.scoped(operator_scope(alice.tenant.ref)).get()

    assert issued.value not in repr(issued)
    assert bytes(secret.digest) == tokens.digest(issued.value, "for-tests-only-9876543210-ponmlkjihgfedcba")
    assert (secret.last, secret.slot, secret.pepper_version) == (issued.value[-4:], 1, 1)
    assert issued.record.last == issued.value[-4:]


@pytest.mark.parametrize(
    ("kind", "lifetime"), [(TokenKind.SERVICE, timedelta(days=90)), (TokenKind.CI, timedelta(hours=1))]
)
def test_lifetimes_default_by_kind(north: TenantRecord, kind: TokenKind, lifetime: timedelta) -> None:
    account = factories.make_account(north, "robot", role="viewer")
    issued = factories.make_token(operator_scope(north.ref), account.key, kind=kind)

    assert issued.value.startswith(f"acc{kind}_")
    assert issued.record.expires_at - queries.database_now() == lifetime


@pytest.mark.parametrize(
    "wish",
    [
        {"lifetime": timedelta(0)},
        {"lifetime": timedelta(seconds=-1)},
        {"lifetime": timedelta(days=367)},
        {"max_uses": 0},
        {"name": ""},
        {"name": "x" * 201},
    ],
)
def test_a_lifetime_outside_the_rules_is_refused(alice: Actor, wish: dict[str, Any]) -> None:
    with pytest.raises(InvalidLifetime):
        issued_for(alice, **wish)


def test_a_token_of_ci_lives_a_day_at_most(north: TenantRecord) -> None:
    account = factories.make_account(north, "robot")
    wish = {"kind": TokenKind.CI, "lifetime": timedelta(days=2)}

    with pytest.raises(InvalidLifetime):
        factories.make_token(operator_scope(north.ref), account.key, **wish)


@pytest.mark.parametrize("kind", [TokenKind.SERVICE, TokenKind.CI, TokenKind.OPERATOR])
def test_a_person_has_only_tokens_of_a_person(alice: Actor, kind: TokenKind) -> None:
    with pytest.raises(InvalidGrant):
        issued_for(alice, kind=kind)


def test_people_issue_their_own_and_no_others(alice: Actor, bob: Actor, scope_for: ScopeFor) -> None:
    own = factories.make_token(scope_for(bob), bob.key, grants=(READ,))

    assert came_with(own.value).may("subject.read")
    with pytest.raises(RightMissing, match=r"token\.manage"):
        factories.make_token(scope_for(bob), alice.key, grants=(READ,))


def test_nobody_hands_out_what_they_may_not_do(bob: Actor, carol: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(GrantTooWide, match=r"subject\.delete"):
        factories.make_token(
            scope_for(bob), bob.key, grants=(Grant(frozenset({"subject.read", "subject.delete"})),)
        )
    with pytest.raises(GrantTooWide, match=r"subject\.read"):
        factories.make_token(scope_for(carol, "payments"), carol.key, grants=(READ,))


@pytest.mark.parametrize(
    "grants",
    [
        (),
        (READ,) * 21,
        (Grant(frozenset({"subject.teleport"})),),
        (Grant(frozenset({"subject.read"}), namespaces=frozenset({UUID(int=7)})),),
    ],
)
def test_grants_that_make_no_sense_are_refused(alice: Actor, grants: tuple[Grant, ...]) -> None:
    with pytest.raises(InvalidGrant):
        factories.make_token(operator_scope(alice.tenant.ref), alice.key, grants=grants)


def test_a_grant_names_no_namespace_of_another_tenant(alice: Actor, south: TenantRecord) -> None:
    theirs = queries.resolve_place("south", "payments")
    assert theirs is not None
    assert theirs.namespace is not None

    with pytest.raises(InvalidGrant):
        issued_for(alice, namespaces=frozenset({theirs.namespace.id}))


def test_an_owner_of_another_tenant_is_missing(alice: Actor, mallory: Actor) -> None:
    with pytest.raises(PrincipalNotFound):
        factories.make_token(operator_scope(alice.tenant.ref), mallory.key)


def test_a_token_needs_the_right_to_mint_even_its_own_children(alice: Actor) -> None:
    parent = issued_for(alice, "subject.read")

    with pytest.raises(RightMissing):
        factories.make_token(came_with(parent.value), alice.key, grants=(READ,))


def test_a_child_is_narrower_and_ends_with_its_parent(alice: Actor) -> None:
    parent = issued_for(alice, "subject.read", "token.manage", lifetime=timedelta(hours=2))
    caller = came_with(parent.value)
    child = factories.make_token(caller, alice.key, grants=(READ,))

    assert child.record.expires_at == parent.record.expires_at
    assert stored(alice, child.record.key_id).parent_id == stored(alice, parent.record.key_id).pk
    with pytest.raises(GrantTooWide):
        factories.make_token(caller, alice.key)


@pytest.mark.parametrize("wanted", [None, 3])
def test_a_child_gets_no_more_uses_than_its_parent_has_left(alice: Actor, wanted: int | None) -> None:
    caller = came_with(issued_for(alice, max_uses=3).value)

    with pytest.raises(InvalidLifetime, match="2 uses left"):
        factories.make_token(caller, alice.key, grants=(READ,), max_uses=wanted)


def test_the_uses_of_children_are_taken_from_their_parent(alice: Actor) -> None:
    parent = issued_for(alice, max_uses=3)
    caller = came_with(parent.value)
    child = factories.make_token(caller, alice.key, grants=(READ,), max_uses=2)

    assert stored(alice, parent.record.key_id).use_count == 3
    for _ in range(2):
        assert came_with(child.value).may("subject.read")
    for spent in (parent, child):
        with pytest.raises(Unauthorized):
            came_with(spent.value)


def test_a_child_cannot_begin_after_its_parent_ends(alice: Actor) -> None:
    parent = issued_for(alice, lifetime=timedelta(hours=2))
    late = queries.database_now() + timedelta(hours=3)

    with pytest.raises(InvalidLifetime):
        factories.make_token(came_with(parent.value), alice.key, not_before=late)


def test_a_child_dies_with_a_suspended_parent_and_returns_with_it(alice: Actor) -> None:
    operator = operator_scope(alice.tenant.ref)
    parent = issued_for(alice)
    child = factories.make_token(came_with(parent.value), alice.key)
    services.suspend_token(operator, key_id=parent.record.key_id)
    with pytest.raises(Unauthorized):
        came_with(child.value)

    services.resume_token(operator, key_id=parent.record.key_id)
    assert came_with(child.value).token_key == child.record.key_id


def test_a_child_dies_with_the_owner_of_its_parent(alice: Actor, north: TenantRecord) -> None:
    robot = factories.make_account(north, "robot", role="viewer")
    parent = issued_for(alice)
    child = factories.make_token(came_with(parent.value), robot.key)
    assert came_with(child.value).principal.key == "service:robot"

    services.suspend_principal(operator_scope(north.ref), principal=alice.key)
    with pytest.raises(Unauthorized):
        came_with(child.value)


def test_revoked_is_for_good(alice: Actor) -> None:
    operator = operator_scope(alice.tenant.ref)
    issued = issued_for(alice)
    revoked = services.revoke_token(operator, key_id=issued.record.key_id)

    assert revoked.state == TokenState.REVOKED
    assert services.revoke_token(operator, key_id=issued.record.key_id) == revoked
    for change in (services.resume_token, services.suspend_token):
        with pytest.raises(TokenIsOver):
            change(operator, key_id=issued.record.key_id)


def test_a_token_of_another_tenant_is_missing(alice: Actor, mallory: Actor, scope_for: ScopeFor) -> None:
    issued = issued_for(alice)

    with pytest.raises(TokenNotFound):
        services.revoke_token(scope_for(mallory), key_id=issued.record.key_id)


def test_people_revoke_their_own_and_admins_revoke_any(alice: Actor, bob: Actor, scope_for: ScopeFor) -> None:
    hers, his = issued_for(alice), issued_for(bob)
    with pytest.raises(RightMissing):
        services.revoke_token(scope_for(bob), key_id=hers.record.key_id)

    services.revoke_token(scope_for(bob), key_id=his.record.key_id)
    services.revoke_token(scope_for(alice), key_id=hers.record.key_id)


def test_the_list_shows_no_secret(alice: Actor, bob: Actor, scope_for: ScopeFor) -> None:
    issued = issued_for(bob)

    assert queries.tokens_of(scope_for(alice)) == (issued.record,)
    assert issued.value not in repr(queries.tokens_of(scope_for(alice)))
    with pytest.raises(RightMissing):
        queries.tokens_of(scope_for(bob))


def test_a_prefix_is_handed_on_within_a_prefix(
    north: TenantRecord, payments: NamespaceRecord, scope_for: ScopeFor
) -> None:
    from tests.cast import Actor

    factories.make_person(north, "erin", role="developer", namespace="payments", subjects="orders-*")
    scope = scope_for(Actor("erin", north), "payments")
    inside, outside = (
        (Grant(frozenset({"subject.write"}), (factories.make_selector(text),), frozenset({payments.id})),)
        for text in ("orders-eu-*", "o*")
    )

    assert factories.make_token(scope, "person:erin", grants=inside).record.owner == "person:erin"
    with pytest.raises(GrantTooWide):
        factories.make_token(scope, "person:erin", grants=outside)
