"""Object permissions of Django follow the roles that people hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from guardian.models import UserObjectPermission  # noqa: TID251  # what is derived is under test

from accord_server.kit import tenancy
from tenants.models import Namespace, Tenant
from tenants.principals import operator_scope
from tenants.services import (
    bind_role,
    create_role,
    remove_principal,
    resume_principal,
    suspend_principal,
    unbind_role,
    update_role,
)

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor

pytestmark = pytest.mark.django_db


def may(actor: Actor, right: str, slug: str | None = None) -> bool:
    """Ask as Django does."""
    scope = operator_scope(actor.tenant.ref)
    with tenancy.tenant_context(actor.tenant.id):
        place = Namespace.objects.scoped(scope).get(slug=slug) if slug else Tenant.objects.get()
        # A fresh one: the permissions of a user are remembered with the object.
        return User.objects.get(username=actor.name).has_perm(f"tenants.{right}", place)


def scope_of(actor: Actor) -> Scope:
    return operator_scope(actor.tenant.ref)


def test_roles_open_the_tenant_or_a_namespace(alice: Actor, bob: Actor, carol: Actor) -> None:
    assert may(alice, "tenant.manage")
    assert may(bob, "subject.read")
    assert not may(bob, "tenant.manage")
    assert may(carol, "subject.write", "payments")
    assert not may(carol, "subject.write", "default")


def test_they_end_with_the_role_and_with_the_person(alice: Actor, carol: Actor) -> None:
    where = {"role": "developer", "namespace_slug": "payments"}
    unbind_role(scope_of(carol), principal=carol.key, **where)
    assert not may(carol, "subject.write", "payments")
    bind_role(scope_of(carol), principal=carol.key, **where)
    told = []
    for step in (suspend_principal, resume_principal):
        step(scope_of(carol), principal=carol.key)
        told.append(may(carol, "subject.write", "payments"))
    remove_principal(scope_of(carol), principal=carol.key, expected=None)
    assert [*told, may(carol, "subject.write", "payments")] == [False, True, False]


def test_a_custom_role_brings_what_it_comes_to_open(alice: Actor, bob: Actor) -> None:
    scope = scope_of(bob)
    create_role(scope, name="purger", rights=frozenset({"subject.purge"}))
    bind_role(scope, principal=bob.key, role="purger", namespace_slug="default")
    assert may(bob, "subject.purge", "default")
    update_role(scope, name="purger", rights=frozenset({"export"}), summary=None, expected=None)
    assert not may(bob, "subject.purge", "default")
    assert may(bob, "export", "default")


def test_a_role_on_some_subjects_is_not_one_on_the_namespace(alice: Actor, bob: Actor) -> None:
    bind_role(scope_of(bob), principal=bob.key, role="editor", namespace_slug="default", subjects="a-*")
    assert not may(bob, "subject.delete", "default")


def test_no_tenant_sees_the_permissions_of_another(alice: Actor, mallory: Actor) -> None:
    seen = []
    for tenant in (alice.tenant, mallory.tenant):
        with tenancy.tenant_context(tenant.id):
            seen.append(set(UserObjectPermission.objects.values_list("user__username", flat=True)))
    tenancy.deactivate()
    assert [*seen, set(UserObjectPermission.objects.values_list("user_id"))] == [
        {"alice"},
        {"mallory"},
        set(),
    ]
