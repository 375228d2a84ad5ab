"""Removing namespaces whose time of grace is over, as `tenants.services.purging` does tenants.

What others of the tenant may use as well, such as texts and files, is released here and collected later.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, connection
from django.db.models import Q
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.scope import TenantRef
from accord_server.kit.sole import alone_with
from tenants.announcements import announce_tenant
from tenants.grace import kept_since
from tenants.models import Namespace
from tenants.owned import namespace_chains, refers_to_itself
from tenants.principals import operator_scope
from tenants.records import AuditEntry
from tenants.services.audit import record_audit
from tenants.services.changes import change
from tenants.services.guarding import forget_namespace
from tenants.services.namespaces import begin_purge
from tenants.services.purging import BATCH, TURN_S

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tenants.owned import Chain

log = logging.getLogger("accord.tenants")

PURGE_ROWS: Final = "SELECT accord_purge_namespace_rows(%s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class _Turn:
    """How many rows go at once, and until when."""

    batch: int
    until: float

    @property
    def is_over(self) -> bool:
        """Whether it is time to stop."""
        return time.monotonic() > self.until

    def while_it_lasts(self, ids: Iterable[UUID]) -> Iterator[UUID]:
        """Go through these, the first of them in any case, so that every turn gets on."""
        for one in ids:
            yield one
            if self.is_over:
                return


def purge_namespaces(*, batch: int = BATCH, seconds: float = TURN_S) -> int:
    """Remove namespaces whose grace has passed, for so long at most; return how many are gone."""
    turn = _Turn(batch, time.monotonic() + seconds)
    tenants = tenants_from("accord_namespaces_to_purge", kept_since())
    return sum(_purge_in(tenant, turn) for tenant in turn.while_it_lasts(tenants))


def _purge_in(tenant_id: UUID, turn: _Turn) -> int:
    scope = operator_scope(TenantRef(tenant_id, ""))
    with tenancy.tenant_context(tenant_id), alone_with(f"purge namespaces of {tenant_id}") as is_mine:
        if not is_mine:
            return 0
        due = Q(deleted_at__lt=kept_since()) | Q(purge_begun_at__isnull=False)
        rows = Namespace.objects.scoped(scope).filter(due).order_by("deleted_at")
        going = turn.while_it_lasts(rows.values_list("id", flat=True))
        return sum(_purge(scope, namespace_id, turn) for namespace_id in going)


def _purge(scope: Scope, namespace_id: UUID, turn: _Turn) -> bool:
    if not begin_end(scope, namespace_id):
        return False
    try:
        for chain in namespace_chains():
            while _remove(scope, namespace_id, chain, turn.batch):
                if turn.is_over:
                    return False
        _end(scope, namespace_id)
    except IntegrityError:
        # Somebody who was late added a row, which the next run finds.
        return False
    return True


def begin_end(scope: Scope, namespace_id: UUID) -> bool:
    """Begin the end, which nothing takes back; False where the namespace was restored a moment ago."""
    with change(scope):
        row = Namespace.objects.scoped(scope).select_for_update(of=("self",)).filter(id=namespace_id).first()
        if row is None or row.deleted_at is None:
            return False
        if row.purge_begun_at is None and row.deleted_at < kept_since():
            begin_purge(scope, row)
        return row.purge_begun_at is not None


def _remove(scope: Scope, namespace_id: UUID, chain: Chain, most: int) -> int:
    """Remove some rows of a table, in a transaction of their own; return how many went."""
    newest_first = refers_to_itself(chain.model)
    with connection.cursor() as cursor:
        cursor.execute(
            PURGE_ROWS,
            [scope.tenant.id, namespace_id, list(chain.tables), list(chain.columns), newest_first, most],
        )
        (removed,) = cursor.fetchone()
        return int(removed)


def _end(scope: Scope, namespace_id: UUID) -> None:
    """Remove the namespace itself, after which its name is free."""
    with change(scope):
        row = Namespace.objects.scoped(scope).select_for_update(of=("self",)).get(id=namespace_id)
        forget_namespace(namespace_id)
        announce_tenant(scope.tenant.id)
        before = {"id": str(row.id), "deleted_at": row.deleted_at.isoformat() if row.deleted_at else None}
        row.delete()
        record_audit(scope, entry=AuditEntry("namespace.purged", "namespace", row.slug, before=before))
    log.warning(
        "namespace %s of tenant %s, which was deleted, is gone at %s",
        row.slug,
        scope.tenant.id,
        timezone.now(),
    )
