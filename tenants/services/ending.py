"""The end of a tenant, by whoever runs the installation: deleted at once, and for good after the grace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from accord_server.kit.scope import PrincipalKind, TenantRef
from tenants.announcements import announce_tenant
from tenants.errors import NotConfirmed, RightMissing, TenantGoing, TenantNotDeleted
from tenants.models import Tenant
from tenants.principals import operator_scope
from tenants.queries import tenant_record
from tenants.queries.operators import deleted_tenant
from tenants.records import AuditEntry
from tenants.services.audit import record_audit
from tenants.services.changes import change

if TYPE_CHECKING:
    from datetime import datetime

    from accord_server.kit.scope import Principal, Scope
    from tenants.records import TenantRecord

DELETE: Final = "tenant.delete"


def delete_tenant(scope: Scope, *, confirmed: str) -> TenantRecord:
    """Make the tenant look missing to everybody, at once; it can be restored until its grace has passed.

    Raises:
        RightMissing: The caller is not the operator.
        NotConfirmed: The name of the tenant was not repeated.
    """
    if scope.principal.kind is not PrincipalKind.OPERATOR:
        raise RightMissing(DELETE)
    if confirmed != scope.tenant.slug:
        raise NotConfirmed("confirm", scope.tenant.slug)
    return _set_deleted(scope, DELETE, timezone.now())


def restore_tenant(*, slug: str, operator: Principal | None = None) -> TenantRecord:
    """Bring a deleted tenant back with all that it had, in the state that it had; None on the command line.

    Raises:
        TenantNotDeleted: There is no deleted one of this name.
        TenantGoing: Its grace has passed and its rows are being removed.
    """
    found = deleted_tenant(slug)
    if found is None:
        raise TenantNotDeleted(slug)
    if found.is_going:
        raise TenantGoing(slug)
    scope = operator_scope(TenantRef(found.id, slug))
    return _set_deleted(
        scope if operator is None else replace(scope, principal=operator), "tenant.restore", None
    )


def _set_deleted(scope: Scope, action: str, moment: datetime | None) -> TenantRecord:
    with change(scope):
        row = Tenant.objects.select_for_update().get(id=scope.tenant.id)
        if row.purge_begun_at is not None:
            raise TenantGoing(row.slug)
        before, row.deleted_at = row.deleted_at, moment
        row.revision += 1
        row.save(update_fields=["deleted_at", "revision"])
        announce_tenant(scope.tenant.id)
        entry = AuditEntry(action, "tenant", row.slug, before=_shown(before), after=_shown(moment))
        record_audit(scope, entry=entry)
    return tenant_record(row)


def _shown(moment: datetime | None) -> dict[str, Any]:
    return {"deleted_at": moment.isoformat() if moment else None}
