"""People, programs and the roles they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.model import SubjectName
from accord_server.kit import tenancy
from tenants import services
from tenants.errors import (
    InvalidGrant,
    InvalidSlug,
    InvalidUser,
    LimitReached,
    NamespaceNotFound,
    PrincipalNotFound,
    RightMissing,
    SlugTaken,
    UnknownRole,
)
from tenants.models import RoleBinding
from tenants.principals import operator_scope
from tenants.services.roles import MAX_BINDINGS
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tenants.records import TenantRecord
    from tests.cast import Actor, ScopeFor


@pytest.mark.parametrize(
    ("username", "password"),
    [
        ("", factories.PASSWORD),
        ("a b", factories.PASSWORD),
        ("x\x00", factories.PASSWORD),
        ("x" * 151, factories.PASSWORD),
        ("erin", "short"),
        ("erin", "password"),
        ("erin-the-great", "erin-the-great"),
    ],
)
def test_a_bad_name_or_password_is_refused(db: None, username: str, password: str) -> None:
    with pytest.raises(InvalidUser):
        services.create_user(username=username, password=password)


def test_a_user_name_is_taken_once(alice: Actor) -> None:
    with pytest.raises(SlugTaken):
        services.create_user(username="alice", password=factories.PASSWORD)


def test_a_person_nobody_invited_is_nobody(north: TenantRecord, scope_for: ScopeFor) -> None:
    from tests.cast import Actor

    services.create_user(username="erin", password=factories.PASSWORD)

    with pytest.raises(NamespaceNotFound):
        scope_for(Actor("erin", north))


def test_a_member_without_a_role_sees_no_namespace(north: TenantRecord, scope_for: ScopeFor) -> None:
    from tests.cast import Actor

    factories.make_person(north, "erin")

    assert scope_for(Actor("erin", north), None).grants == ()
    with pytest.raises(NamespaceNotFound):
        scope_for(Actor("erin", north))


def test_adding_a_member_twice_changes_nothing(alice: Actor, scope_for: ScopeFor) -> None:
    assert services.add_member(scope_for(alice), username="alice").key == "person:alice"


def test_an_unknown_account_cannot_become_a_member(alice: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(PrincipalNotFound):
        services.add_member(scope_for(alice), username="nobody")


CALLS: dict[str, Callable[[Scope], Any]] = {
    "add_member": lambda scope: services.add_member(scope, username="bob"),
    "create_service_account": lambda scope: services.create_service_account(scope, slug="robot"),
    "bind_role": lambda scope: services.bind_role(scope, principal="person:bob", role="admin"),
    "unbind_role": lambda scope: services.unbind_role(scope, principal="person:alice", role="admin"),
    "suspend": lambda scope: services.suspend_principal(scope, principal="person:alice"),
    "resume": lambda scope: services.resume_principal(scope, principal="person:alice"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_viewer_changes_nobody(
    alice: Actor, bob: Actor, scope_for: ScopeFor, call: Callable[[Scope], Any]
) -> None:
    with pytest.raises(RightMissing):
        call(scope_for(bob))


@pytest.mark.parametrize("call", [CALLS["bind_role"], CALLS["suspend"]], ids=["bind", "suspend"])
def test_nobody_reaches_into_another_tenant(
    alice: Actor, bob: Actor, mallory: Actor, scope_for: ScopeFor, call: Callable[[Scope], Any]
) -> None:
    with pytest.raises(PrincipalNotFound):
        call(scope_for(mallory))
    assert scope_for(alice).may("member.manage")


def test_a_role_on_a_prefix_opens_that_prefix(north: TenantRecord, scope_for: ScopeFor) -> None:
    from tests.cast import Actor

    factories.make_person(north, "erin", role="developer", namespace="default", subjects="orders-*")
    scope = scope_for(Actor("erin", north))

    assert scope.may("subject.write", SubjectName("orders-value"))
    assert not scope.may("subject.write", SubjectName("bills-value"))


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"role": "owner"}, UnknownRole),
        ({"principal": "person:nobody"}, PrincipalNotFound),
        ({"principal": "service:nobody"}, PrincipalNotFound),
        ({"principal": "operator:command-line"}, PrincipalNotFound),
        ({"principal": "alice"}, PrincipalNotFound),
        ({"namespace_slug": "nowhere"}, NamespaceNotFound),
        ({"subjects": "orders-*"}, InvalidGrant),
        ({"subjects": "", "namespace_slug": "default"}, InvalidGrant),
    ],
)
def test_a_role_that_makes_no_sense_is_refused(
    alice: Actor, scope_for: ScopeFor, wish: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        services.bind_role(scope_for(alice), **{"principal": "person:alice", "role": "viewer", **wish})


def test_binding_twice_binds_once(alice: Actor, scope_for: ScopeFor) -> None:
    scope = scope_for(alice)
    for _ in range(2):
        services.bind_role(scope, principal="person:alice", role="viewer", namespace_slug="default")

    assert RoleBinding.objects.scoped(scope).filter(role="viewer").count() == 1


def test_a_principal_holds_a_limited_number_of_roles(north: TenantRecord) -> None:
    account = factories.make_account(north, "robot")
    scope = operator_scope(north.ref)
    wish = {"principal": account.key, "role": "viewer", "namespace_slug": "default"}
    for number in range(MAX_BINDINGS):
        services.bind_role(scope, **wish, subjects=f"s{number}")

    with pytest.raises(LimitReached):
        services.bind_role(scope, **wish, subjects="one-more")


def test_accounts_of_programs_have_slugs(alice: Actor, scope_for: ScopeFor) -> None:
    scope = scope_for(alice)
    services.create_service_account(scope, slug="robot")

    with pytest.raises(SlugTaken):
        services.create_service_account(scope, slug="robot")
    with pytest.raises(InvalidSlug):
        services.create_service_account(scope, slug="Robot")


def test_a_suspended_member_is_shut_out(alice: Actor, bob: Actor, scope_for: ScopeFor) -> None:
    suspended = services.suspend_principal(scope_for(alice), principal=bob.key)

    assert not suspended.is_active
    with pytest.raises(NamespaceNotFound):
        scope_for(bob)
    tenancy.deactivate()
