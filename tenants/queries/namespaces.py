"""Tenants and namespaces, as far as the caller may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Q

from accord_server.kit.paging import Batch, batch_of
from tenants.access import is_visible, require, require_everywhere, require_in_tenant, visible_namespaces
from tenants.errors import NamespaceNotFound
from tenants.models import (
    AnonymousGrant,
    Namespace,
    Tenant,
)
from tenants.records import (
    AnonymousAccess,
    NamespaceRecord,
    TenantRecord,
    TokenRules,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from accord_server.kit.scope import NamespaceRef, Scope

READ: Final = "namespace.read"


def anonymous_access(scope: Scope) -> AnonymousAccess:
    """Return what callers without a token may do in the namespace.

    Raises:
        RightMissing: Without ``namespace.read``.
    """
    require(scope, "namespace.read")
    return anonymous_record(anonymous_row(scope))


def anonymous_record(row: AnonymousGrant | None) -> AnonymousAccess:
    """Turn a row, or that there is none, into what others see."""
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


def namespaces_of(scope: Scope) -> tuple[NamespaceRecord, ...]:
    """Return the namespaces in which anything is open to the caller, by slug."""
    rows = Namespace.objects.scoped(scope).filter(deleted_at__isnull=True).order_by("slug")
    return tuple(namespace_record(row) for row in rows if is_visible(scope.grants, row.id))


def tenant_of(scope: Scope) -> TenantRecord:
    """Return the caller's tenant."""
    return tenant_record(Tenant.objects.get(id=scope.tenant.id))


def get_tenant(scope: Scope) -> TenantRecord:
    """Return the caller's tenant.

    Raises:
        RightMissing: Without ``tenant.read``.
    """
    require_in_tenant(scope, "tenant.read")
    return tenant_of(scope)


def tenant_record(row: Tenant) -> TenantRecord:
    """Turn a row into what other rooms see."""
    rules = TokenRules(row.token_lifetime_days, row.token_approval, frozenset(row.token_forbidden))
    state = row.state if row.deleted_at is None else "deleted"
    return TenantRecord(
        row.id,
        row.slug,
        row.name,
        state,
        row.created_at,
        rules,
        row.revision,
        row.deleted_at,
        row.needs_second_factor,
    )


def find_namespace(scope: Scope, slug: str) -> NamespaceRecord:
    """Return a namespace by slug.

    Raises:
        NamespaceNotFound: Unknown, or nothing in it is open to the caller.
    """
    row = Namespace.objects.scoped(scope).filter(slug=slug, deleted_at__isnull=True).first()
    if row is None or not is_visible(scope.grants, row.id):
        raise NamespaceNotFound
    return namespace_record(row)


def namespace_record(row: Namespace) -> NamespaceRecord:
    """Turn a row into what other rooms see."""
    return NamespaceRecord(
        row.id,
        row.slug,
        row.name,
        row.description,
        tuple(row.labels),
        row.properties,
        row.format,
        row.revision,
        row.created_at,
        row.deleted_at,
        row.purge_begun_at,
    )


def get_namespace(scope: Scope) -> NamespaceRecord:
    """Return the namespace that the call is about.

    Raises:
        RightMissing: Without ``namespace.read``.
    """
    require(scope, READ)
    return find_namespace(scope, namespace_of(scope).slug)


def list_namespaces(
    scope: Scope, *, label: str = "", words: str = "", after: str = "", limit: int
) -> Batch[NamespaceRecord]:
    """Return the namespaces in which anything is open to the caller, by slug.

    Those with a label where one is named, and those that hold ``words`` in one of their names.

    Raises:
        RightMissing: Without ``namespace.read`` anywhere in the tenant.
    """
    require_in_tenant(scope, READ)
    rows = Namespace.objects.scoped(scope).filter(deleted_at=None, slug__gt=after)
    visible = visible_namespaces(scope.grants)
    if visible is not None:
        rows = rows.filter(id__in=visible)
    if label:
        rows = rows.filter(labels__contains=[label])
    if words:
        rows = rows.filter(Q(slug__icontains=words) | Q(name__icontains=words))
    return _batch(rows, limit)


def ids_of_namespaces(scope: Scope, slugs: Collection[str]) -> dict[str, str]:
    """Return the ids of the namespaces that the caller may see, by slug, for grants to name."""
    rows = Namespace.objects.scoped(scope).filter(deleted_at=None, slug__in=slugs)
    return {row.slug: str(row.id) for row in rows if is_visible(scope.grants, row.id)}


def deleted_namespaces(scope: Scope, *, after: str = "", limit: int) -> Batch[NamespaceRecord]:
    """Return the namespaces that are deleted, by slug; those whose rows are being removed as well.

    Raises:
        RightMissing: Without ``namespace.manage`` over the whole tenant.
    """
    require_everywhere(scope, "namespace.manage")
    return _batch(Namespace.objects.scoped(scope).filter(deleted_at__isnull=False, slug__gt=after), limit)


def _batch(rows: QuerySet[Namespace], limit: int) -> Batch[NamespaceRecord]:
    found = rows.order_by("slug")[: limit + 1]
    return batch_of(map(namespace_record, found), limit, lambda record: record.slug)
