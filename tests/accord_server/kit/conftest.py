"""Two tenants whose rows must never meet."""

from __future__ import annotations

from uuid import uuid4

import pytest

from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef, Principal, PrincipalKind, Scope, TenantRef
from tenants.models import Tenant


def make_scope(slug: str) -> Scope:
    """Store a tenant; return the scope of one of its people."""
    reference = TenantRef(uuid4(), f"{slug}-{uuid4().hex[:8]}")
    with tenancy.tenant_context(reference.id):
        Tenant.objects.create(id=reference.id, slug=reference.slug, name=slug)
    principal = Principal(PrincipalKind.PERSON, key=str(uuid4()), name="Alice")
    return Scope(reference, NamespaceRef(uuid4(), "default"), principal, request_id="request-1")


@pytest.fixture
def north(db: None) -> Scope:
    """Alice in the tenant north."""
    return make_scope("north")


@pytest.fixture
def south(db: None) -> Scope:
    """Alice's counterpart in the tenant south."""
    return make_scope("south")
