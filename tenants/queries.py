"""Reads of this room. What precedes the tenant goes through the definer functions of migration 0002."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Q

from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef, Principal, PrincipalKind, Scope, TenantRef
from tenants.access import grants_of_bindings, is_visible, require, require_visible
from tenants.errors import NamespaceNotFound, PrincipalNotFound
from tenants.grants import anonymous_grants
from tenants.models import (
    AnonymousGrant,
    Member,
    Namespace,
    RoleBinding,
    ServiceAccount,
    Tenant,
    Token,
    TokenSecret,
)
from tenants.principals import ANYBODY, parse_key, principal_of
from tenants.records import (
    AnonymousAccess,
    Binding,
    NamespaceRecord,
    PrincipalRecord,
    StoredSecret,
    TenantRecord,
    TokenRecord,
)
from tenants.slugs import is_slug
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from django.contrib.auth.models import AnonymousUser, User

    from accord_server.kit.scope import Grant

BY_KEY_ID: Final = "SELECT * FROM resolve_token(%s)"
BY_SLUGS: Final = "SELECT * FROM resolve_namespace(%s, %s)"
ANONYMOUS_BY_SLUGS: Final = "SELECT * FROM resolve_anonymous(%s, %s)"
TENANTS_OF_USER: Final = "SELECT * FROM tenants_of_user(%s)"


@dataclass(frozen=True, slots=True)
class ResolvedToken:
    """All that decides about a token, as it stands now. ``lives_for`` is negative once it is over."""

    token_id: int
    tenant: TenantRef
    owner: Principal
    is_alive: bool
    lives_for: timedelta
    is_counted: bool
    grants: object
    conditions: object
    secrets: tuple[StoredSecret, ...]
    bindings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address leads: a tenant, and a namespace where one was named."""

    tenant: TenantRef
    is_active: bool
    namespace: NamespaceRef | None


def resolve_token(key_id: str) -> ResolvedToken | None:
    """Return what is stored of a token, whoever's it is."""
    rows = _rows(BY_KEY_ID, key_id)
    return _resolved(rows[0]) if rows else None


def resolve_place(tenant_slug: str, namespace_slug: str | None) -> Place | None:
    """Return where the two slugs lead, or None if nowhere."""
    named = (tenant_slug,) if namespace_slug is None else (tenant_slug, namespace_slug)
    if not all(is_slug(slug) for slug in named):
        return None
    rows = _rows(BY_SLUGS, tenant_slug, namespace_slug)
    if not rows or (namespace_slug is not None and rows[0]["namespace_id"] is None):
        return None
    tenant = TenantRef(rows[0]["tenant_id"], tenant_slug)
    namespace = None if namespace_slug is None else NamespaceRef(rows[0]["namespace_id"], namespace_slug)
    return Place(tenant, rows[0]["is_active"], namespace)


def resolve_anonymous(tenant_slug: str, namespace_slug: str) -> Scope | None:
    """Return the scope of a caller without a token, or None where that is nobody.

    Suspended tenants, unknown places and places that nobody opened are all alike.
    """
    if not (is_slug(tenant_slug) and is_slug(namespace_slug)):
        return None
    rows = _rows(ANONYMOUS_BY_SLUGS, tenant_slug, namespace_slug)
    if not rows:
        return None
    (row,) = rows
    namespace = NamespaceRef(row["namespace_id"], namespace_slug)
    grants = anonymous_grants(row["access"], json.loads(row["subjects"]), namespace.id)
    tenant = TenantRef(row["tenant_id"], tenant_slug)
    return Scope(tenant, namespace, ANYBODY, grants) if grants else None


def anonymous_access(scope: Scope) -> AnonymousAccess:
    """Return what callers without a token may do in the namespace.

    Raises:
        RightMissing: Without ``namespace.read``.
    """
    require(scope, "namespace.read")
    row = anonymous_row(scope)
    if row is None:
        return AnonymousAccess()
    return AnonymousAccess(row.access, tuple(row.subjects), row.created_at, row.created_by)


