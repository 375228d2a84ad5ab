"""Quotas: held in the transaction of a change, set by whoever runs the installation, folded and warned of."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.utils import timezone

from accord_server.kit import outbox
from accord_server.kit.configuration import configured
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.scope import PrincipalKind, TenantRef
from accord_server.kit.settings_table import USAGE_DAYS
from tenants.access import require_everywhere
from tenants.announcements import announce_tenant
from tenants.errors import InvalidDetail, QuotaReached, SchemaAboveQuota
from tenants.limits import limits
from tenants.models import Quota, QuotaTotal, Tenant, UsageDay
from tenants.principals import operator_scope
from tenants.queries.quotas import in_use, quota_record, set_limits_of
from tenants.queries.rows import rows_of
from tenants.quota_records import Drift
from tenants.quotas import RESOURCES, STORED, SetLimits, default_limit, is_near
from tenants.records import AuditEntry
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_revision

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tenants.quota_records import QuotaRecord

RIGHT: Final = "quota.manage"
# Most of a quota is in use, and was not before.
QUOTA_WARNED: Final = "quota.warned"
HIGHEST: Final = 10**15
SCHEMA_BYTES: Final = "schema_bytes"
EXCEEDED: Final = "SELECT resource, used, added, most FROM accord_quota_exceeded(%s, %s, %s)"
# Where no worker folds, a process does itself after so many changes of a tenant: what every change must add
# up stays short.
FOLDED_AFTER: Final = 100
MOST_TENANTS: Final = 10_000
# Whoever writes totals holds this first, so that no two of them wait for each other in a ring.
TRY_TURN: Final = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s::text, 7243)) AS is_mine"
TAKE_TURN: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s::text, 7243))"
# What was folded leaves its table in the same statement, so that nobody ever sees it twice or not at all.
FOLD: Final = """
WITH gone AS (DELETE FROM tenants_quotadelta WHERE tenant_id = %s RETURNING resource, amount),
    sums AS (SELECT resource, sum(amount)::bigint AS amount FROM gone GROUP BY resource)
INSERT INTO tenants_quotatotal AS total (tenant_id, resource, used)
SELECT %s, resource, amount FROM sums ORDER BY resource
ON CONFLICT (tenant_id, resource) DO UPDATE SET used = total.used + excluded.used
"""
DELTA: Final = """
INSERT INTO tenants_quotadelta (tenant_id, resource, amount, xact)
SELECT %s, given.name, given.amount, pg_current_xact_id()::text::bigint
FROM unnest(%s::text[], %s::bigint[]) AS given (name, amount)
"""
TODAY: Final = """
INSERT INTO tenants_usageday AS known (tenant_id, day, resource, used)
SELECT %s, %s, given.name, given.used FROM unnest(%s::text[], %s::bigint[]) AS given (name, used)
ON CONFLICT (tenant_id, day, resource) DO UPDATE SET used = excluded.used
"""


class Changes:
    """How many changes of each tenant this process has seen since it last folded; bounded."""

    def __init__(self) -> None:
        self._seen: OrderedDict[UUID, int] = OrderedDict()
        self._lock = Lock()

    def is_time(self, tenant: UUID) -> bool:
        """Count a change, and tell whether it is time to fold."""
        with self._lock:
            seen = self._seen.pop(tenant, 0) + 1
            if seen < FOLDED_AFTER:
                self._seen[tenant] = seen
            if len(self._seen) > MOST_TENANTS:
                self._seen.popitem(last=False)
            return seen >= FOLDED_AFTER


changes: Final = Changes()


def require_room(scope: Scope) -> None:
    """Refuse a change that needs more than the tenant may have: last in its transaction, one statement.

    What the database has counted in this transaction is held against the limits. Near a limit (within a tenth
    of it, or a hundred such changes) a tenant's transactions wait here for each other, so that they cannot
    exceed it together; far from it they do not, and could only by what goes on at one moment, where that is
    more than a tenth of the limit.

    Raises:
        QuotaReached: Naming the limit. Nothing of the change may be kept.
    """
    defaults = [default_limit(name) for name in STORED]
    for row in rows_of(EXCEEDED, str(scope.tenant.id), list(STORED), defaults):
        resource, used, added = RESOURCES[row["resource"]], row["used"], row["added"]
        raise QuotaReached(
            resource=resource.name,
            limit=row["most"],
            usage=used - added,
            needed=added,
            things=resource.things,
            advice=resource.advice,
        )
    if changes.is_time(scope.tenant.id):
        # Afterwards: this change is not held up by it, and stands whatever comes of it.
        transaction.on_commit(lambda: fold_tenant(operator_scope(scope.tenant)), robust=True)


def require_size(scope: Scope, size: int) -> None:
    """Refuse a schema of so many bytes if one of the tenant may not have as many.

    Raises:
        SchemaAboveQuota: Naming the limit.
    """
    limit = limits.of(scope, SCHEMA_BYTES)
    if limit and size > limit:
        raise SchemaAboveQuota(SCHEMA_BYTES, limit, size, RESOURCES[SCHEMA_BYTES].advice)


def set_limits(scope: Scope, *, wanted: Mapping[str, int | None], expected: int | None) -> QuotaRecord:
    """Set limits of a tenant; None takes one back.

    Whoever runs the installation sets what the tenant may have. Its own people can only set less for
    themselves. What is in use already stays, whatever the limit.

    Raises:
        RightMissing: Without ``quota.manage``, or ``quota.read`` to see what was set.
        InvalidDetail: A name that is no resource, or a number that cannot be a limit.
        Changed: The quotas are at another revision than ``expected``.
    """
    require_everywhere(scope, RIGHT)
    field = "limits" if scope.principal.kind is PrincipalKind.OPERATOR else "own"
    with change(scope):
        # Before the tenant, which whoever folds looks at too.
        _run(TAKE_TURN, scope.tenant.id)
        Tenant.objects.select_for_update().get(id=scope.tenant.id)
        row = Quota.objects.scoped(scope).first()
        if row is None:
            row = Quota(tenant_id=scope.tenant.id)
        require_revision("The quotas", row, expected)
        for name, limit in wanted.items():
            _require_limit(name, limit, highest=HIGHEST if field == "limits" else _ceiling(name, row))
        before = dict(getattr(row, field))
        after = {name: limit for name, limit in {**before, **wanted}.items() if limit is not None}
        if after != before:
            setattr(row, field, after)
            row.revision += 1
            row.save()
            announce_tenant(scope.tenant.id)
            entry = AuditEntry("quota.update", "quota", scope.tenant.slug, before=before, after=after)
            record_audit(scope, entry=entry)
            _warn(scope)
        return quota_record(scope)


def fold_usage() -> int:
    """Fold the deltas of each tenant into its totals, and warn where one has come near a limit.

    Return how many tenants had any.
    """
    tenants = tenants_from("accord_tenants_with_quota_deltas")
    for tenant in tenants:
        fold_tenant(operator_scope(TenantRef(tenant, "")))
    return len(tenants)


def fold_tenant(scope: Scope) -> None:
    """Fold the deltas of one tenant, and warn where it has come near a limit.

    Who comes while somebody folds does nothing: it is being done.
    """
    with change(scope):
        (turn,) = rows_of(TRY_TURN, str(scope.tenant.id))
        if not turn["is_mine"]:
            return
        _run(FOLD, *[scope.tenant.id] * 2)
        _warn(scope)


def note_usage() -> int:
    """Note for today what each tenant uses, and forget what is too old; return how many there are."""
    tenants = tenants_from("accord_active_tenants")
    for tenant in tenants:
        note_tenant(operator_scope(TenantRef(tenant, "")))
    return len(tenants)


def note_tenant(scope: Scope) -> None:
    """Note for today what one tenant uses, and forget what is too old."""
    today = timezone.now().date()
    with change(scope):
        used = in_use(scope)
        _run(TODAY, scope.tenant.id, today, list(used), list(used.values()))
        UsageDay.objects.scoped(scope).filter(day__lt=today - timedelta(days=configured(USAGE_DAYS))).delete()


def recount_usage(scope: Scope) -> list[Drift]:
    """Count anew all that is stored, and mend what was counted wrong: for whoever runs the installation.

    What is stored and what was counted of it are read at one moment, while others go on.
    """
    with change(scope):
        tenant = str(scope.tenant.id)
        counted = rows_of(_recount(), *[tenant] * (len(_counted) + 1), list(STORED), [0] * len(STORED))
        drifts = [Drift(row["resource"], row["used"], row["found"]) for row in counted]
        wrong = [one for one in drifts if one.counted != one.found]
        amounts = [one.found - one.counted for one in wrong]
        _run(DELTA, scope.tenant.id, [one.resource for one in wrong], amounts)
    fold_tenant(scope)
    return wrong


def count_in(table: str, resource: str, measure: str) -> None:
    """Say which rows of a room's own count as a resource, as its migration says it to the database."""
    _counted[table] = (resource, measure)


