"""Exports of whole tenants: asked for by an operator, written by a worker, kept for some days to be fetched.

A worker reads in one transaction that sees one moment, and writes parts of the archive on a connection of its
own. One that is lost leaves the parts it wrote; whoever takes the export up begins anew.
"""

from __future__ import annotations

import hashlib
import io
import logging
import time
from datetime import timedelta
from typing import IO, TYPE_CHECKING, Any, Final, cast

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accord_server.kit import nudge, tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.own_connections import own_connection
from accord_server.kit.scope import TenantRef
from registry.export_records import ExportNotDone, ExportNotFound, ExportRecord, ExportUnderWay
from registry.models import ExportPart, ExportState, TenantExport
from registry.models.columns import LONGEST_REASON
from registry.services.archives import write_archive
from registry.services.leases import MAX_ATTEMPTS, lease_end
from tenants.models import Tenant
from tenants.principals import operator_scope
from tenants.records import AuditEntry
from tenants.services import record_audit
from tenants.services.changes import change

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    import psycopg

    from accord_server.kit.scope import Scope

log = logging.getLogger("accord.exports")

WRITE: Final = "registry.write_exports"
PART: Final = 1024 * 1024
KEPT_DAYS: Final = 7
MOST_KEPT: Final = 3
OPEN: Final = (ExportState.QUEUED, ExportState.RUNNING)
# Seconds between two notes of how far a worker got.
BETWEEN_NOTES_S: Final = 1.0
ADD_PART: Final = """
INSERT INTO registry_exportpart (tenant_id, export_id, number, data) VALUES (%s, %s, %s, %s)
"""
MINE: Final = "WHERE tenant_id = %s AND id = %s AND attempts = %s AND state = 'running'"
RENEW: Final = f"UPDATE registry_tenantexport SET leased_until = %s, done = %s, total = %s, size = %s {MINE}"  # noqa: S608  # texts of ours


class Lost(Exception):
    """Somebody else writes this export now, or it was removed."""


def start_export(scope: Scope) -> ExportRecord:
    """Ask for an export of the whole tenant and return it; a worker writes it soon.

    Raises:
        ExportUnderWay: One is being written, or waits for that.
    """
    try:
        with change(scope):
            _forget_oldest(scope)
            row = TenantExport.objects.insert(scope, created_by=scope.principal.key)
            record_audit(scope, entry=AuditEntry("tenant.export", "export", str(row.public_id)))
            transaction.on_commit(_tell_workers)
            return _record(row)
    except IntegrityError:
        with tenancy.tenant_context(scope.tenant.id):
            open_one = (
                TenantExport.objects.scoped(scope).filter(state__in=OPEN).values_list("public_id", flat=True)
            )
            raise ExportUnderWay(str(open_one.first() or "-")) from None


def list_exports(scope: Scope) -> list[ExportRecord]:
    """Return the exports of the tenant, newest first; there are few."""
    return [_record(row) for row in TenantExport.objects.scoped(scope).order_by("-id")]


def get_export(scope: Scope, export: UUID) -> ExportRecord:
    """Return an export.

    Raises:
        ExportNotFound: There is none of this id.
    """
    row = TenantExport.objects.scoped(scope).filter(public_id=export).first()
    if row is None:
        raise ExportNotFound(str(export), KEPT_DAYS)
    return _record(row)


def delete_export(scope: Scope, export: UUID) -> None:
    """Remove an export with its archive; one that is being written ends.

    Raises:
        ExportNotFound: There is none of this id.
    """
    found = get_export(scope, export)
    with change(scope):
        _remove(scope, [found.key])
        record_audit(scope, entry=AuditEntry("tenant.export_delete", "export", str(export)))


def open_archive(scope: Scope, export: UUID, *, start: int = 0) -> tuple[ExportRecord, Iterator[bytes]]:
    """Return an export that is done, and its archive from a byte on, part by part.

    Raises:
        ExportNotFound: There is none of this id.
        ExportNotDone: It is not, or it failed.
    """
    found = get_export(scope, export)
    if found.state != ExportState.DONE:
        raise ExportNotDone(str(export), found.state)
    return found, _parts(scope, found, start)


