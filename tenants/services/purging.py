"""Removing what was deleted and kept for the time of grace, in small transactions that can be cut anywhere.

What is left in the tables says how far it came; there is no other state.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.scope import TenantRef
from tenants.grace import kept_since
from tenants.models import AuditRecord, AuditSeal, PurgedTenant, Tenant
from tenants.owned import owned_models, refers_to_itself
from tenants.principals import operator_scope
from tenants.records import AuditEntry
from tenants.services.audit import record_audit
from tenants.services.audit_sealing import seal_waiting
from tenants.services.guarding import forget_permissions

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tenants.owned import OwnedModel

log = logging.getLogger("accord.tenants")

BATCH: Final = 1_000
# Well below the limit of a task; the next run goes on.
TURN_S: Final = 60.0
PURGE_ROWS: Final = "SELECT accord_purge_rows(%s, %s, %s, %s)"
TENANT: Final = "DELETE FROM tenants_tenant WHERE id = %s"


def purge_tenants(*, batch: int = BATCH, seconds: float = TURN_S) -> int:
    """Remove tenants whose grace has passed, for so long at most; return how many are gone."""
    until = time.monotonic() + seconds
    overdue = tenants_from("accord_tenants_to_purge", kept_since(), are_deleted=True)
    return sum(_purge(tenant, batch, until) for tenant in overdue)


def _purge(tenant_id: UUID, batch: int, until: float) -> bool:
    with tenancy.tenant_context(tenant_id):
        if not begin_end(tenant_id):
            return False
        for model in owned_models():
            while _remove(tenant_id, model, batch):
                if time.monotonic() > until:
                    return False
        return end(tenant_id)


def begin_end(tenant_id: UUID) -> bool:
    """Begin the end, which nothing takes back; False where the tenant was restored a moment ago."""
    with transaction.atomic():
        row = Tenant.objects.select_for_update().filter(id=tenant_id, deleted_at__isnull=False).first()
        if row is None or row.deleted_at is None:
            return False
        if row.purge_begun_at is None and row.deleted_at < kept_since():
            _seal_the_log(operator_scope(TenantRef(row.id, row.slug)), row, row.deleted_at)
            row.purge_begun_at = timezone.now()
            row.save(update_fields=["purge_begun_at"])
            log.warning("tenant %s, deleted at %s, is being purged", row.slug, row.deleted_at)
        return row.purge_begun_at is not None


def _seal_the_log(scope: Scope, row: Tenant, deleted_at: datetime) -> None:
    """Write the last record, and keep where the log ends."""
    record_audit(scope, entry=AuditEntry("tenant.purge", "tenant", row.slug))
    seal_waiting(scope)
    forget_permissions(scope)
    last = AuditSeal.objects.scoped(scope).order_by("-number").first()
    PurgedTenant.objects.create(
        tenant_id=row.id,
        slug=row.slug,
        created_at=row.created_at,
        deleted_at=deleted_at,
        audit_records=AuditRecord.objects.scoped(scope).count(),
        last_seal=last.number if last else 0,
        last_digest=last.digest if last else b"",
    )


def _remove(tenant_id: UUID, model: OwnedModel, most: int) -> int:
    """Remove some rows of a table, in a transaction of their own; return how many went."""
    with connection.cursor() as cursor:
        cursor.execute(PURGE_ROWS, [tenant_id, model._meta.db_table, refers_to_itself(model), most])
        (removed,) = cursor.fetchone()
        return int(removed)


def end(tenant_id: UUID) -> bool:
    """Remove the tenant itself; False where somebody added a row meanwhile, which the next run finds."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(TENANT, [tenant_id])
            PurgedTenant.objects.filter(tenant_id=tenant_id).update(ended_at=timezone.now())
    except IntegrityError:
        return False
    return True