def anonymous_row(scope: Scope) -> AnonymousGrant | None:
    """Return the row that opens the namespace to callers without a token, for services of this room."""
    rows = AnonymousGrant.objects.scoped(scope).filter(namespace_id=namespace_of(scope).id)
    row: AnonymousGrant | None = rows.first()
    return row


def namespace_of(scope: Scope) -> NamespaceRef:
    """Return the namespace that a call is about.

    Raises:
        NamespaceNotFound: It is about the tenant as a whole.
    """
    if scope.namespace is None:
        raise NamespaceNotFound
    return scope.namespace


def tenants_of(user: User | AnonymousUser) -> tuple[TenantRecord, ...]:
    """Return the active tenants in which the person is an active member, by slug."""
    if not user.is_active or user.pk is None:
        return ()
    rows = _rows(TENANTS_OF_USER, user.pk)
    return tuple(TenantRecord(row["tenant_id"], row["slug"], row["name"]) for row in rows)


def scope_for_user(user: User | AnonymousUser, tenant_slug: str, namespace_slug: str | None = None) -> Scope:
    """Return the scope of a signed-in person, and let the connection see that tenant.

    Raises:
        NamespaceNotFound: Tenant or namespace unknown, suspended, or none of this person's business.
    """
    place = resolve_place(tenant_slug, namespace_slug)
    if place is None or not place.is_active or not user.is_active:
        raise NamespaceNotFound
    tenancy.activate(place.tenant.id)
    caller = principal_of(PrincipalKind.PERSON, user.get_username())
    bare = Scope(tenant=place.tenant, namespace=place.namespace, principal=caller)
    scope = replace(bare, grants=_grants_of_user(bare, user))
    if place.namespace is not None:
        require_visible(scope.grants, place.namespace.id)
    return scope


def namespaces_of(scope: Scope) -> tuple[NamespaceRecord, ...]:
    """Return the namespaces in which anything is open to the caller, by slug."""
    rows = Namespace.objects.scoped(scope).order_by("slug")
    return tuple(namespace_record(row) for row in rows if is_visible(scope.grants, row.id))


def tenant_of(scope: Scope) -> TenantRecord:
    """Return the caller's tenant."""
    row = Tenant.objects.get(id=scope.tenant.id)
    return TenantRecord(row.id, row.slug, row.name)


def principals_of(scope: Scope) -> tuple[PrincipalRecord, ...]:
    """Return members and service accounts, by key.

    Raises:
        RightMissing: Without ``member.read``.
    """
    require(scope, "member.read")
    members = Member.objects.scoped(scope).select_related("user")
    accounts = ServiceAccount.objects.scoped(scope)
    found = [principal_record(row) for row in (*members, *accounts)]
    return tuple(sorted(found, key=lambda record: record.key))


def tokens_of(scope: Scope) -> tuple[TokenRecord, ...]:
    """Return the tenant's tokens without their secrets, newest first.

    Raises:
        RightMissing: Without ``token.read``.
    """
    require(scope, "token.read")
    rows = Token.objects.scoped(scope).select_related("member__user", "service_account").order_by("-id")
    last = dict(TokenSecret.objects.scoped(scope).order_by("created_at").values_list("token_id", "last"))
    return tuple(token_record(row, last.get(row.pk, "")) for row in rows)


def find_principal(scope: Scope, key: str) -> Member | ServiceAccount:
    """Return the row of a principal, for services of this room.

    Raises:
        PrincipalNotFound: No such member or service account in this tenant.
    """
    wanted = parse_key(key)
    found: Member | ServiceAccount | None = None
    if wanted is not None and wanted.kind is PrincipalKind.PERSON:
        members = Member.objects.scoped(scope).select_related("user")
        found = members.filter(user__username=wanted.name).first()
    elif wanted is not None and wanted.kind is PrincipalKind.SERVICE:
        found = ServiceAccount.objects.scoped(scope).filter(slug=wanted.name).first()
    if found is None:
        raise PrincipalNotFound(key)
    return found


