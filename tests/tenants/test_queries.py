"""What people see of tenants and namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import AnonymousUser

from accord.model import SubjectName
from accord_server.kit import tenancy
from tenants import queries, services
from tenants.errors import NamespaceNotFound, RightMissing
from tenants.principals import operator_scope
from tests import factories
from tests.cast import issued_for

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from tenants.records import NamespaceRecord, TenantRecord
    from tests.cast import Actor, ScopeFor


def test_people_see_their_own_tenants_alone(alice: Actor, mallory: Actor) -> None:
    tenancy.deactivate()

    assert [tenant.slug for tenant in queries.tenants_of(alice.user)] == ["north"]
    assert [tenant.slug for tenant in queries.tenants_of(mallory.user)] == ["south"]
    assert queries.tenants_of(AnonymousUser()) == ()


def test_a_person_may_be_in_two_tenants(alice: Actor, south: TenantRecord) -> None:
    services.add_member(operator_scope(south.ref), username="alice")

    assert [tenant.slug for tenant in queries.tenants_of(alice.user)] == ["north", "south"]


def test_a_page_gets_the_scope_of_the_persons_roles(alice: Actor, scope_for: ScopeFor) -> None:
    scope = scope_for(alice)

    assert scope.principal.key == "person:alice"
    assert scope.may("subject.delete", SubjectName("orders"))
    assert tenancy.active_tenant() == alice.tenant.id


@pytest.mark.parametrize(
    ("tenant", "namespace"),
    [("south", "default"), ("south", None), ("nowhere", None), ("north", "nowhere"), ("no\x00", None)],
)
def test_foreign_and_unknown_places_look_alike(
    alice: Actor, south: TenantRecord, tenant: str, namespace: str | None
) -> None:
    with pytest.raises(NamespaceNotFound) as refusal:
        queries.scope_for_user(alice.user, tenant, namespace)
    assert str(refusal.value) == "Namespace not found."


def test_strangers_have_no_scope(north: TenantRecord) -> None:
    with pytest.raises(NamespaceNotFound):
        queries.scope_for_user(AnonymousUser(), "north", "default")


def test_an_inactive_account_has_no_scope(alice: Actor) -> None:
    user = alice.user
    user.is_active = False

    assert queries.tenants_of(user) == ()
    with pytest.raises(NamespaceNotFound):
        queries.scope_for_user(user, "north", "default")


def test_namespaces_are_listed_as_far_as_they_are_open(
    alice: Actor, bob: Actor, carol: Actor, scope_for: ScopeFor
) -> None:
    def slugs(actor: Actor) -> list[str]:
        return [found.slug for found in queries.namespaces_of(scope_for(actor, None))]

    assert slugs(alice) == slugs(bob) == ["default", "payments"]
    assert slugs(carol) == ["payments"]


def test_carol_comes_in_by_her_namespace_alone(carol: Actor, scope_for: ScopeFor) -> None:
    assert scope_for(carol, "payments").may("subject.write", SubjectName("orders"))
    with pytest.raises(NamespaceNotFound):
        scope_for(carol, "default")


def test_a_namespace_is_found_only_where_open(
    carol: Actor, payments: NamespaceRecord, scope_for: ScopeFor
) -> None:
    scope = scope_for(carol, None)

    assert queries.find_namespace(scope, "payments") == payments
    with pytest.raises(NamespaceNotFound):
        queries.find_namespace(scope, "default")


def test_the_tenant_knows_its_name(alice: Actor, scope_for: ScopeFor) -> None:
    assert queries.tenant_of(scope_for(alice)) == alice.tenant


def test_principals_are_listed_for_who_may_see_them(alice: Actor, bob: Actor, scope_for: ScopeFor) -> None:
    factories.make_account(alice.tenant, "robot")

    found = queries.principals_of(scope_for(alice))
    assert [record.key for record in found] == ["person:alice", "person:bob", "service:robot"]
    with pytest.raises(RightMissing):
        queries.principals_of(scope_for(bob))


def test_lists_take_a_constant_number_of_statements(
    alice: Actor, scope_for: ScopeFor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        issued_for(alice)
    scope = scope_for(alice)

    with django_assert_num_queries(2):
        assert len(queries.tokens_of(scope)) == 5
