"""Chaining audit records, soon after they were written, and forgetting months that were kept long enough."""

from __future__ import annotations

import logging
from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.db import connections
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.configuration import configured
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.scope import TenantRef
from accord_server.kit.settings_table import AUDIT_MONTHS
from tenants.audit_chain import COLUMNS, NOTHING, Seal, joined, month_of, record_digest
from tenants.models import AuditAnchor, AuditRecord, AuditSeal
from tenants.principals import operator_scope
from tenants.queries.audit_verdicts import is_intact
from tenants.queries.rows import rows_of
from tenants.records import AuditEntry
from tenants.services.audit import record_audit
from tenants.services.changes import change

if TYPE_CHECKING:
    from datetime import date

    from accord_server.kit.scope import Scope

log = logging.getLogger("accord.audit")

MOST_SEALED: Final = 1000
# A tenant with much to seal lets the others have their turn after so many seals.
TURN: Final = 20
MONTHS_AHEAD: Final = 3
# The database drops nothing younger, whatever it is told.
FEWEST_MONTHS: Final = 3
# Any number, the same for all: two processes never chain one tenant at a time.
LOCK_CLASS: Final = 7_241
LOCK: Final = "SELECT pg_advisory_xact_lock(%s, hashtext(%s))"
TAKE: Final = """
DELETE FROM tenants_auditwaiting WHERE record_id IN (
    SELECT record_id FROM tenants_auditwaiting WHERE tenant_id = %s ORDER BY record_id LIMIT %s
) RETURNING record_id
"""
Digested = tuple[int, "date", bytes]


def seal_all() -> int:
    """Chain what waits, one tenant after the other; return how many records were sealed."""
    waiting = tenants_from("accord_tenants_with_unsealed_audit", are_deleted=True)
    return sum(seal_waiting(operator_scope(TenantRef(tenant, "")), turns=TURN) for tenant in waiting)


def seal_waiting(scope: Scope, *, turns: int | None = None) -> int:
    """Chain what waits of a tenant, or so many parts of it; return how many records were sealed."""
    sealed = 0
    while turns is None or turns > 0:
        part = seal_part(scope)
        sealed += part
        if part < MOST_SEALED:
            break
        turns = None if turns is None else turns - 1
    return sealed


def seal_part(scope: Scope, *, limit: int = MOST_SEALED) -> int:
    """Chain the oldest records that wait, in one transaction; return how many.

    A record of a transaction that has not ended is not seen and keeps waiting, whatever its id is.
    """
    with change(scope):
        _take_turn(scope)
        taken = _take(scope, limit)
        if not taken:
            return 0
        _add_seals(scope, _digested(scope, taken))
    return len(taken)


def keep_months() -> int:
    """Open the months to come, and drop those that were kept long enough; return how many were dropped."""
    today = timezone.now()
    for ahead in range(MONTHS_AHEAD + 1):
        rows_of("SELECT accord_open_audit_month(%s)", _months_from(month_of(today), ahead).isoformat())
    kept = configured(AUDIT_MONTHS)
    if not kept:
        return 0
    first_kept = _months_from(month_of(today), -max(kept, FEWEST_MONTHS))
    months = [row["accord_audit_months"] for row in rows_of("SELECT * FROM accord_audit_months()")]
    return sum(_drop(month) for month in months if month < first_kept)


def _take_turn(scope: Scope) -> None:
    with connections[tenancy.ALIAS].cursor() as cursor:
        cursor.execute(LOCK, [LOCK_CLASS, str(scope.tenant.id)])


def _take(scope: Scope, limit: int) -> list[int]:
    with connections[tenancy.ALIAS].cursor() as cursor:
        cursor.execute(TAKE, [scope.tenant.id, limit])
        return sorted(row[0] for row in cursor.fetchall())


def _digested(scope: Scope, ids: list[int]) -> list[Digested]:
    """Return the records with month and digest; one that is gone keeps its place, and the verdict says so."""
    rows = AuditRecord.objects.scoped(scope).filter(id__in=ids).values_list("id", *COLUMNS)
    found = {row[0]: (month_of(row[1 + COLUMNS.index("at")]), record_digest(row[1:])) for row in rows}
    lost = (month_of(timezone.now()), NOTHING)
    return [(number, *found.get(number, lost)) for number in ids]


def _add_seals(scope: Scope, digested: list[Digested]) -> None:
    last = AuditSeal.objects.scoped(scope).order_by("-number").values_list("number", "digest").first()
    number, previous = (last[0], bytes(last[1])) if last else (0, NOTHING)
    now, seals = timezone.now(), []
    for month, group in groupby(sorted(digested, key=lambda one: (one[1], one[0])), key=lambda one: one[1]):
        number += 1
        rows = tuple((key, digest) for key, _, digest in group)
        seals.append(_row(Seal(scope.tenant.id, number, month, now, previous, rows)))
        previous = bytes(seals[-1].digest)
    AuditSeal.objects.scoped(scope).bulk_create(seals)


def _row(seal: Seal) -> AuditSeal:
    return AuditSeal(
        tenant_id=seal.tenant,
        number=seal.number,
        month=seal.month,
        ids=[number for number, _ in seal.rows],
        digests=joined(digest for _, digest in seal.rows),
        previous=seal.previous,
        digest=seal.digest,
        sealed_at=seal.sealed_at,
    )


def _months_from(month: date, count: int) -> date:
    index = month.year * 12 + month.month - 1 + count
    return month.replace(year=index // 12, month=index % 12 + 1)


def _drop(month: date) -> bool:
    """Drop a month once each tenant has its anchor; where a chain is broken the month stays, as evidence."""
    tenants = tenants_from("accord_tenants_in_audit_month", month, are_deleted=True)
    if not all(_anchor(operator_scope(TenantRef(tenant, "")), month) for tenant in tenants):
        return False
    return bool(rows_of("SELECT accord_drop_audit_month(%s) AS done", month.isoformat())[0]["done"])


def _anchor(scope: Scope, month: date) -> bool:
    """Leave an anchor for a tenant's month; return whether that can be done."""
    seal_waiting(scope)
    with change(scope):
        _take_turn(scope)
        if not is_intact(scope, month):
            log.error("the audit log of tenant %s is broken in %s, which is kept", scope.tenant.id, month)
            return False
        before = AuditAnchor.objects.scoped(scope).filter(month=month).order_by("-seal").first()
        seals = AuditSeal.objects.scoped(scope).filter(month=month, number__gt=before.seal if before else 0)
        last = seals.order_by("-number").first()
        if last is None:
            return True
        records = sum(map(len, seals.values_list("ids", flat=True)))
        anchor = AuditAnchor.objects.insert(
            scope, month=month, records=records, seal=last.number, digest=last.digest
        )
        after = {"month": month.isoformat(), "records": records, "seal": anchor.seal}
        record_audit(scope, entry=AuditEntry("audit.expire", "audit", month.isoformat(), after=after))
    return True