def _recount() -> str:
    parts = " UNION ALL ".join(
        f"SELECT '{resource}' AS resource, {measure} AS n FROM {table} WHERE tenant_id = %s"  # noqa: S608  # constants of ours
        for table, (resource, measure) in _counted.items()
    )
    return (
        f"WITH parts AS ({parts})"  # noqa: S608  # as above
        " SELECT known.resource, known.used,"
        " coalesce((SELECT sum(n) FROM parts WHERE parts.resource = known.resource), 0)::bigint AS found"
        " FROM accord_quota_use(%s, %s, %s) AS known"
    )


def _warn(scope: Scope) -> None:
    """Tell of each resource that has come near its limit since it was last looked at, once."""
    held = set_limits_of(scope)
    rows = QuotaTotal.objects.scoped(scope).filter(resource__in=STORED).order_by("resource")
    for row in list(rows.select_for_update(of=("self",))):
        near = is_near(row.used, held.in_force(row.resource))
        if near == (row.warned_at is not None):
            continue
        row.warned_at = timezone.now() if near else None
        row.save(update_fields=["warned_at"])
        if near:
            told = {"resource": row.resource, "used": row.used, "limit": held.in_force(row.resource)}
            outbox.emit(replace(scope, namespace=None), QUOTA_WARNED, told)


def _require_limit(name: str, limit: int | None, *, highest: int) -> None:
    place = f"/limits/{name}"
    if name not in RESOURCES:
        raise InvalidDetail(place, f"there is no such limit; there are {', '.join(RESOURCES)}")
    if limit is None:
        return
    is_ceiling = highest == HIGHEST
    lowest = 0 if is_ceiling and RESOURCES[name].has_none else 1
    if not lowest <= limit <= (highest or HIGHEST):
        more = "" if is_ceiling else "; only whoever runs the installation can allow more"
        raise InvalidDetail(place, f"expected a number from {lowest} to {highest or HIGHEST}, or null{more}")


def _ceiling(name: str, row: Quota) -> int:
    return SetLimits(row.limits).ceiling(name) if name in RESOURCES else 0


def _run(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


_counted: dict[str, tuple[str, str]] = {}