def find_namespace(scope: Scope, slug: str) -> NamespaceRecord:
    """Return a namespace by slug.

    Raises:
        NamespaceNotFound: Unknown, or nothing in it is open to the caller.
    """
    row = Namespace.objects.scoped(scope).filter(slug=slug).first()
    if row is None or not is_visible(scope.grants, row.id):
        raise NamespaceNotFound
    return namespace_record(row)


def grants_of_principal(scope: Scope, row: Member | ServiceAccount) -> tuple[Grant, ...]:
    """Return what a principal's roles open just now."""
    return grants_of_bindings(_bindings(scope, row))


def principal_record(row: Member | ServiceAccount) -> PrincipalRecord:
    """Turn a row into what other rooms see."""
    if isinstance(row, Member):
        who = principal_of(PrincipalKind.PERSON, row.user.get_username())
        return PrincipalRecord(who.key, who.kind, who.name, row.is_active and row.user.is_active)
    who = principal_of(PrincipalKind.SERVICE, row.slug)
    return PrincipalRecord(who.key, who.kind, who.name, row.is_active)


def namespace_record(row: Namespace) -> NamespaceRecord:
    """Turn a row into what other rooms see."""
    return NamespaceRecord(row.id, row.slug, row.name, row.description)


def token_record(row: Token, last: str) -> TokenRecord:
    """Turn a row into what other rooms see; ``last`` are the last characters of its newest secret."""
    owner = row.member or row.service_account
    return TokenRecord(
        key_id=row.key_id,
        kind=TokenKind(row.kind),
        name=row.name,
        owner=principal_record(owner).key if owner else "",
        state=row.state,
        last=last,
        expires_at=row.expires_at,
    )


def database_now() -> datetime:
    """Return the database's time, by which tokens live and die."""
    now: datetime = _rows("SELECT now() AS now")[0]["now"]
    return now


def database_clock() -> datetime:
    """Return what the database's clock shows, which moves on within a transaction too."""
    now: datetime = _rows("SELECT clock_timestamp() AS now")[0]["now"]
    return now


def _grants_of_user(scope: Scope, user: User | AnonymousUser) -> tuple[Grant, ...]:
    member = Member.objects.scoped(scope).filter(user_id=user.pk, is_active=True).first()
    if member is None:
        raise NamespaceNotFound
    return grants_of_principal(scope, member)


def _bindings(scope: Scope, row: Member | ServiceAccount) -> list[Binding]:
    held = Q(member_id=row.pk) if isinstance(row, Member) else Q(service_account_id=row.pk)
    rows = RoleBinding.objects.scoped(scope).filter(held).order_by("id")
    return [Binding(one.role, one.namespace_id, one.subjects) for one in rows]


def _rows(statement: str, *values: str | int | None) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _resolved(row: dict[str, Any]) -> ResolvedToken:
    return ResolvedToken(
        token_id=row["token_id"],
        tenant=TenantRef(row["tenant_id"], row["tenant_slug"]),
        owner=principal_of(PrincipalKind(row["owner_kind"]), row["owner_name"]),
        is_alive=row["is_alive"],
        lives_for=row["lives_for"],
        is_counted=row["is_counted"],
        grants=json.loads(row["grants"]),
        conditions=json.loads(row["conditions"]),
        secrets=tuple(_secret(entry) for entry in json.loads(row["secrets"])),
        bindings=tuple(_binding(entry) for entry in json.loads(row["bindings"])),
    )


def _secret(entry: dict[str, Any]) -> StoredSecret:
    return StoredSecret(entry["slot"], bytes.fromhex(entry["digest"]), entry["pepper_version"])


def _binding(entry: dict[str, Any]) -> Binding:
    namespace = entry["namespace"]
    return Binding(entry["role"], UUID(namespace) if namespace else None, entry["subjects"])
