"""Tenants and namespaces come into being."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from tenants import queries, services
from tenants.errors import InvalidSlug, RightMissing, SlugTaken, TenantSuspended
from tenants.models import Namespace
from tenants.principals import operator_scope
from tenants.slugs import RESERVED, is_slug
from tests import factories

if TYPE_CHECKING:
    from tenants.records import TenantRecord
    from tests.cast import Actor, ScopeFor

GOOD = ["ab", "a1", "orders", "orders-eu-1", "a" * 40]
BAD = ["", "a", "a" * 41, "1a", "-ab", "ab-", "a--b", "Ab", "a_b", "a b", "a.b", "ab\n", "ä1", "ab\x00"]


@pytest.mark.parametrize("slug", GOOD)
def test_a_slug_of_the_right_form_is_taken(db: None, slug: str) -> None:
    assert services.create_tenant(slug=slug, template=None).slug == slug


@pytest.mark.parametrize("slug", [*BAD, "api", "sr", "healthz"])
def test_a_slug_of_the_wrong_form_or_a_reserved_one_is_refused(db: None, slug: str) -> None:
    with pytest.raises(InvalidSlug) as refusal:
        services.create_tenant(slug=slug, template=None)
    assert refusal.value.slug == slug


def test_every_reserved_word_would_otherwise_be_a_slug_or_is_too_short() -> None:
    assert [word for word in RESERVED if not is_slug(word)] == []


def test_a_tenant_is_born_with_its_default_namespace(north: TenantRecord) -> None:
    place = queries.resolve_place("north", "default")

    assert place is not None
    assert place.tenant == north.ref
    assert place.namespace is not None


def test_a_tenants_name_is_taken_once(north: TenantRecord) -> None:
    with pytest.raises(SlugTaken):
        services.create_tenant(slug="north", template=None)


def test_two_tenants_may_name_a_namespace_alike(north: TenantRecord, south: TenantRecord) -> None:
    factories.make_namespace(north, "payments")

    with pytest.raises(SlugTaken):
        factories.make_namespace(north, "payments")


def test_only_an_admin_of_the_tenant_creates_namespaces(bob: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(RightMissing, match=r"namespace\.manage"):
        services.create_namespace(scope_for(bob), slug="mine", template=None)


def test_an_admin_of_one_namespace_creates_no_others(north: TenantRecord, scope_for: ScopeFor) -> None:
    from tests.cast import Actor

    factories.make_person(north, "dora", role="admin", namespace="default")

    with pytest.raises(RightMissing):
        services.create_namespace(scope_for(Actor("dora", north)), slug="mine", template=None)


def test_an_admin_creates_a_namespace(alice: Actor, scope_for: ScopeFor) -> None:
    made = services.create_namespace(
        scope_for(alice), slug="billing", name="Billing", description="Bills", template=None
    )

    assert scope_for(alice, "billing").namespace == made.ref
    assert (made.name, made.description) == ("Billing", "Bills")


def test_a_failed_change_leaves_nothing_behind(alice: Actor, scope_for: ScopeFor) -> None:
    scope = scope_for(alice)
    with pytest.raises(SlugTaken):
        services.create_namespace(scope, slug="default", template=None)

    tenancy.activate(alice.tenant.id)
    assert Namespace.objects.scoped(scope).count() == 1


def test_a_service_leaves_the_connection_as_it_found_it(north: TenantRecord, south: TenantRecord) -> None:
    tenancy.activate(north.id)
    factories.make_namespace(south, "guests")

    assert tenancy.active_tenant() == north.id


def test_only_the_operator_suspends_a_tenant(alice: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(RightMissing):
        services.suspend_tenant(scope_for(alice))


def test_a_suspended_tenant_shuts_people_out_until_resumed(alice: Actor, scope_for: ScopeFor) -> None:
    services.suspend_tenant(operator_scope(alice.tenant.ref))
    with pytest.raises(TenantSuspended, match="'north' is suspended"):
        scope_for(alice)
    assert queries.tenants_of(alice.user) == ()

    services.resume_tenant(operator_scope(alice.tenant.ref))
    assert scope_for(alice).tenant.slug == "north"
