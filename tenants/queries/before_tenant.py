"""What precedes the tenant, asked of definer functions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from accord_server.kit.scope import NamespaceRef, Principal, PrincipalKind, Scope, TenantRef
from tenants.errors import TenantSuspended
from tenants.grants import anonymous_grants
from tenants.principals import ANYBODY, principal_of
from tenants.queries.rows import rows_of
from tenants.records import (
    Binding,
    StoredSecret,
    TenantRecord,
)
from tenants.slugs import is_slug

if TYPE_CHECKING:
    from datetime import timedelta

    from django.contrib.auth.models import AnonymousUser, User


BY_KEY_ID: Final = "SELECT * FROM resolve_token(%s)"
BY_SLUGS: Final = "SELECT * FROM resolve_namespace(%s, %s)"
ANONYMOUS_BY_SLUGS: Final = "SELECT * FROM resolve_anonymous(%s, %s)"
TENANTS_OF_USER: Final = "SELECT * FROM tenants_of_user(%s)"


@dataclass(frozen=True, slots=True)
class ResolvedToken:
    """All that decides about a token, as it stands now. ``lives_for`` is negative once it is over.

    ``grants`` and ``conditions`` are those of the token and of all that it descends from.
    """

    token_id: int
    tenant: TenantRef
    owner: Principal
    is_alive: bool
    lives_for: timedelta
    is_counted: bool
    grants: tuple[object, ...]
    conditions: tuple[object, ...]
    secrets: tuple[StoredSecret, ...]
    bindings: tuple[Binding, ...]
    forbidden: frozenset[str] = frozenset()
    # It would be alive if its tenant were not suspended.
    is_suspended: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address leads: a tenant, and a namespace where one was named."""

    tenant: TenantRef
    is_active: bool
    namespace: NamespaceRef | None
    needs_second_factor: bool = False


def resolve_token(key_id: str) -> ResolvedToken | None:
    """Return what is stored of a token, whoever's it is."""
    rows = rows_of(BY_KEY_ID, key_id)
    return _resolved(rows[0]) if rows else None


def resolve_place(tenant_slug: str, namespace_slug: str | None) -> Place | None:
    """Return where the two slugs lead, or None if nowhere."""
    named = (tenant_slug,) if namespace_slug is None else (tenant_slug, namespace_slug)
    if not all(is_slug(slug) for slug in named):
        return None
    rows = rows_of(BY_SLUGS, tenant_slug, namespace_slug)
    if not rows or (namespace_slug is not None and rows[0]["namespace_id"] is None):
        return None
    tenant = TenantRef(rows[0]["tenant_id"], tenant_slug)
    found = rows[0]
    namespace = (
        None
        if namespace_slug is None
        else NamespaceRef(found["namespace_id"], namespace_slug, found["format"])
    )
    return Place(tenant, found["is_active"], namespace, found["needs_second_factor"])


def resolve_anonymous(tenant_slug: str, namespace_slug: str) -> Scope | None:
    """Return the scope of a caller without a token, or None where that is nobody.

    Unknown places and places that nobody opened are alike.

    Raises:
        TenantSuspended: The place is open, and its tenant suspended.
    """
    if not (is_slug(tenant_slug) and is_slug(namespace_slug)):
        return None
    rows = rows_of(ANONYMOUS_BY_SLUGS, tenant_slug, namespace_slug)
    if not rows:
        return None
    (row,) = rows
    namespace = NamespaceRef(row["namespace_id"], namespace_slug, row["format"])
    grants = anonymous_grants(row["access"], json.loads(row["subjects"]), namespace.id)
    tenant = TenantRef(row["tenant_id"], tenant_slug)
    if grants and row["is_suspended"]:
        raise TenantSuspended(tenant_slug)
    return Scope(tenant, namespace, ANYBODY, grants) if grants else None


def tenants_of(user: User | AnonymousUser) -> tuple[TenantRecord, ...]:
    """Return the active tenants in which the person is an active member, by slug."""
    if not user.is_active or user.pk is None:
        return ()
    rows = rows_of(TENANTS_OF_USER, user.pk)
    return tuple(TenantRecord(row["tenant_id"], row["slug"], row["name"]) for row in rows)


def _resolved(row: dict[str, Any]) -> ResolvedToken:
    return ResolvedToken(
        token_id=row["token_id"],
        tenant=TenantRef(row["tenant_id"], row["tenant_slug"]),
        owner=principal_of(PrincipalKind(row["owner_kind"]), row["owner_name"]),
        is_alive=row["is_alive"],
        lives_for=row["lives_for"],
        is_counted=row["is_counted"],
        grants=tuple(json.loads(row["line_grants"])),
        conditions=tuple(json.loads(row["line_conditions"])),
        secrets=tuple(_secret(entry) for entry in json.loads(row["secrets"])),
        bindings=tuple(_binding(entry) for entry in json.loads(row["bindings"])),
        forbidden=frozenset(json.loads(row["forbidden"])),
        is_suspended=row["is_suspended"],
    )


def _secret(entry: dict[str, Any]) -> StoredSecret:
    return StoredSecret(entry["slot"], bytes.fromhex(entry["digest"]), entry["pepper_version"])


def _binding(entry: dict[str, Any]) -> Binding:
    namespace = entry["namespace"]
    where = UUID(namespace) if namespace else None
    return Binding(entry["role"], where, entry["subjects"], frozenset(entry["rights"] or ()))