def _parts(scope: Scope, export: ExportRecord, start: int) -> Iterator[bytes]:
    """Yield parts while the caller takes them: long after the request has lost its tenant."""
    first, within = divmod(start, PART)
    for number in range(first, -(-export.size // PART)):
        with tenancy.tenant_context(scope.tenant.id):
            rows = ExportPart.objects.scoped(scope).filter(export_id=export.key, number=number)
            data = rows.values_list("data", flat=True).first()
        if data is None:
            # Removed meanwhile: the answer ends before the length that it told.
            return
        yield bytes(data)[within:]
        within = 0


def write_exports() -> int:
    """Write what waits, one export after the other; return how many archives are done."""
    waiting = tenants_from("registry_tenants_with_open_exports", timezone.now())
    return sum(map(_write_one, waiting))


def _write_one(tenant: UUID) -> bool:
    """Write the export of one tenant, if one waits; what goes wrong with it holds up no other."""
    try:
        return write_export(operator_scope(TenantRef(tenant, _slug_of(tenant))))
    except Exception:
        log.exception("the export of the tenant %s could not be written, and will be taken up again", tenant)
        return False


def write_export(scope: Scope) -> bool:
    """Write the tenant's export, if one waits; return whether it is done."""
    with tenancy.tenant_context(scope.tenant.id):
        taken = _take(scope)
    if taken is None:
        return False
    with own_connection(scope.tenant.id) as beside:
        parts = _Parts(beside, scope, taken)
        try:
            with parts:
                write_archive(scope, cast("IO[bytes]", parts), parts.note)
        except Lost:
            return False
        except Exception as error:
            log.exception("the export of %s broke", scope.tenant.slug)
            _end(scope, taken, ExportState.FAILED, error=f"{type(error).__name__}: {error}"[:LONGEST_REASON])
            return False
    return _end(scope, taken, ExportState.DONE, size=parts.size, sha256=parts.digest())


def prune_exports() -> int:
    """Remove archives that were kept long enough; return how many."""
    before = timezone.now() - timedelta(days=KEPT_DAYS)
    return sum(_prune(tenant, before) for tenant in tenants_from("registry_tenants_with_old_exports", before))


def _prune(tenant_id: UUID, before: Any) -> int:  # noqa: ANN401  # a moment
    scope = operator_scope(TenantRef(tenant_id, ""))
    with change(scope):
        old = TenantExport.objects.scoped(scope).filter(ended_at__lt=before).values_list("pk", flat=True)
        return _remove(scope, list(old))


def _forget_oldest(scope: Scope) -> None:
    kept = TenantExport.objects.scoped(scope).exclude(state__in=OPEN).order_by("-id")
    _remove(scope, list(kept.values_list("pk", flat=True)[MOST_KEPT - 1 :]))


def _remove(scope: Scope, keys: list[int]) -> int:
    removed = TenantExport.objects.scoped(scope).filter(pk__in=keys).delete()
    return removed[1].get(TenantExport._meta.label, 0)


def _take(scope: Scope) -> TenantExport | None:
    """Take the export that waits, and remove what an earlier worker left of it."""
    now = timezone.now()
    free = TenantExport.objects.scoped(scope).filter(state__in=OPEN, leased_until__lte=now)
    free.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=ExportState.FAILED, ended_at=now, error=f"{MAX_ATTEMPTS} workers were lost on it"
    )
    with transaction.atomic():
        row: TenantExport | None = free.select_for_update(skip_locked=True, of=("self",)).first()
        if row is None:
            return None
        ExportPart.objects.scoped(scope).filter(export_id=row.pk).delete()
        values = {"state": ExportState.RUNNING, "leased_until": lease_end(), "attempts": F("attempts") + 1}
        TenantExport.objects.scoped(scope).filter(pk=row.pk).update(**values)
    row.attempts += 1
    return row


def _end(scope: Scope, row: TenantExport, state: str, **values: Any) -> bool:
    with tenancy.tenant_context(scope.tenant.id):
        mine = TenantExport.objects.scoped(scope).filter(
            pk=row.pk, attempts=row.attempts, state=ExportState.RUNNING
        )
        is_mine = mine.update(state=state, ended_at=timezone.now(), done=F("total"), **values)
    return bool(is_mine) and state == ExportState.DONE


class _Parts(io.RawIOBase):
    """A stream that stores what is written to it, beside the transaction that reads; it cannot go back."""

    def __init__(self, beside: psycopg.Connection[tuple[Any, ...]], scope: Scope, row: TenantExport) -> None:
        super().__init__()
        self.size = 0
        self._sha256 = hashlib.sha256()
        self._beside = beside
        self._scope = scope
        self._row = row
        self._kept = bytearray()
        self._number = 0
        self._told_at = 0.0

    def writable(self) -> bool:
        """Tell that it can be written to."""
        return True

    def write(self, data: Any) -> int:  # noqa: ANN401  # the signature is the base's
        """Store whole parts, and keep the rest for the next."""
        self._kept += data
        self.size += len(data)
        self._sha256.update(data)
        while len(self._kept) >= PART:
            self._store(bytes(self._kept[:PART]))
            del self._kept[:PART]
        return len(data)

    def digest(self) -> bytes:
        """Return the SHA-256 of all that was written."""
        return self._sha256.digest()

    def close(self) -> None:
        """Store what is left."""
        if not self.closed and self._kept:
            self._store(bytes(self._kept))
            self._kept.clear()
        super().close()

    def note(self, done: int, total: int) -> None:
        """Write down how far the work got, now and then, and keep the lease.

        Raises:
            Lost: There is none any more.
        """
        if time.monotonic() - self._told_at < BETWEEN_NOTES_S:
            return
        self._told_at = time.monotonic()
        mine = (self._scope.tenant.id, self._row.pk, self._row.attempts)
        if self._beside.execute(RENEW, [lease_end(), done, total, self.size, *mine]).rowcount == 0:
            raise Lost

    def _store(self, data: bytes) -> None:
        self._beside.execute(ADD_PART, [self._scope.tenant.id, self._row.pk, self._number, data])
        self._number += 1


def _record(row: TenantExport) -> ExportRecord:
    return ExportRecord(
        row.pk,
        row.public_id,
        row.state,
        row.done,
        row.total,
        row.size,
        row.error,
        row.created_at,
        row.created_by,
        row.ended_at,
        None if row.sha256 is None else bytes(row.sha256),
    )


def _slug_of(tenant_id: UUID) -> str:
    with tenancy.tenant_context(tenant_id):
        return Tenant.objects.values_list("slug", flat=True).get(id=tenant_id)


def _tell_workers() -> None:
    nudge.tell(WRITE, queue="jobs")
