"""Who forbids deletions: the installation, the tenant, or the namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Q

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import FORBIDDEN_DELETIONS
from registry.life_errors import DeletionForbidden
from registry.life_records import Deletion, DeletionSwitches
from registry.models import DeletionRule
from tenants.access import require

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

INSTALLATION: Final = "installation"
TENANT: Final = "tenant"
NAMESPACE: Final = "namespace"
# "installation", "tenant", "namespace"
# What lets them happen again, by who forbids them.
CHANGE: Final = {
    INSTALLATION: f"Only its operator can allow it, with {FORBIDDEN_DELETIONS.name}.",
    TENANT: "Whoever holds tenant.manage can allow it: PUT /api/v1/tenants/{tenant}/deletion-rules.",
    NAMESPACE: (
        "Whoever holds namespace.manage can allow it:"
        " PUT /api/v1/tenants/{tenant}/namespaces/{namespace}/deletion-rules."
    ),
}
EVERY_KIND: Final = "all"
FIELDS: Final = {Deletion.SOFT: "forbids_soft", Deletion.PERMANENT: "forbids_permanent"}


def deletion_rules(scope: Scope) -> DeletionSwitches:
    """Return what the namespace of the scope forbids by itself, or without one the tenant.

    Raises:
        RightMissing: ``namespace.read`` or ``tenant.read`` is missing.
    """
    require(scope, "tenant.read" if scope.namespace is None else "namespace.read")
    return switches(scope)


def switches(scope: Scope) -> DeletionSwitches:
    """Return the same to whoever has been let in: one statement."""
    rows = _rules(scope)
    row = rows.get(_place(scope))
    forbidding = {kind: by for kind in Deletion if (by := _forbidding(rows, kind))}
    if row is None:
        return DeletionSwitches(in_force=forbidding)
    return DeletionSwitches(row.forbids_soft, row.forbids_permanent, row.revision, forbidding)


def require_deletable(scope: Scope, kind: Deletion) -> None:
    """Refuse a kind of deletion that the installation, the tenant or the namespace forbids.

    Raises:
        DeletionForbidden: Naming who, and how it is allowed again.
    """
    by = _forbidding(_rules(scope), kind)
    if by is not None:
        slug = "" if scope.namespace is None else scope.namespace.slug
        change = CHANGE[by].format(tenant=scope.tenant.slug, namespace=slug)
        raise DeletionForbidden(kind.value.capitalize(), by, change)


def _rules(scope: Scope) -> dict[UUID | None, DeletionRule]:
    rows = DeletionRule.objects.scoped(scope).filter(Q(namespace=None) | Q(namespace=_place(scope)))
    return {row.namespace_id: row for row in rows}


def _place(scope: Scope) -> UUID | None:
    return None if scope.namespace is None else scope.namespace.id


def _forbidding(rows: dict[UUID | None, DeletionRule], kind: Deletion) -> str | None:
    """Return the outermost that forbids it: there it must be allowed first."""
    if configured(FORBIDDEN_DELETIONS) in {kind.value, EVERY_KIND}:
        return INSTALLATION
    found = sorted((key is not None for key, row in rows.items() if getattr(row, FIELDS[kind])))
    return None if not found else (NAMESPACE if found[0] else TENANT)
