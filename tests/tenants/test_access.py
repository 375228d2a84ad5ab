"""What roles open, and what tokens leave of it."""

from __future__ import annotations

from uuid import UUID

import pytest

from accord.model import SubjectName
from accord_server.kit.scope import Grant, Scope
from tenants import access
from tenants.errors import NamespaceNotFound, RightMissing
from tenants.records import Binding
from tests.tenants.test_grants import FIRST, SECOND, scope_of

ORDERS, BILLS = SubjectName("orders-value"), SubjectName("bills-value")


def scope_by(*bindings: Binding, namespace: UUID = FIRST) -> Scope:
    return scope_of(access.grants_of_bindings(bindings), namespace)


def test_a_role_on_the_tenant_opens_every_namespace() -> None:
    for namespace in (FIRST, SECOND):
        access.require(scope_by(Binding("developer"), namespace=namespace), "subject.write", ORDERS)


def test_a_role_on_a_namespace_opens_no_other() -> None:
    bindings = Binding("editor", FIRST)

    access.require(scope_by(bindings), "subject.delete", ORDERS)
    with pytest.raises(RightMissing):
        access.require(scope_by(bindings, namespace=SECOND), "subject.delete", ORDERS)


def test_a_role_on_a_prefix_opens_no_other_subject() -> None:
    scope = scope_by(Binding("developer", FIRST, "orders-*"))

    access.require(scope, "subject.write", ORDERS)
    with pytest.raises(RightMissing) as refusal:
        access.require(scope, "subject.write", BILLS)
    assert refusal.value.right == "subject.write"
    assert "subject.write" in str(refusal.value)


def test_a_role_on_a_prefix_holds_nothing_over_the_whole_namespace() -> None:
    scope = scope_by(Binding("admin", FIRST, "orders-*"))

    for right in ("config.write", "namespace.manage", "token.manage", "member.manage"):
        with pytest.raises(RightMissing):
            access.require(scope, right)
    access.require_somewhere(scope, "config.write")


def test_roles_add_up() -> None:
    scope = scope_by(Binding("viewer"), Binding("developer", FIRST, "orders-*"))

    access.require(scope, "subject.read", BILLS)
    access.require(scope, "subject.write", ORDERS)
    with pytest.raises(RightMissing):
        access.require(scope, "subject.write", BILLS)


def test_a_list_needs_the_right_on_something() -> None:
    with pytest.raises(RightMissing):
        access.require_somewhere(scope_by(Binding("viewer", SECOND)), "subject.list")


def test_a_selector_nobody_can_read_opens_nothing() -> None:
    assert access.grants_of_bindings([Binding("admin", FIRST, "")]) == ()


def test_a_token_never_does_more_than_its_owner() -> None:
    wide = [Grant(frozenset({"subject.read", "subject.delete"}))]
    owner = access.grants_of_bindings([Binding("viewer", FIRST)])
    scope = scope_of(access.effective(wide, owner), FIRST)

    assert scope.may("subject.read", ORDERS)
    assert not scope.may("subject.delete", ORDERS)
    assert not scope_of(access.effective(wide, owner), SECOND).may("subject.read", ORDERS)


def test_an_owner_without_roles_leaves_a_dead_letter() -> None:
    assert access.effective([Grant(frozenset({"subject.read"}))], ()) == ()


def test_seeing_the_tenant_alone_opens_no_namespace() -> None:
    grants = access.grants_of_bindings([Binding("viewer", SECOND)])

    assert access.is_visible(grants, SECOND)
    assert not access.is_visible(grants, FIRST)
    with pytest.raises(NamespaceNotFound):
        access.require_visible(grants, UUID(int=7))
